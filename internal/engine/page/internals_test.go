package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/tab"
)

// customElements defines x-check, which sets its role and states only through ElementInternals, and
// x-plain, which sets none.
const customElements = `
	customElements.define('x-check', class extends HTMLElement {
		static formAssociated = true;
		#internals = this.attachInternals();
		#on = false;
		constructor() {
			super();
			this.#internals.role = 'checkbox';
			this.onclick = () => this.set(!this.#on);
			this.set(false);
		}
		set(on) { this.#on = on; this.#internals.ariaChecked = String(on); }
		get internals() { return this.#internals; }
	});
	customElements.define('x-plain', class extends HTMLElement {});
`

func withCustomElements(t *testing.T, html string) *tab.Tab {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, customElements+fmt.Sprintf("document.body.innerHTML = %q; undefined", html))
	return tt
}

func TestCustomElementsSayWhatTheyAre(t *testing.T) {
	long.Test(t)
	tests := []struct{ name, html, script, want string }{
		{"role and state", `<x-check>News</x-check>`, `x.set(true)`, `checkbox "News" [checked]`},
		{"mixed", `<x-check>News</x-check>`, `x.internals.ariaChecked = 'mixed'`, `checkbox "News" [checked=mixed]`},
		{"name", `<x-check></x-check>`, `x.internals.ariaLabel = 'Daily'`, `checkbox "Daily"`},
		{"name that its text does not say", `<x-check>ok</x-check>`, `x.internals.ariaLabel = 'Daily'`, `checkbox "Daily"`},
		{"own attributes come first", `<x-check role=switch aria-label=Own aria-checked=false>News</x-check>`,
			`x.set(true); x.internals.ariaLabel = 'No'`, `switch "Own"`},
		{"label", `<label for=c>Weekly</label><x-check id=c></x-check>`, ``, `checkbox "Weekly"`},
		{"disabled with its form", `<fieldset disabled><x-check>News</x-check></fieldset>`, ``, `checkbox "News" [disabled]`},
		{"pressed", `<x-check>Bold</x-check>`, `x.internals.role = 'button'; x.internals.ariaPressed = 'true'`, `button "Bold" [pressed]`},
		{"expanded", `<x-check>More</x-check>`, `x.internals.role = 'button'; x.internals.ariaExpanded = 'false'`,
			`button "More" [expanded=false]`},
		{"selected", `<x-check>First</x-check>`, `x.internals.role = 'tab'; x.internals.ariaSelected = 'true'`, `tab "First" [selected]`},
		{"level", `<x-check>Head</x-check>`, `x.internals.role = 'heading'; x.internals.ariaLevel = '4'`, `heading "Head" [level=4]`},
		{"value", `<x-check></x-check>`, `x.internals.role = 'slider'; x.internals.ariaLabel = 'Volume';
			x.internals.ariaValueNow = '30'; x.internals.ariaValueText = 'low'`, `slider "Volume"`},
		{"required, read-only", `<x-check>T</x-check>`, `x.internals.role = 'textbox'; x.internals.ariaRequired = 'true';
			x.internals.ariaReadOnly = 'true'; x.internals.ariaLabel = 'Town'`, `textbox "Town" [required] [readonly]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tt := withCustomElements(t, test.html)
			tab.Run[any](tt, "const x = document.querySelector('x-check'); "+test.script+"; undefined")
			if text := tt.Text(); !strings.Contains(text, test.want) {
				t.Errorf("no %s in\n%s", test.want, text)
			}
		})
	}
}

// The semantics of custom elements are read again for each snapshot.
func TestCustomElementsChangeWhatTheySay(t *testing.T) {
	tt := withCustomElements(t, `<x-check>News</x-check>`)
	for _, checked := range []bool{false, true, false} {
		if text := tt.Text(); strings.Contains(text, "[checked]") != checked {
			t.Errorf("want checked %t in\n%s", checked, text)
		}
		if err := tt.On("News", tab.Click); err != nil {
			t.Fatal(err)
		}
	}
}

// A click on a custom element shows in the changes since the last snapshot.
func TestClickOnACustomElementShowsInTheDelta(t *testing.T) {
	tt := withCustomElements(t, `<x-check>News</x-check>`)
	if err := tt.On("News", tab.Click); err != nil {
		t.Fatal(err)
	}
	err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
		delta, _, err := tt.Delta(ctx, "", nil, 0)
		if want := `~ checkbox "News" [checked]`; !strings.HasPrefix(delta.Text, want) || delta.Changes != 1 {
			t.Errorf("got %d changes, %s, want %s", delta.Changes, delta.Text, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Before a custom element is checked, its state is read, and not taken from the last snapshot.
func TestCheckingACustomElement(t *testing.T) {
	tt := withCustomElements(t, `<x-check>News</x-check>`)
	ref := tt.Ref("News")
	tab.Run[any](tt, `window.clicks = 0; document.querySelector('x-check').addEventListener('click', () => clicks++); undefined`)
	for _, c := range []struct {
		name   string
		script string // runs before the box is checked or unchecked
		want   bool
		clicks int // how many clicks the page has got so far
	}{
		{"unchecked", ``, true, 1},
		{"checked by now", ``, true, 1},
		{"checked", ``, false, 2},
		{"checked by a script meanwhile", `document.querySelector('x-check').set(true)`, true, 2},
		{"unchecked by a script meanwhile", `document.querySelector('x-check').set(false)`, true, 3},
	} {
		tab.Run[any](tt, c.script+"; undefined")
		err := tt.OnRef(ref, func(ctx context.Context, el *page.Element) error { return el.SetChecked(ctx, c.want) })
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if clicks := tab.Run[int](tt, "clicks"); clicks != c.clicks {
			t.Errorf("%s: %d clicks, want %d", c.name, clicks, c.clicks)
		}
	}
}

func TestDisabledCustomElement(t *testing.T) {
	tt := withCustomElements(t, `<x-check>News</x-check>`)
	tab.Run[any](tt, `document.querySelector('x-check').internals.ariaDisabled = 'true'; undefined`)
	ref := tt.Ref(`checkbox "News" [disabled]`)
	if err := tt.OnRefFor(time.Second, ref, tab.Click); err == nil || !strings.Contains(err.Error(), string(pagejs.Disabled)) {
		t.Errorf("a click on a disabled one: got error %v", err)
	}
	tab.Run[any](tt, `document.querySelector('x-check').internals.ariaDisabled = 'false'; undefined`)
	if err := tt.OnRef(ref, tab.Click); err != nil {
		t.Errorf("a click on one that is enabled again: %v", err)
	}
}

func TestManyCustomElements(t *testing.T) {
	long.Test(t)
	tt := withCustomElements(t, strings.Repeat(`<x-plain><x-check>News</x-check></x-plain>`, 300))
	tab.Run[any](tt, `document.querySelectorAll('x-check')[299].set(true)`)
	text := tt.Text()
	if n := strings.Count(text, `checkbox "News"`); n != 300 {
		t.Errorf("%d of 300 checkboxes in\n%.500s", n, text)
	}
	if n := strings.Count(text, "[checked]"); n != 1 {
		t.Errorf("%d are checked, want the last", n)
	}
}

// Chromium is asked only once in a document for custom elements of one name that have no semantics.
func TestPlainCustomElements(t *testing.T) {
	tt := withCustomElements(t, `<x-plain>One</x-plain><x-plain>Two</x-plain>`)
	if n := page.CustomsMet(tt.Ctx, tt.Page); n != 1 {
		t.Errorf("%d elements are to be asked about, want 1", n)
	}
	if text := tt.Text(); !strings.Contains(text, "text: One") {
		t.Errorf("got\n%s", text)
	}
	if n := page.CustomsMet(tt.Ctx, tt.Page); n != 0 {
		t.Errorf("%d elements are to be asked about again, want 0", n)
	}
}
