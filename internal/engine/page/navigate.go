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
	Both      bool // http was tried after https, and failed as well

	Certificate *CertificateError // nil if the error is not about a certificate
	Refused     *guard.Refused    // nil if the network policy does not forbid the address
	PastProxy   bool              // the browser does not use its proxy, and so cannot resolve any name

	loader string // loader id of the error page that Chromium shows instead
}

func (e *LoadError) Error() string { return e.Text + " at " + e.URL }

// Navigate opens a URL in the tab and waits until its document has loaded, with its images, styles
// and frames. The error is a [LoadError], ErrFile, or why the turn ended. After a deadline, the
// navigation may still go on.
func (p *Page) Navigate(ctx context.Context, url string) error {
	_, err := p.Go(ctx, Destination{URL: url})
	return err
}

// commit navigates to a URL and returns the loader of the document that was committed. The loader
// is "" if the document stayed, because the URL differs from its address only in the fragment.
//
// A script of the page may navigate at the same moment, for example to redirect. Chromium then
// cancels our navigation. Or it commits our document, and soon replaces it by the page's next one.
// In both cases commit navigates again.
func (p *Page) commit(ctx context.Context, url string) (loader string, err error) {
	for {
		p.endBlockers(ctx)
		visits, before, overtaken := p.Visits(), p.loader(), p.overtakenMark()
		loader, err := p.tryCommit(ctx, url)
		load, failed := errors.AsType[*LoadError](err)
		switch {
		case failed && load.Text == aborted && (p.Visits() > visits || p.Leaving() != ""): // the page has cancelled our navigation by one of its own
		case err == nil && loader == "" && p.loader() != before: // the document has not stayed: the page has gone elsewhere
		case err == nil && p.overtakenMark() > overtaken:
		default:
			return loader, err
		}
		if ctx.Err() != nil {
			return "", frame.Failure(ctx, context.Cause(ctx))
		}
	}
}

// overtakenMark returns how many documents came while the previous document was itself about to go
// elsewhere. commit compares two such numbers.
func (p *Page) overtakenMark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.overtaken
}

// endBlockers ends what would hold up a navigation. The first is another navigation that waits for
// a server: Chromium passes no command on to the page meanwhile. The second is a script that keeps
// the page busy.
//
// Such a script may be a beforeunload handler, which runs before a navigation that the page has
// requested. When the handler has been ended, the page's navigation begins. endBlockers waits for
// that, and stops the navigation. If it went on, the handler would run again for our navigation,
// and the server's answer to the page's navigation would come meanwhile. Chromium would then hold
// back the commands for the tab until the page's process has made a frame for the next document.
// That process is busy with the handler, and the command that would end the handler would be held
// back as well.
func (p *Page) endBlockers(ctx context.Context) {
	leaving := p.Leaving() != ""
	if leaving {
		p.stopLoading()
	}
	if ended := p.Unstick(ctx, nil); ended {
		p.awaitNavigationWhile(ctx, func(n navigation) bool { return n.loader == "" }) // wait while the navigation is only requested
		if !leaving && p.Leaving() != "" {
			leaving = true
			p.stopLoading()
		}
	}
	if leaving {
		p.awaitNavigationWhile(ctx, func(navigation) bool { return true })
	}
}

// awaitNavigationWhile waits as long as the given function returns true for the main frame's
// navigation. It returns when the navigation has ended, and after requestTime in any case.
func (p *Page) awaitNavigationWhile(ctx context.Context, holds func(navigation) bool) {
	soon, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	p.await(soon, func() bool {
		n, under := p.navigations[p.main().ID]
		return !under || !holds(n)
	})
}

// tryCommit is one attempt of commit.
func (p *Page) tryCommit(ctx context.Context, url string) (loader string, err error) {
	visits, files, cancellations := p.Visits(), p.downloadsMark(), p.cancellationsMark()
	if p.showsURL(url) {
		defer p.bypassCache()()
	}
	defer p.endUnload(ctx)()
	res, err := cdp.Call(ctx, p.session, proto.Navigate, proto.NavigateParams{URL: url})
	if err != nil {
		return "", p.abandonNavigation(url, err)
	}
	switch {
	case isStatus(res.ErrorText):
	case res.IsDownload:
		return "", cmp.Or(p.awaitDownload(ctx, files), ErrFile)
	case res.ErrorText == aborted:
		return "", p.cancelError(ctx, url, cancellations)
	case res.ErrorText != "":
		e := &LoadError{URL: url, Text: res.ErrorText, loader: string(res.LoaderID)}
		return "", cmp.Or(p.explainLoad(ctx, e), error(e))
	}
	loader = string(res.LoaderID)
	err = p.await(ctx, func() bool { // the event of the commit comes after the reply to Page.navigate
		if loader == "" {
			return p.visits > visits
		}
		return p.main().Showed(loader)
	})
	return loader, err
}

