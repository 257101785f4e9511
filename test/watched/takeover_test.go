package watched

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/op"
	"chela/test/long"
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
	ref := tab.Ref("Go")
	tab.Do("POST /giveback", nil).Fails(t, 409, "conflict", "no person has taken over tab")
	taken(tab)
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	clicked := make(chan service.Answer)
	go func() {
		a, _ := tab.Try(context.WithoutCancel(t.Context()), "click", args{"ref": ref, "timeoutMs": 60_000})
		clicked <- a
	}()
	v.Send(service.Message{"type": "key", "key": "Tab"}) // the person's key is not held up by the click of the agent, which waits
	v.Next("act", func(m service.Message) bool {
		return m.Text("op") == "press" && m.Text("session") == "person" && m["code"] == nil
	})
	tab.OK("GET /snapshot", nil)
	select {
	case a := <-clicked:
		t.Fatalf("the click does not wait: %s", a.Raw)
	default:
	}
	if back := tab.OK("POST /giveback", args{"note": "You are logged in."}); back.Text("tabId") != tab.ID || back.Get("minutes") == nil {
		t.Errorf("got %s", back.Raw)
	}
	for _, a := range []service.Answer{<-clicked, shared.In("second").OK(t, "GET /snapshot?targetId="+tab.ID, nil)} {
		a.Has(t, "person.note", "You are logged in.")
		if a.Get("person.minutes") == nil || !strings.Contains(a.Text("person.changes.refs"), "stale") || a.Get("person.changes.from") != nil {
			t.Errorf("got %s", a.Raw)
		}
	}
	for _, s := range []*service.Service{shared, shared.In("second")} {
		if a := s.OK(t, "GET /snapshot?targetId="+tab.ID, nil); a.Get("person") != nil {
			t.Errorf("it is said twice: %s", a.Raw)
		}
	}
	if title := tab.Eval("() => document.title"); title != "1" {
		t.Errorf("there were %s clicks", title)
	}
	calls := shared.OK(t, "GET /calls", nil).Raw
	for _, want := range []string{`"operation":"takeover","tabId":"` + tab.ID, `"operation":"giveback","tabId":"` + tab.ID} {
		if !strings.Contains(calls, want) || !strings.Contains(shared.OK(t, "GET /recorder?targetId="+tab.ID, nil).Raw, `"op":"takeover"`) {
			t.Errorf("no %s in %s", want, calls)
		}
	}
	tab.Do("POST /giveback", args{"note": strings.Repeat("x", 2001)}).Fails(t, 400, "invalid_request", "note must have at most 2000 characters")
	tab.Do("POST /takeover", args{"minutes": 121}).Fails(t, 400, "invalid_request", "minutes must not exceed 120")
}

// A person who navigates keeps the tab. What has changed is said when it is given back.
func TestGiveBackElsewhere(t *testing.T) {
	from, to := html(`<title>Login</title><a href="/html?is=There">Go</a>`), site.URL+"/html?is=There"
	tab := shared.Open(t, from)
	taken(tab)
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	v.Send(service.Message{"type": "key", "key": "Tab"})
	v.Send(service.Message{"type": "key", "key": "Enter"})
	v.Next("address", func(m service.Message) bool { return m.Text("url") == to })
	refusedByPerson(t, tab.Do("POST /act", args{"kind": "press", "key": "a", "timeoutMs": 1000}))
	tab.OK("POST /giveback", nil)
	a := tab.OK("POST /act", args{"kind": "press", "key": "a"})
	if a.Text("person.changes.from") != from || a.Text("person.changes.to") != to || a.Get("person.note") != nil {
		t.Errorf("got %s", a.Raw)
	}
}

