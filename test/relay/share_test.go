package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// newSite serves pages whose title is their path.
func newSite(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%s</title><body>%s`, r.URL.Path, frames[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s
}

// frames has the contents of those pages that have more than a title.
var frames = map[string]string{
	"/outer": `<iframe src="/inner"></iframe>`,
}

// A tab that the person shares by the button is listed, used, and taken back.
func TestButton(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	tab := p.newTab(site.URL + "/one")
	if reply := s.try(m{"do": "attach", "tab": tab}); fmt.Sprint(reply["error"]) != "map[code:404 message:no longer shared]" {
		t.Errorf("attach before it is shared: %v", reply)
	}
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	listed := s.change("tab", tab)["tab"].(m)
	want := m{"url": site.URL + "/one", "title": "/one", "shared": "button", "attached": false, "active": false, "held": "", "popup": false, "opener": 0, "name": ""}
	for name, want := range want {
		if !equal(listed[name], want) {
			t.Errorf("%s = %v, want %v", name, listed[name], want)
		}
	}
	if listed["target"] == "" || p.badge() != "1" || p.attached(tab) {
		t.Errorf("target %v, badge %q, attached %v", listed["target"], p.badge(), p.attached(tab))
	}
	if reply := s.try(m{"tab": tab, "method": "Runtime.evaluate", "params": m{"expression": "1"}}); fmt.Sprint(reply["error"]) != "map[code:409 message:not attached]" {
		t.Errorf("a command before attach: %v", reply)
	}
	if first, second := s.do(m{"do": "attach", "tab": tab}), s.do(m{"do": "attach", "tab": tab}); first["fresh"] != true || second["fresh"] != false {
		t.Errorf("attach: %v, then %v", first, second)
	}
	if got := s.evaluate(tab, "document.title"); got != "/one" {
		t.Errorf("title = %v", got)
	}
	s.command(tab, "Runtime.enable", m{})
	s.event("a context", func(e m) bool { return e["method"] == "Runtime.executionContextCreated" })
	if reply := s.try(m{"tab": tab, "method": "No.such"}); fmt.Sprint(reply["error"]) != "map[code:-32601 message:'No.such' wasn't found]" {
		t.Errorf("an unknown command: %v", reply)
	}
	p.request(fmt.Sprintf(`{do: "unshare", tab: %d}`, tab))
	if got := s.change("unshared", tab)["reason"]; got != "button" {
		t.Errorf("reason = %v", got)
	}
	if p.attached(tab) || p.badge() != "" || p.tab(tab)["groupId"] != -1.0 {
		t.Errorf("after it: attached %v, badge %q, group %v", p.attached(tab), p.badge(), p.tab(tab)["groupId"])
	}
	if reply := s.try(m{"do": "attach", "tab": tab}); fmt.Sprint(reply["error"]) != "map[code:404 message:no longer shared]" {
		t.Errorf("attach after it: %v", reply)
	}
}

// Each session has a group of its name and color, behind the person's tab. A person who moves a tab
// into the group shares the tab, and takes it back by moving it out.
func TestGroups(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	front := p.number(`return (await chrome.tabs.query({active: true}))[0].id`)
	one := s.do(m{"do": "open", "url": site.URL + "/one", "name": "alpha"})["tab"].(m)
	two := s.do(m{"do": "open", "url": site.URL + "/two", "name": "alpha"})["tab"].(m)
	other := s.do(m{"do": "open", "url": site.URL + "/three", "name": "beta"})["tab"].(m)
	if one["group"] != two["group"] || one["group"] == other["group"] || one["name"] != "alpha" || one["shared"] != "opened" {
		t.Errorf("opened %v, %v and %v", one, two, other)
	}
	group := p.in(fmt.Sprintf(`const {title, color} = await chrome.tabGroups.get(%v); return title + " " + color`, one["group"])).(string)
	if !strings.HasPrefix(group, "chela: alpha ") || strings.HasSuffix(group, "grey") {
		t.Errorf("group = %s", group)
	}
	if got := p.number(`return (await chrome.tabs.query({active: true}))[0].id`); got != front {
		t.Errorf("in front is %d, want %d", got, front)
	}
	own := p.newTab(site.URL + "/own")
	p.in(fmt.Sprintf(`await chrome.tabs.group({tabIds: [%d], groupId: %v})`, own, one["group"]))
	if listed := s.change("tab", own)["tab"].(m); listed["shared"] != "group" || listed["name"] != "alpha" {
		t.Errorf("moved into the group: %v", listed)
	}
	s.do(m{"do": "attach", "tab": own})
	p.in(fmt.Sprintf(`await chrome.tabs.ungroup([%d])`, own))
	if got := s.change("unshared", own)["reason"]; got != "group" || p.attached(own) {
		t.Errorf("taken out: %v, attached %v", got, p.attached(own))
	}
	moved := s.do(m{"do": "keep", "tab": two["tabId"], "name": "beta"})["tab"].(m)
	if moved["group"] != other["group"] || moved["name"] != "beta" {
		t.Errorf("moved to the other session: %v", moved)
	}
	if s.has(isChange("unshared", two["tabId"])) {
		t.Error("moving it between sessions took it back")
	}
	s.do(m{"do": "close", "tab": two["tabId"]})
	if !s.has(isChange("gone", two["tabId"])) || p.badge() != "2" {
		t.Errorf("closed: badge %q", p.badge())
	}
}

// A tab in another window gets a group there: Chromium would move it otherwise.
func TestGroupInAnotherWindow(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	one := s.do(m{"do": "open", "url": site.URL + "/one", "name": "alpha"})["tab"].(m)
	two := p.number(`return (await chrome.windows.create({url: %q, focused: false})).tabs[0].id`, site.URL+"/two")
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, two))
	moved := s.do(m{"do": "keep", "tab": two, "name": "alpha"})["tab"].(m)
	if moved["window"] == one["window"] || moved["group"] == one["group"] || moved["group"] == -1.0 || moved["name"] != "alpha" {
		t.Errorf("in another window: %v, the first: %v", moved, one)
	}
	pinned := p.number(`return (await chrome.tabs.create({url: %q, active: false, pinned: true})).id`, site.URL+"/pinned")
	p.loaded(pinned)
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, pinned))
	if got := s.do(m{"do": "keep", "tab": pinned, "name": "alpha"})["tab"].(m); got["group"] != -1.0 || got["name"] != "alpha" || p.tab(pinned)["pinned"] != true {
		t.Errorf("pinned: %v", got)
	}
}

// Pages of the browser, of extensions and of their store are never offered.
func TestInternalPages(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	for _, url := range []string{"chrome://version", "chrome-extension://" + extensionID + "/popup.html", "view-source:" + site.URL, "chrome://newtab"} {
		tab := p.number(`return (await chrome.tabs.create({url: %q, active: false})).id`, url)
		p.until("it has its address", func() bool { return p.tab(tab)["url"] != "" })
		got := p.in(fmt.Sprintf(`return (await chrome.runtime.sendMessage({do: "share", tab: %d})).error`, tab))
		if got != "This page cannot be shared." {
			t.Errorf("%s: %v", url, got)
		}
		if reply := s.try(m{"do": "open", "url": url}); reply["error"].(m)["code"] != 400.0 {
			t.Errorf("open %s: %v", url, reply)
		}
	}
	opened := s.do(m{"do": "open", "url": site.URL + "/one", "name": "alpha"})["tab"].(m)
	tab := int(opened["tabId"].(float64))
	p.in(fmt.Sprintf(`await chrome.tabs.group({tabIds: [(await chrome.tabs.create({url: "chrome://version", active: false})).id], groupId: %v})`, opened["group"]))
	p.loaded(tab)
	s.do(m{"do": "attach", "tab": tab})
	if reply := s.try(m{"tab": tab, "method": "Page.navigate", "params": m{"url": "chrome://version"}}); reply["error"].(m)["code"] != 409.0 {
		t.Errorf("navigate to a page of the browser: %v", reply)
	}
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: "chrome://version"})`, tab))
	s.change("detached", tab)
	s.event("the tab is held", func(e m) bool {
		change, _ := e["change"].(m)
		listed, _ := change["tab"].(m)
		return listed["tabId"] == float64(tab) && listed["held"] == "an internal page of the browser" && listed["url"] == "" && listed["title"] == ""
	})
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, tab, site.URL+"/two"))
	s.change("attached", tab)
	history := s.command(tab, "Page.getNavigationHistory", m{})
	if text := fmt.Sprint(history); strings.Contains(text, "chrome:") || !strings.Contains(text, "/two") || len(history["entries"].([]any)) != 3 {
		t.Errorf("history = %v", history)
	}
	entry := history["entries"].([]any)[1].(m)["id"]
	if reply := s.try(m{"tab": tab, "method": "Page.navigateToHistoryEntry", "params": m{"entryId": entry}}); reply["error"].(m)["code"] != 409.0 {
		t.Errorf("back to a page of the browser: %v", reply)
	}
	if s.has(func(e m) bool { return strings.Contains(fmt.Sprint(e), "chrome://") }) {
		t.Error("an event names a page of the browser")
	}
	if s.hello(1); len(p.in(`return (await chrome.runtime.sendMessage({do: "show"})).result.tabs`).([]any)) != 2 {
		t.Error("the popup does not list both tabs")
	}
}

