package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/page"
)

// A Tab is a page with a handle that outlives the target behind it.
type Tab struct {
	ID string // t1, t2 …: never used again in this server; it comes when the tab is listed

	browser  *Browser
	reviving chan struct{} // held by the call that gives it a new page

	// guarded by the browser's mu
	page       *page.Page
	former     []string // target ids of the pages that it had before
	label      string
	title, url string   // as Chromium lists them
	viewport   Viewport // as a caller has set it
	opener     *Tab     // whose page opened it, or nil
	ordered    bool     // a call opened it
	popups     popups

	unreached string   // where it was to be opened again, if it did not get there
	refused   bool     // nothing could be loaded from there
	recovered bool     // it was opened again, and no answer has said so
	lost      []string // what it lost by that
}

func newTab(b *Browser, p *page.Page) *Tab {
	return &Tab{browser: b, page: p, reviving: make(chan struct{}, 1)}
}

// Info is what is listed of a tab.
type Info struct {
	TargetID string
	ID       string
	Label    string
	Title    string
	URL      string
	Crashed  bool
}

// Browser is the browser that the tab is in.
func (t *Tab) Browser() *Browser { return t.browser }

// Page is the page that the tab shows now.
func (t *Tab) Page() *page.Page {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.page
}

// Info returns what is listed of the tab.
func (t *Tab) Info() Info {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.infoLocked()
}

func (t *Tab) infoLocked() Info {
	url := t.page.URL()
	if url == page.Blank {
		url = cmp.Or(t.page.Leaving(), url) // it has just been opened
	}
	return Info{
		TargetID: t.page.ID, ID: t.ID, Label: t.label, Title: t.title, URL: url,
		Crashed: errors.Is(t.page.Err(), page.ErrCrashed) || errors.Is(t.page.Err(), cdp.ErrClosed),
	}
}

// Tabs lists the tabs that show pages, the most recently used first. Their
// titles are asked for: Chromium does not tell when a page changes its own.
func (b *Browser) Tabs(ctx context.Context) []Info {
	if res, err := cdp.Call(ctx, b.conn.Root(), target.GetTargets, target.GetTargetsParams{}); err == nil {
		for _, info := range res.TargetInfos {
			b.infoChanged(info)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	var list []Info
	for _, t := range b.tabs {
		if info := t.infoLocked(); !internal(info.URL) {
			list = append(list, info)
		}
	}
	return list
}

// internal reports whether an address belongs to the browser itself.
func internal(url string) bool {
	for _, scheme := range []string{"chrome", "chrome-untrusted", "devtools", "edge", "brave", "vivaldi", "opera"} {
		if strings.HasPrefix(url, scheme+"://") {
			return true
		}
	}
	return false
}

// useLocked makes the tab the one that is meant when none is named.
func (b *Browser) useLocked(t *Tab) {
	b.current = t
	if i := slices.Index(b.tabs, t); i > 0 {
		b.tabs = slices.Insert(slices.Delete(b.tabs, i, i+1), 0, t)
	}
}

// Focus brings the tab to the front and makes it the current one.
func (t *Tab) Focus(ctx context.Context) error {
	b := t.browser
	_, err := cdp.Call(ctx, b.conn.Root(), target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(t.Page().ID)})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.useLocked(t)
	return err
}

// Close closes the tab and waits until it has gone. A page that is busy with
// itself is stopped. Only the deadline of ctx counts: the ctx of a turn on this
// tab ends with the page, which is before the browser has listed it as gone.
func (t *Tab) Close(ctx context.Context) error {
	ctx, cancel := deadlineOnly(ctx)
	defer cancel()
	b, p := t.browser, t.Page()
	if b.forgetDead(t, p) {
		return nil
	}
	for {
		reply := cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
		p.Unstick(ctx, p.Ended())
		_, err := reply.Wait(ctx)
		if _, gone := errors.AsType[*cdp.Error](err); err != nil && !gone {
			return fmt.Errorf("close tab %s: %w", t.ID, err)
		}
		soon, cancel := context.WithTimeout(ctx, closing)
		err = b.await(soon, func() bool { return b.byTargetLocked(p.ID) == nil })
		cancel()
		if err == nil {
			<-p.Ended()
			return nil
		}
		if ctx.Err() != nil || errors.Is(err, cdp.ErrClosed) {
			return err
		}
	}
}

// forgetDead drops a tab whose page has gone with the browser before this one,
// so that there is nothing to close; false if there is.
func (b *Browser) forgetDead(t *Tab, p *page.Page) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if errors.Is(p.Err(), cdp.ErrClosed) {
		b.forgetLocked(t)
		return true
	}
	b.closing[p.ID] = true
	return false
}

// deadlineOnly returns a context that ends at the deadline of ctx, but not with ctx.
func deadlineOnly(ctx context.Context) (context.Context, context.CancelFunc) {
	bare := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(bare, deadline)
	}
	return context.WithTimeout(bare, backgroundTime)
}

// closing is how long a tab may take to go before the command is sent again:
// Chromium drops it when it comes while a document replaces another.
const closing = time.Second

// Resize sets the size of the tab's viewport, also for a page that the tab will
// be given when this one has crashed.
func (t *Tab) Resize(ctx context.Context, v Viewport) error {
	if err := t.Page().Apply(ctx, page.Settings{Viewport: page.Viewport(v)}); err != nil {
		return err
	}
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.viewport = v
	return nil
}

// Viewport is the size that a caller has given the tab.
func (t *Tab) Viewport() Viewport {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.viewport
}

// SetLabel names the tab; another with this label loses it.
func (t *Tab) SetLabel(label string) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, other := range b.tabs {
		if other.label == label {
			other.label = ""
		}
	}
	t.label = label
}

// A LabelError says that a tab cannot have a label.
type LabelError struct {
	Label  string
	LikeID bool // it reads as the handle of a tab does: t and a number
}

func (e *LabelError) Error() string {
	if e.LikeID {
		return fmt.Sprintf("label %q looks like the id of a tab", e.Label)
	}
	return fmt.Sprintf("label %q is not 1 to 64 ASCII letters, digits, and characters of _.:-", e.Label)
}

// CheckLabel returns a [*LabelError] if a tab cannot have this label.
func CheckLabel(label string) error {
	outside := func(r rune) bool {
		return !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_.:-", r))
	}
	if label == "" || len(label) > 64 || strings.ContainsFunc(label, outside) {
		return &LabelError{Label: label}
	}
	if number, ok := strings.CutPrefix(label, "t"); ok && number != "" && isNumber(number) {
		return &LabelError{Label: label, LikeID: true}
	}
	return nil
}

// Count is how many tabs there are.
func (b *Browser) Count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.tabs)
}
