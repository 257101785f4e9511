package acts

import (
	"chela/test/tab"
	"context"
	"testing"
)

// An editor that keeps its text in a script gets text as one insertion. The insertion replaces the
// editor's whole text, and not only what its input element holds.
func TestTypeIntoEditors(t *testing.T) {
	for _, s := range []story{
		{"EditContext", "/editors.html", `textbox "Context"`, tab.Typing("a [b\nc"), `Context "a [b\nc"`, ""},
		{"EditContext, by fill", "/editors.html", `textbox "Context"`, tab.Filling("a [b"), `Context "a [b"`, ""},
		{"EditContext, emptied", "/editors.html", `textbox "Context"`, tab.Typing(""), `Context ""`, ""},
		{"EditContext without paste", "/editors.html", `textbox "Bare context"`, tab.Typing("a b"), `Bare context "a b"`, ""},
		{"EditContext, key by key", "/editors.html", `textbox "Context"`, tab.TypingSlowly("x["), `Context "old [words]x[]"`, ""},
		{"hidden text area", "/editors.html", `textbox "Proxy"`, tab.Typing("a [b\nc"), `Proxy "a [b\nc"`, ""},
		{"hidden text area, emptied", "/editors.html", `textbox "Proxy"`, tab.Typing(""), `Proxy ""`, ""},
		{"transparent text area", "/editors.html", `textbox "Clear"`, tab.Typing("a [b"), `Clear "a [b"`, ""},
	} {
		s.test(t)
	}
}

func TestInsertTextIntoEditors(t *testing.T) {
	for _, s := range []struct{ label, want string }{
		{"Context", `Context "old [words]a [b"`},
		{"Bare context", `Bare context "old [words]a []b"`},
		{"Proxy", `Proxy "old [words]a [b"`},
	} {
		t.Run(s.label, func(t *testing.T) {
			tt := tab.Borrow(t, "/editors.html")
			tab.Run[any](tt, `document.querySelector('[aria-label="`+s.label+`"]').focus(); undefined`)
			err := tt.InAct(func(ctx context.Context) error { return tt.InsertText(ctx, "a [b") })
			if got := tt.Last(); err != nil || got != s.want {
				t.Errorf("got %s, %v, want %s", got, err, s.want)
			}
		})
	}
}
