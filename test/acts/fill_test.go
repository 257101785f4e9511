package acts

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/tab"
)

// The call that confirms the text of a field also prepares the next one. The page may change that
// one in its handlers, or in a task after them. Each field gets its own text nevertheless.
func TestFillForm(t *testing.T) {
	const first = `<input name=a aria-label=A oninput="HANDLER"><input name=b aria-label=B><input name=c aria-label=C>`
	later := func(script string) string {
		return strings.ReplaceAll(first, "HANDLER", "setTimeout(() => { "+script+" })")
	}
	for _, s := range []struct{ name, html, want string }{
		{"plain", first, "1|2|3"},
		{"replaced", later(`b.outerHTML = '<input name=b aria-label=B>'`), "1|2|3"},
		{"replaced at once", strings.ReplaceAll(first, "HANDLER", `b.outerHTML = '<input name=b aria-label=B>'`), "1|2|3"},
		{"set", later(`b.value = 'by the page'`), "1|2|3"},
		{"disabled for a moment", later(`b.disabled = true; setTimeout(() => b.disabled = false, 50)`), "1|2|3"},
		{"hidden for a moment", later(`b.hidden = true; setTimeout(() => b.hidden = false, 50)`), "1|2|3"},
		{"focus taken", later(`c.focus()`), "1|2|3"},
		{"focus taken by a frame", later(`frames[0].document.querySelector('input').focus()`) + `<iframe srcdoc="<input>"></iframe>`, "1|2|3|"},
		{"focus given up", later(`b.blur()`), "1|2|3"},
		{"prevented", strings.ReplaceAll(first, "HANDLER", "") + `<script>b.onbeforeinput = e => { if (!b.n) e.preventDefault(); b.n = 1 }</script>`, "1||"},
		{"emptied", `<input name=a value=x><input name=b value=y><input name=c value=z>`, "1|2|3"},
		{"other kinds", `<input name=a><input name=b type=number><textarea name=c></textarea>`, "1|2|3"},
		{"a choice between", `<input name=a><select name=b><option>1<option>2</select><input name=c>`, "1|2|3"},
		{"a range between", `<input name=a><input name=b type=range max=9 oninput="this.value = 5; a.value += '!'"><input name=c>`, "1!|5|3"},
		{"a range that has a list", `<input name=a><input name=b type=range max=9 aria-haspopup=listbox><input name=c>`, "1|2|3"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(`<script>for (const n of 'abc') Object.defineProperty(self, n, { get: () => document.querySelector('[name=' + n + ']') })</script>` + s.html)
			err := fillAll(tt, "1", "2", "3")
			if refused := err != nil && strings.HasSuffix(err.Error(), ": refused"); refused != (s.name == "prevented") || !refused && err != nil {
				t.Error(err)
			}
			got := tab.Run[string](tt, `[document, ...Array.from(frames, f => f.document)].flatMap(d => Array.from(d.querySelectorAll('input, select, textarea'), f => f.value)).join('|')`)
			if got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

// Pages take over what was typed when the field loses the focus. React does so in a microtask after
// the event. What is chosen or set next is added to that.
func TestFillAfterBlur(t *testing.T) {
	for _, s := range []struct{ name, field, value, want string }{
		{"a range", `<input type=range max=9 oninput="change('next', value)">`, "7", "name Ada, next 7"},
		{"a date", `<input type=date oninput="change('next', value)">`, "2026-01-31", "name Ada, next 2026-01-31"},
		{"a select", `<select onchange="change('next', value)"><option>1<option>2</select>`, "2", "name Ada, next 2"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(`<script>
				let rendered = {}
				const change = (name, value) => { const next = {...rendered, [name]: value}; queueMicrotask(() => { rendered = next }) }
			</script><input onblur="change('name', value)">` + s.field)
			if err := fillAll(tt, "Ada", s.value); err != nil {
				t.Error(err)
			}
			if got := tab.Run[string](tt, `Object.entries(rendered).map(([name, value]) => name + ' ' + value).join(', ')`); got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

// A page may change a field after it was filled: when it loses the focus, or when another field is
// filled. What a field holds at the end counts.
func TestHeldNow(t *testing.T) {
	for _, s := range []struct{ name, html, want string }{
		{"emptied when it is left", `<input role=combobox aria-autocomplete=list onblur="value = ''"><input>`, `0: ""`},
		{"changed by the next", `<input id=a><input oninput="a.value += '!'">`, `0: "1!"`},
		{"set right again", `<input oninput="value = 'x'" onblur="value = '1'"><input>`, ""},
		{"removed", `<input id=a><input oninput="a.remove()">`, ""},
		{"a choice that is lost", `<select id=a><option>0<option>1</select><input oninput="a.value = '0'">`, `0: "0"`},
		{"a choice", `<select id=a><option>0<option>1</select><input>`, ""},
		{"a date", `<input type=date><input>`, ""},
	} {
		tt := tab.Borrow(t, "/frame.html")
		tt.Write(s.html)
		values := []string{"1", "2"}
		if s.name == "a date" {
			values[0] = "2026-01-31"
		}
		fields, err := fillFields(tt, values...)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		var got []string
		err = tt.InTurn(2*time.Second, func(ctx context.Context) error {
			now := page.HeldNow(ctx, fields)
			for i, f := range fields {
				if holds := now[f]; holds != nil {
					got = append(got, fmt.Sprintf("%d: %q", i, *holds))
				}
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != s.want {
			t.Errorf("%s: got %q, %v, want %q", s.name, got, err, s.want)
		}
	}
}

// A page that is busy after its fields were filled is not waited for until the call's deadline.
func TestHeldNowOfABusyPage(t *testing.T) {
	tt := tab.Open(t, "/spin.html")
	tab.Run[any](tt, `document.body.append(document.createElement('input'))`)
	fields, err := fillFields(tt, "1")
	if err != nil {
		t.Fatal(err)
	}
	tt.On(`"Spin for ever"`, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }) // it ends with its time
	tt.InTurn(20*time.Second, func(ctx context.Context) error {
		now := page.HeldNow(ctx, fields)
		if end, _ := ctx.Deadline(); len(now) > 0 || time.Until(end) < 10*time.Second {
			t.Errorf("got %v, with %v left", now, time.Until(end))
		}
		return nil
	})
}

// fillAll fills the first fields of the page with these values.
func fillAll(tt *tab.Tab, values ...string) error {
	_, err := fillFields(tt, values...)
	return err
}

// fillFields does what fillAll does, and returns the fields.
func fillFields(tt *tab.Tab, values ...string) (fields []*page.Field, err error) {
	var refs []string
	for i := range values {
		refs = append(refs, nth(tt, i))
	}
	err = tt.InAct(func(ctx context.Context) error {
		for i, ref := range refs {
			el, err := tt.Element(ctx, ref)
			if err != nil {
				return err
			}
			fields = append(fields, &page.Field{Element: el, Value: values[i]})
		}
		for i, f := range fields {
			var next *page.Field
			if i+1 < len(fields) {
				next = fields[i+1]
			}
			if _, err := f.Fill(ctx, next); err != nil {
				return err
			}
		}
		return nil
	})
	return fields, err
}