// A take-over ends a running call that touches the tab. A wait for a text goes on.
func TestTakeOverEndsActs(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(form))
	results := make(chan service.Answer, 3)
	try := func(kind string, with args) {
		a, _ := tab.Try(context.WithoutCancel(t.Context()), kind, with)
		results <- a
	}
	waited := make(chan service.Answer)
	go func() {
		a, _ := tab.Try(context.WithoutCancel(t.Context()), "wait", args{"text": "Shown later", "timeoutMs": 60_000})
		waited <- a
	}()
	go try("evaluate", args{"fn": "() => { document.title = 'held'; return new Promise(() => {}) }", "timeoutMs": 60_000})
	service.Eventually(t, "the script runs", func() bool { return strings.Contains(shared.OK(t, "GET /tabs", nil).Raw, `"title":"held"`) })
	taken(tab)
	refusedByPerson(t, <-results)
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	v.Send(service.Message{"type": "key", "key": "Tab"})
	v.Next("act", func(m service.Message) bool { return m.Text("op") == "press" && m["code"] == nil })
	tab.OK("POST /giveback", nil)
	tab.Eval("() => document.body.append('Shown later')")
	if a := <-waited; a.Status != 200 {
		t.Errorf("the wait ended: %s", a.Raw)
	}
}

// A person does not get the keys and buttons that an agent has pressed and not released.
func TestTakeOverReleasesKeys(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(`<script>onkeydown = e => { if (e.key == 'F2') document.title = 'shift ' + e.shiftKey }; onmouseup = () => document.body.append('mouse up')</script>`))
	tab.OK("POST /act", args{"kind": "keydown", "key": "Shift"})
	tab.OK("POST /act", args{"kind": "mouseDown"})
	tab.OK("POST /takeover", nil)
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	v.Send(service.Message{"type": "key", "key": "F2"})
	v.Next("title", func(m service.Message) bool { return m.Text("title") == "shift false" })
	tab.OK("POST /giveback", nil)
	if text := tab.Eval("() => document.body.innerText"); text != "mouse up" {
		t.Errorf("the page shows %q", text)
	}
}

// A take-over lasts when the tab crashes or the browser is lost. The tab is opened again for the
// person, and for readings.
func TestTakeOverAfterACrash(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html("<button>Go</button>"))
	tab.OK("POST /takeover", nil)
	s.KillRenderers(t)
	s.Reopened(t, tab.ID)
	refusedByPerson(t, tab.Do("POST /act", args{"kind": "press", "key": "a", "timeoutMs": 1000}))
	s.Saved(t, `"person"`)
	pressed := make(chan service.Answer)
	go func() {
		a, _ := tab.Try(context.WithoutCancel(t.Context()), "press", args{"key": "a", "timeoutMs": 100_000})
		pressed <- a
	}()
	s.KillBrowser(t)
	s.Reopened(t, tab.ID)
	refusedByPerson(t, tab.Do("POST /act", args{"kind": "press", "key": "a", "timeoutMs": 1000}))
	tab.OK("POST /giveback", nil)
	if a := <-pressed; a.Status != 200 || a.Get("person") == nil {
		t.Errorf("the call that waited: %d %s", a.Status, a.Raw)
	}
}

// A session does not end while a person has one of its tabs. Its other tabs are closed.
func TestSessionOfATakenTabEnds(t *testing.T) {
	long.Test(t)
	for _, isolated := range []bool{false, true} {
		agent := shared.In(fmt.Sprint("isolated-", isolated))
		end := func() service.Answer { return agent.Do(t, "POST /sessions/end", nil) }
		tab := agent.Tab(t, agent.OK(t, "POST /tabs/open", args{"url": html("<button>Go</button>"), "isolated": isolated}).Text("tabId"))
		agent.OK(t, "POST /tabs/open", args{"url": html("Other"), "isolated": isolated})
		taken(tab)
		refusedByPerson(t, end())
		if got := tab.Snapshot(); !strings.Contains(got, "Go") {
			t.Errorf("the person's tab shows %s", got)
		}
		if list := shared.OK(t, "GET /tabs", nil).Raw; strings.Contains(list, html("Other")) {
			t.Errorf("the other tab is open: %s", list)
		}
		tab.OK("POST /giveback", nil)
		if a := end(); a.Status != 200 || a.Text("closed") != "1" {
			t.Errorf("got %d %s", a.Status, a.Raw)
		}
	}
}

