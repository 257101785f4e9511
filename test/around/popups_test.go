package around

import (
	"fmt"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

func TestNewTabs(t *testing.T) {
	for _, s := range []struct{ name, html, leads string }{
		{"window.open", `<button onclick="window.open('/frame.html')">Go</button>`, "/frame.html"},
		{"a blank target", `<a href="/frame.html" target="_blank">Go</a>`, "/frame.html"},
		{"no opener", `<a href="/frame.html" target="_blank" rel="noopener">Go</a>`, "/frame.html"},
		{"a form", `<form action="/frame.html" target="_blank"><button>Go</button></form>`, "/frame.html?"},
		{"a frame", `<iframe srcdoc="<base href='` + "BASE" + `'><a href='/frame.html' target='_blank'>Go</a>"></iframe>`, "/frame.html"},
		{"later", `<button onclick="setTimeout(() => window.open('/frame.html'), 100)">Go</button>`, "/frame.html"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(strings.ReplaceAll(s.html, "BASE", site.URL)))
			more := args{}
			if s.name == "later" {
				more["settleMs"] = 1000
			}
			a := tab.Click("Go", more)
			if a.Count("newTabs") != 1 || !strings.Contains(a.Text("effects"), "newTab") {
				t.Fatalf("answered %s", a.Raw)
			}
			a.Has(t, "targetId", tab.Act("wait", args{"timeMs": 0}).Text("targetId"))
			a.Has(t, "currentTab", a.Text("tabId"))
			a.Has(t, "newTabs.0.url", site.URL+s.leads)
			popup := shared.Tab(t, a.Text("newTabs.0.tabId"))
			popup.Click("button", nil) // the popup can be used at once
			shared.OK(t, "DELETE /tabs/"+popup.ID, nil)
		})
	}
}

// An act leads a tab elsewhere that is open already. The answer says so, as nothing happens in the act's own tab.
func TestTabsThatAnActMoves(t *testing.T) {
	for _, s := range []struct{ name, html, leads string }{
		{"a link", `<a href="/frame.html?1" target=NAME>Open</a><a href="/frame.html?2" target=NAME>Go</a>`, "/frame.html?2"},
		{"a link of another site", `<a href="` + pages.Elsewhere(site.URL+"/frame.html") + `" target=NAME>Open</a><a href="/frame.html?2" target=NAME>Go</a>`, "/frame.html?2"},
		{"a form", `<a href="/frame.html" target=NAME>Open</a><form action="/frame.html" target=NAME><button name=k value=v>Go</button></form>`, "/frame.html?k=v"},
		{"window.open", `<button onclick="window.open('/frame.html', 'NAME')">Open</button><button onclick="window.open('/frame.html?2', 'NAME')">Go</button>`, "/frame.html?2"},
		{"the same document", `<a href="/frame.html" target=NAME>Open</a><a href="/frame.html#there" target=NAME>Go</a>`, "/frame.html#there"},
		{"nothing", `<a href="/frame.html" target=NAME>Open</a><button>Go</button>`, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(strings.ReplaceAll(s.html, "NAME", "w"+strings.ReplaceAll(s.name, " ", ""))))
			popup := tab.Click("Open", nil).Text("newTabs.0.tabId")
			a := tab.Click("Go", nil)
			if s.leads == "" {
				if a.Get("movedTabs") != nil {
					t.Errorf("answered %s", a.Raw)
				}
			} else {
				a.Has(t, "movedTabs.0.tabId", popup)
				a.Has(t, "movedTabs.0.url", site.URL+s.leads)
			}
			shared.OK(t, "DELETE /tabs/"+popup, nil)
		})
	}
}

// A popup that closes itself by a call leaves its opener as the current tab, and the answer says so. If
// it closes at another time, the next call without a tab fails, and names the opener.
func TestPopupThatCloses(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="window.open('/html?is=' + encodeURIComponent('<button onclick=window.close()>Now</button><button onclick=setTimeout(window.close)>Later</button>'))">Pick</button>`))
	popup := func() *service.Tab { return shared.Tab(t, tab.Click("Pick", nil).Text("newTabs.0.tabId")) }

	a := popup().Click("Now", args{"snapshot": "delta"})
	a.Has(t, "closed", "true")
	a.Has(t, "openerTab", tab.ID)
	a.Has(t, "snapshotUnavailable", "")
	shared.OK(t, "GET /snapshot", nil).Has(t, "tabId", tab.ID)

	later := popup()
	later.Click("Later", nil)
	service.Eventually(t, "the popup has closed", func() bool { return !strings.Contains(shared.OK(t, "GET /tabs", nil).Raw, `"`+later.ID+`"`) })
	if a = shared.Do(t, "GET /snapshot", nil); !strings.Contains(a.Raw, "focus "+tab.ID) && a.Text("tabId") != tab.ID {
		t.Errorf("answered %s", a.Raw)
	}
}

// A new tab's entry in the answer has the status of the server's answer, unless it is a success.
func TestStatusOfANewTab(t *testing.T) {
	for _, s := range []struct{ html, status string }{
		{`<a href="/status?code=404" target=_blank>Go</a>`, "404 Not Found"},
		{`<button onclick="window.open('/status?code=503')">Go</button>`, "503 Service Unavailable"},
		{`<a href="/frame.html" target=_blank>Go</a>`, ""},
	} {
		a := shared.Open(t, html(s.html)).Click(`"Go"`, nil)
		a.Has(t, "newTabs.0.httpStatus", s.status)
		shared.OK(t, "DELETE /tabs/"+a.Text("newTabs.0.tabId"), nil)
	}
}

// If a page closes a tab that it had opened, one answer to an act on the page says so. If a call
// closes the tab, its caller knows.
func TestPopupThatItsOpenerCloses(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="w = window.open('/frame.html')">Open</button><button onclick="w.close()">Finish</button>`))
	for _, s := range []struct {
		name  string
		close func(popup string) service.Answer
		named int
	}{
		{"by its opener", func(string) service.Answer { return tab.Click("Finish", nil) }, 1},
		{"by a call", func(popup string) service.Answer { return shared.OK(t, "DELETE /tabs/"+popup, nil) }, 0},
	} {
		popup := tab.Click("Open", nil).Text("newTabs.0.tabId")
		answers := []service.Answer{tab.Act("evaluate", args{"fn": "1"}), s.close(popup)}
		service.Eventually(t, "the tab has closed", func() bool { return !strings.Contains(tab.OK("GET /tabs", nil).Raw, `"`+popup+`"`) })
		named := 0
		for _, a := range append(answers, tab.Act("evaluate", args{"fn": "1"}), tab.Act("evaluate", args{"fn": "1"})) {
			if a.Text("closedTabs.0") == popup {
				named++
			}
		}
		if named != s.named || answers[0].Get("closedTabs") != nil {
			t.Errorf("%s: %d answers say that %s has closed", s.name, named, popup)
		}
	}
}

