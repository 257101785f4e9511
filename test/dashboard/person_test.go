package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A point is a place in the viewport of a tab.
type point struct{ X, Y, Width, Height float64 }

// centre returns the middle of an element in an agent's tab, and the size of the viewport.
func centre(t *service.Tab, selector string) (p point) {
	t.Helper()
	got := t.Eval(`() => { const b = document.querySelector("` + selector + `").getBoundingClientRect();
		return JSON.stringify({x: b.x + b.width / 2, y: b.y + b.height / 2, width: innerWidth, height: innerHeight}) }`)
	if err := json.Unmarshal([]byte(got), &p); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	return p
}

// click clicks a point of the agent's tab in the picture that the dashboard shows of it.
func click(dashboard *service.Tab, p point) {
	dashboard.Helper()
	var box point
	got := dashboard.Eval(`() => { const i = document.querySelector(".stage img"); i.scrollIntoView({block: "center"}); const b = i.getBoundingClientRect();
		return JSON.stringify({x: b.x, y: b.y, width: b.width, height: b.height}) }`)
	if err := json.Unmarshal([]byte(got), &box); err != nil {
		dashboard.Fatalf("%v: %s", err, got)
	}
	dashboard.Act("clickCoords", args{"x": int(box.X + p.X/p.Width*box.Width), "y": int(box.Y + p.Y/p.Height*box.Height)})
}

// shows waits until an agent reads a text in its tab. Reading is allowed while the person has it.
func shows(t *service.Tab, text string) {
	t.Helper()
	service.Eventually(t, "the page shows "+text, func() bool { return strings.Contains(t.Snapshot(), text) })
}

// A person takes a tab over, works in it by mouse, keys, paste, dialog and files, and gives it back with
// a note. Meanwhile the agent waits.
func TestTakeOver(t *testing.T) {
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>Log in</title><style>* { font-size: 20px; margin: 8px }</style>
		<input id="name" aria-label="Name"><input id="word" type="password" aria-label="Password"><br>
		<input type="file" id="file" aria-label="Picture" onchange="out.textContent = 'file ' + this.files[0].name"><br>
		<button id="ask" onclick="out.textContent = 'said ' + prompt('Your code?', '0000')">Code</button><p id="out">nothing</p>`))
	places := map[string]point{}
	for _, id := range []string{"name", "word", "file", "ask"} {
		places[id] = centre(agent, "#"+id)
	}
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	sees(tab, `document.querySelector(".keys").disabled`, "true")
	tab.Click(`button "Take over"`, nil)
	sees(tab, `document.querySelector(".tab-view.held") !== null && document.activeElement.className`, "keys")
	sees(tab, `document.querySelector(".tag.person").textContent.startsWith("you have it")`, "true")
	if a := agent.Do("POST /act", args{"kind": "press", "key": "x", "timeoutMs": 500}); a.Status != http.StatusLocked {
		t.Errorf("the agent's act: %d %s", a.Status, a.Raw)
	}

	click(tab, places["name"])
	for _, key := range []string{"A", "d", "x", "Backspace", "a"} {
		tab.Act("press", args{"key": key})
	}
	shows(agent, "Ada")
	tab.Eval(`() => { const d = new DataTransfer(); d.setData("text/plain", " Lovelace"); document.querySelector(".keys").dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true})) }`)
	shows(agent, "Ada Lovelace")
	tab.Eval(`() => { document.execCommand("delete") }`) // as the keyboard of a phone does
	shows(agent, "Ada Lovelac\n")
	click(tab, places["word"])
	tab.Act("press", args{"key": "s"})
	tab.Act("insertText", args{"text": "ecret-0815"}) // as an input method does

	click(tab, places["ask"])
	sees(tab, `document.querySelector(".dialog bdi")?.textContent`, "Your code?")
	sees(tab, `document.querySelector(".dialog input").value`, "0000")
	tab.Act("type", args{"ref": tab.Ref(`textbox "Your answer"`), "text": "4711"})
	tab.Click(`button "OK"`, nil)
	sees(tab, `document.querySelectorAll(".dialog").length`, "0")
	shows(agent, "said 4711")

	file := filepath.Join(service.UploadRoot(t), "face-of-the-dashboard.png")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
	tab.OK("POST /hooks/file-chooser", args{"element": `.tab-view input[type=file]`, "paths": []string{file}})
	sees(tab, `document.querySelector("#said").textContent.startsWith("1 file ready")`, "true")
	click(tab, places["file"])
	shows(agent, "file face-of-the-dashboard.png")

	tab.Click(`button "Give back"`, nil)
	tab.Act("type", args{"ref": tab.Ref(`textbox "A note`), "text": "You are logged in <b>now</b>"})
	tab.Eval(`() => { document.querySelector("dialog[open] .main").click() }`)
	sees(tab, `document.querySelector(".tab-view.held") === null`, "true")
	a := agent.Act("press", args{"key": "Tab"})
	a.Has(t, "person.note", "You are logged in <b>now</b>")

	recorded := watched.OK(t, "GET /recorder?targetId="+agent.ID, nil).Raw
	for _, want := range []string{`"takeover`, `"giveback`} {
		if !strings.Contains(recorded, want) {
			t.Errorf("the recorder has no %s", want)
		}
	}
	if strings.Contains(recorded, "0815") {
		t.Errorf("the recorder has the password: %s", recorded)
	}
	calm(tab)
}

