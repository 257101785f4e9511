package fleet

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// A span is a span as the collector gets it.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
}

// A collector gets spans, by OTLP over HTTP.
type collector struct {
	*httptest.Server

	mu    sync.Mutex // guards the rest
	spans []span
}

// newCollector starts a collector. Servers that are started from now on send it their spans.
func newCollector(t *testing.T) *collector {
	t.Helper()
	c := new(collector)
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			ResourceSpans []struct{ ScopeSpans []struct{ Spans []span } }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range body.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
	return c
}

// tree returns the spans of a trace as text: each with its children in brackets.
func (c *collector) tree(trace string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := map[string]bool{}
	for _, s := range c.spans {
		ids[s.SpanID] = true
	}
	var below func(parent string, isRoot bool) string
	below = func(parent string, isRoot bool) string {
		var names []string
		for _, s := range c.spans {
			if s.TraceID == trace && (s.ParentSpanID == parent && !isRoot || isRoot && !ids[s.ParentSpanID]) {
				text := s.Name
				if inner := below(s.SpanID, false); inner != "" {
					text += "(" + inner + ")"
				}
				names = append(names, text)
			}
		}
		slices.Sort(names) // spans come in the order of their ends
		return strings.Join(names, " ")
	}
	return below("", true)
}

// A click is a span of its caller's trace, and its stages are spans below it. If a node does the
// click, its stages are below the span of the hop.
func TestTraces(t *testing.T) {
	b := newBroker(t)
	spans := newCollector(t)
	b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	page := service.Args{"url": site.URL + pages.HTML("<title>Traced</title><button>Go</button>")}
	for _, test := range []struct{ node, trace, want string }{
		{"", "0af7651916cd43dd8448eb211c80319c", "click(reach turn(act after) wait)"},
		{"?node=mac", "1bf7651916cd43dd8448eb211c80319c", "click(hop(click(reach turn(act after) wait)))"},
	} {
		tab := here.OK(t, "POST /tabs/open"+test.node, page).Text("tabId")
		here.OK(t, "GET /snapshot?targetId="+tab, nil)
		body := service.Args{"kind": "click", "ref": "e1", "targetId": tab}
		if a := here.WithHeader("traceparent", "00-"+test.trace+"-b7ad6b7169203331-01").OK(t, "POST /act", body); a.Text("ok") != "true" {
			t.Errorf("the click answers %s", a.Raw)
		}
		service.Eventually(t, "the spans of a click are "+test.want, func() bool { return spans.tree(test.trace) == test.want })
	}
}
