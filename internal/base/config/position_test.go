package config

import (
	"maps"
	"testing"

	"github.com/titanous/json5"
)

func TestPositions(t *testing.T) {
	got := positions("// a: 1\n{ /* b:\n */ a: 'x:\\'\\\n', // {\n \"b.c\": [1, {d: -0x10}\n, [ ] , 'e'],\r\n'f': {}, g:null,}")
	want := map[string]int{"a": 3, "b.c": 5, "b.c[0]": 5, "b.c[1]": 5, "b.c[1].d": 5, "b.c[2]": 6, "b.c[3]": 6, "f": 7, "g": 7}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// Each key that the decoder finds has a line, and no text makes positions panic.
func FuzzPositions(f *testing.F) {
	for _, text := range []string{`{a: {"b": [1, 'x', {c: /x/ 1}]}}`, "{a/**/:1,// b\n'c\\\n':2}", `{"a":"\"}`, "[,", "\"", "{a", "{:}", "\u00a0{\ufeffa\u2028:1}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := positions(text)
		var tree map[string]any
		if json5.Unmarshal([]byte(text), &tree) != nil {
			return
		}
		for key := range tree {
			if lines[key] == 0 {
				t.Errorf("%q: no line of %q: %v", text, key, lines)
			}
		}
	})
}
