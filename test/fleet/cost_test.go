package fleet

import (
	"slices"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// A call that goes to a node costs little more than the same call to the server of this machine.
// The two calls are made in turn, so that other load on the machine slows down both. The bound is
// wide, because other tests may run; the figures are in the log.
func TestCost(t *testing.T) {
	b := newBroker(t)
	b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	page := service.Args{"url": site.URL + pages.HTML("<title>Cost</title><button>Go</button>")}
	local := here.OK(t, "POST /tabs/open", page).Text("tabId")
	far := here.OK(t, "POST /tabs/open?node=mac", page).Text("tabId")
	const calls = 300
	took := map[string][]time.Duration{}
	for i := range calls + 20 {
		for _, tab := range []string{local, far} {
			a := here.OK(t, "GET /snapshot?targetId="+tab, nil)
			if i >= 20 {
				took[tab] = append(took[tab], a.Took)
			}
		}
	}
	median := map[string]time.Duration{}
	for what, tab := range map[string]string{"here": local, "on a node": far} {
		all := took[tab]
		slices.Sort(all)
		median[tab] = all[len(all)/2]
		t.Logf("snapshot %s: 10th percentile %s, median %s, 99th percentile %s", what, all[len(all)/10], median[tab], all[len(all)*99/100])
	}
	if more := median[far] - median[local]; more > 5*time.Millisecond {
		t.Errorf("a routed call costs %s more", more)
	}
}
