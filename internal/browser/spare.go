package browser

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/page"
)

// The window of a headless tab.
const (
	windowWidth  = 1280
	windowHeight = 800
)

// unlisted are the tabs that no caller can name: those that we have asked
// Chromium for, an empty spare one, and those that are being closed. It is
// guarded by the browser's mu.
type unlisted struct {
	asked int // Target.createTarget commands without an answer
	tabs  []*Tab
	spare *Tab // for the next Open: making a tab takes longer than loading most pages

	refill    *time.Timer // makes the spare tab; nil where none is kept
	refilling bool
}

const (
	// idleTime is how long there must have been no call before a spare tab is
	// made: making one delays the calls meanwhile.
	idleTime = 100 * time.Millisecond

	// backgroundTime bounds how long work on tabs takes that no call waits for.
	backgroundTime = 30 * time.Second
)

// admit takes a new tab without an opener if it may be one that we asked for.
// Chromium may announce a tab before it answers the command that made it, so
// which it is shows later; see settle.
func (u *unlisted) admit(t *Tab) bool {
	if u.asked == 0 || t.url != "" && t.url != page.Blank {
		return false
	}
	u.tabs = append(u.tabs, t)
	return true
}

// settle is called when a Target.createTarget has its answer. When none is
// without one any more, it gives up the tabs that nobody asked for.
func (u *unlisted) settle() (uninvited []*Tab) {
	if u.asked--; u.asked > 0 {
		return nil
	}
	for _, t := range u.tabs {
		if !t.ordered {
			uninvited = append(uninvited, t)
		}
	}
	for _, t := range uninvited {
		u.drop(t)
	}
	return uninvited
}

func (u *unlisted) drop(t *Tab) {
	u.tabs = slices.DeleteFunc(u.tabs, func(x *Tab) bool { return x == t })
	if u.spare == t {
		u.spare = nil
	}
}

// Open opens an empty tab.
func (b *Browser) Open(ctx context.Context) (*Tab, error) {
	t, err := b.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a tab: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.unlisted.tabs, t) {
		return nil, fmt.Errorf("open a tab: %w", page.ErrClosed) // meanwhile
	}
	b.unlisted.drop(t)
	b.listLocked(t)
	b.useLocked(t)
	b.notifyLocked()
	return t, nil
}

// take returns an empty tab that is not listed: the spare one, or a new one. A
// new one that comes after ctx has ended becomes the spare tab, or is closed:
// Chromium cannot be asked to stop making it.
func (b *Browser) take(ctx context.Context) (*Tab, error) {
	if t := b.takeSpare(); t != nil {
		return t, nil
	}
	type made struct {
		tab *Tab
		err error
	}
	results := make(chan made) // without a buffer: what is sent has been received
	b.mu.Lock()
	begun := b.background.beginLocked(func() {
		t, err := b.makeTab()
		select {
		case results <- made{t, err}:
		case <-ctx.Done():
			b.mu.Lock()
			defer b.mu.Unlock()
			b.keepLocked(t)
		}
	})
	b.mu.Unlock()
	if !begun {
		return nil, cdp.ErrClosed
	}
	select {
	case r := <-results:
		return r.tab, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Apart runs do in a turn on an empty page that no caller can see, and closes it.
func (b *Browser) Apart(ctx context.Context, do func(context.Context, *page.Page) error) error {
	t, err := b.take(ctx)
	if err != nil {
		return err
	}
	defer b.discard(t)
	p := t.Page()
	return p.Turn(ctx, func(ctx context.Context) error { return do(ctx, p) })
}

// takeSpare takes the spare tab, nil if there is none that is alive.
func (b *Browser) takeSpare() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.unlisted.spare
	b.unlisted.spare = nil
	if t != nil && t.page.Err() != nil {
		b.discardLocked(t)
		return nil
	}
	return t
}

// keepLocked makes a tab that no call waits for the spare one, if one is to be
// kept and there is none. It closes the tab otherwise.
func (b *Browser) keepLocked(t *Tab) {
	switch {
	case t == nil:
	case b.unlisted.refill != nil && b.unlisted.spare == nil:
		b.unlisted.spare = t
		b.notifyLocked()
	default:
		b.discardLocked(t)
	}
}

// keepSpare begins to keep a spare tab. Where there is a screen, it would be seen.
func (b *Browser) keepSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.host.about.Headless {
		b.unlisted.refill = time.AfterFunc(idleTime, b.makeSpare)
	}
}

// onIdle is called when a call has ended its work on a page.
func (b *Browser) onIdle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlisted.refill != nil {
		b.unlisted.refill.Reset(idleTime)
	}
}

// makeSpare has the spare tab made, if there is none. It does nothing while a
// call is under way: it is called again when that has ended.
func (b *Browser) makeSpare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.unlisted
	busy := func(t *Tab) bool { return t.page.Occupied() }
	if b.conn.Err() != nil || u.refilling || u.spare != nil || u.asked > 0 ||
		slices.ContainsFunc(u.tabs, busy) || slices.ContainsFunc(b.tabs, busy) {
		return
	}
	u.refilling = b.background.beginLocked(func() {
		t, _ := b.makeTab() // the next who opens a tab will see what is wrong
		b.mu.Lock()
		defer b.mu.Unlock()
		u.refilling = false
		b.keepLocked(t)
	})
}

// discard is discardLocked for who does not hold mu.
func (b *Browser) discard(t *Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.discardLocked(t)
}

// discardLocked closes a tab that is not listed, or not any more.
func (b *Browser) discardLocked(t *Tab) {
	if b.conn.Err() != nil {
		return
	}
	b.background.beginLocked(func() {
		ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
		defer cancel()
		t.Close(ctx) // or it goes with its browser
	})
}

// makeTab has Chromium make an empty tab. A headless one has a window of its
// own: behind another tab it would be painted late, and answer late.
func (b *Browser) makeTab() (*Tab, error) {
	params := target.CreateTargetParams{URL: page.Blank}
	if b.host.about.Headless {
		params.NewWindow, params.Width, params.Height = new(true), windowWidth, windowHeight
	}
	t, err := b.createTab(params)
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

// createTab asks for a tab, and finds it among those that appear. It waits for
// the answer for as long as there is a browser: a tab that came after it had
// given up would be listed as one that came by itself.
func (b *Browser) createTab(params target.CreateTargetParams) (*Tab, error) {
	b.mu.Lock()
	b.unlisted.asked++
	b.mu.Unlock()
	res, err := cdp.Call(context.Background(), b.conn.Root(), target.CreateTarget, params)
	var t *Tab
	if err == nil {
		t, err = b.awaitTab(res.TargetID)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t != nil {
		t.ordered = true
	}
	for _, x := range b.unlisted.settle() {
		b.appearLocked(x)
	}
	b.notifyLocked()
	return t, err
}

// awaitTab waits until a tab that Chromium has made for us is attached.
func (b *Browser) awaitTab(id target.ID) (t *Tab, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), backgroundTime)
	defer cancel()
	err = b.await(ctx, func() bool { t = byTarget(b.unlisted.tabs, string(id)); return t != nil })
	if err != nil {
		cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
	}
	return t, err
}
