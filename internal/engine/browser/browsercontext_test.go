package browser

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/test/long"
)

// A browser that chela has launched has no browser context for an unknown id. Any other browser
// makes one, as the user's. It is never the default one.
func TestTabOfAnUnknownContext(t *testing.T) {
	b := &Browser{about: Description{Own: true}, defaultContextID: "S", otherContexts: map[protocol.BrowserContextID]*BrowserContext{}}
	isolated := b.isolateLocked("a")
	isolated.id = "A"
	for id, want := range map[protocol.BrowserContextID]*BrowserContext{"": &b.BrowserContext, "S": &b.BrowserContext, "A": isolated, "X": nil} {
		if got := b.contextOfLocked(id); got != want {
			t.Errorf("%q: %v, want %v", id, got, want)
		}
	}
	b.about.Own = false
	if user := b.contextOfLocked("X"); user == nil || user == &b.BrowserContext || user.id != "X" || b.contextOfLocked("X") != user {
		t.Errorf("of the user: %v", user)
	}
	// Chromium has not named its default context, so the first unknown id is taken for it: ids of
	// isolated contexts are known before their pages.
	b.defaultContextID = ""
	if got := b.contextOfLocked("Y"); got != &b.BrowserContext || b.contextOfLocked("Z") == got {
		t.Errorf("the first that is not known: %v", got)
	}
}

// Another program may make a browser context for each of its jobs. Those in which no tab is are
// forgotten, and a tab that is still there keeps its context.
func TestContextsOfUsersAreForgotten(t *testing.T) {
	b := &Browser{defaultContextID: "S", otherContexts: map[protocol.BrowserContextID]*BrowserContext{}}
	kept := b.contextOfLocked("kept")
	b.tabs.list = []*Tab{{context: kept}}
	for i := range 3 * maxUserContexts {
		b.contextOfLocked(protocol.BrowserContextID(fmt.Sprint(i)))
	}
	if n := len(b.otherContexts); n > maxUserContexts || b.contextOfLocked("kept") != kept {
		t.Errorf("%d contexts, want at most %d, with the one that has a tab", n, maxUserContexts)
	}
}

// A session that opens a tab keeps its browser context, even if it was not used for long.
func TestContextOfASessionThatComesBack(t *testing.T) {
	b := owned("")
	bc := b.isolateLocked("a")
	b.tabs.of("a").last = time.Now().Add(-time.Hour)
	if got, err := b.Session("a").browserContext(); got != bc || err != nil {
		t.Fatalf("%v, %v", got, err)
	}
	if got := b.tabs.sweep(Cleanup{Idle: time.Minute}, time.Now()); len(got.expired) > 0 {
		t.Error("a sweep removes the context while the tab is being opened")
	}
}

// If the browser context of a session was removed, no tab is opened for the session. The tab would be
// in the default context, with the cookies of the user.
func TestNoTabWithoutItsContext(t *testing.T) {
	b := saving("", nil)
	if tab, err := b.isolateLocked("a").createTab(createParams{}); err != page.ErrClosed {
		t.Errorf("%v, %v", tab, err)
	}
}