// cancelError returns why Chromium has cancelled a navigation to a URL; mark is the
// cancellationsMark from before the navigation. If the process of the tab has crashed, it returns
// ErrCrashed, otherwise a LoadError. Chromium reports a crash only after the end of the navigation.
// So cancelError first asks for the tab's history, whose length does not matter. The browser process
// answers that request without the page, and after it has reported the crash.
func (p *Page) cancelError(ctx context.Context, url string, mark int) error {
	if refused := p.refusedSince(mark); refused != nil {
		return &LoadError{URL: url, Text: proxy.NetError(refused), Refused: refused}
	}
	p.history(ctx)
	p.Sync(ctx) // handle the event of the crash, which has arrived
	if err := p.Err(); err != nil {
		return err
	}
	return &LoadError{URL: url, Text: aborted}
}

// abandonNavigation gives up a navigation whose call has ended. While a beforeunload dialog is
// open, the navigation waits for its answer, which another call may give. If we stopped the
// navigation now, the tab would keep its document, whatever the answer is. With any other dialog of
// the old document, the navigation must not go on: see ErrStuck.
func (p *Page) abandonNavigation(url string, err error) error {
	stops := true
	if asked, open := errors.AsType[*DialogOpen](err); open {
		stops = asked.Dialog.Type != string(proto.DialogTypeBeforeunload) && p.Leaving() != ""
	}
	if stops {
		p.stopLoading()
	}
	return fmt.Errorf("navigate to %s: %w", url, err)
}

// showsURL reports whether the tab already shows the document of an address, so that a navigation
// there is a reload. With a fragment, the navigation is a scroll within the document.
func (p *Page) showsURL(url string) bool {
	return !strings.Contains(url, "#") && urls.SameDocument(p.URL(), url)
}

// bypassCache has the tab request documents from their servers, not from its cache, until the
// returned function is called. Page.navigate to the present address takes the document from the
// cache, but the user of a browser gets a reload. Page.reload is no alternative: if the document
// came from a posted form, it would send the form again.
func (p *Page) bypassCache() (restore func()) {
	set := func(disabled bool) {
		cdp.Send(p.session, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: disabled})
	}
	set(true)
	return func() { set(false) }
}

// stopLoading cancels the navigation under way, and everything else that the tab loads.
func (p *Page) stopLoading() { cdp.Send(p.session, proto.StopLoading, protocol.Empty{}) }

// awaitNavigation waits, for openTime at most, until the main frame's navigation, if any, has its
// outcome. It is called after a beforeunload dialog was accepted: the caller then expects the new
// document.
func (p *Page) awaitNavigation(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	p.await(limited, func() bool {
		_, under := p.navigations[p.main().ID]
		return !under
	})
}

// awaitDocument waits until the document of this loader, or the one that has replaced it, has
// loaded. If loader is "", it waits for the present document.
func (p *Page) awaitDocument(ctx context.Context, loader string) error {
	main := p.main()
	return p.await(ctx, func() bool {
		return (loader == "" || main.Showed(loader)) && main.State == frame.Loaded
	})
}

// AwaitLoaded waits until the main frame's document has loaded, and the main frame is not
// navigating.
func (p *Page) AwaitLoaded(ctx context.Context) error {
	main := p.main()
	return p.await(ctx, func() bool { return p.navigations[main.ID].loader == "" && main.State == frame.Loaded })
}

// StopLoading cancels the page's navigation and all loading. The page keeps what has loaded so far.
// A script that keeps the page from answering is ended.
func (p *Page) StopLoading(ctx context.Context) {
	p.stopLoading()
	p.mu.Lock()
	p.document.stopped = true
	p.mu.Unlock()
	p.Unstick(ctx, nil)
}

// Broken reports whether the connection ended before the tab's document was complete.
func (p *Page) Broken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.document.broken
}

// awaitReadable waits until the main frame's document has been parsed, so that there is something
// to read. It takes half of the remaining time at most. A document that takes longer, or was
// stopped, is read as far as it has come.
func (p *Page) awaitReadable(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	p.await(ctx, func() bool {
		main := p.main()
		return main.State != frame.Loading || p.document.stopped || main.Loader == "" && main.World != nil && p.navigations[main.ID].loader == ""
	})
}

// Arrive waits until a tab that a page has opened shows the address that it was opened for.
// Chromium closes a tab that was opened for a download; the error is then ErrClosed.
func (p *Page) Arrive(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.main().Address() != Blank })
}
