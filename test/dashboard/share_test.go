package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// shareable is a page that counts clicks on its button.
func shareable(title string) string {
	return site.URL + pages.HTML(`<title>`+title+`</title><style>button { font-size: 40px }</style><button id="b" onclick="out.textContent = 'clicked ' + ++n">Press</button><p id="out"></p><script>n = 0</script>`)
}

// A guest takes over the tab that is shared, works in it, and gives it back. Nothing else can be
// reached, whatever the guest's browser asks for. When the share is revoked, all of it ends.
func TestShare(t *testing.T) {
	agent := watched.In("shopper").Open(t, shareable("Shared"))
	other := watched.In("shopper").Open(t, shareable("Not shared"))
	place := centre(agent, "#b")
	share := watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000})
	id := share.Text("id")
	guest := person.In("a-guest").Open(t, share.Text("url"))
	sees(guest, `document.querySelector("h1")?.textContent`, "Shared")
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	sees(guest, `location.hash + document.cookie`, "")
	guest.OK("POST /reload", nil)
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")

	takeOver(guest, agent)
	second := person.In("a-guest").Open(t, share.Text("url")) // the first tab stays admitted
	sees(second, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	click(guest, place)
	shows(agent, "clicked 1")
	if calls := watched.OK(t, "GET /calls?targetId="+agent.ID, nil); strings.Contains(calls.Raw, `"caller":"dashboard"`) || !strings.Contains(calls.Raw, `"caller":"guest `+id+`"`) {
		t.Errorf("the calls of a guest: %s", calls.Raw)
	}
	agent.Do("POST /act", args{"kind": "press", "key": "x", "timeoutMs": 500}).Fails(t, http.StatusLocked, "PERSON_IN_CONTROL", "taken over")

	calm(guest)
	owner := enter(t, watched)
	sees(owner, card(agent.ID)+`?.querySelector(".tag.person").textContent.startsWith("guest `+id+` has it, ")`, "true")

	own := watched.URL + "/ui/share/" + id + "/api"
	header := fmt.Sprintf(`headers: {"X-Chela-Dashboard": %q, "Content-Type": "application/json"}`, guest.Eval(`() => sessionStorage.getItem("share token")`))
	for _, test := range []struct{ name, address, options, want string }{
		{"the tab, after another tab has opened the link again", own + "/reload", `{method: "POST", body: "{}", ` + header + "}", "200"},
		{"a reading of what is open", own + "/tabs", "{" + header + "}", "403"},
		{"a script", own + "/act", `{method: "POST", body: '{"kind": "evaluate", "fn": "1"}', ` + header + "}", "403"},
		{"files for the page", own + "/hooks/file-chooser", `{method: "POST", body: '{"paths": ["x"]}', ` + header + "}", "403"},
		{"a file for the server", own + "/files?name=x", `{method: "POST", body: "x", ` + header + "}", "404"},
		{"the dashboard", watched.URL + "/ui/api/tabs", "{" + header + "}", "401"},
		{"settings", watched.URL + "/ui/settings", "{" + header + "}", "401"},
		{"the token alone", own + "/takeover", `{method: "POST", body: "{}", credentials: "omit", ` + header + "}", "401"},
		{"the cookie alone", own + "/takeover", `{method: "POST", body: "{}", headers: {"Content-Type": "application/json"}}`, "401"},
		{"another share", watched.URL + "/ui/share/s9/api/takeover", `{method: "POST", body: "{}", ` + header + "}", "401"},
		{"another tab", own + "/takeover", fmt.Sprintf(`{method: "POST", body: '{"targetId": "%s"}', %s}`, other.ID, header), "200"},
		{"a tab of another machine", own + "/takeover", `{method: "POST", body: '{"target": "node", "node": "x"}', ` + header + "}", "400"},
	} {
		if got := ask(guest, test.address, test.options); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	ticket := guest.Eval(fmt.Sprintf(`async () => (await (await fetch(%q, {method: "POST", body: "{}", %s})).json()).ticket`, own+"/screencast/ticket", header))
	if got := socket(guest, strings.Replace(watched.URL, "http", "ws", 1)+"/screencast?ticket="+ticket); got != "refused" {
		t.Errorf("a guest's ticket outside of the share: %s", got)
	}
	if got := guest.Eval(fmt.Sprintf(`async () => {
		const all = []
		for (let i = 0; i < 30; i++) {
			const {ticket} = await (await fetch(%q, {method: "POST", body: "{}", %s})).json()
			const s = new WebSocket(%q + ticket)
			if (!await new Promise(done => { s.onopen = () => done(true); s.onerror = () => done(false) })) break
			all.push(s)
		}
		for (const s of all) s.close()
		return String(all.length)
	}`, own+"/screencast/ticket", header, strings.Replace(own, "http", "ws", 1)+"/screencast?ticket=")); got != "18" { // and the views of both pages
		t.Errorf("live views of guests: %s", got)
	}
	if got := guest.Eval(fmt.Sprintf(`async () => { for (let i = 0; i < 30; i++) { const a = await fetch(%q, {method: "POST", body: "{}", %s}); if (a.status !== 200) return i + " " + a.status } }`, own+"/screencast/ticket", header)); got != "19 429" { // and the ticket of the view that was refused
		t.Errorf("tickets of one guest: %s", got)
	}
	other.Act("press", args{"key": "x"}) // the guest has got the shared tab once more, and not this one
	guest.Click(`button "Give back"`, nil)
	guest.Eval(`() => { document.querySelector("dialog[open] .main").click() }`)
	sees(guest, `document.querySelector(".tab-view.held") === null`, "true")
	agent.Act("press", args{"key": "x"})
	takeOver(guest, agent)

	if a := watched.Do(t, "POST /dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000}); a.Status != http.StatusForbidden {
		t.Errorf("a caller with the token shares a tab: %d %s", a.Status, a.Raw)
	}
	watched.Local(t, "/dashboard/shares/revoke", args{"id": id})
	agent.Act("press", args{"key": "x"}) // the end of the share gives the tab back
	sees(guest, `document.querySelector("main").textContent.includes("not shared")`, "true")
	guest.OK("POST /reload", nil)
	sees(guest, `document.querySelector("h1")?.textContent`, "This tab is not shared")
	again := person.In("another-guest").Open(t, share.Text("url"))
	sees(again, `document.querySelector("h1")?.textContent`, "This tab is not shared")
}

// A guest gives the page no files of this machine, and nothing of the clipboard that all tabs of the
// browser share. That holds for messages that the guest's page does not send.
func TestGuestGivesNothingOfThisMachine(t *testing.T) {
	agent := watched.In("shopper").Open(t, shareable("Shared"))
	share := watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000})
	guest := person.In("a-guest-with-files").Open(t, share.Text("url"))
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	calm(guest)
	for message, want := range map[string]string{
		`{"type": "files", "paths": ["report.pdf"]}`: "a guest may not call this",
		`{"type": "key", "key": "Control+V"}`:        "a guest may not use the clipboard of the browser",
	} {
		if said := guest.Eval(sending(share, message)); said != want {
			t.Errorf("%s: the guest was told %q, want %q", message, said, want)
		}
	}
}

