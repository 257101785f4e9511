package tab

import (
	"context"
	"sync"
	"testing"
	"time"

	"chela/internal/browser"
	"chela/internal/page"
)

// idle are the tabs of the shared browser that wait to be borrowed.
var idle struct {
	sync.Mutex
	tabs []*browser.Tab
}

// Borrow opens a page of test/pages in a tab in which other tests may have been,
// for the time of the test. That takes half the time of [Open], which has Chromium
// make a window and a process. It is for tests that do not depend on what a tab
// keeps from one document to the next: its history, its settings, its dialogs, the
// storage of its session, and where the numbers of refs begin.
func Borrow(t testing.TB, path string) *Tab {
	t.Helper()
	tt := take(t)
	if tt == nil {
		tt = open(t)
	}
	t.Cleanup(func() { tt.giveBack() })
	tt.navigate(path)
	return tt
}

// take takes an idle tab, nil if there is none.
func take(t testing.TB) *Tab {
	idle.Lock()
	defer idle.Unlock()
	last := len(idle.tabs) - 1
	if last < 0 {
		return nil
	}
	tab := idle.tabs[last]
	idle.tabs = idle.tabs[:last]
	return of(t, tab)
}

// giveBack makes the tab idle, with the mouse at the edge of the page, where it
// hovers over nothing in the next one. A tab that does not take the mouse, because
// its page is busy or asks something, or has ended, is closed, and so is the tab of a
// test that failed.
func (t *Tab) giveBack() {
	aside := func(ctx context.Context) error { return t.MouseMove(ctx, page.Point{}) }
	if t.Failed() || t.InTurn(time.Second, aside) != nil {
		t.close()
		return
	}
	idle.Lock()
	defer idle.Unlock()
	idle.tabs = append(idle.tabs, t.tab)
}
