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
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	b, err := Start(ctx, Options{Options: chrome.Options{Executable: found, UserDataDir: t.TempDir(), Headless: true}})
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
		if b.orders.store != nil {
			p = b.orders.store.page
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

// Popups that come while a tab is made are not taken for it.
func TestPopupWhileATabIsMade(t *testing.T) {
	ctx, b := start(t)
	opener, err := b.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.fillStore()
	err = opener.Page().Turn(ctx, func(ctx context.Context) error {
		_, err := opener.Page().Evaluate(ctx, "window.open('about:blank', '', 'noopener')", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	stocked(ctx, t, b)
	if err := b.await(ctx, func() bool { return len(b.tabs) == 2 }); err != nil {
		t.Errorf("%v: tabs %v, not listed %v", err, b.tabs, b.orders.tabs)
	}
}