// sending is a script for a guest's page: it sends a message of the live view and returns the error
// that comes.
func sending(share service.Answer, message string) string {
	return fmt.Sprintf(`async () => {
		const own = %q
		const headers = {"X-Chela-Dashboard": sessionStorage.getItem("share token"), "Content-Type": "application/json"}
		const {ticket} = await (await fetch(own + "/screencast/ticket", {method: "POST", body: '{"control": true}', headers})).json()
		const s = new WebSocket(own.replace("http", "ws") + "/screencast?ticket=" + ticket)
		return new Promise(done => {
			s.onopen = () => s.send(%q)
			s.onmessage = m => { const {type, error} = JSON.parse(m.data); if (type === "error") done(error) }
		})
	}`, watched.URL+"/ui/share/"+share.Text("id")+"/api", message)
}

// takenByGuest shares a tab of the session shopper with this title, and has a guest take it over in a
// session of that name.
func takenByGuest(t *testing.T, watched *service.Service, title, session string) (agent *service.Tab, share service.Answer, guest *service.Tab) {
	t.Helper()
	agent = watched.In("shopper").Open(t, shareable(title))
	share = watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000})
	guest = person.In(session).Open(t, share.Text("url"))
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	takeOver(guest, agent)
	return agent, share, guest
}

