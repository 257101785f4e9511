package around

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// An answer lists what the act has begun, in the order in which it began.
func TestEffects(t *testing.T) {
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, onclick, want string }{
		{"nothing", ``, ""},
		{"a change", `this.title = 'x'`, "changed"},
		{"a change in a shadow root", `host.shadowRoot.textContent = 'x'`, "changed"},
		{"a change in a frame", `frames[0].document.body.textContent = 'x'`, "changed"},
		{"a request", `fetch('/cookies')`, "request"},
		{"a change, then a request", `this.title = 'x'; setTimeout(() => fetch('/cookies'), 5)`, "changed"},
		{"a dialog, then a change", `confirm('?'); this.title = 'x'`, "dialog changed"},
		{"a new address", `history.pushState(0, '', '#there')`, "navigated"},
		{"another document", `location = '/cookies'`, "request navigated"},
		{"a new tab", `window.open('/cookies')`, "newTab"},
		{"a file", `location = '` + fileAt("e.bin", 1) + `'`, "request download"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := tab.For(t)
			tab.Visit(html(`<button onclick="`+s.onclick+`">Go</button><div id=host></div><iframe srcdoc="x"></iframe>`,
				`<script>host.attachShadow({mode: 'open'}).textContent = 'shadow'</script>`))
			a := tab.Click("Go", args{"dialog": args{"accept": true}})
			got := a.Text("effects")
			if s.name == "a change, then a request" {
				got, _, _ = strings.Cut(got, " ") // the second effect may begin after the answer
			}
			if got != s.want {
				t.Errorf("effects are %q, want %q", got, s.want)
			}
			if popup := a.Text("newTabs.0.tabId"); popup != "" {
				shared.OK(t, "DELETE /tabs/"+popup, nil)
			}
		})
	}
}

// The page script's listeners are lost when a page writes its document again (document.open). The
// effects of an act are still known, also that a box is checked.
func TestEffectsInAWrittenDocument(t *testing.T) {
	tab := shared.Borrow(t, html("first"))
	tab.Eval("document.open(); document.write('<label><input type=checkbox>Agree</label>'); document.close()")
	if a := tab.Click("Agree", nil); a.Text("effects") != "changed" {
		t.Errorf("effects are %q, want changed", a.Text("effects"))
	}
}

// A wait reports what began while it lasted, and can show what has changed.
func TestEffectsOfAWait(t *testing.T) {
	tab := shared.Borrow(t, html(`<p id=p>before</p><script>addEventListener('hashchange', () => setTimeout(async () => { await fetch('/cookies'); p.textContent = 'after' }, 300))</script>`))
	tab.Snapshot()
	tab.Eval("location.hash = 'x'")
	a := tab.Act("wait", args{"text": "after", "snapshot": "delta"})
	if !strings.Contains(a.Text("effects"), "request") || !strings.Contains(a.Text("delta"), "after") {
		t.Errorf("answered %s", a.Raw)
	}
}

