package excerpt

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	for _, s := range []struct {
		name, text string
		want       string
	}{
		{"short", "abc", "abc"},
		{"at the bound, longer in bytes", "äöüß", "äöüß"},
		{"long", "äöüßabc", "äöüß… (3 more characters)"},
		{"no UTF-8", "\xff\xff\xff\xff\xff", "\xff\xff\xff\xff… (1 more characters)"},
	} {
		if got := Of(s.text, 4); got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
	if got := Beginning("ab", 4, 1000); got != "ab… (1000 more characters)" {
		t.Errorf("a text that goes on: got %q", got)
	}
	if got := Of(strings.Repeat("x", 10<<20), 1000); len(got) > 1100 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestUnitsCountsAsJavaScriptDoes(t *testing.T) {
	for in, want := range map[string]int{"": 0, "abc": 3, "ü": 1, "東": 1, "👍": 2} {
		if got := Units(in); got != want {
			t.Errorf("excerpt.Units(%q) = %d, want %d", in, got, want)
		}
	}
}
