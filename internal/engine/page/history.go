package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// ErrNoHistory says that the tab's history has no entry in the requested direction.
var ErrNoHistory = errors.New("no such entry in the tab's history")

// Back goes to the previous entry in the tab's history, and waits until it has loaded. The entry
// may be another state of the same document, made by history.pushState. Errors are ErrNoHistory,
// [LoadError], ErrFile, or why the turn ended.
func (p *Page) Back(ctx context.Context) error { return p.step(ctx, -1) }

// Forward is like [Page.Back], for the next entry.
func (p *Page) Forward(ctx context.Context) error { return p.step(ctx, 1) }

func (p *Page) step(ctx context.Context, steps int64) error {
	before := p.loader()
	if err := p.traverse(ctx, steps); err != nil {
		return err
	}
	if p.loader() == before {
		return nil // the document is the same, or a frame changed: nothing of the main frame loads
	}
	if err := p.awaitDocument(ctx, ""); err != nil {
		return err
	}
	return p.awaitLearned(ctx)
}

// loader returns the loader id of the document that the tab shows.
func (p *Page) loader() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.main().Loader
}

// traverse goes forward in the history by a number of entries, or back if it is negative. It waits
// until the entry there has been committed.
func (p *Page) traverse(ctx context.Context, steps int64) error {
	p.endBlockers(ctx)
	history, err := cdp.Call(ctx, p.session, proto.GetNavigationHistory, protocol.Empty{})
	if err != nil {
		return fmt.Errorf("read the history: %w", frame.Failure(ctx, err))
	}
	to := history.CurrentIndex + steps
	if to < 0 || to >= int64(len(history.Entries)) {
		return ErrNoHistory
	}
	entry := history.Entries[to]
	if to == 0 && entry.URL == Blank {
		return ErrNoHistory // the first entry of every tab: an empty document that no caller has requested
	}
	return p.replaceDocument(ctx, entry.URL, func() error {
		_, err := cdp.Call(ctx, p.session, proto.NavigateToHistoryEntry, proto.NavigateToHistoryEntryParams{EntryID: entry.ID})
		return err
	})
}

// Reload loads the document again and waits until it has loaded. A hard reload does not use the
// cache, neither for the document nor for its resources. A form that was posted to get the document
// is sent again. Errors are the same as for [Page.Navigate].
func (p *Page) Reload(ctx context.Context, hard bool) error {
	if err := p.reload(ctx, hard); err != nil {
		return err
	}
	return p.awaitDocument(ctx, "")
}

// reload is like Reload, but waits only until the document has been committed.
func (p *Page) reload(ctx context.Context, hard bool) error {
	p.endBlockers(ctx)
	return p.replaceDocument(ctx, p.URL(), func() error {
		_, err := cdp.Call(ctx, p.session, proto.Reload, proto.ReloadParams{IgnoreCache: &hard})
		return err
	})
}

// replaceDocument runs a command that makes the tab show url, and waits until the document of that
// URL has been committed. Unlike Page.navigate, such commands reply before Chromium has even begun,
// and name no loader. So the next navigation that begins counts as theirs. If the command goes to a
// history entry, a frame may navigate while the main frame stays.
func (p *Page) replaceDocument(ctx context.Context, url string, command func() error) error {
	m := p.markHistory()
	defer p.endUnload(ctx)()
	if err := command(); err != nil {
		return fmt.Errorf("navigate to %s: %w", url, frame.Failure(ctx, err))
	}
	if err := p.await(ctx, func() bool { return m.updateLocked(p) }); err != nil {
		return err
	}
	if m.mainBegan && !m.arrived && !m.file {
		if err := p.awaitSecondTry(ctx, m); err != nil {
			return err
		}
	}
	switch {
	case m.file:
		return cmp.Or(p.awaitDownload(ctx, m.downloads), ErrFile)
	case m.mainBegan && !m.arrived:
		return p.cancelError(ctx, url, m.cancellations)
	case IsError(p.URL()):
		return p.loadError(ctx, url)
	}
	return nil
}

// awaitSecondTry handles a navigation that seems to have ended without a document. It waits for
// requestTime at most for one of two things. Chromium begins the navigation again, because the
// document has left the back/forward cache meanwhile. Or a document or file comes after all: the
// event that looked like the end was about the previous document, which stopped loading. In both
// cases awaitSecondTry then waits for the outcome.
func (p *Page) awaitSecondTry(ctx context.Context, m *historyMark) error {
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	began := p.mainNavigation
	more := func() bool {
		m.updateLocked(p)
		return m.arrived || m.file || p.mainNavigation > began
	}
	if p.await(limited, more) != nil {
		return nil
	}
	return p.await(ctx, func() bool { return m.updateLocked(p) })
}

// A historyMark records the addresses of a tab's frames before a command, and what has happened
// since.
type historyMark struct {
	visits, navigations int // Page.visits and Page.navigationCount before the command
	cancellations       int // see cancellationsMark
	addresses           map[*frame.Frame]string
	downloads           downloads // see downloadsMark

	mainBegan bool // the main frame has begun to load a document
	arrived   bool // the tab, or a frame, is at another address or shows another document
	file      bool // the navigation leads to a download, which is expected or has begun
}

func (p *Page) markHistory() *historyMark {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := &historyMark{
		visits: p.visits, navigations: p.navigationCount, cancellations: p.cancellations.count, downloads: p.downloads, addresses: map[*frame.Frame]string{},
	}
	for f := range p.frames.All() {
		m.addresses[f] = f.Address()
	}
	return m
}

// updateLocked records what has happened since the historyMark was made. It reports whether the
// navigation that the command began has an outcome. That is so if the tab or a frame has another
// document or address. It is also so if a navigation has begun and none is under way any more.
func (m *historyMark) updateLocked(p *Page) bool {
	under := false
	for _, o := range p.navigations {
		under = under || o.order > m.navigations
	}
	m.mainBegan = p.mainNavigation > m.navigations
	m.arrived = p.visits > m.visits
	for f := range p.frames.All() {
		m.arrived = m.arrived || m.addresses[f] != f.Address()
	}
	m.file = p.downloadPendingLocked(m.downloads) || !m.arrived && p.downloads.begun > m.downloads.begun
	return m.arrived || !under && p.navigationCount > m.navigations
}

// LoadFailed returns why Chromium shows its error page: a [*LoadError], or the cause of ctx. It
// returns nil if the tab shows another document. A response without a document, such as an empty
// 404, is not a failure.
func (p *Page) LoadFailed(ctx context.Context) error {
	if !IsError(p.URL()) || isStatus(p.loadFailure()) {
		return nil
	}
	p.mu.Lock()
	url := p.document.url
	p.mu.Unlock()
	return p.loadError(ctx, url)
}

// loadError returns the [*LoadError] for the error page that the tab shows instead of url,
// completed by explainLoad. If ctx ends meanwhile, it returns the cause of ctx.
func (p *Page) loadError(ctx context.Context, url string) error {
	e := &LoadError{URL: url, Text: p.loadFailure()}
	return cmp.Or(p.explainLoad(ctx, e), error(e))
}

// loadFailure returns Chromium's name of the error that kept the main frame's document from
// loading.
func (p *Page) loadFailure() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.document.failure, "net::ERR_FAILED")
}
