package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

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
	history, err := p.history(ctx)
	if err != nil {
		return err
	}
	to := history.CurrentIndex + steps
	if to < 0 || to >= int64(len(history.Entries)) {
		return ErrNoHistory
	}
	entry := history.Entries[to]
	if to == 0 && entry.URL == Blank {
		return ErrNoHistory // the first entry of every tab: an empty document that no caller has requested
	}
	return p.replaceDocument(ctx, entry.URL, isTraversal, func() error {
		_, err := cdp.Call(ctx, p.session, proto.NavigateToHistoryEntry, proto.NavigateToHistoryEntryParams{EntryID: entry.ID})
		return err
	})
}

// maxHistoryBytes limits how much is read of a tab's history. A page may add 50 entries with addresses
// of 2 MB.
const maxHistoryBytes = 8 << 20

// history returns the tab's history. If it is longer than maxHistoryBytes, the error is a
// [*cdp.LargeError].
func (p *Page) history(ctx context.Context) (proto.GetNavigationHistoryResult, error) {
	history, err := cdp.CallWithin(ctx, p.session, proto.GetNavigationHistory, protocol.Empty{}, maxHistoryBytes)
	if err != nil {
		return history, fmt.Errorf("read the history: %w", frame.Failure(ctx, err))
	}
	return history, nil
}

// isTraversal reports whether a navigation leads to an entry of the tab's history. It may be a
// navigation of the main frame, of other frames, or of several.
func isTraversal(ev proto.EventFrameStartedNavigating) bool {
	return isWithin(ev) || ev.NavigationType == proto.FrameStartedNavigatingNavigationTypeHistoryDifferentDocument
}

// isWithin reports whether a navigation leads to a history entry of the document that the frame
// shows.
func isWithin(ev proto.EventFrameStartedNavigating) bool {
	return ev.NavigationType == proto.FrameStartedNavigatingNavigationTypeHistorySameDocument
}

// ErrPosted says that a reload would send a form again.
var ErrPosted = errors.New("the document is the answer to a form that was posted")

// Posted reports whether a reload would send a form again: the document is the answer to a form that
// was posted, or stands for it. If the page has not seen how the document came, the tab's history
// tells. There, forms that are not posted look the same.
func (p *Page) Posted(ctx context.Context) (bool, error) {
	p.mu.Lock()
	method := p.document.method
	p.mu.Unlock()
	if method != "" {
		return method == http.MethodPost, nil
	}
	history, err := p.history(ctx)
	if err != nil {
		return false, err
	}
	i := history.CurrentIndex
	return i >= 0 && i < int64(len(history.Entries)) && history.Entries[i].TransitionType == proto.TransitionTypeFormSubmit, nil
}

// Reloading says how a document is loaded again.
type Reloading struct {
	Hard   bool // without the cache, both for the document and for its resources
	Resend bool // even if this sends a form again, see [Page.Posted]
}

// Reload loads the document again and waits until it has loaded. Errors are ErrPosted, and the same
// as for [Page.Navigate].
func (p *Page) Reload(ctx context.Context, how Reloading) error {
	if err := p.reload(ctx, how); err != nil {
		return err
	}
	return p.awaitDocument(ctx, "")
}

// reload is like Reload, but waits only until the document has been committed.
func (p *Page) reload(ctx context.Context, how Reloading) error {
	p.endBlockers(ctx)
	if !how.Resend {
		if posted, err := p.Posted(ctx); posted || err != nil {
			return cmp.Or(err, ErrPosted)
		}
	}
	return p.replaceDocument(ctx, p.URL(), p.isReload, func() error {
		_, err := cdp.Call(ctx, p.session, proto.Reload, proto.ReloadParams{IgnoreCache: &how.Hard})
		return err
	})
}

// isReload reports whether a navigation loads the document of the main frame again.
func (p *Page) isReload(ev proto.EventFrameStartedNavigating) bool {
	switch ev.NavigationType {
	case proto.FrameStartedNavigatingNavigationTypeReload, proto.FrameStartedNavigatingNavigationTypeReloadBypassingCache:
		return p.isOfMain(ev)
	}
	return false
}

// isOfMain reports whether a navigation is the main frame's.
func (p *Page) isOfMain(ev proto.EventFrameStartedNavigating) bool { return string(ev.FrameID) == p.ID }

