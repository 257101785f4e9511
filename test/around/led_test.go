package around

import (
	"net"
	"strings"
	"testing"

	"chela/test/service"
)

// deadAddress returns an address at which nothing listens.
func deadAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/"
}

// The answer of an act says that the page to which the act has led could not be loaded, or has an
// error status.
func TestActThatLeadsToAFailure(t *testing.T) {
	dead := deadAddress(t)
	for _, s := range []struct{ name, html, failure, status string }{
		{"a link", `<a href="DEAD">Go</a>`, "net::ERR_CONNECTION_REFUSED at DEAD", ""},
		{"a form", `<form method=post action="DEAD"><button>Go</button></form>`, "net::ERR_CONNECTION_REFUSED at DEAD", ""},
		{"a status", `<a href="/status?code=404">Go</a>`, "", "404 Not Found"},
		{"a status without a page", `<a href="/status?code=500&empty">Go</a>`, "", "500 Internal Server Error"},
		{"a success", `<a href="/frame.html">Go</a>`, "", ""},
		{"no navigation", `<button onclick="document.title = 1">Go</button>`, "", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(strings.ReplaceAll(s.html, "DEAD", dead)))
			a := tab.Click("Go", nil)
			if failure := strings.ReplaceAll(s.failure, "DEAD", dead); !strings.Contains(a.Text("loadFailed"), failure) || failure == "" && a.Text("loadFailed") != "" || a.Text("hint") == "" && failure != "" {
				t.Errorf("answered %s", a.Raw)
			}
			a.Has(t, "statusText", s.status)
		})
	}
}

// The result of a navigation in a batch says how it went. The answer of the batch does not say it again.
func TestBatchSaysOnceHowItsNavigationWent(t *testing.T) {
	missing := site.URL + "/status?code=404"
	navigate := args{"kind": "navigate", "url": missing}
	tab := shared.Open(t, html(""))
	a := tab.Act("batch", args{"actions": []args{navigate}})
	a.Has(t, "results.0.statusText", "404 Not Found")
	a.Has(t, "statusText", "")
	dead := tab.Act("batch", args{"actions": []args{{"kind": "navigate", "url": deadAddress(t)}}})
	if dead.Text("results.0.error") == "" || dead.Text("loadFailed") != "" {
		t.Errorf("answered %s", dead.Raw)
	}
	link := html(`<a href="` + missing + `">Go</a>`)
	a = tab.Act("batch", args{"actions": []args{{"kind": "navigate", "url": link}, {"kind": "press", "key": "Tab"}, {"kind": "press", "key": "Enter"}}})
	a.Has(t, "statusText", "404 Not Found")
}

// The answer of an act says why a page could not be loaded that the act has opened in a new tab.
func TestPopupThatCannotBeLoaded(t *testing.T) {
	dead := deadAddress(t)
	tab := shared.Open(t, html(`<a href="`+dead+`" target="_blank">Go</a>`))
	a := tab.Click("Go", nil)
	if got := a.Text("newTabs.0.loadFailed"); !strings.Contains(got, "net::ERR_CONNECTION_REFUSED at "+dead) {
		t.Errorf("answered %s", a.Raw)
	}
	shared.OK(t, "DELETE /tabs/"+a.Text("newTabs.0.tabId"), nil)
}

// A page can make an address of a million characters. Answers have its beginning.
func TestAddressesOfFailuresAreCut(t *testing.T) {
	long := `'` + deadAddress(t) + `' + 'a'.repeat(1e6)`
	for _, s := range []struct{ name, script, field string }{
		{"a navigation", "location = " + long, "loadFailed"},
		{"a tab", "window.open(" + long + ")", "newTabs.0.loadFailed"},
		{"a navigation that hangs", "location = '/hang?' + 'a'.repeat(1e6)", "onItsWay"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(`<button onclick="`+s.script+`">Go</button>`))
			a := tab.Click("Go", args{"timeoutMs": 2000})
			if a.Text(s.field) == "" || len(a.Raw) > 50_000 {
				t.Errorf("%d bytes, %s: %.100s", len(a.Raw), s.field, a.Text(s.field))
			}
			if id := a.Text("newTabs.0.tabId"); id != "" {
				shared.OK(t, "DELETE /tabs/"+id, nil)
			}
		})
	}
}

