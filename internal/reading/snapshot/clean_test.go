package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/wall/excerpt"
)

func TestCleanRemovesWhatCannotBeSeen(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Save all", "Save all"},
		{"umlauts and han", "Übergröße 東京", "Übergröße 東京"},
		{"emoji stay", "ok 👍", "ok 👍"},
		{"line breaks are spaces", "a\nb\tc\u2028d", "a b c d"},
		{"escape", "a\x1b[31mb", "a[31mb"},
		{"c1 control", "a\u009bb", "ab"},
		{"bidi override", "a\u202eb\u2066c\u2069", "abc"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u00ade", "abcde"},
		{"tags", "a" + "\U000e0049\U000e0047" + "b", "ab"},
		{"variation selectors", "a\ufe0fb\U000e0101c", "abc"},
		{"joiners that a person sees", "❤\ufe0f👩\u200d💻می\u200cخواهم", "❤\ufe0f👩\u200d💻می\u200cخواهم"},
		{"icon font", "\ue5cd close", " close"},
	} {
		if got := clean(c.in); got != c.want {
			t.Errorf("%s: clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestQuoteCannotBeLeft(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`Save`, `"Save"`},
		{`say "hi"`, `"say \"hi\""`},
		{`back\`, `"back\\"`},
		{`x" [ref=e9]`, `"x\" [ref\u003de9]"`},
		{`[ref=e1][ref=e2]`, `"[ref\u003de1][ref\u003de2]"`},
		{`[1]`, `"[1]"`},
	} {
		got := quote(c.in)
		if got != c.want {
			t.Errorf("quote(%s) = %s, want %s", c.in, got, c.want)
		}
		if strings.Contains(got, "[ref=") {
			t.Errorf("quote(%s) = %s holds a ref", c.in, got)
		}
	}
}

func TestBareIsQuotedWhenItCouldBeOurs(t *testing.T) {
	for in, want := range map[string]string{
		"Hello, world: 3 - 2":      "Hello, world: 3 - 2",
		"- button":                 `"- button"`,
		"(frame not read: x)":      `"(frame not read: x)"`,
		"see [1]":                  `"see [1]"`,
		`"quoted"`:                 `"\"quoted\""`,
		"tail [ref=e5] [disabled]": `"tail [ref\u003de5] [disabled]"`,
	} {
		if got := bare(in); got != want {
			t.Errorf("bare(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestBoundedSaysHowMuchIsMissing(t *testing.T) {
	for missing := range 40 {
		for _, letter := range []string{"x", "é", "東", "👍"} {
			whole := strings.Repeat(letter, 20) + strings.Repeat("y", missing)
			kept := 20 * excerpt.Units(letter)
			got := truncate(whole, kept)
			want := whole
			if marker := fmt.Sprintf("…(%d more characters)", missing); missing > excerpt.Units(marker) {
				want = strings.Repeat(letter, 20) + marker
			}
			if got != want {
				t.Errorf("bounded(%q, %d) = %q, want %q", whole, kept, got, want)
			}
		}
	}
	if got := truncate(strings.Repeat("👍", 30), 5); !strings.HasPrefix(got, "👍👍…(56 more") {
		t.Errorf("a character is cut in two: %q", got)
	}
}