// Callers may use a new isolated session for each job, and end none. Each stays isolated, since its
// next tab would have the user's cookies otherwise. When there are too many, those are forgotten that
// were unused for a day. If there are none of these, no other session is isolated.
func TestIsolatedSessionsStayIsolated(t *testing.T) {
	b := saving("t1=A", nil)
	var contexts []*BrowserContext
	for i := range maxIsolated {
		key := fmt.Sprint(i)
		bc := b.isolateLocked(key)
		bc.id, b.tabs.of(key).last = protocol.BrowserContextID(key), time.Now()
		contexts = append(contexts, bc)
	}
	b.tabs.list[0].context = contexts[0]
	b.disposeUnusedLocked()
	if n := len(b.isolatedContextsLocked()); n != maxContexts+1 || contexts[0].id == "" || contexts[1].id != "" {
		t.Errorf("%d browser contexts are left, want %d and the one with a tab", n, maxContexts)
	}
	if bc, err := b.Session("1").browserContext(); bc != contexts[1] || err != nil {
		t.Errorf("the session that was unused for longest gets %v, %v", bc, err)
	}
	if err := b.Session("new").Isolate(); err != ErrTooManyIsolated || b.Session("1").Isolate() != nil {
		t.Errorf("one more: %v", err)
	}
	for days, key := range []string{"4", "3", "2", "0"} { // 0 has a tab
		b.tabs.of(key).last = time.Now().Add(-time.Duration(days) * unusedTime)
	}
	next := saving("t1=A", nil)
	if next.restore(b.memory().Closed()); len(next.tabs.isolated()) != maxIsolated {
		t.Errorf("%d sessions are isolated in the next browser", len(next.tabs.isolated()))
	}
	next.tabs.list[0].context = next.isolateLocked("0")
	for _, key := range []string{"new", "newer"} {
		if err := next.Session(key).Isolate(); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if err := next.Session("newest").Isolate(); err != ErrTooManyIsolated {
		t.Errorf("all others were used within a day: %v", err)
	}
	for key, want := range map[string]bool{"0": true, "1": true, "2": false, "3": false, "4": true, "new": true, "newest": false} {
		if u := next.tabs.uses[key]; (u != nil && u.context != nil) != want {
			t.Errorf("session %s is isolated: %v", key, !want)
		}
	}
}

// If the browser context of a session that was not used for long is removed, nothing of it is left for
// the next one. The answer about the session's next tab says so.
func TestEmptiedSession(t *testing.T) {
	b := saving("t1=A", nil)
	tab, bc := b.tabs.list[0], b.isolateLocked("a")
	tab.context, bc.id = bc, "X"
	bc.grants, bc.pending = []Grant{{Origin: "http://one"}}, pendingSessions{"http://one": nil}
	bc.visit("http://one/")
	if tab.TakeEmptied("a") {
		t.Error("before that")
	}
	bc.disposeLocked()
	if bc.id != "" || bc.grants != nil || bc.pending != nil || bc.visited != nil || b.tabs.of("a").context != bc {
		t.Errorf("left are %v, %v, %v", bc.grants, bc.pending, bc.visited)
	}
	if tab.TakeEmptied("b") || tab.TakeEmptied("") {
		t.Error("it is reported to others")
	}
	if !tab.TakeEmptied("a") || tab.TakeEmptied("a") {
		t.Error("it is not reported, or more than once")
	}
}

// An isolated session is emptied with its browser. Its next answer may be about a new tab, and not about
// one that the lost browser had.
func TestEmptiedWithTheBrowser(t *testing.T) {
	b := saving("t1=A", nil)
	b.restore(Memory{Isolated: []string{"a"}, Tabs: []SavedTab{{ID: "t2", Isolated: "a"}}})
	fresh := newTab(b, nil)
	fresh.context = b.isolateLocked("a")
	if !fresh.TakeEmptied("a") {
		t.Error("a new tab does not report it")
	}
	if lost := b.tabs.byID("t2").lost; !slices.Contains(lost, "cookies and storage of the isolated session") {
		t.Errorf("the restored tab has lost %q", lost)
	}
}

// If a session or its call ends while its browser context or its first tab is being made, neither
// the context nor the tab stays.
func TestEndWhileIsolatedTabsOpen(t *testing.T) {
	long.Test(t)
	ctx, b := start(t)
	for i := range 12 {
		s := b.Session("a")
		s.Isolate()
		limited, cancel := context.WithTimeout(ctx, time.Duration(i%4)*10*time.Millisecond)
		opened := make(chan *Tab, 1)
		go func() {
			within := ctx
			if i%2 == 0 {
				within = limited
			}
			tab, err := s.Open(within)
			if err != nil {
				tab = nil
			}
			opened <- tab
		}()
		<-limited.Done()
		cancel()
		if _, err := s.End(ctx); err != nil {
			t.Fatal(err)
		}
		if tab := <-opened; tab != nil && tab.BrowserContext() == &b.BrowserContext { // the call came after the end, so its session is a new one
			if err := tab.Close(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.background.work.Wait() // tabs and contexts that were being made
	res, err := cdp.Call(ctx, b.conn.Root(), target.GetBrowserContexts, protocol.Empty{})
	if err != nil || len(res.BrowserContextIDs) > 0 {
		t.Errorf("browser contexts %v are left, %v", res.BrowserContextIDs, err)
	}
	for _, tab := range b.all() {
		if tab.BrowserContext() != &b.BrowserContext || tab.ID != "" {
			t.Errorf("tab %q of session %q is left", tab.ID, tab.context.isolated)
		}
	}
}
