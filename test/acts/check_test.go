package acts

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

func focusing(ctx context.Context, el *page.Element) error { return el.Focus(ctx) }

// The state of a checkbox that has opened another page, or that the page has removed, is not known.
// But it was clicked, and the click is not to be repeated.
func TestSetCheckedOfWhatGoes(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, html, target, fails string }{
		{"to another page", `<input type=checkbox onclick="event.preventDefault(); location = '/form.html'">`, "input", ""},
		{"from a menu that closes", `<div role=menu onclick="this.remove()"><b role=menuitemcheckbox aria-checked=false tabindex=0>Bar</b></div>`, "b", "the input was sent: element "},
		{"from a cell that is drawn anew", `<table><td id=cell onchange="cell.innerHTML = '<input type=checkbox aria-label=Checked checked>'"><input type=checkbox aria-label=Unchecked></table>`, "input", ""},
		{"from a cell that keeps its state", `<table><td id=cell onchange="cell.innerHTML = '<input type=checkbox>'"><input type=checkbox></table>`, "input", "the input was sent: element "},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(s.html))
			tt.Text() // a snapshot records which refs belong to the document
			el, err := tt.BySelector(s.target)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InActFor(10*time.Second, func(ctx context.Context) error { return el.SetChecked(ctx, true) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.HasPrefix(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
		})
	}
}