func TestDelta(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="add()">Add</button><button onclick="later()">Add later</button><button onclick="list.lastChild.remove()">Remove</button>`,
		`<ul id=list></ul><script>
let n = 0;
function add() { const b = document.createElement('button'); b.textContent = 'Item ' + ++n; list.append(b); }
async function later() { await fetch('/cookies'); setTimeout(add, 50); }
</script>`))
	add, later, remove := tab.Ref(`"Add"`), tab.Ref("later"), tab.Ref("Remove")
	a := tab.Act("click", args{"ref": add, "snapshot": "delta"})
	if d := a.Text("delta"); !strings.Contains(d, `+ `) || !strings.Contains(d, `button "Item 1" [ref=`) || strings.Contains(d, "later") {
		t.Errorf("the delta is %q", d)
	}
	a = tab.Act("click", args{"ref": later, "snapshot": "delta"})
	if d := a.Text("delta"); !strings.Contains(d, `button "Item 2"`) || strings.Contains(d, "Item 1") {
		t.Errorf("the delta is %q", d)
	}
	a = tab.Act("click", args{"ref": remove, "snapshot": "delta"})
	if d := a.Text("delta"); !strings.Contains(d, "- ") || !strings.Contains(d, "Item 2") {
		t.Errorf("the delta is %q", d)
	}
	a = tab.Act("click", args{"ref": add, "snapshot": "delta", "maxChars": 10})
	a.Has(t, "truncated", "true")
	a = tab.Act("click", args{"ref": add, "snapshot": "efficient"})
	if s := a.Text("snapshot"); !strings.Contains(s, `button "Item 4" [ref=`) || a.Get("stats.refs") == nil {
		t.Errorf("the snapshot is %q: %s", s, a.Raw)
	}
	a = tab.Act("click", args{"ref": add, "settleMs": 500})
	if a.Get("snapshot") != nil || a.Get("delta") != nil {
		t.Errorf("answered %s", a.Raw)
	}
	tab.Do("POST /act", args{"kind": "click", "ref": add, "snapshot": "all"}).Fails(t, 400, "ACT_INVALID_REQUEST", "snapshot must be")
}

// Elements without words are known by their looks. An efficient snapshot and a delta have these.
func TestDeltaOfLooks(t *testing.T) {
	tab := shared.Open(t, html(`<button>Other</button><span id=a1 onclick="this.classList.add('cross')" style="display:block;height:20px"></span>
		<span class=star onclick="this.className = 'star full'" style="display:block;height:20px"></span>`))
	s := tab.OK("GET /snapshot", args{"mode": "efficient"}).Text("snapshot")
	for _, looks := range []string{"span#a1", "span.star"} {
		if !strings.Contains(s, `[clickable] [description="`+looks+`"]`) {
			t.Errorf("no %s in %s", looks, s)
		}
	}
	for _, c := range []struct{ from, to string }{{"span#a1", "span#a1.cross"}, {"span.star", "span.star.full"}} {
		d := tab.Click(`"`+c.from+`"`, args{"snapshot": "delta"}).Text("delta")
		if !strings.HasPrefix(d, "~ generic [ref=") || !strings.HasSuffix(d, `[clickable] [description="`+c.to+`"]`) {
			t.Errorf("the delta is %q", d)
		}
	}
}

// After a navigation there is nothing to compare with, so the answer has all text of the new
// document. After a snapshot in which every line has a ref, only what has changed is a change.
func TestDeltaAfterAllRefs(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="out.textContent = 'Done'">Go</button><p id=out>Idle</p><p>Other</p><div style="cursor:move">Handle</div>`))
	press := tab.Ref("Go")
	tab.OK("GET /snapshot", args{"refs": "all"})
	d := tab.Act("click", args{"ref": press, "snapshot": "delta"}).Text("delta")
	if !strings.Contains(d, "Done") || strings.Contains(d, "Other") || strings.Contains(d, "Handle") {
		t.Errorf("the delta is %q", d)
	}
}

func TestDeltaOfAnotherDocument(t *testing.T) {
	long.Test(t)
	wrong := "/html?is=" + url.QueryEscape(`<p>Wrong password. 2 tries left.</p><input aria-label=Password>`)
	tab := shared.Open(t, html(`<form action="/html"><input type=hidden name=is value="<p>Hello Ada"><button>Log in</button></form><a href='`, wrong, `'>Fail</a>`))
	a := tab.Click("Fail", args{"snapshot": "delta"})
	if s := a.Text("snapshot"); a.Get("delta") != nil || !strings.Contains(s, "Wrong password. 2 tries left.") || !strings.Contains(s, `textbox "Password" [ref=`) {
		t.Errorf("answered %s", a.Raw)
	}
	tab.OK("POST /back", nil)
	a = tab.Click("Log in", args{"snapshot": "delta"})
	if s := a.Text("snapshot"); a.Get("delta") != nil || !strings.Contains(s, "Hello Ada") {
		t.Errorf("answered %s", a.Raw)
	}
	tab = shared.Open(t, html(`<a href=/form.html>On`))
	a = tab.Click("On", args{"snapshot": "delta", "maxChars": 100})
	if s := a.Text("snapshot"); len(s) > 100 || a.Text("truncated") != "true" {
		t.Errorf("answered %s", a.Raw)
	}
}