// replaceDocument runs a command that makes the tab show url, and waits until the document of that
// URL has been committed. Unlike the reply to Page.navigate, the replies to such commands name no
// loader. The function begins says by which navigations Chromium carries the command out.
func (p *Page) replaceDocument(ctx context.Context, url string, begins func(proto.EventFrameStartedNavigating) bool, command func() error) error {
	m := p.beginReplacing(begins)
	defer p.endReplacing()
	defer p.endUnload(ctx)()
	if err := command(); err != nil {
		return fmt.Errorf("navigate to %s: %w", url, frame.Failure(ctx, err))
	}
	if err := p.await(ctx, func() bool { return m.updateLocked(p) }); err != nil {
		return err
	}
	if !m.arrived && !m.file {
		if err := p.awaitSecondTry(ctx, m); err != nil {
			return err
		}
	}
	switch {
	case m.file:
		return cmp.Or(p.awaitDownload(ctx, m.downloads), ErrFile)
	case !m.arrived:
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
func (p *Page) awaitSecondTry(ctx context.Context, m *replacement) error {
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	first := m.seen
	more := func() bool {
		m.updateLocked(p)
		return m.arrived || m.file || m.begun > first
	}
	if p.await(limited, more) != nil {
		return nil
	}
	return p.await(ctx, func() bool { return m.updateLocked(p) })
}

// A replacement is what a command of replaceDocument has led to. Navigations that the page begins
// meanwhile are no part of it: the old document runs until the new one is there. It may change its
// address, and load advertisements into its frames.
type replacement struct {
	begins        func(proto.EventFrameStartedNavigating) bool // whether a navigation that begins is the command's
	cancellations int                                          // see cancellationsMark
	downloads     downloads                                    // see downloadsMark

	moves map[string]*move // the command's navigations, by frame id; of each frame the last one
	begun int              // how many navigations the command has begun; the page's mu guards it and moves
	seen  int              // begun at the last call of updateLocked, see awaitSecondTry

	arrived bool // a navigation has led to its document, or its entry within the document
	file    bool // a navigation leads to a download, which is expected or has begun
}

// A move is a navigation of a frame that a command of replaceDocument has begun.
type move struct {
	from    string // loader of the document that the frame showed before
	within  bool   // the document stays: the navigation leads to another entry of it
	arrived bool   // for within: Chromium has reported the entry
	stopped bool   // for within: Chromium has reported that nothing more will come, see stoppedLoading
}

func (p *Page) beginReplacing(begins func(proto.EventFrameStartedNavigating) bool) *replacement {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replacing = &replacement{begins: begins, cancellations: p.cancellations.count, downloads: p.downloads, moves: map[string]*move{}}
	return p.replacing
}

func (p *Page) endReplacing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replacing = nil
}

// recordMoveLocked is called when Chromium begins a navigation of a frame.
func (p *Page) recordMoveLocked(ev proto.EventFrameStartedNavigating) {
	m, f := p.replacing, p.frames.ByID(string(ev.FrameID))
	if m == nil || f == nil || !m.begins(ev) {
		return
	}
	m.begun++
	m.moves[f.ID] = &move{from: f.Loader, within: isWithin(ev)}
}

// moveWithinLocked returns the move of a frame within its document that the running command has
// begun, or nil.
func (p *Page) moveWithinLocked(frame string) *move {
	if p.replacing == nil {
		return nil
	}
	if m := p.replacing.moves[frame]; m != nil && m.within {
		return m
	}
	return nil
}

// updateLocked records what has happened since the command was sent. It reports whether the
// navigations of the command have an outcome: one has led somewhere, or all have ended.
func (m *replacement) updateLocked(p *Page) bool {
	m.seen = m.begun
	under := false
	for id, move := range m.moves {
		arrived, ended := p.outcomeLocked(id, move)
		m.arrived = m.arrived || arrived
		under = under || !ended
	}
	m.file = p.downloadPendingLocked(m.downloads) || !m.arrived && p.downloads.begun > m.downloads.begun
	return m.arrived || m.begun > 0 && !under
}

// outcomeLocked reports whether a move of a frame has led somewhere, and whether it has ended.
func (p *Page) outcomeLocked(id string, m *move) (arrived, ended bool) {
	f := p.frames.ByID(id)
	if f == nil {
		return false, true
	}
	if m.within {
		return m.arrived, m.arrived || m.stopped
	}
	_, under := p.navigations[id]
	return f.Loader != m.from, !under
}

// LoadFailed returns why Chromium shows its error page: a [*LoadError], or the cause of ctx. It
// returns nil if the tab shows another document. A response without a document, such as an empty
// 404, is not a failure.
func (p *Page) LoadFailed(ctx context.Context) error {
	if !IsError(p.URL()) || isStatus(p.loadFailure()) {
		return nil
	}
	p.mu.Lock()
	url := p.main().Unreachable
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
