package service

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"
)

// A Tab is a tab of the service's browser, in a test.
type Tab struct {
	testing.TB
	Service *Service
	ID      string
}

// Open opens an address in a tab, for the time of the test.
func (s *Service) Open(t testing.TB, address string) *Tab {
	t.Helper()
	tab := s.Tab(t, s.OK(t, "POST /tabs/open", Args{"url": address}).Text("tabId"))
	t.Cleanup(func() { s.Try(context.Background(), "DELETE /tabs/"+tab.ID, nil) })
	return tab
}

// Tab returns a tab that is already open, by its handle.
func (s *Service) Tab(t testing.TB, id string) *Tab { return &Tab{t, s, id} }

func (t *Tab) with(args Args) Args {
	args = maps.Clone(args)
	if args == nil {
		args = Args{}
	}
	args["targetId"] = t.ID
	return args
}

// Do sends a request about the tab.
func (t *Tab) Do(request string, args Args) Answer {
	t.Helper()
	if strings.HasPrefix(request, "GET ") {
		query := url.Values{}
		for name, value := range t.with(args) {
			query.Set(name, fmt.Sprint(value))
		}
		return t.Service.Do(t, request+"?"+query.Encode(), nil)
	}
	return t.Service.Do(t, request, t.with(args))
}

// OK does the same as Do, for a request that must succeed.
func (t *Tab) OK(request string, args Args) Answer {
	t.Helper()
	a := t.Do(request, args)
	if a.Status != 200 {
		t.Fatalf("%s %v: %d %s", request, args, a.Status, a.Raw)
	}
	return a
}

// Try does an act. It may be called while the test does other things.
func (t *Tab) Try(ctx context.Context, kind string, args Args) (Answer, error) {
	args = t.with(args)
	args["kind"] = kind
	return t.Service.Try(ctx, "POST /act", args)
}

// Act does an act that must succeed.
func (t *Tab) Act(kind string, args Args) Answer {
	t.Helper()
	a, err := t.Try(t.Context(), kind, args)
	if err != nil || a.Status != 200 {
		t.Fatalf("%s %v: %v %s", kind, args, err, a.Raw)
	}
	return a
}

// Click clicks the element whose line of the snapshot has these words.
func (t *Tab) Click(words string, args Args) Answer {
	t.Helper()
	args = t.with(args)
	args["ref"] = t.Ref(words)
	return t.Act("click", args)
}

// Eval runs a script in the page, and returns its result as text.
func (t *Tab) Eval(script string) string {
	t.Helper()
	return t.Act("evaluate", Args{"fn": script}).Text("result")
}

// Snapshot is the page as text.
func (t *Tab) Snapshot() string {
	t.Helper()
	return t.OK("GET /snapshot", nil).Text("snapshot")
}

// Ref finds the ref on the first line of a snapshot that has these words.
func (t *Tab) Ref(words string) string {
	t.Helper()
	text := t.Snapshot()
	for line := range strings.Lines(text) {
		if _, after, ok := strings.Cut(line, "[ref="); ok && strings.Contains(line, words) {
			ref, _, _ := strings.Cut(after, "]")
			return ref
		}
	}
	t.Fatalf("no %s in\n%s", words, text)
	return ""
}

// For returns the tab for a test within the test that opened it.
func (t *Tab) For(within testing.TB) *Tab { return &Tab{within, t.Service, t.ID} }

// Visit opens an address in the tab. It takes a third of the time of [Service.Open]. The tab's
// history and its event log still have the pages of previous tests.
func (t *Tab) Visit(address string) {
	t.Helper()
	t.OK("POST /navigate", Args{"url": address})
}
