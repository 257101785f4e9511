//go:build unix

package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/test/service"
)

// A node is stopped for so long that another node takes its portable profile. When it goes on, it
// notices that. It ends its browser, says why, and changes nothing that the other node has saved.
func TestPortableProfileOfAStoppedNode(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key, log := newFleetKey(t), filepath.Join(t.TempDir(), "mac.log")
	mac := b.startPortable(t, "mac", portable{dir: t.TempDir(), keyFile: key, args: []string{"--log", log}})
	b.newPortable(t, "pc", key)
	v, here := b.openVault(t, key), b.newCaller(t, "")
	shop := here.In("shop")
	tab := logIn(t, shop, "mac")
	shop.OK(t, "POST /act", service.Args{"targetId": tab, "kind": "evaluate", "fn": "() => { setInterval(() => location.hash = Date.now(), 100) }"}) // there is always something to save
	first := v.await(t, "three claws")
	stopProcess(t, mac.PID())
	shows(t, eventuallyOK(t, shop, "GET /snapshot?targetId="+tab))
	shop.OK(t, "POST /navigate", service.Args{"targetId": tab, "url": site.URL + "/account?login=grace"})
	second := v.await(t, "grace")
	continueProcess(t, mac.PID())
	service.Eventually(t, "the first node says that it has lost the profile", func() bool {
		raw, err := os.ReadFile(log)
		return err == nil && strings.Contains(string(raw), "its lease could not be renewed") && strings.Contains(string(raw), "as another machine may have the profile")
	})
	service.Eventually(t, "its browser has ended", func() bool { return mac.OK(t, "GET /", nil).Text("running") == "false" })
	mac.Do(t, "POST /tabs/open", service.Args{"url": "about:blank"}).Fails(t, 409, "PROFILE_ELSEWHERE", "profile work is on node pc")
	if err := mac.Close(); err != nil {
		t.Error(err)
	}
	if last := v.await(t, "grace"); last.Generation != second.Generation || second.Generation <= first.Generation {
		t.Errorf("the saves are of the generations %d, %d and %d", first.Generation, second.Generation, last.Generation)
	}
	shop.OK(t, "POST /navigate", service.Args{"targetId": tab, "url": site.URL + "/account"})
	if a := shop.OK(t, "GET /snapshot?targetId="+tab, nil); !strings.Contains(a.Raw, "grace") {
		t.Errorf("the other node has lost its login: %s", a.Raw)
	}
}

// Nodes that keep browsers ready do not take a portable profile before a call needs it. Their empty
// tabs are not saved and do not move, and they do not delay the end of a node.
func TestWarmPortableProfile(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	start := func(name string) *service.Program {
		return b.startPortable(t, name, portable{dir: t.TempDir(), keyFile: key, fleet: ", warm: 2"})
	}
	mac, pc := start("mac"), start("pc")
	v, here, w := b.openVault(t, key), b.newCaller(t, ""), b.watch(t)
	isWarm := func(name string, tabs int) {
		t.Helper()
		service.Eventually(t, name+" has tabs ready", func() bool { return w.load(name).Warm == tabs })
	}
	isWarm("mac", 2) // those for rendering
	isWarm("pc", 2)
	if !v.isEmpty(t) {
		t.Error("a node has taken the profile before any call")
	}
	tab := here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + "/account"}).Text("tabId")
	isWarm("mac", 4)
	here.Do(t, "POST /tabs/open?node=pc", service.Args{"url": "about:blank"}).Fails(t, 409, "PROFILE_ELSEWHERE", "profile work is on node mac")
	if d := v.await(t, "/account"); d.tabs(t) != 1 {
		t.Errorf("%d tabs are kept: %s", d.tabs(t), d.plain)
	}
	ends := func(p *service.Program, of string) {
		t.Helper()
		begun := time.Now()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 10*time.Second+service.Slack() {
			t.Errorf("the node with %s ended after %s", of, took)
		}
	}
	ends(mac, "a tab that can move")
	eventuallyOK(t, here.Service, "GET /snapshot?targetId="+tab)
	if a := pc.OK(t, "GET /tabs", nil); a.Count("tabs") != 1 {
		t.Errorf("the next node has %s", a.Raw)
	}
	here.OK(t, "DELETE /tabs/"+strings.ReplaceAll(tab, "/", "%2F"), nil)
	isWarm("pc", 4)
	ends(pc, "empty tabs")
	if d, ok := v.last(t); !ok || d.tabs(t) != 0 {
		t.Errorf("at the end this is kept: %s", d.plain)
	}
}
