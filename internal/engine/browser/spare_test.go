package browser

import (
	"context"
	"errors"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/test/long"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a browser, which ends with the test.
func start(t *testing.T) (context.Context, *Browser) {
	t.Helper()
	return startWith(t, Options{})
}

func startWith(t *testing.T, o Options) (context.Context, *Browser) {
	t.Helper()
	return startAt(t, o, func(h Host) Host { return h })
}

// startAt starts a browser through the host that the function around returns for its own host.
func startAt(t *testing.T, o Options, around func(Host) Host) (context.Context, *Browser) {
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
	b, err := Start(ctx, around(host), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return ctx, b
}

// spareTab waits until there is a spare tab, and returns its page.
func spareTab(ctx context.Context, t *testing.T, b *Browser) (p *page.Page) {
	t.Helper()
	err := b.await(ctx, func() bool {
		if len(b.unlisted.spares) > 0 {
			p = b.unlisted.spares[0].page
		}
		return p != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// No call sees the spare tab until a call takes it.
func TestSpareTab(t *testing.T) {
	ctx, b := start(t)
	spare := spareTab(ctx, t, b)
	if tabs := b.Session("").Tabs(ctx); len(tabs) != 0 {
		t.Errorf("listed: %+v", tabs)
	}
	if found, err := b.Session("").Find(spare.ID); err == nil {
		t.Errorf("found as %q", found.ID)
	}
	first, err := b.Session("").Open(ctx)
	if err != nil || first.ID != "t1" || first.Page() != spare {
		t.Fatalf("opened %v, %v; want t1, the spare tab", first, err)
	}
	second, err := b.Session("").Open(ctx)
	if err != nil || second.ID != "t2" {
		t.Fatalf("opened %v, %v; want t2, made for the call", second, err)
	}
	spareTab(ctx, t, b)
	if err := errors.Join(first.Close(ctx), second.Close(ctx)); err != nil {
		t.Error(err)
	}
}

// crash has the renderer of a page end as if it had crashed.
func crash(ctx context.Context, t *testing.T, p *page.Page) {
	t.Helper()
	p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, "chrome://crash") })
	if err := p.Watch(ctx, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }); !errors.Is(err, page.ErrCrashed) {
		t.Error(err)
	}
}

// A spare tab that has crashed or was closed is not given to a call.
func TestSpareTabThatHasGone(t *testing.T) {
	long.Test(t)
	ctx, b := start(t)
	closed := func(p *page.Page) {
		cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
		<-p.Ended()
	}
	for _, kill := range []func(*page.Page){func(p *page.Page) { crash(ctx, t, p) }, closed} {
		spare := spareTab(ctx, t, b)
		kill(spare)
		tab, err := b.Session("").Open(ctx)
		if err != nil || tab.Page() == spare || tab.Page().Err() != nil {
			t.Errorf("opened %v, %v", tab, err)
		}
	}
}

// What crashes a tab may crash the spare tab at the same time, before Chromium has reported that.
// The tab gets another page that works.
func TestSpareTabCrashesMeanwhile(t *testing.T) {
	long.Test(t)
	ctx, b := start(t)
	tab := open(ctx, t, b)
	for range 3 {
		spare := spareTab(ctx, t, b)
		crash(ctx, t, tab.Page())
		cdp.Send(spare.Session(), proto.Crash, protocol.Empty{})
		if replaced, err := tab.Replace(ctx); !replaced || err != nil || tab.Page() == spare {
			t.Fatalf("replaced: %v, %v, by the spare: %v", replaced, err, tab.Page() == spare)
		}
		p := tab.Page()
		if err := p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, "data:text/html,x") }); err != nil {
			t.Fatal(err)
		}
	}
}

// A tab that comes after its caller has given up becomes the spare one, and is never listed.
func TestTabAfterTheDeadline(t *testing.T) {
	ctx, b := start(t)
	b.mu.Lock()
	b.unlisted.refilling = true // no other spare tab is made
	b.mu.Unlock()
	gaveUp, cancel := context.WithCancel(ctx)
	cancel()
	if tab, err := b.Session("").Open(gaveUp); err == nil {
		t.Fatalf("opened %s", tab.ID)
	}
	late := spareTab(ctx, t, b)
	if tabs := b.Session("").Tabs(ctx); len(tabs) != 0 {
		t.Errorf("listed: %+v", tabs)
	}
	if tab, err := b.Session("").Open(ctx); err != nil || tab.ID != "t1" || tab.Page() != late {
		t.Errorf("opened %v, %v", tab, err)
	}
}

// A popup that opens while a tab is being made is not taken for that tab.
func TestPopupWhileATabIsMade(t *testing.T) {
	long.Test(t)
	ctx, b := start(t)
	opener, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.makeSpare()
	err = opener.Page().Turn(ctx, func(ctx context.Context) error {
		_, _, err := opener.Page().Evaluate(ctx, "window.open('about:blank', '', 'noopener')", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	spareTab(ctx, t, b)
	if err := b.await(ctx, func() bool { return len(b.tabs.list) == 2 }); err != nil {
		t.Errorf("%v: tabs %s, not listed %s", err, ids(b.tabs.list), ids(b.unlisted.list))
	}
}

// Pages in ephemeral contexts take spare tabs if there are any, each in a browser context of its
// own. Spare tabs are closed when they are not wanted any more.
func TestSpareEphemeralTabs(t *testing.T) {
	long.Test(t)
	ctx, b := startWith(t, Options{OnlyEphemeral: true})
	awaitSpares := func(n int) {
		t.Helper()
		if err := b.await(ctx, func() bool { return len(b.unlisted.spares) == n && len(b.otherContexts) == n }); err != nil {
			t.Fatalf("%v: %d spare tabs, %d contexts", err, len(b.unlisted.spares), len(b.otherContexts))
		}
	}
	show := func() (shown *page.Page) {
		t.Helper()
		began := time.Now()
		err := b.InEphemeralContext(ctx, nil, func(_ context.Context, p *page.Page) error {
			shown = p
			t.Logf("a page after %s", time.Since(began))
			return nil
		}, func() {})
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
	show()
	b.KeepSpares(2)
	awaitSpares(2)
	first, second := b.unlisted.spares[0], b.unlisted.spares[1]
	if first.context == second.context {
		t.Error("two spare tabs share a browser context")
	}
	if show() != first.page || show() != second.page {
		t.Error("other pages were shown than the spare ones")
	}
	awaitSpares(2)
	gone := b.unlisted.spares[0]
	cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(gone.page.ID)})
	<-gone.page.Ended()
	if show() == gone.page {
		t.Error("a tab was shown that has gone")
	}
	awaitSpares(2)
	b.KeepSpares(0)
	awaitSpares(0)
}
