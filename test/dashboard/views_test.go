package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// hostile is a text that would do something if it was read as markup.
const hostile = `<img src=x onerror=alert(1)><b>bold</b>`

// card is a script for the card of a tab.
func card(id string) string {
	return `[...document.querySelectorAll(".card")].find(c => c.querySelector(".tag.id").textContent === "` + id + `")`
}

// calm checks that Chromium had nothing to complain about: no violation of the policy, no failed
// script.
func calm(t *service.Tab) {
	t.Helper()
	if a := t.OK("GET /console", args{"level": "error"}); a.Count("messages") > 0 {
		t.Errorf("the console has %s", a.Raw)
	}
	if a := t.OK("GET /errors", nil); a.Count("errors") > 0 {
		t.Errorf("a script has failed: %s", a.Raw)
	}
}

// Tabs come and go as agents open and close them, with live pictures, and their titles are only text.
func TestTabs(t *testing.T) {
	tab := enter(t, watched)
	sees(tab, `document.querySelectorAll(".card").length`, "0")
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>`+strings.ReplaceAll(hostile, "<", "&lt;")+`</title><body style="background: red">`))
	sees(tab, card(agent.ID)+`?.querySelector(".title").textContent`, hostile)
	sees(tab, card(agent.ID)+`?.querySelector(".tag.session").textContent`, "shopper")
	sees(tab, card(agent.ID)+`?.querySelectorAll("img").length`, "1")
	sees(tab, card(agent.ID)+`?.querySelector("img").naturalWidth > 100`, "true")
	sees(tab, `document.querySelector(".facts").textContent.replace("with windows · ", "")`, "1 tab · 100 MB · network policy enforced")
	agent.Visit(site.URL + "/form.html")
	sees(tab, card(agent.ID)+`?.querySelector(".title").textContent`, agent.Eval("() => document.title"))
	agent.OK("POST /tabs/"+agent.ID+"/lease", args{"ttlMs": 60_000})
	sees(tab, card(agent.ID)+`?.querySelector(".tag.lease")?.textContent.startsWith("leased to shopper")`, "true")
	watched.In("shopper").OK(t, "DELETE /tabs/"+agent.ID, nil)
	sees(tab, `document.querySelectorAll(".card").length`, "0")
	calm(tab)
}

// The card of a tab keeps its place while agents use one tab and another, whichever was used last.
func TestCardsKeepTheirPlaces(t *testing.T) {
	long.Test(t)
	tab := enter(t, watched)
	var agents []*service.Tab
	for range 2 {
		agents = append(agents, watched.In("shopper").Open(t, site.URL+"/form.html"))
	}
	places := `[...document.querySelectorAll(".card")].map(c => c.querySelector(".tag.id").textContent + " " + c.querySelector(".title").textContent).join()`
	want := []string{agents[0].ID, agents[1].ID}
	for i, title := range []string{"first", "second", "third"} {
		agents[i%2].Visit(site.URL + pages.HTML(`<title>`+title+`</title>`))
		want[i%2] = agents[i%2].ID + " " + title
		if i > 0 {
			sees(tab, places, strings.Join(want, ","))
		}
	}
	calm(tab)
}

// Calls of agents appear as they end, with their results. The calls by which the dashboard itself
// reads do not.
func TestCalls(t *testing.T) {
	watched := service.WithDashboard(t, "")
	tab := enter(t, watched)
	show(tab, "calls")
	agent := watched.In("shopper").Open(t, site.URL+"/form.html")
	agent.Do("POST /act", args{"kind": "click", "ref": "e99"})
	sees(tab, `document.querySelectorAll(".call").length`, "2")
	sees(tab, `document.querySelector(".call .tag.bad")?.textContent`, "unknown_ref")
	sees(tab, `document.querySelectorAll(".call .shot img")[0]?.naturalWidth > 100`, "true")
	tab.Click(`radio "Failed"`, nil)
	sees(tab, `document.querySelectorAll(".call").length`, "1")
	tab.Click("click e99", nil)
	sees(tab, `document.querySelector(".call[open] .detail dl").textContent.includes("e99")`, "true")
	show(tab, "sessions")
	sees(tab, `document.querySelector(".session h2")?.textContent`, "shopper")
	sees(tab, `document.querySelector(".held a")?.hash`, "#/tab/chela/"+agent.ID)
	calm(tab)
}

// The view of a tab shows the tab large, with its console messages, requests and downloads.
func TestOneTab(t *testing.T) {
	agent := watched.Open(t, site.URL+pages.HTML(`<title>Logs</title><button onclick="console.log('`+"hello <i>you</i>"+`')">Say</button><a download="a.txt" href="data:text/plain,hi">Get</a>`))
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img").naturalWidth > 300`, "true")
	sees(tab, `document.querySelector("h1").textContent`, "Logs")
	tab.Click(`radio "Console"`, nil)
	sees(tab, `document.querySelector(".panel .empty").hidden`, "false")
	agent.Click(`"Say"`, nil)
	sees(tab, `document.querySelector(".line.log .text")?.textContent`, "hello <i>you</i>")
	tab.Click(`radio "Requests"`, nil)
	sees(tab, `document.querySelector(".line .text")?.textContent.startsWith("`+site.URL+`")`, "true")
	tab.Click(`radio "Downloads"`, nil)
	agent.Click(`"Get"`, nil)
	sees(tab, `document.querySelector(".line .text")?.textContent`, "a.txt")
	watched.OK(t, "DELETE /tabs/"+agent.ID, nil)
	sees(tab, `document.querySelector(".stage-state").textContent`, "The tab is closed.")
	calm(tab)
}

