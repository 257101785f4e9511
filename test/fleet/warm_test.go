package fleet

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// A node that keeps browsers ready gives a session without tabs an empty tab within 50 ms. A page
// is also rendered without waiting for a tab. The bound is wide, because other tests may run; the
// figures are in the log, beside those of a node that keeps none ready.
func TestWarm(t *testing.T) {
	const calls = 20
	b := newBroker(t)
	b.newNode(t, "warm", `{fleet: {warm: 2},`)
	b.newNode(t, "cold", "")
	here := b.newCaller(t, "")
	w := b.watch(t)
	page := site.URL + pages.HTML("<title>Warm</title><p>Words")
	for _, node := range []string{"warm", "cold"} { // so that the browsers of both nodes have started
		here.OK(t, "POST /render?node="+node, service.Args{"url": page, "mode": "extract", "wait_seconds": 0})
		here.OK(t, "POST /tabs/open?node="+node, service.Args{"url": "about:blank"})
	}
	took := map[string][]time.Duration{}
	for i := range calls {
		for _, node := range []string{"warm", "cold"} {
			service.Eventually(t, "tabs are ready", func() bool { return w.load("warm").Warm == 4 })
			session := here.In(fmt.Sprint("session", i))
			open := session.OK(t, "POST /tabs/open?node="+node, service.Args{"url": "about:blank"})
			session.OK(t, "DELETE /tabs/"+node+"%2F"+open.Text("tabId")[len(node)+1:], nil)
			render := session.OK(t, "POST /render?node="+node, service.Args{"url": page, "mode": "extract", "wait_seconds": 0})
			took["a tab, "+node], took["a page, "+node] = append(took["a tab, "+node], open.Took), append(took["a page, "+node], render.Took)
		}
	}
	median := func(what string) time.Duration {
		all := took[what]
		slices.Sort(all)
		t.Logf("%s: median %s, 90th percentile %s", what, all[len(all)/2], all[len(all)*9/10])
		return all[len(all)/2]
	}
	if tab := median("a tab, warm"); tab > 500*time.Millisecond {
		t.Errorf("a tab was had in %s", tab)
	}
	for _, what := range []string{"a tab, cold", "a page, warm", "a page, cold"} {
		median(what)
	}
}
