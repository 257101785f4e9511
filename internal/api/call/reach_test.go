package call

import (
	"testing"

	"chela/internal/op"
)

// A guest's tab is in one browser. In another one, the same handle is of another tab.
func TestGuestsStayInTheirBrowser(t *testing.T) {
	for _, row := range []struct {
		guest op.Guest
		now   string
		ok    bool
	}{
		{op.Guest{}, "work", true},
		{op.Guest{Share: "s1", Browser: "work"}, "work", true},
		{op.Guest{Share: "s1", Browser: "work"}, "private", false},
		{op.Guest{Share: "s1"}, "", true},
	} {
		if err := checkGuest(op.WithGuest(t.Context(), row.guest), row.now); (err == nil) != row.ok {
			t.Errorf("%+v in %q: %v", row.guest, row.now, err)
		}
	}
}
