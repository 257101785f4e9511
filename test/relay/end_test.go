package relay

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Chromium shows a bar while a debugger is attached. Closing it takes back all tabs, also those not
// attached, and nothing attaches again.
func TestBar(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	one, two := openAttached(s, site.URL+"/one"), openAttached(s, site.URL+"/two")
	idle := p.newTab(site.URL + "/idle")
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, idle))
	p.closeBar(s, one)
	for _, tab := range []int{one, two, idle} {
		if got := s.change("unshared", tab)["reason"]; got != "cancelled" {
			t.Errorf("reason = %v", got)
		}
		p.until("it has left the group", func() bool { return p.tab(tab)["groupId"] == -1.0 })
		if p.attached(tab) {
			t.Errorf("tab %d is attached", tab)
		}
		if reply := s.try(m{"do": "attach", "tab": tab}); reply["error"].(m)["code"] != 404.0 {
			t.Errorf("attach: %v", reply)
		}
	}
	if got := p.badge(); got != "" {
		t.Errorf("badge %q", got)
	}
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, one))
	if again := s.do(m{"do": "attach", "tab": one}); again["fresh"] != true {
		t.Errorf("shared again: %v", again)
	}
}

// closeBar closes the bar with the keyboard: F6 goes through the parts of the window, the bar among
// them, and Escape closes what has the focus there.
func (p *person) closeBar(s *server, tab int) {
	p.t.Helper()
	front := p.number(`return (await chrome.tabs.query({active: true}))[0].id`)
	p.in(fmt.Sprintf(`await chrome.windows.update((await chrome.tabs.get(%d)).windowId, {focused: true})`, front))
	for range 10 {
		press(p.t, "F6")
		press(p.t, "space")
		for range 10 {
			if s.has(isChange("unshared", tab)) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	p.t.Fatal("the bar was not closed")
}

// A page with a frame of another extension cannot be attached for as long as the frame is there.
// The tab is listed with the reason, and attached again when it can be.
func TestFrameOfAnotherExtension(t *testing.T) {
	p, s := paired(t)
	p.load(otherExtension(t))
	site := newSite(t)
	tab, other := openAttached(s, site.URL+"/one"), openAttached(s, site.URL+"/other")
	s.send(m{"tab": tab, "method": "Page.navigate", "params": m{"url": named(site.URL) + "/framed"}})
	s.change("detached", tab)
	s.event("the tab is held", func(e m) bool {
		return isChange("tab", tab)(e) && e["change"].(m)["tab"].(m)["held"] == "held by a frame of another extension"
	})
	if reply := s.try(m{"do": "attach", "tab": tab}); !equal(reply["error"], m{"code": 409, "message": "held by a frame of another extension"}) {
		t.Errorf("attach: %v", reply)
	}
	if got := s.evaluate(other, "1"); got != 1.0 {
		t.Errorf("another tab: %v", got)
	}
	count := s.greeted()
	p.stopWorker()
	if tabs := s.hello(count + 1)["tabs"].([]any); len(tabs) != 2 {
		t.Errorf("tabs = %v", tabs)
	}
	s.clear()
	p.in(fmt.Sprintf(`await chrome.tabs.update(%d, {url: %q})`, tab, site.URL+"/two"))
	s.change("attached", tab)
	if got := s.evaluate(tab, "document.title"); got != "/two" {
		t.Errorf("title = %v", got)
	}
	s.event("the tab is not held", func(e m) bool {
		return isChange("tab", tab)(e) && e["change"].(m)["tab"].(m)["held"] == ""
	})
}

// otherExtension is a folder with an extension that puts a frame of its own into pages of
// other.test.
func otherExtension(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "Other", "version": "1",
			"content_scripts": [{"matches": ["*://other.test/*"], "js": ["script.js"]}],
			"web_accessible_resources": [{"resources": ["frame.html"], "matches": ["<all_urls>"]}]}`,
		"script.js":  `const f = document.createElement("iframe"); f.src = chrome.runtime.getURL("frame.html"); document.documentElement.append(f)`,
		"frame.html": `a frame`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A tab that Chromium discards gets a new id. The extension tells the server, and wakes the tab
// when a call names it.
func TestDiscard(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	p.loaded(tab)
	discarded := p.number(`return (await chrome.tabs.discard(%d)).id`, tab)
	if discarded == tab {
		t.Skip("this Chromium keeps the id")
	}
	s.change("replaced", []int{tab, discarded})
	listed := s.change("tab", discarded)["tab"].(m)
	if listed["discarded"] != true || listed["attached"] != false || listed["name"] != "alpha" {
		t.Errorf("listed %v", listed)
	}
	if s.has(isChange("gone", tab)) || s.has(isChange("unshared", tab)) {
		t.Error("the tab was reported as gone")
	}
	s.do(m{"do": "attach", "tab": discarded})
	p.loaded(discarded)
	if got := s.evaluate(discarded, "document.title"); got != "/one" {
		t.Errorf("title = %v", got)
	}
	if p.tab(discarded)["active"] != false {
		t.Error("it was brought to the front")
	}
}

// If the server does not know the extension's key, the popup says so. The extension keeps the key.
func TestUnknownKey(t *testing.T) {
	p, s := paired(t)
	s.mu.Lock()
	s.keyID = "ffffffffffffffff"
	s.mu.Unlock()
	s.close()
	s.listen(s.port)
	p.until("the popup says so", func() bool {
		return p.in(`return document.getElementById("status").textContent`) == "refused: not paired"
	})
	if p.in(`return (await chrome.storage.local.get("key")).key ?? ""`) != s.key {
		t.Error("the key is not kept")
	}
}

// A server that does not prove that it knows the key learns nothing.
func TestForeignServer(t *testing.T) {
	s := newServer(t)
	p := newPerson(t, s.port)
	p.in(fmt.Sprintf(`await chrome.storage.local.set({keyId: %q, key: "%064d"})`, s.keyID, 0))
	p.request(`{do: "start"}`)
	p.until("the popup says so", func() bool {
		return p.in(`return document.getElementById("status").textContent`) == "refused: not paired"
	})
	if s.greeted() != 0 {
		t.Error("it got a hello")
	}
}

// askToClose returns the id of a command that closes a tab, whose page asks whether it may be closed.
func (s *server) askToClose(tab int) float64 {
	s.t.Helper()
	s.command(tab, "Page.enable", m{})
	s.evaluate(tab, `onbeforeunload = (e) => e.preventDefault(), 1`)
	id := s.send(m{"do": "close", "tab": tab})
	s.event("the dialog", func(e m) bool { return e["method"] == "Page.javascriptDialogOpening" })
	return id
}

// reply waits for the reply to a command.
func (s *server) reply(id float64) (reply m) {
	s.t.Helper()
	s.wait("the reply", func() bool {
		reply = s.replies[id]
		return reply != nil
	})
	return reply
}

// Two commands close a tab at the same time. Both are answered when it is closed.
func TestTwoCommandsCloseATab(t *testing.T) {
	_, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	one := s.askToClose(tab)
	other := s.send(m{"do": "close", "tab": tab})
	s.command(tab, "Page.handleJavaScriptDialog", m{"accept": true})
	for _, id := range []float64{one, other} {
		if got := s.reply(id); got["error"] != nil {
			t.Errorf("close: %v", got)
		}
	}
}

// If the person takes a tab back while its page asks whether it may be closed, the command that
// closes it fails.
func TestTabIsTakenBackBeforeItCloses(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	closing := s.askToClose(tab)
	p.request(fmt.Sprintf(`{do: "unshare", tab: %d}`, tab))
	if got, _ := s.reply(closing)["error"].(m); got["code"] != 404.0 {
		t.Errorf("close: %v", got)
	}
}
