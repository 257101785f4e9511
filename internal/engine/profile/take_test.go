package profile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
)

// contentOf returns the content of a portable profile that has a memory.
func contentOf(t *testing.T, m browser.Memory) []byte {
	t.Helper()
	raw, err := json.Marshal(carried{Version: config.StateVersion, Portable: browser.Portable{Memory: m}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// If a start with the state from another machine fails, the trash has only the user's own data. Those
// of the failed starts would soon be all that is in it.
func TestFailedStartsLeaveTheTrash(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	h.taken = Taken{Generation: 5, Content: contentOf(t, browser.Memory{})}
	write := func(file string) {
		if err := os.MkdirAll(filepath.Join(p.userData(), file), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("of the user")
	for range 3 {
		c, _, err := p.take(ctx, p.Setup(), browser.Memory{})
		if err != nil {
			t.Fatal(err)
		}
		write("of a failed start")
		c.abort(nil)
	}
	found, _ := filepath.Glob(filepath.Join(p.trash().dir, "*", "*", "*"))
	if len(found) != 1 || filepath.Base(found[0]) != "of the user" {
		t.Errorf("the trash has %v", found)
	}
}

// A handle is not used again, whether it was used on this machine or on another one.
func TestHandlesAcrossMachines(t *testing.T) {
	for _, s := range []struct {
		name              string
		same              bool
		here, there, want int
	}{
		{"of this machine", true, 7, 0, 7}, // after a reset, the saved content is empty
		{"of this machine, and more elsewhere", false, 7, 3, 7},
		{"of another machine", false, 3, 7, 7},
	} {
		ctx, p, h := newPortable(t, true)
		h.taken = Taken{Generation: 5, Same: s.same, Content: contentOf(t, browser.Memory{LastTab: s.there})}
		_, m, err := p.take(ctx, p.Setup(), browser.Memory{LastTab: s.here})
		if err != nil || m.LastTab != s.want {
			t.Errorf("%s: the last handle is t%d, want t%d; %v", s.name, m.LastTab, s.want, err)
		}
	}
}
