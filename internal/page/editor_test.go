package page_test

import (
	"context"
	"testing"
)

// An editor that keeps its text in a script gets text as one insertion, in place
// of its whole text, and not of what its input element holds.
func TestTypeIntoEditors(t *testing.T) {
	for _, s := range []story{
		{"EditContext", "/editors.html", `textbox "Context"`, typing("a [b\nc"), `Context "a [b\nc"`, ""},
		{"EditContext, by fill", "/editors.html", `textbox "Context"`, filling("a [b"), `Context "a [b"`, ""},
		{"EditContext, emptied", "/editors.html", `textbox "Context"`, typing(""), `Context ""`, ""},
		{"EditContext without paste", "/editors.html", `textbox "Bare context"`, typing("a b"), `Bare context "a b"`, ""},
		{"EditContext, key by key", "/editors.html", `textbox "Context"`, slowly("x["), `Context "old [words]x[]"`, ""},
		{"hidden text area", "/editors.html", `textbox "Proxy"`, typing("a [b\nc"), `Proxy "a [b\nc"`, ""},
		{"hidden text area, emptied", "/editors.html", `textbox "Proxy"`, typing(""), `Proxy ""`, ""},
		{"transparent text area", "/editors.html", `textbox "Clear"`, typing("a [b"), `Clear "a [b"`, ""},
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
			tt := open(t, "/editors.html")
			run[any](tt, `document.querySelector('[aria-label="`+s.label+`"]').focus(); undefined`)
			err := tt.act(func(ctx context.Context) error { return tt.InsertText(ctx, "a [b") })
			if got := tt.last(); err != nil || got != s.want {
				t.Errorf("got %s, %v, want %s", got, err, s.want)
			}
		})
	}
}
