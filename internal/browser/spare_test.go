package browser

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"chela/internal/cdp"
	"chela/internal/chrome"
	"chela/internal/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a browser for the time of a test.
func start(t *testing.T) (context.Context, *Browser) {
	t.Helper()
	return startWith(t, Options{})
}

func startWith(t *testing.T, o Options) (context.Context, *Browser) {
	t.Helper()
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	host, err := Launch(ctx, chrome.Options{Executable: found, UserDataDir: t.TempDir(), Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(ctx, host, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return ctx, b
}

// stocked waits until a tab is in store, and returns its page.
func stocked(ctx context.Context, t *testing.T, b *Browser) (p *page.Page) {
	t.Helper()
	err := b.await(ctx, func() bool {
		if b.unlisted.spare != nil {
			p = b.unlisted.spare.page
		}
		return p != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Nobody sees the tab in store until a call takes it.
func TestStore(t *testing.T) {
	ctx, b := start(t)
	stored := stocked(ctx, t, b)
	if tabs := b.Tabs(ctx); len(tabs) != 0 {
		t.Errorf("listed: %+v", tabs)
	}
	if found, err := b.Find(stored.ID); err == nil {
		t.Errorf("found as %q", found.ID)
	}
	first, err := b.Open(ctx)
	if err != nil || first.ID != "t1" || first.Page() != stored {
		t.Fatalf("opened %v, %v; want t1, from the store", first, err)
	}
	second, err := b.Open(ctx)
	if err != nil || second.ID != "t2" {
		t.Fatalf("opened %v, %v; want t2, made for the call", second, err)
	}
	stocked(ctx, t, b)
	if err := errors.Join(first.Close(ctx), second.Close(ctx)); err != nil {
		t.Error(err)
	}
}

// A tab that has died in store, or was closed there, is no tab to give away.
func TestStoreOfDeadTabs(t *testing.T) {
	ctx, b := start(t)
	crash := func(p *page.Page) {
		p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, "chrome://crash") })
		if err := p.Watch(ctx, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }); !errors.Is(err, page.ErrCrashed) {
			t.Error(err)
		}
	}
	closed := func(p *page.Page) {
		cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
		<-p.Ended()
	}
	for _, kill := range []func(*page.Page){crash, closed} {
		stored := stocked(ctx, t, b)
		kill(stored)
		tab, err := b.Open(ctx)
		if err != nil || tab.Page() == stored || tab.Page().Err() != nil {
			t.Errorf("opened %v, %v", tab, err)
		}
	}
}

// A tab without an opener may be one that we asked for until all commands have
// their answers; then those that nobody asked for are given up.
func TestUnlisted(t *testing.T) {
	known := map[string]*Tab{}
	all := tabs("t1@about:blank t2@ t3@about:blank t4@a", known)
	u := unlisted{}
	if u.admit(all[0]) {
		t.Error("admitted, though none was asked for")
	}
	u.asked = 2
	for i, want := range []bool{true, true, true, false} {
		if got := u.admit(all[i]); got != want {
			t.Errorf("%s is admitted: %v", all[i].ID, got)
		}
	}
	known["t1"].ordered = true
	if got := ids(u.settle()); got != "" {
		t.Errorf("given up too early: %s", got)
	}
	known["t3"].ordered = true
	if got := ids(u.settle()); got != "t2" || ids(u.tabs) != "t1 t3" {
		t.Errorf("given up %s, left %s", got, ids(u.tabs))
	}
	u.spare = known["t1"]
	if u.drop(known["t1"]); u.spare != nil || ids(u.tabs) != "t3" {
		t.Errorf("dropped, but spare %v, left %s", u.spare, ids(u.tabs))
	}
}

// A tab that comes after its caller has given up becomes the spare one, and is
// never listed.
func TestTabAfterTheDeadline(t *testing.T) {
	ctx, b := start(t)
	b.mu.Lock()
	b.unlisted.refilling = true // no other spare tab is made
	b.mu.Unlock()
	gaveUp, cancel := context.WithCancel(ctx)
	cancel()
	if tab, err := b.Open(gaveUp); err == nil {
		t.Fatalf("opened %s", tab.ID)
	}
	late := stocked(ctx, t, b)
	if tabs := b.Tabs(ctx); len(tabs) != 0 {
		t.Errorf("listed: %+v", tabs)
	}
	if tab, err := b.Open(ctx); err != nil || tab.ID != "t1" || tab.Page() != late {
		t.Errorf("opened %v, %v", tab, err)
	}
}

// Popups that come while a tab is made are not taken for it.
func TestPopupWhileATabIsMade(t *testing.T) {
	ctx, b := start(t)
	opener, err := b.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.makeSpare()
	err = opener.Page().Turn(ctx, func(ctx context.Context) error {
		_, err := opener.Page().Evaluate(ctx, "window.open('about:blank', '', 'noopener')", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	stocked(ctx, t, b)
	if err := b.await(ctx, func() bool { return len(b.tabs) == 2 }); err != nil {
		t.Errorf("%v: tabs %s, not listed %s", err, ids(b.tabs), ids(b.unlisted.tabs))
	}
}