// A person who reloads the answer to a form is asked whether the form is to be sent again.
func TestReloadOfAForm(t *testing.T) {
	agent := watched.Open(t, site.URL+pages.HTML(`<title>Buy</title><form method="post" action="/echo"><input name="n" value="1"><button>Buy</button></form>`))
	agent.Click("Buy", nil)
	agent.Eval(`() => { document.body.append("First answer") }`)
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	takeOver(tab, agent)
	const question = `document.querySelector("dialog[open] h2")?.textContent`
	tab.Click(`button "Reload"`, nil)
	sees(tab, question, "Send the form again?")
	tab.Click(`button "Cancel"`, nil)
	sees(tab, question, "undefined")
	shows(agent, "First answer")

	tab.Eval(`() => { document.querySelector(".keys").focus() }`)
	tab.Act("press", args{"key": "Control+r"})
	sees(tab, question, "Send the form again?")
	tab.Click(`button "Send"`, nil)
	sees(tab, question, "undefined")
	service.Eventually(t, "the form was sent again", func() bool {
		text := agent.Snapshot()
		return strings.Contains(text, "POST n=1") && !strings.Contains(text, "First answer")
	})
}

// When the live view has connected again, it shows the dialogs that are open now, each once.
func TestDialogsAfterABrokenView(t *testing.T) {
	long.Test(t)
	agent := watched.Open(t, site.URL+pages.HTML(`<title>Asks</title><button onclick="confirm('First?')">One</button><button onclick="confirm('Second?')">Two</button>`))
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector("h1 bdi").textContent`, "Asks")
	visible := func(is bool) {
		t.Helper()
		tab.Eval(fmt.Sprintf(`() => { Object.defineProperty(document, "hidden", {value: %v, configurable: true}); document.dispatchEvent(new Event("visibilitychange")) }`, !is))
	}
	again := func() { // the view is connected again when it has the title
		t.Helper()
		tab.Eval(`() => { document.querySelector("h1 bdi").textContent = "" }`)
		visible(true)
		sees(tab, `document.querySelector("h1 bdi").textContent`, "Asks")
	}
	const texts = `[...document.querySelectorAll(".dialog bdi")].map(d => d.textContent).join()`
	answer := func() { t.Helper(); agent.OK("POST /hooks/dialog", args{"accept": true}) }

	agent.Click(`"One"`, nil)
	sees(tab, texts, "First?")
	visible(false)
	answer()
	agent.Click(`"Two"`, nil)
	again()
	sees(tab, texts, "Second?")
	visible(false)
	again()
	sees(tab, texts, "Second?")
	answer()
	sees(tab, texts, "")
}

// A person looks at a tab that an agent has leased, and takes it over.
func TestLeasedTab(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML("<title>Held</title>"))
	agent.OK("POST /tabs/"+agent.ID+"/lease", args{"ttlMs": 60_000})
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	takeOver(tab, agent)
	tab.Click(`radio "Console"`, nil)
	sees(tab, `document.querySelector(".panel .empty").hidden + document.querySelector("#said").textContent`, "false")
	calm(tab)
}

// An agent asks, and gets what the person has chosen and written.
func TestQuestions(t *testing.T) {
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML("<title>Shop</title>"))
	tab := enter(t, watched)
	answer := make(chan service.Answer, 1)
	go func() {
		a, err := watched.In("shopper").Try(t.Context(), "POST /ask", args{"message": "Pay " + hostile, "choices": []string{"Yes", "No"}, "targetId": agent.ID})
		if err != nil {
			t.Error(err)
		}
		answer <- a
	}()
	sees(tab, `document.title`, "(1) Tabs · chela")
	sees(tab, `document.querySelector(".badge").textContent + document.querySelector(".badge").hidden`, "1false")
	show(tab, "questions")
	sees(tab, `document.querySelector(".ask .message")?.textContent`, "Pay "+hostile)
	sees(tab, `document.querySelector(".ask a").hash`, "#/tab/chela/"+agent.ID)
	sees(tab, `[...document.querySelectorAll(".ask button")].map(b => b.textContent).join()`, "Yes,No")
	tab.Act("type", args{"ref": tab.Ref(`textbox "Note to the agent"`), "text": "not more than 5"})
	tab.Click(`button "No"`, nil)
	a := <-answer
	a.Has(t, "choice", "No")
	a.Has(t, "note", "not more than 5")
	sees(tab, `document.querySelectorAll(".ask").length`, "0")
	sees(tab, `document.title`, "Questions · chela")
	calm(tab)
}

// A question is shown although the clock of the person's machine is wrong and the browser cannot notify
// the person. A list that the server has failed to give is asked for again. A question that expires goes.
func TestQuestionsInSpiteOfAll(t *testing.T) {
	long.Test(t)
	watched := service.WithDashboard(t, "")
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML("<title>Shop</title>"))
	tab := enter(t, watched)
	tab.Eval(`() => {
		const now = Date.now
		Date.now = () => now() + 24 * 3600_000
		window.Notification = class { static permission = "granted"; constructor() { throw new TypeError("Illegal constructor") } }
	}`)
	ask := func(message string, openFor int) {
		go watched.In("shopper").Try(t.Context(), "POST /ask", args{"message": message, "timeoutMs": openFor, "targetId": agent.ID})
	}
	fails(tab, "/asks", 500)
	ask("First?", 3600_000)
	sees(tab, `document.querySelector("#said .bad")?.textContent`, "it failed")
	tab.Eval(`() => { // counts the further failures, and what the person is told of them
		const failing = window.fetch
		window.failed = window.complained = 0
		window.fetch = (address, options) => {
			if (String(address).includes("/asks")) window.failed++
			return failing(address, options)
		}
		new MutationObserver(() => { if (document.querySelector("#said .bad")) window.complained++ }).observe(document.getElementById("said"), { childList: true })
	}`)
	sees(tab, `failed >= 2`, "true")
	sees(tab, `complained`, "0")
	fails(tab, "", 0)
	sees(tab, `document.title`, "(1) Tabs · chela")
	ask("Second?", 5000)
	sees(tab, `document.title`, "(2) Tabs · chela")
	sees(tab, `document.title`, "(1) Tabs · chela")
}

// What the person writes is not disturbed when an earlier question goes.
func TestListsKeepTheFocus(t *testing.T) {
	tab := enter(t, watched)
	got := tab.Eval(`async () => {
		const { el, keyed } = await import("/ui/dom.js")
		const list = document.querySelector("main").appendChild(el("ul"))
		const show = (...keys) => keyed(list, keys, key => key, key => el("textarea", { id: "note-" + key }))
		show("a", "b", "c")
		document.getElementById("note-b").focus()
		show("b", "c")
		show("b", "d", "c")
		return document.activeElement.id + " " + [...list.children].map(c => c.id)
	}`)
	if want := "note-b note-b,note-d,note-c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The dashboard asks whether an agent may use a secret, and the agent's call goes on then.
func TestConfirms(t *testing.T) {
	t.Setenv("CHELA_TEST_ASKED", "a secret to ask for")
	watched := service.WithDashboard(t, fmt.Sprintf("{browser: {noSandbox: true, headless: %v, secrets: {'shop/password': {from: 'env:CHELA_TEST_ASKED', for: [%q], ask: 'always'}}}}",
		chromium.Headless(), site.URL))
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>Shop</title><input type=password aria-label=Password>`))
	tab := enter(t, watched)
	show(tab, "questions")
	answer := make(chan service.Answer, 1)
	ref := agent.Ref("Password")
	go func() {
		answer <- agent.Do("POST /act", args{"kind": "type", "ref": ref, "text": "secret:shop/password", "timeoutMs": 60_000})
	}()
	sees(tab, `document.querySelector(".ask .message")?.textContent`, "May the agent enter the secret shop/password on "+site.URL+"?")
	sees(tab, `document.querySelector(".ask").textContent.includes("only you can answer") + " " + document.querySelectorAll(".ask textarea").length`, "true 0")
	tab.Click(`button "Allow"`, nil)
	if a := <-answer; a.Status != 200 {
		t.Errorf("got %s", a.Raw)
	}
	sees(tab, `document.querySelectorAll(".ask").length`, "0")
	calm(tab)
}

