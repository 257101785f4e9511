package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/page"
)

// A page opens a tab and closes its own, and so on. Some pages close theirs only when the next one has
// opened another. The last tab does not keep those that are closed, but is still akin to what they have
// opened.
func TestChainOfPopups(t *testing.T) {
	for _, open := range []int{1, 2, 3} {
		b := saving("t1=A", nil)
		b.tabs.last = 1
		chain := b.tabs.list[:1:1]
		popup := func() *Tab {
			id := fmt.Sprint(b.tabs.last)
			t := newTab(b, page.Gone(id, "http://one.test/", page.Callbacks{}))
			b.listLocked(&newPage{tab: t, EventAttachedToTarget: target.EventAttachedToTarget{TargetInfo: &target.Info{TargetID: target.ID(id)}}}, chain[len(chain)-1])
			return t
		}
		sibling := popup()
		for range 10 {
			if chain = append(chain, popup()); len(chain) > open {
				b.tabs.remove(chain[0])
				chain = chain[1:]
			}
		}
		last := chain[open-1]
		closed := 0
		for x := last.opener; x != nil; x = x.opener {
			if !slices.Contains(b.tabs.list, x) {
				closed++
			}
		}
		if closed > 1 {
			t.Errorf("of %d open tabs, the last one keeps %d that are closed", open, closed)
		}
		if kin := last.Kin(); len(kin) != open || !slices.Contains(kin, sibling) {
			t.Errorf("of %d open tabs, the kin of the last one is %s, want %s among them", open, ids(kin), sibling.ID)
		}
	}
}
