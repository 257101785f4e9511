package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/test/pages"
	"chela/test/service"
)

// A user of a fleet opens a tab on each of two nodes. The handles tell the tabs apart.
func TestTabsOnTwoNodes(t *testing.T) {
	b := newBroker(t)
	b.newNode(t, "mac", "")
	b.newNode(t, "linux", "")
	here := b.newCaller(t, "")
	open := func(node, title string) string {
		a := here.OK(t, "POST /tabs/open?target=node&node="+node, service.Args{"url": site.URL + pages.HTML("<title>"+title+"</title><button>Go</button>")})
		return a.Text("tabId")
	}
	if first, second := open("mac", "Apple"), open("linux", "Penguin"); first != "mac/t1" || second != "linux/t1" {
		t.Fatalf("the handles are %s and %s", first, second)
	}
	for handle, title := range map[string]string{"mac/t1": "Apple", "linux/t1": "Penguin"} {
		here.OK(t, "GET /snapshot?targetId="+handle, nil)
		if a := here.OK(t, "GET /tabs?node="+strings.TrimSuffix(handle, "/t1"), nil); !strings.Contains(a.Raw, title) || !strings.Contains(a.Raw, handle) {
			t.Errorf("on the node of %s are %s", handle, a.Raw)
		}
		here.OK(t, "POST /act", service.Args{"kind": "click", "ref": "e1", "targetId": handle}).Has(t, "tabId", handle)
	}
	if a := here.OK(t, "GET /tabs", nil); strings.Contains(a.Raw, "Apple") {
		t.Errorf("here are %s", a.Raw)
	}
	here.Do(t, "GET /snapshot?target=host&targetId=mac/t1", nil).Fails(t, 400, "invalid_request", "the tab is on node mac")
	here.Do(t, "GET /tabs?target=node", nil).Fails(t, 400, "invalid_request", "Multiple browser-capable nodes connected (2). Set gateway.nodes.browser.node or pass node=<id>.")
	here.Do(t, "GET /tabs?node=pc", nil).Fails(t, 404, "not_found", "unknown node: pc (known: linux, mac)")
	here.Do(t, "GET /tabs?target=host&node=mac", nil).Fails(t, 400, "invalid_request", `node is only supported with target="node".`)
}

// A session stays on the node that has its tabs, and ending the session closes them there.
func TestSessionStaysOnItsNode(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	shop := here.In("shop")
	shop.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML("<title>Shop</title>")})
	shop.OK(t, "GET /snapshot", nil).Has(t, "tabId", "mac/t1")
	here.OK(t, "POST /sessions/end", service.Args{"session": "shop"}).Has(t, "closed", "1")
	if a := mac.OK(t, "GET /tabs", nil); strings.Contains(a.Raw, "Shop") {
		t.Errorf("the node still has %s", a.Raw)
	}
}

// Agents use a node if there is exactly one, by the rules of OpenClaw. Other callers do not.
func TestAutoRules(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	for _, test := range []struct{ name, settings, want string }{
		{"auto", "", "mac/t1"},
		{"manual", `{gateway: {nodes: {browser: {mode: "manual"}}},`, "t1"},
	} {
		here := b.newCaller(t, test.settings)
		page := service.Args{"url": site.URL + pages.HTML("<title>"+test.name+"</title>")}
		agent := here.In(test.name).By(op.AgentTool)
		if a := agent.OK(t, "POST /tabs/open", page); a.Text("tabId") != test.want {
			t.Errorf("%s: an agent's tab is %s, want %s", test.name, a.Text("tabId"), test.want)
		}
		if a := here.OK(t, "POST /tabs/open", page); strings.Contains(a.Text("tabId"), "/") {
			t.Errorf("%s: another caller's tab is %s", test.name, a.Text("tabId"))
		}
		here.Kill()
	}
	off := b.newCaller(t, `{gateway: {nodes: {browser: {mode: "off"}}},`)
	off.Do(t, "GET /tabs?node=mac", nil).Fails(t, 403, "forbidden", "Node browser proxy is disabled (gateway.nodes.browser.mode=off).")
	mac.Kill()
}

