package spelling

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"snapshot", "screenshot", "start", "stop", "status", "tab", "tabs", "ArrowDown", "ArrowUp"}
	tests := []struct {
		word string
		want []string
	}{
		{"snapshoot", []string{"snapshot"}},
		{"Tabb", []string{"tab", "tabs"}},
		{"sta", []string{"start", "status"}},
		{"arrowdwn", []string{"ArrowDown"}},
		{"nonsense", []string{}},
		{"", []string{}},
		{"ß", []string{}},
	}
	for _, test := range tests {
		if got := Nearest(test.word, words); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"same", "same", 0}, {"ab", "ba", 2}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: got %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
