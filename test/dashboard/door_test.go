package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A link lets in once. Its secret does not stay in the address or the history, and a reload needs no
// other link.
func TestLink(t *testing.T) {
	link := watched.Link(t)
	tab := person.Open(t, link)
	sees(tab, `document.querySelector("h1")?.textContent`, "Tabs")
	sees(tab, `location.hash`, "#/")
	sees(tab, `document.cookie`, "")
	tab.OK("POST /reload", nil)
	sees(tab, `document.querySelector("h1")?.textContent`, "Tabs")
	tab.Do("POST /back", nil).Fails(t, http.StatusConflict, "conflict", "the tab's history has no such page")

	second := person.In("another-person").Open(t, link)
	sees(second, `document.querySelector("h1")?.textContent`, "The dashboard is closed")
	sees(second, `document.querySelector(".door p")?.textContent.includes("was used")`, "true")
	without := person.In("another-person").Open(t, watched.URL+"/ui/")
	sees(without, `document.querySelector(".door p")?.textContent.includes("without a link")`, "true")

	tab.Click(`button "Leave"`, nil)
	sees(tab, `document.querySelector("h1")?.textContent`, "The dashboard is closed")
	tab.OK("POST /reload", nil)
	sees(tab, `document.querySelector("h1")?.textContent`, "The dashboard is closed")
}

// A closed dashboard is opened again by a new link in the same page.
func TestAnotherLink(t *testing.T) {
	long.Test(t)
	tab := enter(t, watched)
	tab.Click(`button "Leave"`, nil)
	sees(tab, `document.querySelector("h1")?.textContent`, "The dashboard is closed")
	tab.Visit(watched.Link(t))
	sees(tab, `document.querySelector("h1")?.textContent + location.hash`, "Tabs#/")
}

// When a person leaves, what they have open ends, also in other tabs of their browser.
func TestLeaveEndsWhatIsOpen(t *testing.T) {
	long.Test(t)
	agent := watched.Open(t, site.URL+"/form.html")
	tab := enter(t, watched)
	calm(tab)
	said := tab.Eval(fmt.Sprintf(`async () => {
		const headers = {"X-Chela-Dashboard": sessionStorage.getItem("token"), "Content-Type": "application/json"}
		const post = (path, args) => fetch(%[1]q + path, {method: "POST", body: JSON.stringify(args), headers})
		const {ticket} = await (await post("/ui/api/screencast/ticket", {targetId: %[2]q, control: true})).json()
		const events = (await fetch(%[1]q + "/ui/events", {headers})).body.getReader()
		await events.read()
		const s = new WebSocket(%[1]q.replace("http", "ws") + "/ui/api/screencast?ticket=" + ticket)
		await new Promise(done => s.onopen = done)
		const ended = new Promise(done => s.onmessage = m => { const {type, reason} = JSON.parse(m.data); if (type === "end") done(reason) })
		await post("/ui/logout", {})
		while (!(await events.read().catch(() => ({done: true}))).done);
		return ended
	}`, watched.URL, agent.ID))
	if said != "pass-ended" {
		t.Errorf("the live view has ended with %q", said)
	}
}

// ask makes a request in a page, and returns the status of the answer, or the error.
func ask(t *service.Tab, address, options string) string {
	t.Helper()
	return t.Eval(fmt.Sprintf(`() => fetch(%q, %s).then(a => String(a.status), e => e.name)`, address, options))
}

// socket opens a WebSocket in a page, and returns the result.
func socket(t *service.Tab, address string) string {
	t.Helper()
	return t.Eval(fmt.Sprintf(`() => new Promise(done => { const s = new WebSocket(%q); s.onopen = () => done("open"); s.onerror = () => done("refused") })`, address))
}

