package browser

import "testing"

// What becomes of a tab whose target is destroyed depends on who closed it.
func TestDestroyed(t *testing.T) {
	for _, s := range []struct {
		name             string
		target           string
		list, vanished   string
		current, pending string
	}{
		{"a tab that we close", "A", "t2", "", "", "t3"},
		{"a tab that closes itself", "B", "t1", "t2", "t1", "t3"},
		{"one that is not listed", "C", "t1 t2", "", "t1", ""},
		{"one that is not known", "D", "t1 t2", "", "t1", "t3"},
	} {
		b := &Browser{changed: make(chan struct{}), closing: map[string]bool{"A": true}, tabs: *listed("t1=A t2=B")}
		b.tabs.use(b.tabs.byID("t1"))
		b.unlisted.list = listed("t3=C").list
		b.unlisted.list[0].ID = "" // it has no handle yet
		b.destroyed(s.target)
		current := ""
		if b.tabs.current != nil {
			current = b.tabs.current.ID
		}
		if ids(b.tabs.list) != s.list || ids(b.swaps.vanished) != s.vanished || current != s.current || (len(b.unlisted.list) == 1) != (s.pending != "") {
			t.Errorf("%s: listed %s, vanished %s, current %s, not listed %d", s.name, ids(b.tabs.list), ids(b.swaps.vanished), current, len(b.unlisted.list))
		}
		if s.target == "A" && b.closing["A"] {
			t.Errorf("%s: it is still being closed", s.name)
		}
	}
}