// Settings are written into the configuration file, as chela config set writes them.
func TestSettings(t *testing.T) {
	watched := service.WithDashboard(t, "")
	file := filepath.Join(watched.Dir, "chela.json")
	if err := os.WriteFile(file, []byte("{\n  // mine\n  \"browser\": {\"noSandbox\": true, \"headless\": true}\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := enter(t, watched)
	show(tab, "settings")
	sees(tab, `document.getElementById("setting-browser.headless")?.value`, "true")
	tab.Eval(`() => { document.querySelector("input[type=search]").value = "recorderLimits.calls"; document.querySelector("input[type=search]").dispatchEvent(new Event("input")) }`)
	sees(tab, `document.querySelectorAll(".setting").length`, "1")
	tab.Act("type", args{"ref": tab.Ref(`spinbutton "calls"`), "text": "700", "submit": true})
	sees(tab, `document.querySelector(".setting .tag")?.textContent`, "changed")
	written := func(want string) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), "// mine") {
			t.Errorf("the file has %s", text)
		}
	}
	written(`"calls": 700`)
	tab.Act("type", args{"ref": tab.Ref(`spinbutton "calls"`), "text": "-1", "submit": true})
	sees(tab, `document.querySelector("#said .bad")?.textContent.includes("recorderLimits")`, "true")
	written(`"calls": 700`)
	tab.Click("Use the default", nil)
	sees(tab, `document.querySelectorAll(".setting .tag").length`, "0")
	show(tab, "doctor")
	sees(tab, `document.querySelectorAll(".check").length > 5`, "true")
	sees(tab, `document.querySelector("[role=status].lead").textContent.startsWith("Looking")`, "false")
}

// An address that names no view shows the first one.
func TestStrangeAddresses(t *testing.T) {
	long.Test(t)
	tab := enter(t, watched)
	for _, path := range []string{"constructor", "toString/a", "%zz", "settings/%"} {
		show(tab, "calls")
		sees(tab, `document.querySelector("h1").textContent`, "Calls")
		show(tab, path)
		want := "Tabs"
		if path == "settings/%" {
			want = "Settings"
		}
		sees(tab, `document.querySelector("h1").textContent`, want)
	}
	calm(tab)
}

// A list of texts has one a line, whatever the texts begin with. A saved secret leaves an empty field,
// even when it replaces another. Enter in a field that was not changed saves nothing.
func TestFieldsOfSettings(t *testing.T) {
	long.Test(t)
	watched := service.WithDashboard(t, "")
	file := filepath.Join(watched.Dir, "chela.json")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := enter(t, watched)
	show(tab, "settings")
	save := func(key, text string) {
		t.Helper()
		sees(tab, `document.getElementById("setting-`+key+`") !== null`, "true")
		tab.Eval(`() => {
			document.querySelector("#said").replaceChildren()
			const field = document.getElementById("setting-` + key + `")
			field.value = "` + text + `"
			field.dispatchEvent(new Event("input"))
			field.form.querySelector("button").click()
		}`)
		sees(tab, `document.querySelector("#said").textContent`, key+" is saved.")
	}
	save("browser.extraArgs", `[one]\n[two]`)
	sees(tab, `document.getElementById("setting-browser.extraArgs").value`, "[one]\n[two]")
	for _, secret := range []string{"first", "second"} {
		save("browser.controlToken", secret)
		sees(tab, `(f => f.querySelector("input").value + f.querySelector("button").hidden)(document.getElementById("setting-browser.controlToken").form)`, "true")
	}
	tab.Eval(`() => { window.sent = 0; const real = fetch; window.fetch = (...all) => { if (all[1].method === "POST") sent++; return real(...all) }; document.getElementById("setting-browser.controlToken").focus() }`)
	tab.Act("press", args{"key": "Enter"})
	sees(tab, `sent`, "0")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "second") {
		t.Errorf("after Enter in a field that was not changed, the file has %s (%v)", text, err)
	}
	calm(tab)
}

// A list of a thousand rows is shown at once, and only what is in view is laid out.
func TestManyCalls(t *testing.T) {
	long.Test(t)
	agent := watched.Open(t, site.URL+"/form.html")
	for range 480 {
		agent.OK("GET /console", nil)
	}
	tab := enter(t, watched)
	show(tab, "calls")
	sees(tab, `document.querySelectorAll(".call").length > 470`, "true")
	sees(tab, `getComputedStyle(document.querySelector(".calls > li")).contentVisibility`, "auto")
	calm(tab)
}