// The owner takes the tab from a guest, and keeps it. The guest can neither take it, nor give it back, nor
// act in it. The end of the share does not end the owner's takeover.
func TestOwnerStandsAboveGuests(t *testing.T) {
	agent, share, guest := takenByGuest(t, watched, "Whose", "a-guest-below")
	owner := enter(t, watched)
	show(owner, "sessions")
	sees(owner, `[...document.querySelectorAll(".held .tag.person")].map(t => t.textContent.replace(/,.*/, "")).join()`, "guest "+share.Text("id")+" has it")
	show(owner, "tab/chela/"+agent.ID)
	sees(owner, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	sees(owner, `document.querySelector(".tags .person")?.textContent.startsWith("guest") + " " + (document.querySelector(".tab-view.held") !== null)`, "true false")
	takeOver(owner, agent)
	sees(guest, `document.querySelector("#said .bad")?.textContent`, "You do not have the tab any more.")
	guest.Click(`button "Take over"`, nil)
	const withheld = "somebody else has taken over the tab" // and no name
	sees(guest, `document.querySelector("#said .bad")?.textContent`, withheld+". Try: wait until they give it back")
	header := fmt.Sprintf(`headers: {"X-Chela-Dashboard": %q, "Content-Type": "application/json"}`, guest.Eval(`() => sessionStorage.getItem("share token")`))
	for path, want := range map[string]string{"/giveback": "409", "/reload": "423", "/back": "423", "/hooks/dialog": "423"} {
		if got := ask(guest, watched.URL+"/ui/share/"+share.Text("id")+"/api"+path, `{method: "POST", body: '{"accept": true}', `+header+"}"); got != want {
			t.Errorf("%s of a guest while the owner has the tab: %s, want %s", path, got, want)
		}
	}
	for _, message := range []string{`{"type": "text", "text": "x"}`, `{"type": "key", "key": "Enter"}`} {
		if said := guest.Eval(sending(share, message)); said != withheld {
			t.Errorf("%s: the guest was told %q, want %q", message, said, withheld)
		}
	}
	watched.Local(t, "/dashboard/shares/revoke", args{"id": share.Text("id")})
	sees(guest, `document.querySelector("main").textContent.includes("not shared")`, "true")
	agent.Do("POST /act", args{"kind": "press", "key": "x", "timeoutMs": 500}).Fails(t, http.StatusLocked, "PERSON_IN_CONTROL", "taken over")
}

// The end of a share gives the tab back that has been opened again after a crash of the browser.
func TestShareEndsAfterACrash(t *testing.T) {
	long.Test(t)
	watched := service.WithDashboard(t, "")
	agent, share, _ := takenByGuest(t, watched, "Crashes", "a-guest-before")
	watched.KillBrowser(t)
	agent.OK("GET /snapshot", args{"timeoutMs": 60_000}).Has(t, "recovered", "true")
	owner := enter(t, watched)
	sees(owner, card(agent.ID)+`?.querySelectorAll(".tag.person").length`, "1")
	watched.Local(t, "/dashboard/shares/revoke", args{"id": share.Text("id")})
	sees(owner, card(agent.ID)+`?.querySelectorAll(".tag.person").length`, "0")
	if a := agent.OK("GET /snapshot", nil); a.Get("person") == nil {
		t.Errorf("the agent is not told that a guest had the tab: %s", a.Raw)
	}
}

// The end of a share does not start a browser, even if a guest has the tab in one that was lost.
func TestShareEndsWithoutBrowser(t *testing.T) {
	long.Test(t)
	watched := service.WithDashboard(t, "")
	_, share, _ := takenByGuest(t, watched, "Lost", "a-guest-of-a-lost-tab")
	watched.KillBrowser(t)
	watched.Local(t, "/dashboard/shares/revoke", args{"id": share.Text("id")})
	service.Eventually(t, "the tab is given back", func() bool {
		return watched.Do(t, "POST /sessions/end", args{"session": "shopper"}).Status == http.StatusOK
	})
	if got := watched.OK(t, "GET /", nil).Get("running"); got != false {
		t.Errorf("a browser runs: %v", got)
	}
}

// Whoever may only look cannot act, not even by messages that the page does not send.
func TestShareToLook(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Shared"))
	share := watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000, "view": true})
	guest := person.In("a-viewer").Open(t, share.Text("url"))
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	sees(guest, `[...document.querySelectorAll("button")].filter(b => b.checkVisibility()).length`, "0")
	calm(guest)

	own := watched.URL + "/ui/share/" + share.Text("id") + "/api"
	header := fmt.Sprintf(`headers: {"X-Chela-Dashboard": %q, "Content-Type": "application/json"}`, guest.Eval(`() => sessionStorage.getItem("share token")`))
	for _, path := range []string{"/takeover", "/giveback", "/back", "/hooks/dialog"} {
		if got := ask(guest, own+path, `{method: "POST", body: "{}", `+header+"}"); got != "403" {
			t.Errorf("%s: %s", path, got)
		}
	}
	place := centre(agent, "#b")
	said := guest.Eval(fmt.Sprintf(`async () => {
		const {ticket, control} = await (await fetch(%q, {method: "POST", body: '{"control": true}', %s})).json()
		const s = new WebSocket(%q + ticket)
		return new Promise(done => s.onmessage = m => {
			const {type, error} = JSON.parse(m.data)
			if (type === "frame") s.send(JSON.stringify({type: "mouse", event: "click", x: %v, y: %v}))
			if (type === "error") done(control + " " + error)
		})
	}`, own+"/screencast/ticket", header, "ws"+own[len("http"):]+"/screencast?control=true&ticket=", place.X, place.Y))
	if want := "undefined this viewer may only watch"; said != want {
		t.Errorf("the viewer was told %q, want %q", said, want)
	}
}

