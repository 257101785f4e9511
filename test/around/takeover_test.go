package around

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// form is a page with fields and a button, which counts its clicks in the title.
const form = `<title>0</title><button onclick="document.title = +document.title + 1">Go</button><label>Name <input></label>
	<label>Password <input type=password></label><input type=file aria-label=File>`

// taken takes over the tab, for the time of the test.
func taken(tab *service.Tab) service.Answer {
	a := tab.OK("POST /takeover", nil)
	tab.Cleanup(func() { tab.Service.Try(context.Background(), "POST /giveback", args{"targetId": tab.ID}) })
	return a
}

// refusedByPerson checks that a call says that a person has the tab.
func refusedByPerson(t *testing.T, a service.Answer) {
	t.Helper()
	a.Fails(t, 423, "PERSON_IN_CONTROL", "a person has taken over the tab (http), since")
	if !strings.HasPrefix(a.Text("hint"), "wait until the person gives it back, by ") {
		t.Errorf("hint %q", a.Text("hint"))
	}
	a.Has(t, "reason", "taken_over_by_person")
	for _, field := range []string{"details.since", "details.until", "details.by"} {
		if a.Text(field) == "" {
			t.Errorf("no %s in %s", field, a.Raw)
		}
	}
}

// While a person has a tab, calls that touch it are refused at their deadline. Readings are not.
func TestTakenTab(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(form))
	ref := tab.Ref("Go")
	a := taken(tab)
	if a.Text("tabId") != tab.ID || a.Text("since") >= a.Text("until") {
		t.Errorf("got %s", a.Raw)
	}
	for _, c := range []struct {
		request string
		args    args
	}{
		{"POST /act", args{"kind": "click", "ref": ref}},
		{"POST /act", args{"kind": "press", "key": "a"}},
		{"POST /act", args{"kind": "evaluate", "fn": "() => 1"}},
		{"POST /act", args{"kind": "wait", "fn": "() => document.querySelector('button').click()"}},
		{"POST /act", args{"kind": "batch", "actions": []any{args{"kind": "click", "ref": ref}}}},
		{"POST /act", args{"kind": "resize", "width": 700, "height": 500}},
		{"POST /navigate", args{"url": html("Elsewhere")}},
		{"POST /reload", nil},
		{"POST /set/offline", args{"offline": false}},
		{"POST /hooks/dialog", args{"accept": true}},
		{"POST /tabs/focus", nil},
		{"POST /act", args{"kind": "close"}},
	} {
		limit := args{"timeoutMs": 1000}
		for name, value := range c.args {
			limit[name] = value
		}
		began := time.Now()
		a := tab.Do(c.request, limit)
		refusedByPerson(t, a)
		if took := time.Since(began); took < 500*time.Millisecond {
			t.Errorf("%s is refused after %s", c.request, took)
		}
	}
	for _, c := range []struct {
		request string
		args    args
	}{
		{"GET /snapshot", nil}, {"POST /screenshot", nil}, {"POST /find", args{"text": "Go"}}, {"POST /expect", args{"text": "Go"}},
		{"POST /act", args{"kind": "wait", "text": "Go"}}, {"GET /text", nil}, {"GET /console", nil}, {"GET /dialogs", nil}, {"GET /cookies", nil},
	} {
		tab.OK(c.request, c.args)
	}
	shared.Open(t, html("<button>Another</button>")).Click("Another", nil)
	if list := shared.OK(t, "GET /tabs", nil).Raw; !strings.Contains(list, `"person":{"since":"`) {
		t.Errorf("the list of tabs says nothing of the person: %s", list)
	}
}

// A call that waits goes on when the person gives the tab back. The next answer to each session says
// once that a person had the tab.
func TestGiveBack(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(form))
	tab.Do("POST /giveback", nil).Fails(t, 409, "conflict", "no person has taken over tab")
}
