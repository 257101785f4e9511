package relay

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// Agents work in tabs of their own while the worker and its process die. Each call is answered, none
// of them hits a tab that is not there, and all works again when the deaths are over.
func TestAgentsOutliveDeaths(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	t.Cleanup(site.Close)
	s, p := withChela(t)
	page := site.URL + pages.HTML("<title>Count</title><button onclick='this.textContent=+this.textContent+1'>0</button>")
	ok(t, s, "POST /start?profile=chrome", "")
	var tabs []string
	for range 3 {
		tabs = append(tabs, ok(t, s, "POST /tabs/open?profile=chrome", fmt.Sprintf(`{"url": %q}`, page)).Text("tabId"))
	}
	for _, tab := range tabs {
		ok(t, s, "GET /snapshot?profile=chrome&targetId="+tab, "") // it gives the button its ref
	}
	ctx, end := context.WithCancel(t.Context())
	var working sync.WaitGroup
	for _, tab := range tabs {
		working.Go(func() { work(ctx, t, s, tab) })
	}
	for i := range *deaths {
		if i%2 == 0 {
			p.stopWorker()
		} else {
			p.killExtension()
		}
		began := time.Now()
		p.until("a call succeeds", func() bool {
			a, err := s.TryText(t.Context(), "GET /snapshot?profile=chrome&targetId="+tabs[0], "")
			return err == nil && a.Status == http.StatusOK
		})
		if away := time.Since(began); away > mostAway {
			t.Errorf("death %d: a snapshot after %v", i, away)
		} else {
			t.Logf("death %d: a snapshot after %v", i, away)
		}
	}
	end()
	working.Wait()
	for _, tab := range tabs {
		ok(t, s, "GET /snapshot?profile=chrome&targetId="+tab, "")
		ok(t, s, "POST /act?profile=chrome", fmt.Sprintf(`{"kind": "click", "ref": "e1", "targetId": %q}`, tab))
	}
}

var deaths = flag.Int("deaths", 10, "how often the worker dies while agents work")

// work reads and clicks until ctx ends. A call that a death has hit says so by its status.
func work(ctx context.Context, t *testing.T, s *service.Service, tab string) {
	for ctx.Err() == nil {
		for _, c := range [][2]string{
			{"GET /snapshot?profile=chrome&targetId=" + tab, ""},
			{"POST /act?profile=chrome", fmt.Sprintf(`{"kind": "click", "ref": "e1", "targetId": %q}`, tab)},
		} {
			a, err := s.TryText(t.Context(), c[0], c[1])
			if err != nil {
				t.Error(err)
			} else if a.Status != http.StatusOK && a.Status != http.StatusBadGateway && a.Status != http.StatusGatewayTimeout {
				t.Errorf("%s: %d %s", c, a.Status, a.Raw)
			}
		}
	}
}
