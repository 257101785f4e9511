package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/urls"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A LoadError says why a document could not be loaded. Text is Chromium's name of the
// error, such as net::ERR_CONNECTION_REFUSED.
type LoadError struct {
	URL, Text string
	Both      bool // by https it failed, too: nobody offers that there

	Certificate *CertificateError // nil if it is not about a certificate
	Refused     *guard.Refused    // nil if it is not the network policy that forbids it
	PastProxy   bool              // the browser does not use its proxy, and reaches nothing

	loader string // of the error page that Chromium shows instead
}

func (e *LoadError) Error() string { return e.Text + " at " + e.URL }

// Navigate opens a URL in the tab and waits until its document has loaded, with its
// images, styles and frames. The error is a [LoadError], ErrFile, or why the turn
// ended: after a deadline, the navigation may still go on.
func (p *Page) Navigate(ctx context.Context, url string) error {
	_, err := p.Go(ctx, Destination{URL: url})
	return err
}

// commit navigates to a URL and returns the loader of the document that was
// committed, "" if the document stayed: the URL differs from its address only in the
// fragment.
//
// A page that navigates by itself at the same moment, as one that redirects by a
// script does, may cancel our navigation with its own. If it does so when our document is
// about to be committed, Chromium commits that, and the page's own document in its place
// soon after. In both cases we navigate again.
func (p *Page) commit(ctx context.Context, url string) (loader string, err error) {
	for {
		p.makeWay(ctx)
		visits, overtaken := p.Visits(), p.overtakenMark()
		loader, err := p.tryCommit(ctx, url)
		load, failed := errors.AsType[*LoadError](err)
		switch {
		case failed && load.Text == aborted && (p.Visits() > visits || p.Leaving() != ""): // the page has navigated by itself meanwhile
		case err == nil && loader == "" && !urls.SameDocument(p.URL(), url): // likewise
		case err == nil && p.overtakenMark() > overtaken:
		default:
			return loader, err
		}
		if ctx.Err() != nil {
			return "", frame.Failure(ctx, context.Cause(ctx))
		}
	}
}

// overtakenMark counts the documents that came while a navigation of the one before went on.
func (p *Page) overtakenMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.overtaken
}

// makeWay ends what would hold up a navigation: another one that waits for a server, as
// Chromium passes no command on to the page meanwhile, and a script that keeps the page
// busy.
//
// That script may be a handler of beforeunload, which runs before a navigation that the
// page has requested, and that begins now. It is awaited, and ended in turn: were it to go
// on, the handler would run again for ours, and the answer to the other would come
// meanwhile. Then Chromium has the commands for the tab wait until the process of the page
// has made a frame for the next document. That process is busy with the handler, and the
// command that would end it waits with the others.
func (p *Page) makeWay(ctx context.Context) {
	leaving := p.Leaving() != ""
	if leaving {
		p.stopLoading()
	}
	if ended := p.Unstick(ctx, nil); ended {
		p.awaitUnder(ctx, func(n navigation) bool { return n.loader == "" }) // it is only requested
		if !leaving && p.Leaving() != "" {
			leaving = true
			p.stopLoading()
		}
	}
	if leaving {
		p.awaitUnder(ctx, func(navigation) bool { return true })
	}
}

// awaitUnder waits, for requestTime at most, while the main frame has a navigation under
// way for which this holds.
func (p *Page) awaitUnder(ctx context.Context, holds func(navigation) bool) {
	soon, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	p.await(soon, func() bool {
		n, under := p.navigations[p.main().ID]
		return !under || !holds(n)
	})
}

// tryCommit is commit, once.
func (p *Page) tryCommit(ctx context.Context, url string) (loader string, err error) {
	visits, files, stays := p.Visits(), p.downloadsMark(), p.staysMark()
	if p.shows(url) {
		defer p.bypassCache()()
	}
	defer p.endUnload(ctx)()
	res, err := cdp.Call(ctx, p.session, proto.Navigate, proto.NavigateParams{URL: url})
	if err != nil {
		return "", p.notNavigated(url, err)
	}
	switch {
	case isStatus(res.ErrorText):
	case res.IsDownload:
		return "", cmp.Or(p.awaitDownload(ctx, files), ErrFile)
	case res.ErrorText == aborted:
		return "", p.canceled(ctx, url, stays)
	case res.ErrorText != "":
		e := &LoadError{URL: url, Text: res.ErrorText, loader: string(res.LoaderID)}
		return "", cmp.Or(p.explainLoad(ctx, e), error(e))
	}
	loader = string(res.LoaderID)
	err = p.await(ctx, func() bool { // the event comes after this reply
		if loader == "" {
			return p.visits > visits
		}
		return p.main().Showed(loader)
	})
	return loader, err
}

