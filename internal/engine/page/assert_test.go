package page_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/snapshot"
	"chela/test/long"
	"chela/test/tab"
)

const asserted = `<h1>Order</h1><p role=status id=state>Order pending</p>
<table><tr><td>Total:</td><td>€14.00</td></tr><tr><td>Tax</td></tr></table>
<ul aria-label=Basket><li>Mug<li>Lamp</ul>
<label>City <input id=city value=Rome></label><input type=password aria-label=Secret value=hush>
<select id=color aria-label=Color><option value=r>Red<option value=b>Blue</select>
<div contenteditable role=textbox aria-label=Rich>Some <b>bold</b>
text</div>
<label><input type=checkbox id=terms> Terms</label><div role=switch tabindex=0 id=dark aria-checked=false>Dark</div>
<button id=pay disabled>Pay</button><button id=more>More</button>
<iframe srcdoc="<p>Within a frame"></iframe>`

// findRef returns the ref of the first line that has words and a role.
func findRef(t *tab.Tab, words, role string) string {
	t.Helper()
	var found snapshot.Found
	if err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		found, err = t.Find(ctx, snapshot.Query{Text: words, Role: role}, "", 1, 0)
		return err
	}); err != nil || len(found.Matches) == 0 {
		t.Fatalf("no %s %q: %v", role, words, err)
	}
	return found.Matches[0].Ref
}

func assert(t *tab.Tab, limit time.Duration, a page.Assertion) (found page.Finding, err error) {
	err = waiting(t, limit, func(ctx context.Context) (err error) {
		found, err = t.Assert(ctx, a)
		return err
	})
	return found, err
}

func TestAssert(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(asserted)
	city, secret, color, rich := findRef(tt, "City", "textbox"), findRef(tt, "Secret", "textbox"), findRef(tt, "Color", "combobox"), findRef(tt, "Rich", "textbox")
	terms, dark, pay, more := findRef(tt, "Terms", "checkbox"), findRef(tt, "Dark", "switch"), findRef(tt, "Pay", "button"), findRef(tt, "More", "button")
	basket := findRef(tt, "Basket", "list")
	for _, s := range []struct {
		name    string
		a       page.Assertion
		line    string // a part of the matching line; "": the assertion does not hold
		instead string
	}{
		{"text", page.Assertion{Text: "order  PENDING"}, "Order pending", ""},
		{"text over several lines", page.Assertion{Text: "Total: €14.00"}, "Total:", ""},
		{"text in a frame", page.Assertion{Text: "within a"}, "Within a frame", ""},
		{"value as text", page.Assertion{Text: "rome"}, `textbox "City"`, ""},
		{"text of a role", page.Assertion{Text: "Pay", Role: "button"}, `button "Pay"`, ""},
		{"text of another role", page.Assertion{Text: "Pay", Role: "link"}, "", "Pay"},
		{"text in an element", page.Assertion{Text: "lamp", Ref: basket}, "Lamp", ""},
		{"text outside of an element", page.Assertion{Text: "order pending", Ref: basket}, "", "Order pending"},
		{"other text", page.Assertion{Text: "Order confirmed"}, "", "Order pending"},
		{"text that nothing is like", page.Assertion{Text: "zzz"}, "", "Order pending"},
		{"gone", page.Assertion{Gone: "Loading"}, "", ""},
		{"not gone", page.Assertion{Gone: "order pending"}, "", "Order pending"},
		{"address", page.Assertion{URL: "**/frame.html"}, "/frame.html", ""},
		{"another address", page.Assertion{URL: "form.html"}, "", "/frame.html"},
		{"both", page.Assertion{Text: "Pay", Gone: "Loading", URL: "frame"}, "Pay", ""},
		{"one of both", page.Assertion{Text: "Pay", Gone: "Lamp"}, "", "Lamp"},
		{"value", page.Assertion{Ref: city, Value: new("Rome")}, `"City"`, ""},
		{"value as it is seen", page.Assertion{Ref: city, Value: new("Ro\u00adme ")}, `"City"`, ""},
		{"other value", page.Assertion{Ref: city, Value: new("rome")}, "", `"Rome"`},
		{"no value", page.Assertion{Ref: city, Value: new("")}, "", `"Rome"`},
		{"password", page.Assertion{Ref: secret, Value: new("hush")}, `"Secret"`, ""},
		{"other password", page.Assertion{Ref: secret, Value: new("x")}, "", `"••••"`},
		{"value of a select", page.Assertion{Ref: color, Value: new("r")}, `"Color"`, ""},
		{"label of a select", page.Assertion{Ref: color, Value: new("Red")}, `"Color"`, ""},
		{"other value of a select", page.Assertion{Ref: color, Value: new("Blue")}, "", `"Red"`},
		{"rich text", page.Assertion{Ref: rich, Value: new("Some bold text")}, `"Rich"`, ""},
		{"checkbox as value", page.Assertion{Ref: terms, Value: new("false")}, `"Terms"`, ""},
		{"not checked", page.Assertion{Ref: terms, Checked: new(false)}, `"Terms"`, ""},
		{"checked", page.Assertion{Ref: terms, Checked: new(true)}, "", "not checked"},
		{"switch", page.Assertion{Ref: dark, Checked: new(false)}, `"Dark"`, ""},
		{"disabled", page.Assertion{Ref: pay, Enabled: new(false)}, `"Pay"`, ""},
		{"not enabled", page.Assertion{Ref: pay, Enabled: new(true)}, "", "disabled"},
		{"enabled", page.Assertion{Ref: more, Enabled: new(true)}, `"More"`, ""},
		{"not disabled", page.Assertion{Ref: more, Enabled: new(false)}, "", "enabled"},
		{"count of a role", page.Assertion{Role: "listitem", Count: new(2)}, "Mug", ""},
		{"count of a text", page.Assertion{Text: "t", Role: "cell", Count: new(2)}, "Total:", ""},
		{"count of nothing", page.Assertion{Text: "Loading", Count: new(0)}, "", ""},
		{"other count", page.Assertion{Role: "listitem", Count: new(3)}, "", "2"},
		{"count of the items of a list", page.Assertion{Ref: basket, Count: new(2)}, "Mug", ""},
		{"count in an element by another form of its ref", page.Assertion{Ref: "@" + basket, Count: new(2)}, "Mug", ""},
		{"count of options", page.Assertion{Ref: color, Count: new(2)}, "Red", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			holds := s.instead == ""
			ctx, cancel := context.WithTimeout(tt.Ctx, 10*time.Second)
			defer cancel()
			look := tt.Assert
			if !holds {
				look = tt.Check // Check does not wait until the assertion holds
			}
			found, err := look(ctx, s.a)
			if err != nil || found.Holds != holds || !strings.Contains(found.Line, s.line) || !strings.Contains(found.Instead, s.instead) {
				t.Errorf("got %+v, %v", found, err)
			}
			if holds && s.line != "" && s.a.URL == "" && !strings.Contains(found.Line, "[ref=") {
				t.Errorf("no ref in %q", found.Line)
			}
		})
	}
	for _, s := range []struct {
		name string
		a    page.Assertion
		as   any
	}{
		{"what cannot be checked", page.Assertion{Ref: more, Checked: new(true)}, new(*page.ElementError)},
		{"a ref that was never given", page.Assertion{Ref: "e9999", Enabled: new(true)}, new(*page.UnknownRefError)},
	} {
		if _, err := assert(tt, 5*time.Second, s.a); err == nil || !errors.As(err, s.as) {
			t.Errorf("%s: got %v", s.name, err)
		}
	}
}