// A session whose end is refused keeps its question to a person and its endpoint for programs.
func TestRefusedEndOfASessionEndsNothing(t *testing.T) {
	agent := shared.In("going-on")
	tab := agent.Open(t, html("<button>Go</button>"))
	const message = "Shall I go on?"
	_, answer := asked(t, agent, args{"message": message})
	endpoint := agent.OK(t, "POST /cdp", args{}).Text("wsUrl")
	taken(tab)
	refusedByPerson(t, agent.Do(t, "POST /sessions/end", nil))
	if idOf(t, message, "waiting") == "" {
		t.Error("the question is gone")
	}
	if now := agent.OK(t, "POST /cdp", args{}).Text("wsUrl"); now != endpoint {
		t.Error("the endpoint has ended")
	}
	tab.OK("POST /giveback", nil)
	agent.OK(t, "POST /sessions/end", nil)
	if a := <-answer; a.Status != 409 {
		t.Errorf("the question ended with %d %s", a.Status, a.Raw)
	}
	if now := agent.OK(t, "POST /cdp", args{}).Text("wsUrl"); now == endpoint {
		t.Error("the endpoint has outlasted its session")
	}
}

// Agents cannot take a tab from a person by ending its session or its browser, nor after the browser
// was lost.
func TestTakenTabOutlastsAgentsAndItsBrowser(t *testing.T) {
	long.Test(t)
	s := service.Own(t, "")
	agent := s.In("ending")
	tab := agent.Open(t, html("<button>Go</button>"))
	tab.OK("POST /takeover", nil)
	kept := func() {
		t.Helper()
		for _, request := range []string{"POST /sessions/end", "POST /stop", "POST /reset-profile"} {
			refusedByPerson(t, agent.Do(t, request, nil))
		}
		if list := s.OK(t, "GET /tabs", nil).Raw; !strings.Contains(list, `"person":{`) {
			t.Errorf("listed are %s", list)
		}
	}
	kept()
	s.KillBrowser(t)
	kept()
	tab.OK("POST /giveback", nil)
	if a := agent.OK(t, "POST /sessions/end", nil); a.Text("closed") != "1" {
		t.Errorf("got %s", a.Raw)
	}
}

