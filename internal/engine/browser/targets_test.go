package browser

import (
	"fmt"
	"strings"
	"testing"
)

// What happens to a tab whose target is destroyed depends on who closed the target.
func TestDestroyed(t *testing.T) {
	for _, s := range []struct {
		name, target, list, vanished, current string
		unlisted                              int
	}{
		{"a tab that we close", "A", "t2", "", "t1", 1},
		{"a tab that closes itself", "B", "t1", "t2", "t1", 1},
		{"one that is not listed", "C", "t1 t2", "", "t1", 0},
		{"one that is not known", "D", "t1 t2", "", "t1", 1},
	} {
		b := &Browser{changed: make(chan struct{}), closing: map[string]bool{"A": true}, tabs: *listed("t1=A t2=B")}
		b.tabs.use("", b.tabs.byID("t1"))
		b.unlisted.list = listed("t3=C").list
		b.unlisted.list[0].ID = "" // a tab that is not listed has no handle
		b.onDestroyed(s.target)
		current := b.tabs.current("")
		list, vanished, unlisted := ids(b.tabs.list), ids(b.swaps.vanished), len(b.unlisted.list)
		if list != s.list || vanished != s.vanished || current != s.current || unlisted != s.unlisted {
			t.Errorf("%s: listed %s, vanished %s, current %s, not listed %d", s.name, list, vanished, current, unlisted)
		}
		if s.target == "A" && b.closing["A"] {
			t.Errorf("%s: it is still being closed", s.name)
		}
	}
}

// Tabs whose targets have gone are collected until a call looks for a tab. There may be no such call
// for days, so their number is bounded.
func TestVanishedTabsAreBounded(t *testing.T) {
	var words []string
	for i := range 3 * maxSwaps {
		words = append(words, fmt.Sprintf("t%d=T%d", i, i))
	}
	b := &Browser{changed: make(chan struct{}), closing: map[string]bool{}, tabs: *listed(strings.Join(words, " "))}
	for i := range words {
		b.onDestroyed(fmt.Sprintf("T%d", i))
	}
	if n := len(b.swaps.vanished); n > maxSwaps {
		t.Errorf("%d tabs are kept that no longer exist, want at most %d", n, maxSwaps)
	}
}