// After Stop, commands that touch a page are refused. Commands that end an act under way are not.
func TestStop(t *testing.T) {
	p, s := paired(t)
	tab := int(s.do(m{"do": "open", "url": newSite(t).URL + "/one", "name": "alpha"})["tab"].(m)["tabId"].(float64))
	s.do(m{"do": "attach", "tab": tab})
	p.request(`{do: "stop"}`)
	s.change("stopped", true)
	for _, c := range []struct {
		message m
		refused bool
	}{
		{m{"tab": tab, "method": "Input.insertText", "params": m{"text": "a"}}, true},
		{m{"tab": tab, "method": "Page.navigate", "params": m{"url": "about:blank"}}, true},
		{m{"do": "open", "url": "about:blank"}, true},
		{m{"do": "close", "tab": tab}, true},
		{m{"tab": tab, "method": "Runtime.evaluate", "params": m{"expression": "1"}}, false},
		{m{"tab": tab, "method": "Input.dispatchMouseEvent", "params": m{"type": "mouseReleased", "x": 1, "y": 1, "button": "left"}}, false},
		{m{"tab": tab, "method": "Input.setInterceptDrags", "params": m{"enabled": true}}, true},
		{m{"tab": tab, "method": "Input.setInterceptDrags", "params": m{"enabled": false}}, false},
		{m{"tab": tab, "method": "Input.cancelDragging"}, false},
	} {
		if reply := s.try(c.message); (reply["error"] != nil) != c.refused {
			t.Errorf("%v: %v", c.message, reply)
		}
	}
	p.request(`{do: "go"}`)
	s.change("stopped", false)
	s.command(tab, "Input.insertText", m{"text": "a"})
	s.do(m{"do": "flash", "tab": tab, "x": 1, "y": 2.5, "width": 30, "height": 4})
}

