//go:build unix

package fleet

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// counter is a page whose button counts its clicks in the title.
var counter = pages.HTML(`<title>0</title><button onclick="document.title = +document.title + 1">Go</button>`)

// A node that is killed is noticed within two seconds. The answer of its call says whether the act
// was done, as far as that is known. The name of the node is free then.
func TestKilledNode(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML("<title>Busy</title>")})
	done := make(chan service.Answer)
	go func() {
		a, _ := here.Try(t.Context(), "POST /act", service.Args{"targetId": "mac/t1", "kind": "evaluate", "fn": "() => new Promise(() => {})"})
		done <- a
	}()
	service.Eventually(t, "the call is on the node", func() bool {
		a, _ := here.Try(t.Context(), "GET /tabs?node=mac", nil)
		return strings.Contains(a.Raw, "Busy")
	})
	mac.Kill()
	killed := time.Now()
	a := <-done
	a.Fails(t, 502, "NODE_LOST", "node mac does not answer any more")
	a.Has(t, "details.sent", "unknown")
	if took := time.Since(killed); took > 2*time.Second+service.Slack() {
		t.Errorf("noticed after %s", took)
	}
	b.newNode(t, "mac", "")
}

// NATS may end and start again: no act is done twice, and no answer is lost.
func TestRestartedNATS(t *testing.T) {
	b := newBroker(t)
	b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	const agents = 4
	var acting sync.WaitGroup
	stop := make(chan struct{})
	counts := make([]int, agents)
	for i := range agents {
		agent := here.In(fmt.Sprint("agent", i))
		tab := agent.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + counter}).Text("tabId")
		agent.OK(t, "GET /snapshot?targetId="+tab, nil)
		acting.Go(func() {
			for {
				select {
				case <-stop:
					if title := fmt.Sprint(counts[i]); !strings.Contains(agent.OK(t, "GET /tabs", nil).Raw, fmt.Sprintf(`"title":%q`, title)) {
						t.Errorf("agent %d has clicked %s times, and its tabs are %s", i, title, agent.OK(t, "GET /tabs", nil).Raw)
					}
					return
				default:
				}
				a, err := agent.Try(t.Context(), "POST /act", service.Args{"targetId": tab, "kind": "click", "ref": "e1"})
				if err != nil || a.Status != 200 {
					t.Errorf("agent %d: %v %s", i, err, a.Raw)
					return
				}
				counts[i]++
			}
		})
	}
	for range 3 {
		time.Sleep(300 * time.Millisecond) // some acts happen meanwhile
		b.kill()
		b.start()
	}
	close(stop)
	acting.Wait()
}

// A node that was stopped for a while does none of the calls that came meanwhile and were given up.
func TestStoppedNode(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	tab := here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + counter}).Text("tabId")
	here.OK(t, "GET /snapshot?targetId="+tab, nil)
	stopProcess(t, mac.PID())
	a := here.Do(t, "POST /act", service.Args{"targetId": tab, "kind": "click", "ref": "e1"})
	a.Fails(t, 502, "NODE_LOST", "does not answer")
	continueProcess(t, mac.PID())
	service.Eventually(t, "the node is back", func() bool {
		a, _ := here.Try(t.Context(), "GET /tabs?node=mac", nil)
		return a.Status == 200
	})
	if a := here.OK(t, "GET /tabs?node=mac", nil); !strings.Contains(a.Raw, `"title":"0"`) {
		t.Errorf("the click that was given up was done: %s", a.Raw)
	}
}

// At its end a node takes nothing new, and waits for the tabs of others.
func TestDrainingNode(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "", "--drain", "1m")
	here := b.newCaller(t, "")
	shop := here.In("shop")
	tab := shop.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + counter}).Text("tabId")
	ended := make(chan error)
	go func() { ended <- mac.Close() }()
	service.Eventually(t, "the node takes nothing new", func() bool {
		a, _ := here.In("new").Try(t.Context(), "GET /tabs?node=mac", nil)
		return a.Status == 503 && strings.Contains(a.Raw, "takes nothing new")
	})
	shop.OK(t, "GET /snapshot?targetId="+tab, nil)
	select {
	case err := <-ended:
		t.Fatalf("the node has ended: %v", err)
	default:
	}
	shop.OK(t, "DELETE /tabs/"+strings.ReplaceAll(tab, "/", "%2F"), nil)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