// A delta says in a few lines what has moved and what has gone, however large the page is.
func TestDeltaOfMoves(t *testing.T) {
	long.Test(t)
	tab := shared.Borrow(t, html(`<button onclick="list.append(...[...list.children].reverse())">Reverse</button>`,
		`<button onclick="table.rows[1].cells[0].before(table.rows[1].cells[1])">Swap</button>`,
		`<button onclick="done.append(card)">Move</button><button onclick="table.rows[7].remove()">Remove</button>`,
		`<button onclick="names.splice(7, 2); fill()">Fill anew</button><button onclick="picker.remove()">Close</button>`,
		`<ul id=list><li>A<li>B<li>C</ul><section aria-label=Doing><p id=card>Card</section><section id=done aria-label=Done><p>Other</section>`,
		`<div id=picker role=dialog aria-label="Pick a date"></div><table id=table></table><script>`,
		`const names = Array.from({ length: 300 }, (_, i) => 'Name ' + i);`,
		`function fill() { table.innerHTML = names.map(n => '<tr><td>' + n + '<td>Berlin<td><button>Edit</button>').join('') }`,
		`fill(); for (let i = 0; i < 40; i++) picker.append(Object.assign(document.createElement('button'), { textContent: i }));</script>`))
	tab.Snapshot()
	for _, s := range []struct{ button, want string }{
		{"Reverse", "> listitem: C (moved to the start)"},
		{"Swap", `>   cell "Berlin" (moved to the start)`},
		{"Move", `(moved into region "Done", after `},
		{"Remove", "- row: Name 7 Berlin Edit (… "},
		{"Fill anew", "- row: Name 8 Berlin Edit (… "},
		{"Close", `- dialog "Pick a date" (… 40 lines)`},
	} {
		d := tab.Click(`"`+s.button+`"`, args{"snapshot": "delta", "maxChars": 0}).Text("delta")
		if !strings.Contains(d, s.want) || strings.Count(d, "\n") > 6 {
			t.Errorf("%s: the delta is\n%s\nwant %q", s.button, d, s.want)
		}
	}
}

