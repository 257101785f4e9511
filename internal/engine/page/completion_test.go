package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/tab"
)

func TestComplete(t *testing.T) {
	tt := tab.Borrow(t, "/form.html")
	complete := func(script string, limit time.Duration) (value json.RawMessage, err error) {
		err = tt.InTurn(limit, func(ctx context.Context) (err error) {
			value, err = tt.Page.Complete(ctx, script)
			return err
		})
		return value, err
	}
	for _, s := range []struct{ name, script, want string }{
		{"an expression", "document.querySelector('.none')?.textContent || 'not found'", `"not found"`},
		{"statements", "let a = 2; if (a) a * 21", "42"},
		{"again", "let a = 3; a", "3"},
		{"an object", "({a: [1, null]})", `{"a":[1,null]}`},
		{"a promise", "new Promise(r => setTimeout(r, 1, 'later'))", `"later"`},
		{"await", "const b = await Promise.resolve(7); b + 1", "8"},
		{"a function", "() => 'called'", `"called"`},
		{"the body of one", "if (true) return 'body'", `"body"`},
		{"undefined", "undefined", ""},
		{"null", "null", "null"},
		{"a number without a form in JSON", "0/0", `"NaN"`},
	} {
		if got, err := complete(s.script, 5*time.Second); string(got) != s.want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", s.name, got, err, s.want)
		}
	}
	for script, want := range map[string]string{"throw new Error('no')": "Error: no", "x y": "SyntaxError: Unexpected identifier 'y'", "null.x": "TypeError: Cannot read properties of null (reading 'x')"} {
		_, err := complete(script, 5*time.Second)
		if threw, ok := errors.AsType[*page.ScriptError](err); !ok || threw.Text != want {
			t.Errorf("%s: got %v, want %s", script, err, want)
		}
	}
	if _, err := complete("while (true);", 500*time.Millisecond); !errors.Is(err, page.ErrScriptTimeout) {
		t.Errorf("without end: %v", err)
	}
}