// Later changes are noticed: changes of documents and frames, and changes without DOM mutations.
func TestAssertWaits(t *testing.T) {
	for _, s := range []struct {
		name, script string
		a            func(*tab.Tab) page.Assertion
	}{
		{"text", "state.textContent = 'Order confirmed'", func(*tab.Tab) page.Assertion { return page.Assertion{Text: "confirmed"} }},
		{"text that goes", "state.remove()", func(*tab.Tab) page.Assertion { return page.Assertion{Gone: "pending"} }},
		{"value that a script sets", "city.value = 'Oslo'", func(t *tab.Tab) page.Assertion {
			return page.Assertion{Ref: findRef(t, "City", "textbox"), Value: new("Oslo")}
		}},
		{"option that a script selects", "color.value = 'b'", func(t *tab.Tab) page.Assertion {
			return page.Assertion{Ref: findRef(t, "Color", "combobox"), Value: new("Blue")}
		}},
		{"checkbox that a script checks", "terms.checked = true", func(t *tab.Tab) page.Assertion {
			return page.Assertion{Ref: findRef(t, "Terms", "checkbox"), Checked: new(true)}
		}},
		{"switch", "dark.ariaChecked = 'true'", func(t *tab.Tab) page.Assertion {
			return page.Assertion{Ref: findRef(t, "Dark", "switch"), Checked: new(true)}
		}},
		{"button", "pay.disabled = false", func(t *tab.Tab) page.Assertion {
			return page.Assertion{Ref: findRef(t, "Pay", "button"), Enabled: new(true)}
		}},
		{"count", "document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Chair')", func(*tab.Tab) page.Assertion {
			return page.Assertion{Role: "listitem", Count: new(3)}
		}},
		{"text in a frame that comes", "document.body.append(Object.assign(document.createElement('iframe'), {srcdoc: 'in another'}))",
			func(*tab.Tab) page.Assertion { return page.Assertion{Text: "in another"} }},
		{"text in a frame", "frames[0].document.body.append('more of it')", func(*tab.Tab) page.Assertion { return page.Assertion{Text: "more of it"} }},
		{"text that a style shows", "document.head.append(Object.assign(document.createElement('style'), {textContent: '#more {display: none}'}))",
			func(*tab.Tab) page.Assertion { return page.Assertion{Gone: "More"} }},
		{"address", "history.pushState(0, '', '#done')", func(*tab.Tab) page.Assertion { return page.Assertion{URL: "#done"} }},
		{"another document", "location = 'echo?a=1'", func(*tab.Tab) page.Assertion { return page.Assertion{URL: "echo", Text: "GET a=1"} }},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(asserted)
			if err := waiting(tt, 10*time.Second, func(ctx context.Context) error {
				return tt.WaitFunction(ctx, "frames[0].document.body?.textContent === 'Within a frame'") // the frame's document replaces an empty one
			}); err != nil {
				t.Fatal(err)
			}
			a := s.a(tt)
			type result struct {
				found page.Finding
				err   error
			}
			done := make(chan result)
			go func() {
				found, err := assert(tt, 10*time.Second, a)
				done <- result{found, err}
			}()
			tab.Run[any](tt, "setTimeout(() => {"+s.script+"}, 250); undefined")
			if r := <-done; r.err != nil || !r.found.Holds {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// An assertion that never holds is answered at the deadline, even if the page does not answer any
// more by then. A dialog ends the wait, and an element that goes away is an error.
func TestAssertEnds(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(asserted)
	found, err := assert(tt, 2*time.Second, page.Assertion{Text: "Order confirmed"})
	if err != nil || found.Holds || !strings.Contains(found.Instead, "Order pending") {
		t.Errorf("at the deadline: %+v, %v", found, err)
	}
	tab.Run[any](tt, "setTimeout(() => { const end = performance.now() + 1600; while (performance.now() < end); }, 300); undefined")
	if found, err = assert(tt, time.Second, page.Assertion{Text: "Order confirmed"}); err != nil || found.Holds || !strings.Contains(found.Instead, "Order pending") {
		t.Errorf("on a page that has become busy: %+v, %v", found, err)
	}
	a := page.Assertion{Ref: findRef(tt, "Pay", "button"), Enabled: new(true)}
	tab.Run[any](tt, "setTimeout(() => pay.remove(), 100); undefined")
	_, err = assert(tt, 10*time.Second, a)
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale {
		t.Errorf("got %v", err)
	}
	tab.Run[any](tt, "setTimeout(() => alert('?'), 100); undefined")
	err = waiting(tt, 10*time.Second, func(ctx context.Context) error {
		return tt.Watch(ctx, func(ctx context.Context) error {
			_, err := tt.Assert(ctx, page.Assertion{Text: "never"})
			return err
		})
	})
	if _, dialog := errors.AsType[*page.DialogOpen](err); !dialog {
		t.Errorf("got %v", err)
	}
	answer(tt, true, "")
}

// What a page lacks is not known while a part of it was not read.
func TestAssertOfWhatWasNotRead(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<ul aria-label=Basket><li>Mug<li>Lamp</ul><iframe></iframe>`)
	basket := findRef(tt, "Basket", "list")
	page.OnNewFrame(t, tt.Page, func() bool { return false })
	tab.Run[any](tt, `document.body.append(document.createElement('iframe')); undefined`)
	for _, s := range []struct {
		name    string
		a       page.Assertion
		instead string
	}{
		{"gone", page.Assertion{Gone: "Error"}, "(frame not read: "},
		{"none", page.Assertion{Text: "Error", Count: new(0)}, "(frame not read: "},
		{"a number", page.Assertion{Role: "listitem", Count: new(2)}, "(frame not read: "},
		{"another number", page.Assertion{Role: "listitem", Count: new(1)}, "2"},
		{"a text", page.Assertion{Text: "Error"}, "(frame not read: "},
		{"a text that is like another", page.Assertion{Text: "Red mug"}, "(frame not read: the browser has not reported its document); - listitem"},
		{"in an element that was read", page.Assertion{Ref: basket, Count: new(2)}, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(tt.Ctx, 10*time.Second)
			defer cancel()
			found, err := tt.Check(ctx, s.a)
			if err != nil || found.Holds != (s.instead == "") || !strings.HasPrefix(found.Instead, s.instead) {
				t.Errorf("got %+v, %v", found, err)
			}
		})
	}
}

// A frame that has not loaded shows nothing, so it has no text that would have to go.
func TestAssertOfFrameThatHasNotLoaded(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<div style="height: 20000px"></div><iframe loading=lazy src="/frame.html"></iframe>'`)
	if found, err := assert(tt, 5*time.Second, page.Assertion{Gone: "Loading"}); err != nil || !found.Holds {
		t.Errorf("got %+v, %v", found, err)
	}
}

// A list that has become empty has no line, and no items.
func TestAssertCountOfEmptyList(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<ul><li>Mug</ul>`)
	basket := findRef(tt, "", "list")
	tab.Run[any](tt, `document.querySelector('ul').replaceChildren(); undefined`)
	if found, err := tt.Check(tt.Ctx, page.Assertion{Ref: basket, Count: new(0)}); err != nil || !found.Holds {
		t.Errorf("got %+v, %v", found, err)
	}
}
