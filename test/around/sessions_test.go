package around

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// counter is a page with a button that counts its clicks, and one that opens a window.
const counter = `<button onclick="this.textContent = ++n">0</button><button onclick="window.open('/frame.html')">Go</button><script>n = 0</script>`

// opened opens an address in a session, which is ended with the test.
func opened(t *testing.T, s *service.Service, address string, more args) *service.Tab {
	t.Helper()
	t.Cleanup(func() { s.Try(context.Background(), "POST /sessions/end", args{}) })
	more["url"] = address
	return s.Tab(t, s.OK(t, "POST /tabs/open", more).Text("tabId"))
}

// owners lists the tabs of sessions, with their owners.
func owners(t *testing.T, s *service.Service) string {
	t.Helper()
	list := s.OK(t, "GET /tabs", nil)
	var all []string
	for i := range list.Count("tabs") {
		at := fmt.Sprintf("tabs.%d.", i)
		if owner := list.Text(at + "session"); owner != "" {
			all = append(all, list.Text(at+"tabId")+"="+owner)
		}
	}
	return strings.Join(all, ", ")
}

// Two sessions never get each other's tab, unless they name it by its id.
func TestSessions(t *testing.T) {
	a, b := shared.In("a"), shared.In("b")
	one := opened(t, a, html(counter), args{"label": "mine"})
	two := opened(t, b, html(counter), args{"label": "mine"})
	ref, opens := one.Ref("0"), one.Ref("Go")
	two.Ref("0") // the same ref in the other tab
	click := func(s *service.Service, tab string) service.Answer {
		t.Helper()
		return s.OK(t, "POST /act", args{"kind": "click", "ref": ref, "targetId": tab})
	}
	for _, s := range []struct {
		in   *service.Service
		name string
		want *service.Tab
	}{{a, "", one}, {b, "", two}, {a, "mine", one}, {b, "mine", two}, {b, one.ID, one}, {b, "", two}, {a, "", one}} {
		if got := click(s.in, s.name).Text("tabId"); got != s.want.ID {
			t.Errorf("%q is %s, want %s", s.name, got, s.want.ID)
		}
	}
	shared.Do(t, "POST /act", args{"kind": "click", "ref": "e1", "targetId": "mine"}).Fails(t, 404, "not_found", `"mine" not found`)
	label := args{"action": "label", "targetId": two.ID, "label": "yours"}
	for _, s := range []*service.Service{a, shared} {
		s.Do(t, "POST /tabs/action", label).Fails(t, 409, "conflict", "belongs to session b")
	}
	b.OK(t, "GET /snapshot?targetId=mine", nil).Has(t, "tabId", two.ID)

	popup := a.OK(t, "POST /act", args{"kind": "click", "ref": opens}).Text("newTabs.0.tabId")
	if got, want := owners(t, a), fmt.Sprintf("%s=a, %s=a, %s=b", popup, one.ID, two.ID); got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
	a.Do(t, "POST /tabs/action", args{"action": "select", "index": 2}).Fails(t, 404, "not_found", "tab not found")

	b.OK(t, "DELETE /tabs/"+one.ID, nil)
	a.Do(t, "POST /act", args{"kind": "click", "ref": "e1"}).Fails(t, 404, "not_found", fmt.Sprintf("%q not found", one.ID))
	c := shared.In("c").OK(t, "GET /snapshot", nil)
	c.Has(t, "url", "about:blank")
	shared.OK(t, "POST /sessions/end", args{"session": "c"}).Has(t, "closed", "1")

	list := b.OK(t, "GET /sessions", nil)
	list.Has(t, "sessions.0.session", "a")
	list.Has(t, "sessions.0.tabs", popup)
	list.Has(t, "sessions.1.own", "true")
	list.Has(t, "sessions.1.current", two.ID)
	a.OK(t, "POST /sessions/end", args{}).Has(t, "closed", "1")
	b.OK(t, "POST /sessions/end", args{}).Has(t, "closed", "1")
	if got := owners(t, a); got != "" {
		t.Errorf("there is still %s", got)
	}
	shared.Do(t, "POST /sessions/end", args{}).Fails(t, 400, "invalid_request", "session is required")
}

