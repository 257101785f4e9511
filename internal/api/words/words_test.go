package words

import (
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	text := "a"
	for _, test := range []struct{ name, got, want string }{
		{"lines", Lines("", "a", "", "b"), "a\nb"},
		{"no lines", Lines("", ""), ""},
		{"prefixed", Prefixed("note: ", "a"), "note: a"},
		{"nothing is not prefixed", Prefixed("note: ", ""), ""},
		{"or, given", Or(&text, "none"), "a"},
		{"or, absent", Or(nil, "none"), "none"},
		{"if it holds", If(true, "a"), "a"},
		{"if it does not", If(false, "a"), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, test.got, test.want)
		}
	}
}

// An address of a page may be millions of characters long. Answers have only its beginning.
func TestShownIsShort(t *testing.T) {
	if got := Shown("http://a.test/"); got != "http://a.test/" {
		t.Errorf("got %q", got)
	}
	if got := Shown(strings.Repeat("ä", 2*MaxShown)); len([]rune(string(got))) > MaxShown+100 {
		t.Errorf("%d characters are shown", len([]rune(string(got))))
	}
}