// The cookie alone is of no use, nor is the token alone. Cookies are the same for all ports of a
// machine, so the page of another port has the cookie, and can do nothing with it.
func TestStolenHalves(t *testing.T) {
	long.Test(t)
	opened := watched.Open(t, site.URL+"/form.html")
	tab := enter(t, watched)
	own := watched.URL + "/ui/api/tabs"
	token := tab.Eval(`() => sessionStorage.getItem("token")`)
	header := fmt.Sprintf(`headers: {"X-Chela-Dashboard": %q}`, token)
	post := `method: "POST", body: JSON.stringify({targetId: "` + opened.ID + `"})`
	ticketAt := watched.URL + "/ui/api/screencast/ticket"
	live := strings.Replace(watched.URL, "http", "ws", 1) + "/ui/api/screencast"
	for _, s := range []struct{ name, got, want string }{
		{"both", ask(tab, own, "{"+header+"}"), "200"},
		{"the cookie", ask(tab, own, "{}"), "401"},
		{"the cookie and a wrong token", ask(tab, own, `{headers: {"X-Chela-Dashboard": "x"}}`), "401"},
		{"the token", ask(tab, own, `{credentials: "omit", `+header+"}"), "401"},
		{"the cookie, for a ticket", ask(tab, ticketAt, "{"+post+`, headers: {"Content-Type": "application/json"}}`), "401"},
		{"the cookie, for a socket", socket(tab, live+"?targetId="+opened.ID), "refused"},
		{"the cookie and a wrong ticket, for a socket", socket(tab, live+"?ticket=x"), "refused"},
		{"outside of the dashboard", ask(tab, watched.URL+"/tabs", "{"+header+"}"), "401"},
	} {
		if s.got != s.want {
			t.Errorf("%s: got %s, want %s", s.name, s.got, s.want)
		}
	}

	// The same person opens a page of another port, which has stolen the token.
	evil := person.Open(t, site.URL+"/form.html")
	if got := ask(evil, site.URL+"/ui/seen", `{credentials: "include"}`); got != "404" {
		t.Fatalf("the page of another port cannot ask its own server: %s", got)
	}
	for _, s := range []struct{ name, got, want string }{
		{"reading", ask(evil, own, `{credentials: "include", `+header+"}"), "TypeError"},
		{"acting", ask(evil, ticketAt, `{credentials: "include", mode: "no-cors", `+post+"}"), "TypeError"},
		{"a script", evil.Eval(`() => new Promise(done => { const s = document.createElement("script"); s.src = "` + watched.URL + `/ui/dom.js"; s.onload = () => done("loaded"); s.onerror = () => done("refused"); document.head.append(s) })`), "refused"},
		{"a socket", socket(evil, live+"?ticket=x"), "refused"},
	} {
		if s.got != s.want {
			t.Errorf("%s from another port: got %s, want %s", s.name, s.got, s.want)
		}
	}
}

// With a ticket of the dashboard, the page of another port cannot open a WebSocket there, although
// the browser sends the cookie along.
func TestStolenTicket(t *testing.T) {
	long.Test(t)
	opened := watched.Open(t, site.URL+"/form.html")
	tab := enter(t, watched)
	live := strings.Replace(watched.URL, "http", "ws", 1) + "/ui/api/screencast?ticket="
	ticket := func() string {
		return tab.Eval(`() => fetch("/ui/api/screencast/ticket", {method: "POST", body: JSON.stringify({targetId: "` + opened.ID + `"}),
			headers: {"Content-Type": "application/json", "X-Chela-Dashboard": sessionStorage.getItem("token")}}).then(a => a.json()).then(a => a.ticket)`)
	}
	evil := person.Open(t, site.URL+"/form.html")
	if got := socket(evil, live+ticket()); got != "refused" {
		t.Errorf("from another port: %s", got)
	}
	if got := socket(tab, live+ticket()); got != "open" {
		t.Errorf("from the dashboard: %s", got)
	}
}

// No page frames the dashboard, nor opens it with a handle to its window.
func TestFraming(t *testing.T) {
	enter(t, watched)
	tab := person.Open(t, site.URL+pages.HTML(`<h1>Win</h1><iframe src="`+watched.URL+`/ui/"></iframe>`))
	if got := tab.Snapshot(); strings.Contains(got, "dashboard") || strings.Contains(got, "Tabs") {
		t.Errorf("the frame shows\n%s", got)
	}
	sees(tab, `(() => { try { return frames[0].location.href } catch (e) { return e.name } })()`, "SecurityError")
}

// A name that points to this machine is no name of the dashboard.
func TestRebinding(t *testing.T) {
	at, _ := url.Parse(watched.URL)
	tab := person.Open(t, "http://localhost:"+at.Port()+"/ui/")
	sees(tab, `document.querySelector("h1")?.textContent`, "The dashboard is closed")
	req := httptest.NewRequest(http.MethodGet, watched.URL+"/ui/", nil)
	req.Host, req.RequestURI = "rebound.example:"+at.Port(), ""
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("another name: %d", resp.StatusCode)
	}
}