// Each call on a tab is listed with its session, even when the tab is closed.
func TestCallsAreListed(t *testing.T) {
	a := shared.In("a")
	tab := opened(t, a, html(counter), args{})
	ref := tab.Ref("0")
	a.OK(t, "POST /act", args{"kind": "batch", "actions": []args{{"kind": "click", "ref": ref}, {"kind": "press", "key": "Tab"}}})
	shared.Do(t, "POST /act", args{"kind": "click", "ref": "e999", "targetId": tab.ID})
	a.OK(t, "DELETE /tabs/"+tab.ID, nil)
	list := shared.OK(t, "GET /calls?targetId="+tab.ID, nil)
	var got []string
	for i := range list.Count("calls") {
		at := func(field string) string { return list.Text(fmt.Sprintf("calls.%d.%s", i, field)) }
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", at("session"), at("operation"), at("failed"))))
	}
	want := []string{"a open", "a snapshot", "a batch: click, press", "click unknown_ref", "a close"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	shared.OK(t, "GET /calls?limit=1", nil).Has(t, "truncated", "true")
}

// A call that waits for its turn of a tab is refused if another session leases the tab meanwhile.
func TestLeaseDuringTheWait(t *testing.T) {
	a, b := shared.In("a"), shared.In("b")
	tab := opened(t, a, html(`<a href="`, fileAt("leased.bin", 3), `">Go</a>`), args{})
	ref, files := tab.Ref("Go"), uploads(t, "a.txt")
	for request, more := range map[string]args{
		"POST /download":           {"path": "leased.bin"},
		"POST /hooks/file-chooser": {"paths": files},
	} {
		held, refused := make(chan service.Answer, 1), make(chan service.Answer, 1)
		try := func(answers chan<- service.Answer, s *service.Service, request string, more args) {
			more["targetId"] = tab.ID
			answer, _ := s.Try(context.Background(), request, more)
			answers <- answer
		}
		go try(held, b, "POST /act", args{"kind": "evaluate", "fn": "() => { document.title = 'held'; return fetch('/gate').then(() => document.title = '') }"})
		tab.Act("wait", args{"fn": "document.title === 'held'"})
		more["ref"] = ref
		go try(refused, a, request, more)
		b.OK(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": 60000})
		gate <- struct{}{}
		<-held
		(<-refused).Fails(t, 409, "conflict", "is leased by session b")
		b.OK(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": 0})
	}
}

// A tab that is leased is refused to others.
func TestLeasedTab(t *testing.T) {
	a, b := shared.In("a"), shared.In("b")
	tab := opened(t, a, html(counter), args{})
	lease := func(s *service.Service, ttl int) service.Answer {
		return s.Do(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": ttl})
	}
	lease(shared, 1000).Fails(t, 400, "invalid_request", "this call is in none")
	lease(a, 3600001).Fails(t, 400, "invalid_request", "ttlMs must be an integer from 0 to 3600000")

	lease(b, 60000).Has(t, "session", "b")
	for _, s := range []*service.Service{a, shared} {
		for _, request := range []string{"GET /snapshot?targetId=" + tab.ID, "GET /console?targetId=" + tab.ID, "DELETE /tabs/" + tab.ID} {
			refused := s.Do(t, request, nil)
			refused.Fails(t, 409, "conflict", fmt.Sprintf("tab %s is leased by session b until ", tab.ID))
			refused.Has(t, "details.session", "b")
		}
	}
	lease(a, 1000).Fails(t, 409, "conflict", "is leased by session b")
	b.OK(t, "GET /snapshot?targetId="+tab.ID, nil)
	a.OK(t, "GET /tabs", nil).Has(t, "tabs.0.leasedTo", "b")
	lease(b, 0)
	a.OK(t, "GET /snapshot", nil).Has(t, "tabId", tab.ID)
	lease(b, 60000)
	b.OK(t, "POST /sessions/end", args{}).Has(t, "closed", "0")
	a.OK(t, "GET /snapshot", nil).Has(t, "tabId", tab.ID)
}

// A delta is compared with what its own session was shown. If another session has read the tab
// meanwhile, the changes until then are still new.
func TestDeltasOfSessions(t *testing.T) {
	a, b := shared.In("a"), shared.In("b")
	tab := opened(t, a, html(counter+`<p id=also>none</p><button onclick="also.textContent = 'some'">Also</button>`), args{})
	count, also := tab.Ref("0"), tab.Ref("Also")
	click := func(s *service.Service, ref string) string {
		t.Helper()
		return s.OK(t, "POST /act", args{"kind": "click", "ref": ref, "targetId": tab.ID, "snapshot": "delta"}).Text("delta")
	}
	if got := click(b, count); !strings.Contains(got, `"1"`) {
		t.Errorf("b has clicked, and reads %s", got)
	}
	if got := click(a, also); !strings.Contains(got, `"1"`) || !strings.Contains(got, "some") {
		t.Errorf("a does not read what b has done: %s", got)
	}
	if got := click(b, count); !strings.Contains(got, `"2"`) || !strings.Contains(got, "some") {
		t.Errorf("b does not read what a has done: %s", got)
	}
}

// An isolated session has cookies, storage and permissions of its own. The tabs that its pages open
// share these, and its downloads arrive.
func TestIsolatedSession(t *testing.T) {
	a := shared.In("a")
	shared.Do(t, "POST /tabs/open", args{"url": site.URL, "isolated": true}).Fails(t, 400, "invalid_request", "this call is in none")
	outside := shared.Open(t, site.URL+"/cookie")
	defer shared.OK(t, "POST /cookies/clear", args{"targetId": outside.ID})
	run := func(s *service.Service, tab, script string) string {
		t.Helper()
		return s.OK(t, "POST /act", args{"kind": "evaluate", "fn": script, "targetId": tab}).Text("result")
	}
	run(shared, outside.ID, `localStorage.from = "outside"`)

	tab := opened(t, a, site.URL+"/cookies", args{"isolated": true})
	a.OK(t, "GET /cookies", nil).Has(t, "cookies", "")
	if got := run(a, "", `document.body.textContent + localStorage.from`); got != "undefined" {
		t.Errorf("it has %s from outside", got)
	}
	a.OK(t, "POST /cookies/set", args{"name": "of", "value": "a", "url": site.URL})
	a.OK(t, "POST /storage/local/set", args{"key": "from", "value": "a", "origin": site.URL})
	if got := run(a, "", `(open("/cookies"), new Promise(r => setTimeout(r, 0, localStorage.from)))`); got != "a" {
		t.Errorf("its storage has %q", got)
	}
	more := a.OK(t, "GET /tabs", nil)
	more.Has(t, "tabs.1.isolated", "true")
	popup := more.Text("tabs.0.tabId")
	if popup == tab.ID {
		popup = more.Text("tabs.1.tabId")
	}
	if got := run(a, popup, `document.cookie`); got != "of=a" {
		t.Errorf("what its page has opened has the cookies %q", got)
	}
	a.OK(t, "POST /permissions/grant", args{"origin": site.URL, "permissions": []string{"geolocation"}})
	const state = `navigator.permissions.query({name: "geolocation"}).then(p => p.state)`
	if in, out := run(a, "", state), run(shared, outside.ID, state); in != "granted" || out == "granted" {
		t.Errorf("the permission is %s, outside %s", in, out)
	}
	if got := run(shared, outside.ID, `document.cookie + localStorage.from`); got != "kept=for-longoutside" {
		t.Errorf("outside has %s", got)
	}
	saved := a.OK(t, "GET /state", nil)
	if saved.Count("cookies") != 1 || saved.Text("origins.0.localStorage.0.value") != "a" {
		t.Errorf("the state is %s", saved.Raw)
	}
	tab.OK("POST /navigate", args{"url": html(`<a href="/file" download>Get</a>`)})
	if got := tab.Click("Get", nil); got.Count("downloads") != 1 {
		t.Errorf("no download: %s", got.Raw)
	}
	a.OK(t, "POST /sessions/end", args{}).Has(t, "closed", "2")
	opened(t, a, site.URL+"/cookies", args{"isolated": true})
	a.OK(t, "GET /cookies", nil).Has(t, "cookies", "")
}

// When the browser is lost, tabs still belong to their sessions. What was isolated is
// gone, and its tab does not get the cookies of others in its place.
func TestSessionsOutliveTheBrowser(t *testing.T) {
	long.Test(t)
	a, b := mortal.In("a"), mortal.In("b")
	outside := mortal.Open(t, site.URL+"/cookie")
	defer mortal.OK(t, "POST /cookies/clear", args{"targetId": outside.ID})
	one := opened(t, a, site.URL+"/cookies", args{})
	two := opened(t, b, site.URL+"/cookies", args{"isolated": true})
	b.OK(t, "POST /cookies/set", args{"name": "of", "value": "b", "url": site.URL})
	c := mortal.In("c")
	opened(t, c, site.URL, args{"isolated": true}).OK("POST /tabs/action", args{"action": "close"})
	for _, s := range []*service.Service{a, c} {
		list := s.OK(t, "GET /sessions", nil)
		listed := strings.Contains(list.Raw, `"session":"c"`)
		if counted := list.Text("isolatedWithoutTabs") != ""; listed != (s == c) || listed == counted {
			t.Errorf("c, which has no tabs, is in the list: %s", list.Raw)
		}
	}
	mortal.KillBrowser(t)
	if got := owners(t, mortal); !strings.Contains(got, one.ID+"=a") || !strings.Contains(got, two.ID+"=b") {
		t.Errorf("listed %s", got)
	}
	a.OK(t, "GET /snapshot?timeoutMs=60000", nil).Has(t, "tabId", one.ID)
	b.OK(t, "POST /tabs/open", args{"url": site.URL}).Has(t, "emptied", "true")
	b.OK(t, "GET /cookies", nil).Has(t, "cookies", "")
	lost := b.OK(t, "GET /snapshot?targetId="+two.ID, nil)
	lost.Has(t, "tabId", two.ID)
	if !strings.Contains(lost.Text("lost"), "isolated session") || strings.Contains(lost.Text("snapshot"), "kept") {
		t.Errorf("opened again: %s", lost.Raw)
	}
	lost.Has(t, "emptied", "")
	c.OK(t, "POST /tabs/open", args{"url": site.URL}).Has(t, "emptied", "true")
	c.OK(t, "GET /snapshot", nil).Has(t, "emptied", "")
	c.OK(t, "POST /sessions/end", args{})
	opened(t, c, site.URL, args{"isolated": true}).OK("POST /tabs/action", args{"action": "close"})
	mortal.KillBrowser(t)
	c.OK(t, "GET /cookies", nil).Has(t, "emptied", "true") // and not only an empty list
	c.OK(t, "GET /snapshot", nil).Has(t, "emptied", "")
	mortal.KillBrowser(t)
	b.OK(t, "POST /sessions/end", args{}).Has(t, "closed", "2") // ending a session starts no browser
	if got := mortal.OK(t, "GET /", nil).Text("running"); got != "false" {
		t.Errorf("running: %s", got)
	}
}
