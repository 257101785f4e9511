package browser

import (
	"context"
	"fmt"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

// The window of a headless tab, in CSS pixels.
const (
	windowWidth  = 1280
	windowHeight = 800
)

// backgroundTime limits work on tabs for which no call waits.
const backgroundTime = 30 * time.Second

// Open opens an empty tab, which belongs to the session, and makes it the session's current one.
// The error is the cause of ctx, [cdp.ErrClosed], or [page.ErrClosed] if the tab was closed at
// once, or comes from Chromium. It is [ErrOpenedUnlimited] if the session has been limited to some
// hosts meanwhile, and the tab has no such limit. It is [ErrTooManyIsolated] if such a session cannot
// be isolated.
func (s Session) Open(ctx context.Context) (*Tab, error) {
	b := s.browser
	bc, err := s.browserContext()
	if err != nil {
		return nil, err
	}
	t, err := bc.take(ctx, s.key)
	if err != nil {
		return nil, fmt.Errorf("open a tab: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.unlisted.list, t) || t.context.ended {
		return nil, fmt.Errorf("open a tab: %w", page.ErrClosed) // the target was destroyed meanwhile, or its session has ended
	}
	if !s.seesLocked(t) {
		b.discardLocked(t) // the session was limited meanwhile
		return nil, ErrOpenedUnlimited
	}
	b.unlisted.drop(t)
	b.tabs.add(s.key, t)
	b.tabs.use(s.key, t)
	b.keepSharedLocked(t)
	b.sweepLocked()
	b.notifyLocked()
	return t, nil
}

// InHiddenTab opens an empty page that no caller can name, runs fn in a turn on it, and closes it.
// Errors come from [Session.Open] and from fn.
func (bc *BrowserContext) InHiddenTab(ctx context.Context, fn func(context.Context, *page.Page) error) error {
	t, err := bc.take(ctx, "")
	if err != nil {
		return err
	}
	defer bc.browser.discard(t)
	p := t.Page()
	return p.Turn(ctx, func(ctx context.Context) error { return fn(ctx, p) })
}

// take returns an empty tab that is not listed, for a session: the spare tab, or a new one. An
// isolated session has no spare tab. If ctx ends first, the new tab becomes the spare one or is
// closed when it comes: Chromium cannot be asked to stop making it.
func (bc *BrowserContext) take(ctx context.Context, session string) (*Tab, error) {
	b := bc.browser
	if _, err := bc.ensure(ctx); err != nil {
		return nil, err
	}
	if bc == &b.BrowserContext {
		if t := b.takeSpare(); t != nil {
			return t, nil
		}
	}
	return b.awaitMade(ctx, func() (*Tab, error) { return bc.makeTab(session) }, b.keepAsSpareLocked)
}

// errEnding says that the browser is ending, so nothing new is begun in it.
var errEnding = fmt.Errorf("the browser is ending: %w", cdp.ErrClosed)

// awaitMade runs fn in the background, and returns the tab that it makes. If ctx ends first,
// awaitMade calls the parameter late after fn has returned, with the tab, or nil if fn failed. The
// mutex mu is held during that call. Errors come from fn, or are errEnding or the cause of ctx.
func (b *Browser) awaitMade(ctx context.Context, fn func() (*Tab, error), late func(*Tab)) (*Tab, error) {
	type made struct {
		tab *Tab
		err error
	}
	results := make(chan made) // unbuffered: a send succeeds only if the caller still waits
	b.mu.Lock()
	begun := b.background.beginLocked(func() {
		t, err := fn()
		select {
		case results <- made{t, err}:
		case <-ctx.Done():
			b.mu.Lock()
			defer b.mu.Unlock()
			late(t)
		}
	})
	b.mu.Unlock()
	if !begun {
		return nil, errEnding
	}
	select {
	case r := <-results:
		return r.tab, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// makeTab has Chromium make an empty tab for a session. The browser context must exist already. In
// a browser that somebody works with, the new tab stays behind the one that the user sees.
//
// A headless browser gets the tab in a window of its own. These ways look cheaper, but do not work:
//   - A tab behind others in its window gets one to three frames a second while its page changes.
//     Screenshots take seconds or never come. Focus emulation does not help. A screencast does, but
//     then each frame costs more than in a window. A page can tell such a tab by its outerHeight.
//   - A tab in front of others in its window costs nearly as much as a window. The tab and its
//     toolbar are most of that.
//   - A hidden target (a parameter of Target.createTarget) costs half as much as a window. It has
//     no window, so it never gets a frame: screenshots and requestAnimationFrame never come, and
//     input waits for ever or for seconds. Its viewport is empty, Chromium lists it as "other",
//     and it has no Page.printToPDF.
func (bc *BrowserContext) makeTab(session string) (*Tab, error) {
	b := bc.browser
	params := createParams{CreateTargetParams: target.CreateTargetParams{URL: page.Blank}}
	switch {
	case b.about.Headless:
		params.NewWindow, params.Width, params.Height = new(true), windowWidth, windowHeight
	case b.about.Shared:
		params.Background = new(true)
	}
	if b.about.Grouped {
		params.Session = session
	}
	t, err := bc.createTab(params)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
	defer cancel()
	if err := t.page.Watch(ctx, t.page.Ready); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.discardLocked(t)
		return nil, err
	}
	return t, nil
}

// createParams are the parameters of Target.createTarget. In a user's browser with tab groups,
// Session names the session whose group the tab is added to.
type createParams struct {
	target.CreateTargetParams
	Session string `json:"chelaSession,omitempty"`
}

var createTarget = protocol.Command[createParams, target.CreateTargetResult]{Method: target.CreateTarget.Method}

// createTab sends Target.createTarget for the browser context, and waits until the new tab is
// attached. It waits for the answer for as long as there is a browser. If it gave up, a tab that
// came later would count as one that nobody has requested. If the browser context was removed
// meanwhile, the error is [page.ErrClosed].
func (bc *BrowserContext) createTab(params createParams) (*Tab, error) {
	b, c := bc.browser, &creation{bc}
	b.mu.Lock()
	id := bc.id
	if id == "" && bc.isolated != "" {
		b.mu.Unlock()
		return nil, page.ErrClosed
	}
	params.BrowserContextID = id
	b.unlisted.creations = append(b.unlisted.creations, c)
	b.mu.Unlock()
	res, err := cdp.Call(context.Background(), b.conn.Root(), createTarget, params)
	var t *Tab
	if err == nil {
		t, err = b.awaitTab(res.TargetID, func() bool { return bc.id == id })
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t != nil {
		t.requested, t.ofUser = true, false
	} else if bc.id != id {
		err = page.ErrClosed
	}
	b.unlisted.end(c)
	b.notifyLocked()
	return t, err
}

// awaitTab waits until the tab that Chromium has made for chela is attached. It gives up, and
// returns nil, when the parameter holds returns false.
func (b *Browser) awaitTab(id target.ID, holds func() bool) (t *Tab, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
	defer cancel()
	err = b.await(ctx, func() bool { t = byTarget(b.unlisted.list, string(id)); return t != nil || !holds() })
	if t == nil {
		cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
	}
	return t, err
}

// discard does what discardLocked does, for a caller that does not hold mu.
func (b *Browser) discard(t *Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.discardLocked(t)
}

// discardLocked closes a tab in the background.
func (b *Browser) discardLocked(t *Tab) {
	if b.conn.Err() != nil {
		return
	}
	b.background.beginLocked(func() {
		ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
		defer cancel()
		t.Close(ctx) // if that fails, the tab is closed with its browser
	})
}