// A guest who clicks twice on the button has taken the tab over, and sees it. A guest who does not have
// it any more is told so, even while giving it back. Then the guest can take it over again.
func TestGuestTakesOverTwice(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Twice"))
	share := watched.Local(t, "/dashboard/shares/new", args{"targetId": agent.ID, "forMs": 600_000})
	t.Cleanup(func() { watched.Try(context.Background(), "POST /giveback", args{"targetId": agent.ID}) })
	guest := person.In("a-hasty-guest").Open(t, share.Text("url"))
	sees(guest, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	got := guest.Eval(`async () => {
		const real = window.fetch, answers = []
		window.fetch = (address, options) => {
			const answer = real(address, options)
			if (String(address).endsWith("/takeover")) answers.push(answer)
			return answer
		}
		const take = [...document.querySelectorAll("button")].find(b => b.textContent === "Take over")
		take.click()
		take.click()
		await Promise.all(answers)
		await new Promise(done => setTimeout(done, 50))
		window.fetch = real
		return answers.length + " " + (document.querySelector(".tab-view.held") !== null)
	}`)
	if got != "2 true" {
		t.Errorf("requests, and whether the tab is shown as taken over: %s, want 2 true", got)
	}
	calm(guest)

	// The person who shared the tab gives it back while the guest writes a note.
	guest.Click(`button "Give back"`, nil)
	watched.OK(t, "POST /giveback", args{"targetId": agent.ID})
	sees(guest, `document.querySelector("#said .bad")?.textContent`, "You do not have the tab any more.")
	sees(guest, `document.querySelector(".tab-view.held") !== null`, "false")
	guest.Eval(`() => { document.querySelector("dialog[open] .main").click() }`)
	sees(guest, `document.querySelector("#said .bad")?.textContent.startsWith("no person has taken over")`, "true")
	sees(guest, `document.querySelector("dialog[open]") === null`, "true")
	takeOver(guest, agent)
}
