package tab

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/test/chromium"
)

// idle are the tabs of the shared browser that wait to be borrowed.
var idle struct {
	sync.Mutex
	tabs []*browser.Tab
}

// Borrow opens a page of test/pages for the time of the test, in a tab that other tests may have
// used before. That takes half the time of [Open], which has Chromium make a window and a process.
// It is for tests that do not depend on what a tab keeps from one document to the next. A tab keeps
// its history, its settings, its dialogs and the storage of its session, and the numbers of refs go
// on.
func Borrow(t testing.TB, path string) *Tab {
	t.Helper()
	chromium.Skip(t)
	tt := take(t)
	if tt == nil {
		tt = open(t)
	}
	t.Cleanup(func() { tt.giveBack() })
	tt.Visit(path)
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

// giveBack makes the tab idle. It closes the tab instead if the test has failed, or if the tab
// should not be used again.
func (t *Tab) giveBack() {
	if t.Failed() || t.InTurn(time.Second, t.leave) != nil {
		t.close()
		return
	}
	idle.Lock()
	defer idle.Unlock()
	idle.tabs = append(idle.tabs, t.tab)
}

// leave puts the mouse at the edge of the page, where it hovers over nothing in the next one. It
// fails if the page is busy, shows a dialog or has ended. It also fails if the page has frames or
// is of another site. Chromium may put frames of one site from several tabs into the same process,
// and then they would hang or crash together.
func (t *Tab) leave(ctx context.Context) error {
	if err := t.MouseMove(ctx, page.Point{}); err != nil {
		return err
	}
	raw, _, err := t.Evaluate(ctx, "location.origin + ' ' + length", nil)
	if err == nil && string(raw) != fmt.Sprintf("%q", Site.URL+" 0") {
		err = fmt.Errorf("the page is at %s", raw)
	}
	return err
}