// Everything can be done by keys alone, and a key takes the focus out of the live picture again.
func TestKeyboard(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>Keys</title><input aria-label="Name" autofocus>`))
	tab := enter(t, watched)
	sees(tab, `document.querySelectorAll(".card").length`, "1")
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			tab.Act("press", args{"key": key})
		}
	}
	// until presses Tab until an element has the focus.
	until := func(selector string) {
		t.Helper()
		for range 40 {
			press("Tab")
			if tab.Eval(`() => String(document.activeElement.matches("`+selector+`"))`) == "true" {
				return
			}
		}
		t.Fatalf("Tab does not reach %s", selector)
	}
	press("Tab")
	sees(tab, `document.activeElement.className`, "skip")
	press("Enter")
	until(".card a")
	press("Enter")
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	until("button.main")
	press("Enter") // Take over
	sees(tab, `document.activeElement.className`, "keys")
	press("A", "d", "a")
	shows(agent, "Ada")
	press("Shift+Escape")
	sees(tab, `document.activeElement.className`, "main")
	sees(tab, `document.activeElement.textContent`, "Give back")
	press("Enter")
	sees(tab, `document.querySelector("dialog[open]") !== null`, "true")
	until("dialog[open] .main")
	press("Enter")
	sees(tab, `document.querySelector(".tab-view.held") === null`, "true")
	until(".panel input[type=radio]")
	press("ArrowRight")
	sees(tab, `document.querySelector(".panel input:checked").value`, "console")
	until(".skip, body")
	calm(tab)
}