// canceled is why Chromium has canceled a navigation to a URL, after so many stays:
// ErrCrashed if the process of the tab has crashed meanwhile, else a LoadError. Chromium
// reports the crash only after the end of the navigation. The history it answers itself,
// without the page, and after that report.
func (p *Page) canceled(ctx context.Context, url string, stays int) error {
	if refused := p.stoppedSince(stays); refused != nil {
		return &LoadError{URL: url, Text: proxy.NetError(refused), Refused: refused}
	}
	cdp.Call(ctx, p.session, proto.GetNavigationHistory, protocol.Empty{})
	p.Sync(ctx) // the report has arrived, and may wait to be handled
	if err := p.Err(); err != nil {
		return err
	}
	return &LoadError{URL: url, Text: aborted}
}

// notNavigated gives up a navigation whose call has ended. While a beforeunload
// dialog is open the navigation waits for its answer, which another call may give:
// stopped now, the tab would stay whatever the answer is.
func (p *Page) notNavigated(url string, err error) error {
	if _, asked := errors.AsType[*DialogOpen](err); !asked {
		p.stopLoading()
	}
	return fmt.Errorf("navigate to %s: %w", url, err)
}

// shows reports whether the tab shows the document of an address already, so that to
// navigate there is a reload. With a fragment it is a scroll within the document.
func (p *Page) shows(url string) bool {
	return !strings.Contains(url, "#") && urls.SameDocument(p.URL(), url)
}

// bypassCache has the tab request documents from their servers and not from its
// cache until the returned function is called. Page.navigate to the address that is
// shown takes the document from the cache, where the user of a browser gets a reload;
// Page.reload is no way out, as it would send a form again that was posted to get the
// document.
func (p *Page) bypassCache() (restore func()) {
	set := func(disabled bool) {
		cdp.Send(p.session, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: disabled})
	}
	set(true)
	return func() { set(false) }
}

// stopLoading cancels a navigation under way.
func (p *Page) stopLoading() { cdp.Send(p.session, proto.StopLoading, protocol.Empty{}) }

// awaitNavigation waits, for openTime at most, until the navigation of the main frame
// has its outcome, if one is under way. A caller who accepts a beforeunload dialog
// expects to find the new document then, and not the one that asked.
func (p *Page) awaitNavigation(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	p.await(limited, func() bool {
		_, under := p.navigations[p.main().ID]
		return !under
	})
}

// loaded waits until the document of this loader has loaded or, if another has
// replaced it meanwhile, that one. Without a loader it waits for the document that is there.
func (p *Page) loaded(ctx context.Context, loader string) error {
	main := p.main()
	return p.await(ctx, func() bool {
		return (loader == "" || main.Showed(loader)) && main.State == frame.Loaded
	})
}

// AwaitLoaded waits until the main frame's document has loaded, and no other one is on its way.
func (p *Page) AwaitLoaded(ctx context.Context) error {
	main := p.main()
	return p.await(ctx, func() bool { return p.navigations[main.ID].loader == "" && main.State == frame.Loaded })
}

// StopLoading has the page be content with what has come of it: its navigation is canceled, and
// nothing more is loaded. A script that keeps it from answering is ended.
func (p *Page) StopLoading(ctx context.Context) {
	p.stopLoading()
	p.mu.Lock()
	p.document.stopped = true
	p.mu.Unlock()
	p.Unstick(ctx, nil)
}

// Broken reports whether the connection ended before the document that the tab shows.
func (p *Page) Broken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.document.broken
}

// readable waits until the main frame's document has been parsed, so that there is
// something to read, for half of the remaining time at most: a document that takes
// longer, or was stopped, is read as far as it is there.
func (p *Page) readable(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	p.await(ctx, func() bool {
		main := p.main()
		return main.State != frame.Loading || p.document.stopped || main.Loader == "" && main.World != nil && p.navigations[main.ID].loader == ""
	})
}

// Arrive waits until a tab that a page has opened shows the address that it was opened
// for. One that was opened for a download closes: ErrClosed.
func (p *Page) Arrive(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.main().Address() != Blank })
}
