package page

import (
	"testing"

	"chela/internal/engine/keys"
)

func TestKeysOfClipboard(t *testing.T) {
	for _, s := range []struct {
		system, keys string
		want         bool
	}{
		{"linux", "Control+V", true},
		{"linux", "Control+Shift+V", true},
		{"linux", "Control+c", true},
		{"linux", "Shift+Insert", true},
		{"linux", "Control+V+A", true}, // Chromium pastes at the V
		{"linux", "Control+C+ArrowLeft", true},
		{"linux", "Shift+Insert+a", true},
		{"linux", "a+V", false},
		{"linux", "Control+A", false},
		{"linux", "Meta+V", false},
		{"linux", "v", false},
		{"darwin", "Meta+V", true},
		{"darwin", "Control+V", false},
	} {
		chord, err := keys.Parse(s.keys)
		if err != nil {
			t.Fatal(err)
		}
		if got := haveKeysOfClipboard(chord, keysOfClipboard(s.system)); got != s.want {
			t.Errorf("%s on %s: got %v", s.keys, s.system, got)
		}
	}
}