// With settleMs, the answer also has changes that come some time after the input.
func TestSettle(t *testing.T) {
	long.Test(t)
	const menu = `menu.innerHTML = '<button>Open</button>'`
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, on, kind, delta, effects string }{
		{"a change by a timer", `onclick="setTimeout(() => { ` + menu + ` }, 120)"`, "click", `button "Open" [ref=`, "changed"},
		{"a tooltip", `onmouseenter="setTimeout(() => { ` + menu + ` }, 300)"`, "hover", `button "Open" [ref=`, "changed"},
		{"a debounced search", `onclick="setTimeout(() => fetch('/cookies').then(() => { ` + menu + ` }), 200)"`, "click", `button "Open" [ref=`, "request changed"},
		{"a frame", `onclick="setTimeout(() => frames[0].postMessage('show', '*'), 120)"`, "click", "Shown", "changed"},
		{"a frame of another site", `onclick="setTimeout(() => frames[1].postMessage('show', '*'), 120)"`, "click", "Shown", "changed"},
		// The frame cannot be asked for its changes before it is busy. It changes soon after that.
		{"a busy frame of another site", `onclick="frames[1].postMessage(100, '*')"`, "click", "Shown", "changed"},
	} {
		t.Run(s.name, func(t *testing.T) {
			const frame = `<p id=p>Before<script>onmessage = e => { for (const end = Date.now() + (+e.data || 0); Date.now() < end;); setTimeout(() => { p.textContent = 'Shown' }, 20) }</script>`
			tab := tab.For(t)
			tab.Visit(html(`<button ` + s.on + `>Go</button><div id=menu></div><iframe src="` + html(frame) + `"></iframe><iframe src="` + pages.Elsewhere(html(frame)) + `"></iframe>`))
			ref := tab.Ref(`"Go"`)
			began := time.Now()
			a := tab.Act(s.kind, args{"ref": ref, "snapshot": "delta", "settleMs": 30000})
			if d := a.Text("delta"); !strings.Contains(d, s.delta) || a.Text("effects") != s.effects {
				t.Errorf("effects are %q, want %q; the delta is %q", a.Text("effects"), s.effects, d)
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// A call that waited for its turn does not report the effects of the call before it.
func TestEffectsOfOnesOwnTurn(t *testing.T) {
	tab := shared.Borrow(t, html(`<button>Idle</button>`))
	idle := tab.Ref("Idle")
	evaluated := make(chan service.Answer, 1)
	go func() {
		a, _ := tab.Try(t.Context(), "evaluate", args{"fn": `async () => {
			document.title = 'at work';
			for (let i = 0; i < 20; i++) {
				await fetch('/cookies');
				history.pushState(0, '', '#' + i);
				await new Promise(done => setTimeout(done, 30));
			}
			fetch('/cookies');
		}`})
		evaluated <- a
	}()
	tab.Act("wait", args{"fn": "document.title === 'at work'"})
	if a := tab.Act("click", args{"ref": idle}); a.Text("effects") != "" {
		t.Errorf("answered %s", a.Raw)
	}
	(<-evaluated).Has(t, "ok", "true")
}

// If a page changes with the beginning of a slow response, that change is an effect. The page was
// quiet for a moment before, and the response has not ended yet.
func TestChangeWithinASlowResponse(t *testing.T) {
	seen := make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Path == "/seen" {
			close(seen)
			return
		}
		time.Sleep(250 * time.Millisecond) // the documents are quiet meanwhile
		io.WriteString(w, "x")
		w.(http.Flusher).Flush()
		<-seen
	}))
	defer slow.Close()
	tab := shared.Open(t, html(`<button onclick="go()">Go</button><p id=out></p><script>
async function go() {
  const body = (await fetch('`+slow.URL+`')).body.getReader();
  await body.read();
  out.append('here');
  setTimeout(() => fetch('`+slow.URL+`/seen'));
}
</script>`))
	a := tab.Click("Go", args{"snapshot": "delta"})
	if !strings.Contains(a.Text("effects"), "changed") || !strings.Contains(a.Text("delta"), "here") {
		t.Errorf("answered %s", a.Raw)
	}
}

// A control that the page hides keeps a form from being sent. The browser cannot show its message.
func TestFormThatIsNotSentForAHiddenControl(t *testing.T) {
	for _, s := range []struct {
		name, html, control string
		hidden              bool
	}{
		{"not rendered", `<input required name=vat style="display:none"><button>Send</button>`, "vat", true},
		{"in closed details", `<details><summary>More</summary><select required aria-label=Land><option></select></details><button>Send</button>`, "Land", true},
		{"a hidden one and a shown one", `<input required name=vat style="display:none"><input required aria-label=Mail><button>Send</button>`, "Mail", false},
		{"the page keeps the click", `<input required name=vat style="display:none"><button onclick="event.preventDefault(); form.checkValidity()">Send</button>`, "", false},
		{"the page handles the message", `<input required name=vat style="display:none" oninvalid="event.preventDefault()"><button>Send</button>`, "", false},
		{"the form asks nothing", `<input required name=vat style="display:none"><button formnovalidate onclick="form.checkValidity()">Send</button>`, "", false},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(`<form action="/echo">`+s.html+`</form>`))
			a := tab.Click("Send", nil)
			if (s.control == "") != (a.Get("formRefused") == nil) || a.Text("formRefused.name") != s.control || (a.Get("formRefused.hidden") == true) != s.hidden {
				t.Errorf("answered %s", a.Raw)
			}
		})
	}
}