// While a dialog is open, it is the reason why the next page is not there yet.
func TestDialogOnTheWay(t *testing.T) {
	tab := shared.Open(t, html(`<a href="/hang" onclick="setTimeout(() => confirm('Wait?'), 50)">Go</a>`))
	a := tab.Click("Go", nil)
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "onItsWay", "")
	tab.OK("POST /hooks/dialog", args{"accept": true})
}

// The answer of an act says that the server of the next page has not answered yet.
func TestActThatLeadsToASilentServer(t *testing.T) {
	for _, snapshot := range []string{"none", "navigated"} {
		t.Run(snapshot, func(t *testing.T) {
			tab := shared.Open(t, html(`<a href="/hang">Go</a>`))
			a := tab.Click("Go", args{"timeoutMs": 600, "snapshot": snapshot})
			said := a.Text("onItsWay") + a.Text("snapshotUnavailable")
			if !strings.Contains(said, "the tab is on its way to "+site.URL+"/hang, whose server has not answered yet") || strings.Contains(said, "busy") {
				t.Errorf("answered %s", a.Raw)
			}
		})
	}
}

// An act does not wait for a download that began before it.
func TestDownloadFromBeforeAnAct(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="setTimeout(() => late.click(), 700)">Later</button>
		<a id=late href="/trickle" download>File</a><button>Other</button>`))
	other := tab.Ref("Other")
	tab.Click("Later", nil)
	service.Eventually(t, "the download has begun", func() bool { return tab.OK("GET /downloads/list", nil).Count("downloads") == 1 })
	a := tab.Act("click", args{"ref": other, "timeoutMs": 30_000})
	a.AtOnce(t)
	a.Has(t, "earlier.downloads.0.state", "inProgress")
	trickle <- struct{}{}
	tab.OK("POST /wait/download", nil)
}

// What a page begins between two calls is not an effect of the second one.
func TestWhatBeganBeforeAnAct(t *testing.T) {
	dead := deadAddress(t)
	tab := shared.Open(t, html(`<button onclick="setTimeout(() => { window.open('/frame.html'); late.click() }, 700)">Later</button>
		<a id=late href="/file?name=late.txt" download>File</a><button onclick="window.open('`+dead+`')">Open</button>`))
	open := tab.Ref("Open")
	tab.Click("Later", nil).Has(t, "newTabs", "")
	service.Eventually(t, "the tab and the file are there", func() bool {
		return strings.Contains(shared.OK(t, "GET /tabs", nil).Raw, "/frame.html") && tab.OK("GET /downloads/list", nil).Count("downloads") == 1
	})
	a := tab.Act("click", args{"ref": open})
	a.Has(t, "earlier.newTabs.0.url", site.URL+"/frame.html")
	if got := a.Text("newTabs.0.loadFailed"); !strings.Contains(got, dead) {
		t.Errorf("answered %s", a.Raw)
	}
	if a.Count("newTabs") != 1 || a.Count("earlier.downloads") != 1 || a.Count("downloads") != 0 {
		t.Errorf("answered %s", a.Raw)
	}
	for _, id := range []string{a.Text("newTabs.0.tabId"), a.Text("earlier.newTabs.0.tabId")} {
		shared.OK(t, "DELETE /tabs/"+id, nil)
	}
}

// A dialog blocks all tabs in its renderer process. A call on another of these tabs says which dialog
// it is. An answer that is given there by mistake is not kept for a later question.
func TestDialogOfAnotherTab(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="window.open('/html?is=' + encodeURIComponent('<script>alert(1)</' + 'script>'))">Open</button>`))
	popup := tab.Click("Open", nil).Text("newTabs.0.tabId")
	service.Eventually(t, "the popup asks", func() bool {
		return shared.Tab(t, popup).OK("GET /dialogs", nil).Count("browserState.dialogs.pending") == 1
	})
	blocked := "the page does not answer while tab " + popup + " shows the dialog d1 alert"
	tab.Do("GET /snapshot", args{"timeoutMs": 500}).Fails(t, 504, "page_busy", blocked)
	tab.Do("POST /hooks/dialog", args{"accept": true}).Fails(t, 504, "page_busy", blocked)
	if got := tab.OK("GET /dialogs", nil).Text("elsewhere"); !strings.Contains(got, blocked) {
		t.Errorf("the list says %q, want %q", got, blocked)
	}
	shared.Tab(t, popup).OK("POST /hooks/dialog", args{"accept": true})
	tab.Snapshot()
	tab.OK("GET /dialogs", nil).Has(t, "elsewhere", "")
	shared.OK(t, "DELETE /tabs/"+popup, nil)
}
