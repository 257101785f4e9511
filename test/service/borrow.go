package service

import (
	"context"
	"net/url"
	"sync"
	"testing"
)

// idle are the handles of tabs that wait to be borrowed, by the state directory of their server. A
// later server may have the same address.
var idle = struct {
	sync.Mutex
	tabs map[string][]string
}{tabs: map[string][]string{}}

// Borrow opens an address for the time of the test, in a tab that other tests may have used before.
// That takes a third of the processor time of [Service.Open]. It is for tests that do not depend on
// what a tab keeps from one document to the next. A tab keeps its history, event log, settings and
// label, prepared answers to dialogs, and downloads that nobody has fetched. It also keeps the
// storage of its session, and the numbers of refs go on.
func (s *Service) Borrow(t testing.TB, address string) *Tab {
	t.Helper()
	tab := s.Tab(t, s.takeIdle())
	if tab.ID == "" {
		tab.ID = s.OK(t, "POST /tabs/open", Args{"url": address}).Text("tabId")
	} else {
		tab.Visit(address)
	}
	t.Cleanup(func() {
		if t.Failed() || !tab.leave(address) {
			s.Try(context.Background(), "DELETE /tabs/"+tab.ID, nil)
			return
		}
		idle.Lock()
		defer idle.Unlock()
		idle.tabs[s.Dir] = append(idle.tabs[s.Dir], tab.ID)
	})
	return tab
}

// takeIdle takes an idle tab of the server, "" if there is none.
func (s *Service) takeIdle() string {
	idle.Lock()
	defer idle.Unlock()
	tabs := idle.tabs[s.Dir]
	if len(tabs) == 0 {
		return ""
	}
	last := len(tabs) - 1
	idle.tabs[s.Dir] = tabs[:last]
	return tabs[last]
}

// leave puts the mouse at the edge of the page, where it hovers over nothing in the next one. It
// reports whether the tab can be used again. It cannot if the page is busy or shows a dialog. It
// also cannot if the page has frames, or is of another site than the address: Chromium may put
// frames of one site from several tabs into the same process.
func (t *Tab) leave(address string) bool {
	from, err := url.Parse(address)
	if err != nil {
		return false
	}
	a, err := t.Try(context.Background(), "batch", Args{"timeoutMs": 1000, "actions": []Args{
		{"kind": "mouseMove", "x": 0, "y": 0},
		{"kind": "evaluate", "fn": "location.origin + ' ' + length"},
	}})
	return err == nil && a.Text("results.1.result") == from.Scheme+"://"+from.Host+" 0"
}