// When the browser is stopped, calls end that wait for a tab that a person has taken over.
func TestTakenTabCloses(t *testing.T) {
	s := service.Own(t, "")
	tab := s.In("closing").Open(t, html("<button>Go</button>"))
	tab.OK("POST /takeover", nil)
	used := func() string { return s.OK(t, "GET /sessions", nil).Text("sessions.0.lastUsedAt") }
	before := used()
	pressed := make(chan service.Answer)
	go func() {
		a, _ := tab.Try(context.WithoutCancel(t.Context()), "press", args{"key": "a", "timeoutMs": 100_000})
		pressed <- a
	}()
	service.Eventually(t, "the call has come", func() bool { return used() != before })
	s.OK(t, "POST /stop", nil)
	if a := <-pressed; a.Status != 409 || a.Text("code") != "tab_closed" && a.Text("code") != "conflict" {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
}

// A person who has taken over a tab may use it although a session has leased it.
func TestTakeOverOfALeasedTab(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(form))
	agent := shared.In("leasing")
	agent.OK(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": 60000})
	tab.Do("POST /act", args{"kind": "press", "key": "a"}).Fails(t, 409, "conflict", "leased")
	taken(tab)
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	v.Send(service.Message{"type": "key", "key": "Tab"})
	v.Next("act", func(m service.Message) bool { return m.Text("op") == "press" && m["code"] == nil })
	refusedByPerson(t, agent.Do(t, "POST /act", args{"kind": "press", "key": "a", "targetId": tab.ID, "timeoutMs": 1000}))
	agent.OK(t, "POST /sessions/end", args{"session": "leasing"})
}

// A person answers dialogs and chooses files by the live view, and pastes. What is typed into a
// password field is recorded nowhere.
func TestPersonInTheLiveView(t *testing.T) {
	s := mortal
	tab := s.Open(t, site.URL+pages.HTML(form+`<script>onkeydown = e => { if (e.key == 'F2') document.title = prompt('Name?'); if (e.key == 'F4') document.querySelector('[type=file]').click() }
		document.querySelector('[type=file]').onchange = e => document.title = e.target.files[0].name</script>`))
	tab.OK("POST /trace/start", nil)
	tab.OK("POST /takeover", nil)
	v := s.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	titled := func(want string) {
		t.Helper()
		v.Next("title", func(m service.Message) bool { return m.Text("title") == want })
	}
	v.Send(service.Message{"type": "key", "key": "F2"})
	v.Next("dialog", func(m service.Message) bool { return m["open"] == true })
	for _, input := range []service.Message{{"type": "text", "text": "lost"}, {"type": "mouse", "event": "down", "x": 1, "y": 1}, {"type": "key", "key": "a"}} {
		v.Send(input)
		v.Next("error", func(m service.Message) bool {
			return m.Text("error") == "a dialog of the page is open, so this was not done"
		})
	}
	v.Send(service.Message{"type": "dialog", "accept": true, "text": "Ada"})
	titled("Ada")
	v.Send(service.Message{"type": "files", "paths": []string{s.Upload(t, "ticket.txt", "a file")}})
	v.Next("act", func(m service.Message) bool { return m.Text("op") == "upload" && m["code"] == nil })
	v.Send(service.Message{"type": "key", "key": "F4"})
	titled("ticket.txt")

	for range 3 { // button, name, password
		v.Send(service.Message{"type": "key", "key": "Tab"})
	}
	v.Send(service.Message{"type": "text", "text": "correct-horse"})
	for _, key := range strings.Split("Zq9", "") {
		v.Send(service.Message{"type": "key", "key": key})
	}
	record := func() string { return s.OK(t, "GET /recorder?targetId="+tab.ID, nil).Raw }
	service.Eventually(t, "the password is typed", func() bool {
		return strings.Contains(s.OK(t, "GET /tabs", nil).Raw, tab.ID) && strings.Count(record(), `"op":"press"`) >= 8
	})
	recorded := record()
	for _, secret := range []string{"correct-horse", `"Z"`, `"q"`, `"9"`} {
		if strings.Contains(recorded, secret) {
			t.Errorf("%s is recorded: %s", secret, recorded)
		}
	}
	trace := readTrace(t, tab.OK("POST /trace/stop", nil).Text("path"))
	for name, content := range trace.files {
		if strings.Contains(content, "correct-horse") || name == "trace.trace" && strings.Contains(content, `"key":"Z"`) {
			t.Errorf("%s of the trace has the password", name)
		}
	}
	for _, agent := range []*service.Service{s.In("agent"), s.By(op.AgentTool)} {
		agent.Do(t, "POST /stop", nil).Fails(t, 423, "PERSON_IN_CONTROL", "a person has taken over the tab")
	}
	tab.OK("POST /giveback", nil)
	if typed := tab.Eval("() => document.querySelector('[type=password]').value"); typed != "correct-horseZq9" {
		t.Errorf("typed %q", typed)
	}
}

// The session person is only for the live view and the dashboard.
func TestPersonIsReserved(t *testing.T) {
	shared.In("person").Do(t, "GET /tabs", nil).Fails(t, 400, "invalid_request", "the session person is reserved")
	shared.Do(t, "POST /cdp", args{"session": "person"}).Fails(t, 400, "invalid_request", "the session person is reserved")
}