// The browser does not send a form whose controls do not hold what the form requires. The answer of the
// act has the message that a person sees. A page that handles this itself says so itself. Many pages check
// each key, which sends no form.
func TestFormThatIsNotSent(t *testing.T) {
	const form = `<form action="/echo"><input required aria-label="Mail"%s><button>Send</button></form>`
	for _, s := range []struct {
		name, more string
		act        func(tab *service.Tab) service.Answer
		refused    bool
	}{
		{"a click", "", func(tab *service.Tab) service.Answer { return tab.Click("Send", nil) }, true},
		{"Enter", "", func(tab *service.Tab) service.Answer {
			tab.Click("Mail", nil)
			return tab.Act("press", args{"key": "Enter"})
		}, true},
		{"a text", ` type=email`, func(tab *service.Tab) service.Answer {
			return tab.Act("type", args{"ref": tab.Ref("Mail"), "text": "ada", "submit": true})
		}, true},
		{"a complete form", ` value=Ada`, func(tab *service.Tab) service.Answer { return tab.Click("Send", nil) }, false},
		{"a page of its own mind", ` oninvalid="event.preventDefault()"`, func(tab *service.Tab) service.Answer { return tab.Click("Send", nil) }, false},
		{"another control", "", func(tab *service.Tab) service.Answer { return tab.Click("Mail", nil) }, false},
		{"a page that asks at each key", ` type=email oninput="checkValidity()"`, func(tab *service.Tab) service.Answer {
			return tab.Act("type", args{"ref": tab.Ref("Mail"), "text": "ada", "slowly": true})
		}, false},
		{"a page that asks at each key, and a text that is right at last", ` type=email oninput="checkValidity()"`, func(tab *service.Tab) service.Answer {
			return tab.Act("type", args{"ref": tab.Ref("Mail"), "text": "a@b", "slowly": true})
		}, false},
		{"a page that asks at each key, and Enter", ` type=email oninput="checkValidity()"`, func(tab *service.Tab) service.Answer {
			return tab.Act("type", args{"ref": tab.Ref("Mail"), "text": "ada", "submit": true})
		}, true},
		{"a batch that sends it later", "", func(tab *service.Tab) service.Answer {
			return tab.Act("batch", args{"actions": []args{
				{"kind": "click", "ref": tab.Ref("Send")},
				{"kind": "type", "ref": tab.Ref("Mail"), "text": "ada"},
				{"kind": "click", "ref": tab.Ref("Send")},
			}})
		}, false},
		{"a batch that sends it later by a script", "", func(tab *service.Tab) service.Answer {
			tab.Eval("() => { document.forms[0].onsubmit = e => e.preventDefault() }")
			return tab.Act("batch", args{"actions": []args{
				{"kind": "click", "ref": tab.Ref("Send")},
				{"kind": "type", "ref": tab.Ref("Mail"), "text": "ada"},
				{"kind": "click", "ref": tab.Ref("Send")},
			}})
		}, false},
		{"a batch that goes on", "", func(tab *service.Tab) service.Answer {
			return tab.Act("batch", args{"actions": []args{{"kind": "click", "ref": tab.Ref("Send")}, {"kind": "press", "key": "a"}}})
		}, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Open(t, html(fmt.Sprintf(form, s.more)))
			a := s.act(tab.For(t))
			if (a.Get("formRefused") != nil) != s.refused {
				t.Errorf("answered %s", a.Raw)
			}
			if s.refused {
				a.Has(t, "formRefused.name", "Mail")
				a.Has(t, "formRefused.ref", tab.Ref("Mail"))
			}
		})
	}
}

// The page gives an element another name after it was read. It is the same element, so it is clicked, and
// a note says what it was.
func TestClickOfAnotherName(t *testing.T) {
	for _, s := range []struct{ name, read, later, note string }{
		{"other words", `<button>Save draft</button>`, "b.textContent = 'Delete account'", `button "Save draft" when it was last read, and was button "Delete account" when it was clicked.`},
		{"a label", `<button aria-label="Save">x</button>`, "b.ariaLabel = 'Delete'", `button "Save" when it was last read, and was button "Delete" when it was clicked.`},
		{"a count", `<button>Cart 1</button>`, "b.textContent = 'Cart 2'", ""},
		{"a mark", `<button>Send</button>`, "b.textContent = 'Send now'", ""},
		{"no change", `<button>Send</button>`, "0", ""},
		{"found since", `<button>Save draft</button>`, "b.textContent = 'Delete account'", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Borrow(t, html(s.read+`<script>const b = document.querySelector('button')</script>`))
			ref := tab.Ref("button")
			tab.Eval(s.later)
			if s.name == "found since" {
				tab.OK("POST /find", args{"text": "Delete"})
			}
			if got := tab.Act("click", args{"ref": ref}).Text("note"); !strings.HasSuffix(got, s.note) || s.note == "" && got != "" {
				t.Errorf("got %q", got)
			}
		})
	}
}