// Take back and Stop have their effect at once if the state cannot be stored, and are stored later.
func TestFailedWrites(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	tab := openAttached(s, site.URL+"/one")
	worker := p.attach(p.workers()[0])
	p.ask(worker, `stored = chrome.storage.session, set = stored.set, stored.set = () => Promise.reject(new Error("quota")), 1`)
	p.request(fmt.Sprintf(`{do: "unshare", tab: %d}`, tab))
	s.change("unshared", tab)
	p.request(`{do: "stop"}`)
	s.change("stopped", true)
	if p.attached(tab) || p.tab(tab)["groupId"] != -1.0 {
		t.Errorf("taken back: attached %v, group %v", p.attached(tab), p.tab(tab)["groupId"])
	}
	if got := p.request(`{do: "show"}`).(m)["unsaved"]; got != "quota" {
		t.Errorf("the popup says %q", got)
	}
	p.ask(worker, `stored.set = set, 1`)
	p.until("the state is stored", func() bool { return p.request(`{do: "show"}`).(m)["unsaved"] == "" })
	p.stopWorker()
	s.hello(2)
	if got := p.request(`{do: "show"}`).(m); got["stopped"] != true || len(got["tabs"].([]any)) != 0 {
		t.Errorf("the next worker has %v", got)
	}
}