// A box that does not change in time was clicked, and may change later. The click is not to be
// repeated.
func TestSetCheckedOfWhatChangesLate(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<div role=checkbox tabindex=0 aria-checked=false onclick="setTimeout(() => this.ariaChecked = 'true', 8000)">Box</div>`)
	err := tt.OnRefFor(15*time.Second, tt.Ref("Box"), checking(true))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != page.Unchanged || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
	tt.Write(`<div role=checkbox tabindex=0 aria-checked=false onclick="setTimeout(() => this.ariaChecked = 'true', 1500)">Box</div>`)
	if err := tt.OnRefFor(15*time.Second, tt.Ref("Box"), checking(true)); err != nil {
		t.Errorf("after 1.5 s: %v", err)
	}
}

// An element may have the role of a checkbox without a state. Then the state of the box inside counts. The
// checkbox of PrimeReact is an example. Another toggle inside is not pressed in its place.
func TestSetCheckedOfABoxInside(t *testing.T) {
	for _, s := range []struct{ html, fails, want string }{
		{`<div role=checkbox tabindex=0><input type=checkbox aria-label=Inside></div>`, "", "true"},
		{`<div role=switch tabindex=0><input type=checkbox></div>`, "", "true"},
		{`<div role=radio tabindex=0><button aria-pressed=false aria-label=Favourite onclick="ariaPressed = 'true'"></button> Plan A</div>`, ": uncheckable", "false"},
		{`<div role=radio tabindex=0>Plan A <input type=checkbox aria-label=Favourite></div>`, ": uncheckable", "false"},
		{`<div role=checkbox tabindex=0>Plan A <b role=switch aria-checked=false aria-label=Renew onclick="ariaChecked = 'true'">x</b></div>`, ": uncheckable", "false"},
	} {
		tt := tab.Borrow(t, "/frame.html")
		tt.Write(s.html)
		el, err := tt.BySelector("[tabindex]")
		if err != nil {
			t.Fatal(err)
		}
		err = tt.InAct(func(ctx context.Context) error { return checking(true)(ctx, el) })
		if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
			t.Errorf("%s: got %v, want %q", s.html, err, s.fails)
		}
		if is := tab.Run[string](tt, "(([box]) => String(box.checked ?? ((box.ariaChecked ?? box.ariaPressed) === 'true')))(document.querySelector('[tabindex]').children)"); is != s.want {
			t.Errorf("%s: is %s", s.html, is)
		}
	}
}

// Checking ends in the state that is wanted, or fails. This holds for all elements that show the
// state, and for all that are clicked to change it.
func TestSetChecked(t *testing.T) {
	const inShadow = `<script>customElements.get('x-box') || customElements.define('x-box', class extends HTMLElement {
		constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<label><input type=checkbox>' + '<slot></slot>'.repeat(1) + '</label>' }
		connectedCallback() { this.style = 'display:block;width:400px' } }); </script>`
	for _, s := range []struct {
		name, html, target string
		want               bool
		fails              string
		state              string // a script that reads the state afterwards
		is                 string
	}{
		{"uncheck", `<input type=checkbox checked>`, "input", false, "", "document.querySelector('input').checked", "false"},
		{"radio", `<input type=radio name=r>`, "input", true, "", "document.querySelector('input').checked", "true"},
		{"radio that is to be unchecked", `<input type=radio checked>`, "input", false, ": radio", "document.querySelector('input').checked", "true"},
		{"radio by ARIA that is to be unchecked", `<b role=radio aria-checked=true tabindex=0>x</b>`, "b", false, ": radio", "0", "0"},
		{"mixed", `<input type=checkbox>`, "input", true, "", "document.querySelector('input').checked", "true"},
		{"mixed to unchecked", `<input type=checkbox checked>`, "input", false, "", "document.querySelector('input').checked", "false"},
		{"mixed by ARIA, to checked", mixedBox, "b", true, "", "document.querySelector('b').ariaChecked", "true"},
		{"mixed by ARIA, to unchecked", mixedBox, "b", false, "", "document.querySelector('b').ariaChecked", "false"},
		{"by its label", `<label><input type=checkbox style="display:none">Terms</label>`, "label", true, "", "document.querySelector('input').checked", "true"},
		{"toggle button", `<button aria-pressed=false onclick="ariaPressed = ariaPressed !== 'true'">Bold</button>`, "button", true, "", "document.querySelector('button').ariaPressed", "true"},
		{"menu item", `<div role=menu><b role=menuitemcheckbox aria-checked=false tabindex=0 onclick="ariaChecked = ariaChecked !== 'true'">Wrap</b></div>`, "b", true, "", "document.querySelector('b').ariaChecked", "true"},
		{"changed later", `<b role=switch aria-checked=false tabindex=0 onclick="setTimeout(() => this.ariaChecked = 'true', 100)">Late</b>`, "b", true, "", "document.querySelector('b').ariaChecked", "true"},
		{"changed late by a busy page", `<b role=switch aria-checked=false tabindex=0 onclick="setTimeout(() => {
			for (const end = performance.now() + 1500; performance.now() < end;);
			setTimeout(() => this.ariaChecked = 'true', 300) }, 300)">Late</b>`, "b", true, "", "document.querySelector('b').ariaChecked", "true"},
		{"switch with a label elsewhere", `<label for=s>Wifi</label><p id=p><input type=checkbox id=s role=switch style="position:absolute;width:0;height:0;opacity:0;margin:0">` +
			`<i style="display:inline-block;width:40px;height:20px;background:#ccc"></i></p><script>let on = false; p.onclick = e => { e.preventDefault(); on = !on; queueMicrotask(() => s.checked = on) }</script>`,
			"input", true, "", "[on, s.checked]", "true,true"},
		{"radio in a corner of its label", `<p style="position:relative"><label for=r style="display:block;width:40px;height:20px">Four</label><input type=radio id=r ` +
			`style="position:absolute;left:0;top:0;margin:0;width:1px;height:1px;clip:rect(0 0 0 0)"></p><script>let at; onclick = e => at ??= e.clientX - document.querySelector('p').getBoundingClientRect().left</script>`,
			"input", true, "", "[at, r.checked]", "20,true"},
		{"in a closed shadow root", inShadow + `<x-box>Box</x-box>`, "x-box", true, "", "0", "0"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html)
			if strings.HasPrefix(s.name, "mixed") {
				tab.Run[any](tt, "document.querySelectorAll('input').forEach(box => box.indeterminate = true); undefined")
			}
			tt.Text() // a snapshot makes closed shadow roots known
			el, err := tt.BySelector(s.target)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InActFor(10*time.Second, func(ctx context.Context) error { return el.SetChecked(ctx, s.want) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if is := tab.Run[string](tt, "String("+s.state+")"); is != s.is {
				t.Errorf("is %q, want %q", is, s.is)
			}
			if s.fails == "" {
				if err := tt.InActFor(10*time.Second, func(ctx context.Context) error { return el.SetChecked(ctx, s.want) }); err != nil {
					t.Errorf("again: %v", err)
				}
			}
		})
	}
}

const mixedBox = `<b role=checkbox aria-checked=mixed tabindex=0 onclick="ariaChecked = ariaChecked === 'mixed' ? 'true' : String(ariaChecked === 'false')">All</b>`

func TestFocus(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, html, target, fails, focused string }{
		{"field", `<input>`, "input", "", "INPUT"},
		{"by its label", `<label>Name <input></label>`, "label", "", "INPUT"},
		{"out of view", `<div style="height:4000px"></div><input>`, "input", "", "INPUT"},
		{"disabled", `<input disabled>`, "input", ": disabled", "BODY"},
		{"not rendered", `<input hidden>`, "input", ": hidden", "BODY"},
		{"what takes none", `<b>text</b>`, "b", ": unfocusable", "BODY"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(s.html))
			tt.Text() // a snapshot records which refs belong to the document
			el, err := tt.BySelector(s.target)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InAct(func(ctx context.Context) error { return focusing(ctx, el) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if got := tab.Run[string](tt, "document.activeElement.nodeName"); got != s.focused {
				t.Errorf("%s has the focus, want %s", got, s.focused)
			}
		})
	}
}
