package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"chela/internal/engine/cdp"
)

// hits is a site that notes which addresses are requested.
type hits struct {
	mu    sync.Mutex // guards the rest
	paths []string
}

func (h *hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.paths = append(h.paths, r.URL.Path)
	h.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, `<title>%s</title>`, r.URL.Path)
}

func (h *hits) has(path string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Contains(strings.Join(h.paths, " ")+" ", path+" ")
}

// A page that an agent drives opens tabs and windows. Each is shared with the opener's session and
// its requests are held. The person's tab and window are in front again. Whether the first request
// is held is a race, so this test looks at the second.
func TestPopups(t *testing.T) {
	p, s := paired(t)
	asked := &hits{}
	site := httptest.NewServer(asked)
	t.Cleanup(site.Close)
	front := p.number(`return (await chrome.tabs.query({active: true}))[0].id`)
	p.in(fmt.Sprintf(`await chrome.windows.update((await chrome.tabs.get(%d)).windowId, {focused: true})`, front))
	p.until("the browser has the focus", func() bool { return p.in(`return (await chrome.windows.getLastFocused()).focused`) == true })
	tab := openAttached(s, site.URL+"/opener")
	group, known := p.tab(tab)["groupId"], map[any]bool{}
	s.command(tab, "Fetch.enable", m{})
	for i, c := range []struct {
		name, script string
		window       bool
	}{
		{"a tab", `window.open("%s")`, false},
		{"a tab without opener", `window.open("%s", "_blank", "noopener")`, false},
		{"a link", `const a = document.createElement("a"); a.href = "%s"; a.target = "_blank"; a.click()`, false},
		{"a window", `window.open("%s", "w", "width=300,height=300")`, true},
	} {
		path := fmt.Sprintf("/popup%d", i)
		s.evaluate(tab, "{"+fmt.Sprintf(c.script, path)+"} 1")
		listed := s.event(c.name, func(e m) bool {
			change, _ := e["change"].(m)
			listed, _ := change["tab"].(m)
			return listed["shared"] == "popup" && equal(listed["opener"], tab) && !known[listed["tabId"]]
		})["change"].(m)["tab"].(m)
		popup := listed["tabId"]
		known[popup] = true
		if listed["attached"] != true || listed["name"] != "alpha" || listed["popup"] != c.window {
			t.Errorf("%s: %v", c.name, listed)
		}
		s.send(m{"tab": popup, "method": "Page.navigate", "params": m{"url": site.URL + path + "/next"}})
		paused := s.event(c.name+": its request", func(e m) bool {
			return e["method"] == "Fetch.requestPaused" && strings.HasSuffix(e["params"].(m)["request"].(m)["url"].(string), "/next") && equal(e["tab"], popup)
		})
		if asked.has(path + "/next") {
			t.Errorf("%s: the request was not held", c.name)
		}
		s.do(m{"tab": popup, "method": "Fetch.continueRequest", "params": m{"requestId": paused["params"].(m)["requestId"]}})
		p.until("it is asked for", func() bool { return asked.has(path + "/next") })
		p.until(c.name+": the person's tab is in front", func() bool {
			return p.in(fmt.Sprintf(`const tab = await chrome.tabs.get(%d); return tab.active && (await chrome.windows.get(tab.windowId)).focused`, front)) == true
		})
		id := int(popup.(float64))
		if got := p.tab(id)["groupId"]; (got == group) == c.window {
			t.Errorf("%s: group %v, the opener's: %v", c.name, got, group)
		}
		if got := p.in(fmt.Sprintf(`return (await chrome.windows.get((await chrome.tabs.get(%d)).windowId)).type`, id)); (got == "popup") != c.window {
			t.Errorf("%s: its window is %v", c.name, got)
		}
	}
	if got := p.badge(); got != "5" {
		t.Errorf("badge %q", got)
	}
}

// While no server judges, a request of a popup fails: it is neither let through nor held for ever.
func TestPopupWithoutServer(t *testing.T) {
	p, s := paired(t)
	asked := &hits{}
	site := httptest.NewServer(asked)
	t.Cleanup(site.Close)
	tab := openAttached(s, site.URL+"/opener")
	p.loaded(tab)
	s.command(tab, "Fetch.enable", m{})
	opener := p.attachTab(site.URL + "/opener")
	s.close()
	p.ask(opener, `popup = window.open("about:blank"), 1`)
	p.until("the popup is attached", func() bool { return p.badge() == "2" })
	p.ask(opener, `popup.location = "/popup", 1`)
	p.until("the popup shows an error", func() bool {
		return p.in(`return (await chrome.tabs.query({})).some((tab) => tab.url.endsWith("/popup") && tab.status === "complete")`) == true
	})
	if asked.has("/popup") {
		t.Error("the request was let through")
	}
}

// attachTab returns a session of the test's own with the page at an address.
func (p *person) attachTab(url string) *cdp.Session {
	p.t.Helper()
	for _, info := range p.call(nil, "Target.getTargets", m{})["targetInfos"].([]any) {
		if info := info.(m); info["url"] == url {
			return p.attach(info["targetId"].(string))
		}
	}
	p.t.Fatalf("no page at %s", url)
	return nil
}

// If the person opens a tab from a shared tab that no agent uses, the new tab stays in front, and
// is not attached.
func TestPopupOfThePerson(t *testing.T) {
	p, s := paired(t)
	site := newSite(t)
	tab := p.newTab(site.URL + "/one")
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	p.ask(p.attachTab(site.URL+"/one"), `window.open("/two"), 1`)
	listed := s.event("the popup", func(e m) bool {
		change, _ := e["change"].(m)
		listed, _ := change["tab"].(m)
		return listed["title"] == "/two"
	})["change"].(m)["tab"].(m)
	if listed["attached"] != false || listed["active"] != true {
		t.Errorf("popup = %v", listed)
	}
}

// A new tab that the person opens is not shared, although Chromium names the tab in front as its
// opener.
func TestNewTabIsNoPopup(t *testing.T) {
	p, s := paired(t)
	tab := openAttached(s, newSite(t).URL+"/one")
	s.do(m{"do": "front", "tab": tab})
	p.until("the browser has the focus", func() bool { return p.in(`return (await chrome.windows.getLastFocused()).focused`) == true })
	before := p.number(`return (await chrome.tabs.query({})).length`)
	press(t, "ctrl+t")
	p.until("a new tab", func() bool { return p.number(`return (await chrome.tabs.query({})).length`) > before })
	if got := p.badge(); got != "1" {
		t.Errorf("badge %q", got)
	}
}

// press presses a key on the keyboard.
func press(t *testing.T, keys ...string) {
	t.Helper()
	xdotool(t, append([]string{"key"}, keys...)...)
}

// xdotool does what a person does at the screen, and returns what it prints.
func xdotool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool: %v: %s", err, out)
	}
	return string(out)
}
