package browser

import (
	"runtime"
	"testing"
)

// The middle button pastes on Linux only, and not in a browser that chela has started. What the button
// does on another machine is not known.
func TestMiddleButtonPastes(t *testing.T) {
	for _, test := range []struct {
		name string
		of   Description
		want bool
	}{
		{"chela's", Description{Own: true}, false},
		{"the user's, on this machine", Description{Shared: true, Local: true}, runtime.GOOS == "linux"},
		{"on another machine", Description{}, true},
	} {
		if got := test.of.MiddleButtonPastes(); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}
