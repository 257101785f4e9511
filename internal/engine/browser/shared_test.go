package browser

import (
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// A shared tab that gets a new target stays one tab, also in the list.
func TestSharedTabWithANewTarget(t *testing.T) {
	b := owned("t1: t2: t3:")
	b.shared = map[string]cdp.SharedTab{"AAA": {TargetID: "AAA", Handle: "t2"}}
	b.conn = endedConn()
	tab := b.tabs.byID("t2")
	tab.journal, tab.control = journal.New(nil), new(page.Control)
	b.takeSharedLocked("AAA")
	if got := ids(b.tabs.list); got != "t1 t2" || tab.page.ID != "AAA" {
		t.Errorf("listed are %s, and t2 has the target %s", got, tab.page.ID)
	}
	if found, err := b.Session("").Find("t2"); found != tab || err != nil {
		t.Errorf("t2 is %v, %v", found, err)
	}
}