// What pages choose does not fill the store of the extension.
func TestLongAddresses(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	tab := openAttached(s, site.URL+"/one")
	s.command(tab, "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	s.evaluate(tab, `workers = [1, 2].map(() => new Worker("data:text/javascript,//" + "x".repeat(1e6))), 1`)
	s.event("a worker", func(e m) bool { return e["method"] == "Target.attachedToTarget" })
	kids := `return Object.values((await chrome.storage.session.get("state")).state.kids).map((kid) => kid.info.url.length).join()`
	p.until("both are stored, cut", func() bool { return p.in(kids) == "4097,4097" })
}

// named returns the address of the site with another host name. For Chromium that is another site.
func named(url string) string { return strings.Replace(url, "127.0.0.1", "other.test", 1) }

// The popup shows the tabs each second. The button that has the focus keeps it, and takes its tab back.
func TestPopupKeepsTheFocus(t *testing.T) {
	p, s := paired(t)
	tab := p.newTab(newSite(t).URL + "/one")
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	s.change("tab", tab)
	p.until("the popup lists the tab", func() bool { return p.in(`return document.querySelectorAll("#tabs button").length`) == 1.0 })
	got := p.in(`
		document.querySelector("#tabs button").focus();
		const real = chrome.runtime.sendMessage;
		await new Promise((done) => {
			let answers = 0;
			chrome.runtime.sendMessage = async (message) => {
				const answer = await real.call(chrome.runtime, message);
				if (++answers === 2) done(); // the popup has shown the first one
				return answer;
			};
		});
		chrome.runtime.sendMessage = real;
		const focus = document.activeElement.textContent;
		document.activeElement.click();
		return focus`)
	if got != "Take back" {
		t.Errorf("the focus is at %q, want Take back", got)
	}
	s.change("unshared", tab)
	p.until("the popup lists no tab", func() bool { return p.in(`return document.querySelectorAll("#tabs li").length`) == 0.0 })
}

// A tab that the person takes back while it is moved into its group stays the person's.
func TestTakenBackWhileItIsGrouped(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	worker := p.attach(p.workers()[0])
	for _, step := range []string{"windows.get", "tabs.group"} { // the tab is taken back before the move, and during it
		tab := p.newTab(site.URL + "/one")
		p.ask(worker, fmt.Sprintf(`{
			const real = chrome.%[1]s, gate = Promise.withResolvers();
			globalThis.begun = Promise.withResolvers();
			globalThis.goOn = gate.resolve;
			chrome.%[1]s = async (...all) => {
				chrome.%[1]s = real;
				begun.resolve();
				await gate.promise;
				return real(...all);
			};
		}`, step))
		p.in(fmt.Sprintf(`globalThis.sharing = chrome.runtime.sendMessage({do: "share", tab: %d})`, tab))
		p.ask(worker, `begun.promise`)
		p.request(fmt.Sprintf(`{do: "unshare", tab: %d}`, tab))
		p.ask(worker, `goOn()`)
		p.in(`await sharing`)
		p.until(step+": the tab is in no group", func() bool { return p.tab(tab)["groupId"] == -1.0 })
		if reply := s.try(m{"do": "attach", "tab": tab}); equal(reply["error"], nil) {
			t.Errorf("%s: the tab is shared again", step)
		}
	}
}