// No caller gets what the machine of a node does not allow.
func TestPolicyOfTheNode(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", `{nodeHost: {browserProxy: {allowProfiles: ["work"]}},`)
	mac.OK(t, "POST /profiles/create", service.Args{"name": "work"})
	here := b.newCaller(t, "")
	here.Do(t, "GET /tabs?node=mac", nil).Fails(t, 403, "forbidden", "INVALID_REQUEST: browser profile not allowed")
	here.Do(t, "POST /profiles/create?node=mac", service.Args{"name": "mine"}).Fails(t, 403, "forbidden", "INVALID_REQUEST: browser.proxy cannot mutate persistent browser profiles")
	here.Do(t, "POST /extension/pair?node=mac", nil).Fails(t, 403, "forbidden", "is about a machine itself")
	here.Do(t, "POST /shutdown?node=mac", nil).Fails(t, 403, "forbidden", "is about a machine itself")
	own, shop := mac.In("own"), here.In("shop")
	own.OK(t, "POST /tabs/open", service.Args{"url": "about:blank"})
	shop.OK(t, "POST /tabs/open?node=mac", service.Args{"url": "about:blank", "profile": "work"})
	for _, list := range []string{"GET /profiles?node=mac", "GET /sessions?node=mac"} {
		if a := here.OK(t, list, nil); strings.Contains(a.Raw, `"chela"`) || !strings.Contains(a.Raw, `"work"`) {
			t.Errorf("%s shows %s", list, a.Raw)
		}
	}
	shop.OK(t, "POST /tabs/open?node=mac", service.Args{"url": "about:blank", "profile": "work"})
	mac.In("shop").OK(t, "POST /tabs/open", service.Args{"url": "about:blank"})
	here.OK(t, "POST /sessions/end?node=mac", service.Args{"session": "own"}).Has(t, "closed", "0")
	here.OK(t, "POST /sessions/end", service.Args{"session": "shop"}).Has(t, "closed", "2")
	if a := own.OK(t, "GET /tabs", nil); a.Count("tabs") != 2 {
		t.Errorf("the user's tabs: %s", a.Raw)
	}
}

// Without a fleet the errors have OpenClaw's texts.
func TestNoFleet(t *testing.T) {
	here := service.Run(t, stateDir(t, ""))
	here.Do(t, "GET /tabs?target=node", nil).Fails(t, 501, "not_supported", "No connected browser-capable nodes.")
	here.Do(t, "GET /tabs?targetId=mac/t1", nil).Fails(t, 501, "not_supported", "No connected browser-capable nodes.")
}

// Files on a node become files on the caller's machine, such as a picture or a large download. An
// upload goes the other way.
func TestFiles(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML(`<title>Files</title><input type=file aria-label=File>`)})
	picture := here.OK(t, "POST /screenshot", service.Args{"targetId": "mac/t1"}).Text("path")
	if info, err := os.Stat(picture); err != nil || info.Size() == 0 {
		t.Errorf("the picture is not here: %v", err)
	}
	reference := here.Upload(t, "letter.txt", "Dear Ada")
	here.OK(t, "GET /snapshot?targetId=mac/t1", nil)
	here.OK(t, "POST /hooks/file-chooser", service.Args{"targetId": "mac/t1", "paths": []string{reference}, "ref": "e1"})
	read := here.OK(t, "POST /act", service.Args{"targetId": "mac/t1", "kind": "evaluate", "fn": "async () => document.querySelector('input').files[0].name + ': ' + await document.querySelector('input').files[0].text()"})
	read.Has(t, "result", "letter.txt: Dear Ada")
}

// A file that does not fit into a message goes by the object store. Without a store the file is
// refused by its name, and the rest of the answer comes.
func TestLargeFiles(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		err  string
	}{
		{"with JetStream", withObjects(t), ""},
		{"without", nil, "only 524288 travel with a message"},
	} {
		b := newBroker(t, test.args...)
		mac := b.newNode(t, "mac", "")
		here := b.newCaller(t, "")
		here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML(`<title>Large</title><a download="large.bin" href="/large">Get</a>`)})
		here.OK(t, "GET /snapshot?targetId=mac/t1", nil)
		a := here.Do(t, "POST /download", service.Args{"targetId": "mac/t1", "ref": "e1", "path": "large.bin"})
		if test.err != "" {
			a.Fails(t, 413, "too_large", test.err)
		} else if path := a.Text("download.path"); filepath.Base(path) != "large.bin" {
			t.Errorf("the file is at %s: %s", path, a.Raw)
		} else if info, err := os.Stat(path); err != nil || info.Size() != large {
			t.Errorf("the file: %v, %v", info, err)
		}
		here.Kill()
		mac.Kill()
	}
}

// A reading without a tab runs on any node, and a picture of it arrives.
func TestReadingsOnAnyNode(t *testing.T) {
	b := newBroker(t)
	b.newNode(t, "mac", "")
	b.newNode(t, "linux", "")
	here := b.newCaller(t, "")
	page := site.URL + pages.HTML("<title>Any</title><main><h1>Anywhere</h1><p>"+strings.Repeat("words ", 100)+"</main>")
	for range 6 {
		if a := here.OK(t, "POST /read?target=node", service.Args{"url": page}); !strings.Contains(a.Raw, "Anywhere") {
			t.Errorf("read %s", a.Raw)
		}
	}
	picture := here.OK(t, "POST /render?target=node", service.Args{"url": page, "mode": "screenshot", "wait": "auto"}).Text("image_path")
	if info, err := os.Stat(picture); err != nil || info.Size() == 0 {
		t.Errorf("the picture is not here: %v", err)
	}
}
