package around

import (
	"strings"
	"testing"
)

// Without a ref, text is typed by keys where the focus is, which need not be a field.
func TestTypeWhereTheFocusIs(t *testing.T) {
	tab := shared.Borrow(t, html(`<input aria-label=Name value="Lady "><div tabindex=0 role=application aria-label=Game style="height:20px"
		onkeydown="this.ariaLabel += ' ' + (event.shiftKey ? '^' : '') + event.key"></div>`))
	tab.Click("Name", nil)
	tab.Act("press", args{"key": "End"})
	tab.Act("type", args{"text": "Ada"})
	if text := tab.Snapshot(); !strings.Contains(text, "Lady Ada") {
		t.Errorf("got %s", text)
	}
	tab.Click("Game", nil)
	tab.Act("keydown", args{"key": "Shift"})
	tab.Act("press", args{"key": "ArrowUp"})
	tab.Act("keyup", args{"key": "Shift"})
	tab.Act("type", args{"text": "wd", "submit": true})
	if text := tab.Snapshot(); !strings.Contains(text, "Game ^Shift ^ArrowUp w d Enter") {
		t.Errorf("got %s", text)
	}
}

// A page may move the focus on while text is entered, as cells of a code do. The answer says where it is.
func TestTypeMovesOn(t *testing.T) {
	tab := shared.Borrow(t, html(`<input aria-label=First maxlength=2 oninput="if (value.length === 2) rest.focus()"><input id=rest aria-label=Rest>`))
	tab.Snapshot()
	for _, how := range []args{{"slowly": true}, {}, {"focus": true}} {
		entry := args{"text": "hello", "slowly": how["slowly"] == true}
		if how["focus"] == true {
			tab.Eval("document.querySelector('input').value = ''; document.querySelector('input').focus()")
		} else {
			entry["ref"] = tab.Ref("First")
		}
		a := tab.Act("type", entry)
		if got := a.Text("note"); a.Text("value") != "he" || !strings.Contains(got, "focus to "+tab.Ref("Rest")) {
			t.Errorf("%v: got %s", how, a.Raw)
		}
	}
}

// Keys wait for the document to which the tab goes. If its server does not answer, the error says so.
func TestKeysThatWaitForASilentServer(t *testing.T) {
	tab := shared.Open(t, html(`<input autofocus onkeydown="event.key === 'Enter' && (location = '/hang')">`))
	a := tab.Do("POST /act", args{"kind": "type", "text": "a\nb", "timeoutMs": 1500})
	a.Fails(t, 504, "deadline", "the tab is on its way to "+site.URL+"/hang, whose server has not answered yet")
	a.Has(t, "sent", "true")
}

// With a ref, a key goes to that element, wherever the focus was.
func TestPressOnAnElement(t *testing.T) {
	tab := shared.Borrow(t, html(`<input aria-label=From value="a text"><input aria-label=To><p>Plain</p>
		<span tabindex=0 role=img aria-label=Handle onkeydown="this.textContent += event.key"></span>`))
	tab.Act("batch", args{"actions": []args{
		{"kind": "press", "ref": tab.Ref("From"), "key": "Control+A"},
		{"kind": "press", "key": "x"},
		{"kind": "press", "ref": tab.Ref("To"), "key": "b"},
		{"kind": "press", "ref": tab.Ref("Handle"), "key": "ArrowLeft"},
	}})
	if got := tab.Eval("[...document.querySelectorAll('input')].map(el => el.value) + ' ' + document.querySelector('span').textContent"); got != "x,b ArrowLeft" {
		t.Errorf("the page has %q", got)
	}
	a, err := tab.Try(t.Context(), "press", args{"ref": "e99", "key": "a"})
	if err != nil || a.Status != 404 {
		t.Errorf("an unknown ref: %d %s %v", a.Status, a.Raw, err)
	}
}

// Without a ref and without a field that has the focus, nothing is typed, and the error says so.
func TestTypeWhereNothingIs(t *testing.T) {
	tab := shared.Borrow(t, html(`<p>Text</p><button>Go</button><input aria-label=Fixed readonly><a href="#x">There</a>
		<input type=checkbox aria-label=Box><select aria-label=Land><option>Austria<option>Portugal</select><ul role=menu><button role=menuitem>Item</button></ul>`))
	for _, s := range []struct{ focus, code string }{
		{"document.activeElement.blur()", "NO_FOCUS"},
		{"document.querySelector('button').focus()", "NO_FOCUS"},
		{"document.querySelector('a').focus()", "NO_FOCUS"},
		{"document.querySelector('[readonly]').focus()", "NO_FOCUS"},
		{"document.querySelector('[type=checkbox]').focus()", "NO_FOCUS"},
		{"document.querySelector('select').focus()", ""},
		{"document.querySelector('[role=menuitem]').focus()", ""},
		{"document.designMode = 'on'", ""},
	} {
		tab.Act("evaluate", args{"fn": s.focus})
		for _, slowly := range []bool{false, true} {
			a, err := tab.Try(t.Context(), "type", args{"text": "Po", "slowly": slowly})
			if err != nil || s.code == "" && a.Status != 200 || s.code != "" && (a.Status != 409 || a.Text("code") != s.code) {
				t.Errorf("%s: %d %s, want code %q", s.focus, a.Status, a.Raw, s.code)
			}
		}
	}
}

// Text at the focus may reach an element that takes no text. Then the page gets single keys, which may
// be shortcuts, and the answer says so.
func TestKeysThatAreNoText(t *testing.T) {
	for focus, note := range map[string]bool{
		`<div tabindex=0 autofocus aria-label=Board>Board</div>`: true,
		`<div tabindex=-1 autofocus>Board</div>`:                 true,
		`<canvas tabindex=0 autofocus></canvas>`:                 true,
		`<input autofocus>`:                                      false,
		`<textarea autofocus></textarea>`:                        false,
		`<div contenteditable autofocus></div>`:                  false,
	} {
		tab := shared.Open(t, html(focus))
		a := tab.Act("type", args{"text": "hello"})
		if got := strings.Contains(a.Text("note"), "which is no text field: the page got single keys"); got != note {
			t.Errorf("%s: answered %s", focus, a.Raw)
		}
	}
}
