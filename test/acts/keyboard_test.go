package acts

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

func TestPress(t *testing.T) {
	for _, s := range []struct {
		name  string
		first string // what is clicked before the keys
		keys  []string
		want  string // the last lines that the page writes
	}{
		{"a letter", `"Line"`, []string{"a"}, "keydown a KeyA 65 trusted|keypress a KeyA 97 trusted|insertText \"a\"|keyup a KeyA 65 trusted"},
		{"tab order", `"Line"`, []string{"Tab", "Tab"}, "focus submit|keyup Tab Tab 9 trusted"},
		{"back", `"Lines"`, []string{"Shift+Tab"}, "focus text|keyup Tab Tab 9 Shift trusted|keyup Shift ShiftLeft 16 trusted"},
		{"new line", `"Lines"`, []string{"Enter"}, "insertLineBreak \"\\n\"|keyup Enter Enter 13 trusted"},
		{"select all and delete", `"Line"`, []string{"a", "b", "Control+a", "Delete"}, "deleteContentForward \"\"|keyup Delete Delete 46 trusted"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/keyboard.html")
			if err := tt.On(s.first, tab.Click); err != nil {
				t.Fatal(err)
			}
			for _, k := range s.keys {
				if err := tt.PressKeys(k); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.ReplaceAll(tt.Logged(), "\n", "|"); !strings.HasSuffix(got, s.want) {
				t.Errorf("got  %s\nwant %s", got, s.want)
			}
		})
	}
}

// A key with Alt clicks the element whose accesskey it is, and types nothing.
func TestAccessKey(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("other modifiers on macOS")
	}
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button accesskey=s onclick="log('saved')">Save</button><input id=i autofocus onkeypress="log('keypress')">`))
	for _, keys := range []string{"Alt+s", "Alt+Shift+s", "Alt+q", "Alt+Control+s"} {
		if err := tt.PressKeys(keys); err != nil {
			t.Fatal(err)
		}
	}
	if got := tt.Logged() + tab.Run[string](tt, "i.value"); got != "saved\nsaved" {
		t.Errorf("page told %q", got)
	}
}

// A line break of a text is one Enter, however it is written.
func TestTypedLineBreaks(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<textarea autofocus></textarea>`))
	if err := tt.InAct(func(ctx context.Context) error { _, _, err := tt.TypeKeys(ctx, "a\r\nb\nc\rd", false); return err }); err != nil {
		t.Fatal(err)
	}
	if got := tab.Run[string](tt, "document.activeElement.value"); got != "a\nb\nc\nd" {
		t.Errorf("got %q", got)
	}
}

// Text that is typed at the focus goes behind the text of a field. A date has no such place: it gets its
// value, and line breaks behind it are keys. The result says what an input holds.
func TestTypeAtTheFocus(t *testing.T) {
	for _, s := range []struct{ field, text, holds, value string }{
		{"<input value=Name>", "Ada", "NameAda", "NameAda"},
		{"<input>", "Ada", "", "Ada"},
		{"<input type=date value=2000-02-02>", "2001-05-06", "", "2001-05-06"},
		{"<input type=time>", "9:05 pm", "21:05", "21:05"},
		{"<input type=date onkeydown='name += event.key'>", "2001-05-06\n", "", "2001-05-06 Enter"},
		{"<input type=date>", "05062001\tAda", "2001-05-06", "2001-05-06"},
		{"<textarea>old</textarea>", "Ada", "", "oldAda"},
	} {
		t.Run(s.field, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(s.field))
			tab.Run[any](tt, "field = document.querySelector('input, textarea'), field.focus(), field.setSelectionRange && field.type !== 'date' && field.type !== 'time' && field.setSelectionRange(9, 9), 0")
			holds := ""
			err := tt.InAct(func(ctx context.Context) error {
				_, held, err := tt.TypeKeys(ctx, s.text, false)
				if held != nil {
					holds = *held
				}
				return err
			})
			if got := tab.Run[string](tt, "(field.value + ' ' + field.name).trim()"); err != nil || got != s.value || holds != s.holds {
				t.Errorf("holds %q, reported as %q, %v", got, holds, err)
			}
		})
	}
}

// Keys and text go to the frame that has the focus, also to one of another site.
func TestPressInAFrame(t *testing.T) {
	long.Test(t)
	for _, frame := range []string{"same", "other", "other-inner"} {
		tt := tab.Borrow(t, "/frames.html?other="+tab.Elsewhere())
		if err := tt.On(`"In `+frame+`" > textbox "Field"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		if err := tt.PressKeys("a"); err != nil {
			t.Fatal(err)
		}
		tt.Await(frame + " typed a")
		if err := tt.InAct(func(ctx context.Context) error { return tt.InsertText(ctx, "bc") }); err != nil {
			t.Fatal(err)
		}
		tt.Await(frame + " typed abc")
	}
}

// Text goes to the element that has the focus. If no element can take it, that is an error.
func TestInsertText(t *testing.T) {
	for _, s := range []struct{ focused, fails string }{
		{`"Rich"`, ""},
		{`"Field in it"`, ""},
		{`"Lines"`, ""},
		{"", "nothing that takes text has the focus"},
	} {
		t.Run(s.focused, func(t *testing.T) {
			tt := tab.Borrow(t, "/editable.html")
			if s.focused != "" {
				if err := tt.On(s.focused, tab.Click); err != nil {
					t.Fatal(err)
				}
			}
			err := tt.InAct(func(ctx context.Context) error { return tt.InsertText(ctx, "put in") })
			if s.fails == "" && (err != nil || !strings.Contains(tt.Logged(), "put in")) || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails)) {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// Text that is typed at the focus waits for a field that the page focuses a little later. A dialog
// does so when its animation ends.
func TestTextWaitsForALateFocus(t *testing.T) {
	late := pages.HTML(`<input aria-label=Name><script>later = () => setTimeout(() => document.querySelector('input').focus(), 150)</script>`)
	for name, enter := range map[string]func(context.Context, *tab.Tab) error{
		"keys":   func(ctx context.Context, tt *tab.Tab) error { _, _, err := tt.TypeKeys(ctx, "Ada", false); return err },
		"insert": func(ctx context.Context, tt *tab.Tab) error { return tt.InsertText(ctx, "Ada") },
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, late)
			tab.Run[any](tt, "later()")
			if err := tt.InAct(func(ctx context.Context) error { return enter(ctx, tt) }); err != nil {
				t.Fatal(err)
			}
			if got := tab.Run[string](tt, "document.querySelector('input').value"); got != "Ada" {
				t.Errorf("the field got %q", got)
			}
		})
	}
}