// In a headless browser, the tabs that a page opens are in its window, in front of it. A page behind
// them is still painted: pictures of it are taken, and it scrolls, as if it were in front.
func TestOpenerBehindItsPopups(t *testing.T) {
	long.Test(t)
	tab := shared.Open(t, html(`<button onclick="window.open('/frame.html')">Go</button><p style="height: 5000px">Long</p><button>End</button>`))
	var popups []string
	for range 2 {
		popups = append(popups, tab.Click("Go", nil).Text("newTabs.0.tabId"))
	}
	for range 3 { // Chromium holds a page back when it has not drawn its last frames
		for _, id := range append([]string{tab.ID}, popups...) {
			shared.OK(t, "POST /screenshot", args{"targetId": id, "timeoutMs": 5000})
		}
		tab.Act("scrollIntoView", args{"ref": tab.Ref("End")})
		tab.Act("scrollIntoView", args{"ref": tab.Ref("Go")})
	}
	for _, id := range popups {
		shared.OK(t, "DELETE /tabs/"+id, nil)
	}
}

// A popup of the opener's origin has the window that was empty before. The guard still receives input
// before the page does: a press that makes the page render is held, and the page sees it once.
func TestPressInAPopup(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="window.open('/press.html')">Go</button>`))
	popup := shared.Tab(t, tab.Click("Go", nil).Text("newTabs.0.tabId"))
	popup.Click("Mounts late", nil)
	if got := popup.Eval("seen.map(([type]) => type).join(' ')"); got != "pointerdown mousedown pointerup mouseup click" {
		t.Errorf("the page saw %v", got)
	}
	shared.OK(t, "DELETE /tabs/"+popup.ID, nil)
}

// A page may open at most 8 tabs in an act, and have at most 20 open.
func TestPopupStorm(t *testing.T) {
	long.Test(t)
	tab := shared.Open(t, html(`<button onclick="for (let i = 0; i < 10; i++) window.open('about:blank#' + i, 'w' + Math.random())">Go</button>`))
	ref := tab.Ref("Go")
	before := shared.OK(t, "GET /tabs", nil).Count("tabs")
	var opened []string
	for _, want := range []struct{ opened, closed int }{{8, 2}, {8, 2}, {4, 6}} {
		a := tab.Act("click", args{"ref": ref})
		if a.Count("newTabs") != want.opened || a.Text("popupsClosed") != fmt.Sprint(want.closed) {
			t.Errorf("opened %d, closed %s, want %v", a.Count("newTabs"), a.Text("popupsClosed"), want)
		}
		for i := range a.Count("newTabs") {
			opened = append(opened, a.Text(fmt.Sprintf("newTabs.%d.tabId", i)))
		}
	}
	service.Eventually(t, "the rest has closed", func() bool {
		return shared.OK(t, "GET /tabs", nil).Count("tabs") == before+len(opened)
	})
	for _, id := range opened {
		shared.OK(t, "DELETE /tabs/"+id, nil)
	}
}

// A link that is clicked with Control, Shift or the middle button opens in a tab without an opener.
// That tab can be used at once like any other.
func TestLinksClickedAside(t *testing.T) {
	long.Test(t)
	for _, how := range []args{{"modifiers": []string{"Control"}}, {"modifiers": []string{"Shift"}}, {"button": "middle"}} {
		tab := shared.Open(t, html(`<a href="/html?is=Aside">Link</a>`))
		a := tab.Click("Link", how)
		a.Has(t, "effects", "newTab")
		if a.Count("newTabs") != 1 {
			t.Fatalf("%v: %s", how, a.Raw)
		}
		aside := shared.Tab(t, a.Text("newTabs.0.tabId"))
		if got := aside.Snapshot(); !strings.Contains(got, "Aside") {
			t.Errorf("%v: the tab shows %s", how, got)
		}
		aside.OK("POST /tabs/focus", nil).Has(t, "ok", "true")
		shared.OK(t, "DELETE /tabs/"+aside.ID, nil)
	}
}
