package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/page"
)

// A page opens a tab and closes its own, and so on. The last tab does not keep those before it, but
// is still akin to what they have opened.
func TestChainOfPopups(t *testing.T) {
	b := saving("t1=A", nil)
	last := b.tabs.byID("t1")
	b.tabs.last = 1
	var sibling *Tab
	for i := range 10 {
		next := newTab(b, page.Gone(fmt.Sprint(i), "http://one.test/", page.Callbacks{}))
		b.listLocked(&newPage{tab: next, EventAttachedToTarget: target.EventAttachedToTarget{TargetInfo: &target.Info{TargetID: target.ID(fmt.Sprint(i))}}}, last)
		if sibling == nil {
			sibling = next
			continue
		}
		b.tabs.remove(last)
		last = next
	}
	kept := 0
	for x := last.opener; x != nil; x = x.opener {
		kept++
	}
	if kept > 1 {
		t.Errorf("the last tab keeps %d that are closed", kept)
	}
	if kin := last.Kin(); len(kin) != 1 || kin[0] != sibling {
		t.Errorf("its kin is %s, want %s", ids(kin), sibling.ID)
	}
}