// A view that is left before its data has arrived opens no live view any more.
func TestLeftEarly(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Left"))
	tab := enter(t, watched)
	show(tab, "doctor")
	sees(tab, `document.querySelector("h1")?.textContent`, "Doctor")
	holds(tab)
	tab.Eval(`async () => {
		const go = hash => new Promise(done => {
			addEventListener("hashchange", () => done(), {once: true})
			location.hash = hash
		})
		window.begun = performance.now() // pictures of the view of tabs had tickets before
		const late = hold("api/tabs")
		await go("#/tab/chela/` + agent.ID + `")
		await go("#/settings")
		await late.begun
		late.release()
		await new Promise(done => setTimeout(done, 50))
	}`)
	sees(tab, `performance.getEntriesByType("resource").filter(e => e.startTime >= begun && e.name.includes("/screencast/ticket")).length`, "0")
	calm(tab)
}

// An answer from before a tab was closed does not show the tab again.
func TestClosedTabStaysClosed(t *testing.T) {
	agent := watched.In("shopper").Open(t, shareable("Closed"))
	tab := enter(t, watched)
	holds(tab)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img").naturalWidth > 300`, "true")
	tab.Eval(`async () => {
		window.late = hold("api/tabs")
		document.dispatchEvent(new Event("visibilitychange")) // loads again
		await late.begun
	}`)
	watched.OK(t, "DELETE /tabs/"+agent.ID, nil)
	sees(tab, `document.querySelector(".stage-state").textContent`, "The tab is closed.")
	tab.Eval(`async () => {
		window.begun = performance.now()
		late.release()
		await new Promise(done => setTimeout(done, 50))
	}`)
	sees(tab, `performance.getEntriesByType("resource").filter(e => e.startTime >= begun && e.name.includes("/screencast/ticket")).length`, "0")
	sees(tab, `document.querySelector(".stage-state").textContent`, "The tab is closed.")
	calm(tab)
}

// An answer that comes after the person has chosen something else is not shown.
func TestLateAnswers(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>Late</title><script>console.log("said early")</script>`))
	tab := enter(t, watched)
	holds(tab)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector("h1 bdi").textContent`, "Late")
	tab.Eval(`async () => {
		const late = hold("api/console")
		document.querySelector("input[value=console]").click()
		await late.begun
		document.querySelector("input[value=downloads]").click()
		window.lines = []
		new MutationObserver(() => lines.push(document.querySelector(".lines").textContent)).observe(document.querySelector(".lines"), { childList: true })
		late.release()
	}`)
	sees(tab, `[...document.querySelectorAll(".panel .empty:not([hidden])")].map(e => e.textContent).join()`, "Nothing yet.")
	sees(tab, `lines.join("").includes("said early")`, "false")

	show(tab, "doctor")
	sees(tab, `document.querySelector(".check") !== null`, "true")
	got := tab.Eval(`async () => {
		const real = window.fetch
		window.fetch = async address => {
			const name = new URL(address, location.href).searchParams.get("profile")
			return Response.json({ ok: true, checks: [{ id: name, label: name, status: "pass", summary: name }] })
		}
		const late = hold("profile=slow")
		const which = document.querySelector("select")
		for (const name of ["slow", "fast"]) {
			which.append(new Option(name))
			which.value = name
			which.dispatchEvent(new Event("change"))
		}
		await late.begun
		late.release()
		await new Promise(done => setTimeout(done, 50))
		window.fetch = real
		return which.value + " " + document.querySelector(".check h2").textContent
	}`)
	if got != "fast fast" {
		t.Errorf("the chosen profile, and the one that is shown: %s, want fast fast", got)
	}
	calm(tab)
}

// Rows that the list of calls shows no more are freed, even if their pictures never came into view.
func TestRowsAreFreed(t *testing.T) {
	tab := enter(t, watched)
	tab.Eval(`async () => {
		const { callRows } = await import("/ui/calls.js")
		const place = document.createElement("div")
		place.style.cssText = "position: fixed; top: 9000px"
		document.body.append(place)
		window.rows = callRows(() => {})
		place.append(rows.root)
		rows.show([{ profile: "p", id: "1", time: "2030-01-01T00:00:00Z", tab: "t1", op: "click", title: "click", ms: 1, picture: "/a.jpg", pictureId: "a" }])
		window.row = new WeakRef(rows.root.firstElementChild)
		await new Promise(done => requestAnimationFrame(() => setTimeout(done, 50))) // the observer has reported the row
		rows.show([])
	}`)
	session := phone(tab)
	service.Eventually(t, "the row is freed", func() bool {
		if _, err := cdp.Call(tab.Context(), session.session, proto.Command[message, message]{Method: "HeapProfiler.collectGarbage"}, message{}); err != nil {
			t.Fatal(err)
		}
		return tab.Eval(`() => String(row.deref() === undefined)`) == "true"
	})
}
