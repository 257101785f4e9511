package keys

import (
	"strings"
	"testing"
)

// Each name is one key, and all keys that are pressed are released.
func FuzzParse(f *testing.F) {
	for _, names := range []string{"Control+Shift+A", "+", "Control++", "++", "a+", "KeyA+é", "NumpadEnter", "ctrl+ALT+delete", "Shift+?"} {
		f.Add(names, "darwin")
		f.Add(names, "linux")
	}
	f.Fuzz(func(t *testing.T, names, system string) {
		parts := split(names)
		if got := strings.Join(parts, "+"); got != names {
			t.Errorf("%q was split into %q", names, parts)
		}
		chord, err := parse(names, system)
		if err != nil {
			return
		}
		down, up := chord.Down(), chord.Up()
		if len(chord) != len(parts) || len(down) != len(chord) || len(up) != len(chord) {
			t.Fatalf("%q: %d keys, %d pressed, %d released", names, len(parts), len(down), len(up))
		}
		for i, stroke := range chord {
			if down[i].Code != up[len(up)-1-i].Code || down[i].Key == "" || down[i].Code == "" && stroke.key.code != "" {
				t.Errorf("%q: pressed %+v, released %+v", names, down[i], up[len(up)-1-i])
			}
			if len([]rune(down[i].Text)) > 1 {
				t.Errorf("%q: one key types %q", names, down[i].Text)
			}
		}
		if again := chord.While(0); again.Modifiers() != chord.Modifiers() {
			t.Errorf("%q: modifiers %d, then %d", names, chord.Modifiers(), again.Modifiers())
		}
	})
}
