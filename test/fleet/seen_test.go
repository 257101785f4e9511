package fleet

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// The list of nodes says in which state each one is, and the metrics of both sides count the calls.
func TestSeen(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "", "--labels", "gpu=no,region=eu")
	b.newNode(t, "linux", "")
	here := b.newCaller(t, "")
	var a service.Answer
	service.Eventually(t, "both nodes have answered the new caller", func() bool {
		a = here.OK(t, "GET /fleet", nil)
		return a.Count("nodes") == 2
	})
	for path, want := range map[string]string{
		"connected": "true", "nats": b.url(), "nodes.0.name": "linux", "nodes.1.name": "mac", "nodes.1.healthy": "true", "nodes.1.draining": "false",
		"nodes.1.labels.region": "eu", "nodes.1.tabs": "0", "nodes.1.version": "test", "nodes.1.queue": "0", "nodes.1.load.calls": "0",
	} {
		a.Has(t, path, want)
	}
	tab := here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML("<title>Seen</title><button>Go</button>")}).Text("tabId")
	here.OK(t, "GET /snapshot?targetId="+tab, nil)
	here.OK(t, "POST /act", service.Args{"kind": "click", "ref": "e1", "targetId": tab})
	here.Do(t, "POST /act", service.Args{"kind": "click", "ref": "e99", "targetId": tab}).Fails(t, 404, "unknown_ref", "e99")
	service.Eventually(t, "the list has the tab", func() bool { return here.OK(t, "GET /fleet", nil).Text("nodes.1.tabs") == "1" })
	expectMetrics(t, here.Service, "here", `chela_fleet_nodes{state="healthy"} 2`, "chela_fleet_connected 1")
	expectMetrics(t, mac.Service, "fleet", `chela_tabs{profile="chela"} 1`, `chela_browser_memory_bytes{profile="chela"} `, "chela_turn_wait_seconds_count ")
	shop := here.In("shop")
	shop.OK(t, "POST /tabs/open", service.Args{"url": site.URL, "isolated": true, "allowHosts": []string{"127.0.0.1"}})
	shop.Do(t, "GET /fleet", nil).Fails(t, 403, "forbidden", "may not call fleet")
}

// expectMetrics fails the test if a server lacks one of these metrics, or has not counted calls
// from this origin.
func expectMetrics(t *testing.T, s *service.Service, from string, lines ...string) {
	t.Helper()
	var text string
	for line := range s.Follow(t, "/metrics") {
		text += "\n" + line
	}
	lines = append(lines,
		fmt.Sprintf(`chela_calls_total{code="ok",from=%q,operation="click"} 1`, from),
		fmt.Sprintf(`chela_calls_total{code="unknown_ref",from=%q,operation="click"} 1`, from),
		`chela_call_seconds_count{operation="click"} 2`, "chela_calls_running 0", `chela_dropped_total{kind="events"} 0`)
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("the metrics lack %s:\n%s", line, text)
		}
	}
}

// Without a fleet the list is empty, and without a token there are no metrics.
func TestSeenWithoutFleet(t *testing.T) {
	here := service.Run(t, stateDir(t, ""))
	a := here.OK(t, "GET /fleet", nil)
	a.Has(t, "nats", "")
	if a.Count("nodes") != 0 {
		t.Errorf("there are nodes: %s", a.Raw)
	}
	resp, err := http.Get(here.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token, the status is %d", resp.StatusCode)
	}
}
