package page_test

import (
	"context"
	"strings"
	"testing"

	"chela/internal/keys"
)

// press presses keys where the focus is.
func (t *tester) press(names string) error {
	t.Helper()
	chord, err := keys.Parse(names)
	if err != nil {
		t.Fatal(err)
	}
	return t.act(func(ctx context.Context) error { return t.Press(ctx, chord, 0) })
}

func TestPress(t *testing.T) {
	for _, s := range []struct {
		name  string
		first string // what is clicked before
		keys  []string
		want  string // the last lines that the page tells
	}{
		{"a letter", `"Line"`, []string{"a"}, "keydown a KeyA 65 trusted|keypress a KeyA 97 trusted|insertText \"a\"|keyup a KeyA 65 trusted"},
		{"tab order", `"Line"`, []string{"Tab", "Tab"}, "focus submit|keyup Tab Tab 9 trusted"},
		{"back", `"Lines"`, []string{"Shift+Tab"}, "focus text|keyup Tab Tab 9 Shift trusted|keyup Shift ShiftLeft 16 trusted"},
		{"new line", `"Lines"`, []string{"Enter"}, "insertLineBreak \"\\n\"|keyup Enter Enter 13 trusted"},
		{"select all and delete", `"Line"`, []string{"a", "b", "Control+a", "Delete"}, "deleteContentForward \"\"|keyup Delete Delete 46 trusted"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, "/keyboard.html")
			if err := tt.on(s.first, click); err != nil {
				t.Fatal(err)
			}
			for _, k := range s.keys {
				if err := tt.press(k); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.ReplaceAll(tt.log(), "\n", "|"); !strings.HasSuffix(got, s.want) {
				t.Errorf("got  %s\nwant %s", got, s.want)
			}
		})
	}
}

// Keys and text go to the frame that has the focus, also to one of another site.
func TestPressInAFrame(t *testing.T) {
	for _, frame := range []string{"same", "other", "other-inner"} {
		tt := open(t, "/frames.html?other="+elsewhere())
		if err := tt.on(`"In `+frame+`" > textbox "Field"`, click); err != nil {
			t.Fatal(err)
		}
		if err := tt.press("a"); err != nil {
			t.Fatal(err)
		}
		tt.await(frame + " typed a")
		if err := tt.act(func(ctx context.Context) error { return tt.InsertText(ctx, "bc") }); err != nil {
			t.Fatal(err)
		}
		tt.await(frame + " typed abc")
	}
}

// Text goes where the focus is, or nowhere, which is told.
func TestInsertText(t *testing.T) {
	for _, s := range []struct{ focused, fails string }{
		{`"Rich"`, ""},
		{`"Field in it"`, ""},
		{`"Lines"`, ""},
		{"", "nothing that takes text has the focus"},
	} {
		t.Run(s.focused, func(t *testing.T) {
			tt := open(t, "/editable.html")
			if s.focused != "" {
				if err := tt.on(s.focused, click); err != nil {
					t.Fatal(err)
				}
			}
			err := tt.act(func(ctx context.Context) error { return tt.InsertText(ctx, "put in") })
			if s.fails == "" && (err != nil || !strings.Contains(tt.log(), "put in")) || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails)) {
				t.Errorf("got %v, page told %q", err, tt.log())
			}
		})
	}
}
