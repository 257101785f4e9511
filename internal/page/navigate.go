package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
)

// An opening is a navigation under way: requested by the page, or begun by the browser.
type opening struct {
	url    string
	loader string // "" while it was only requested
	order  int    // which of the page's navigations it is

	answered bool // its server has sent something
}

// A LoadError says why a document could not be loaded.
type LoadError struct{ URL, Text string }

func (e *LoadError) Error() string { return e.Text + " at " + e.URL }

func (p *Page) requestedNavigation(_ *cdp.Session, ev proto.EventFrameRequestedNavigation) {
	switch ev.Disposition {
	case proto.ClientNavigationDispositionCurrentTab:
		p.open(string(ev.FrameID), ev.URL, "")
	case proto.ClientNavigationDispositionNewTab, proto.ClientNavigationDispositionNewWindow: // a link, clicked with a key held
		p.asksForWindow(ev.URL)
	}
}

func (p *Page) startedNavigating(_ *cdp.Session, ev proto.EventFrameStartedNavigating) {
	switch ev.NavigationType {
	case proto.FrameStartedNavigatingNavigationTypeSameDocument, proto.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		return
	}
	if _, requested := p.opening[string(ev.FrameID)]; !requested {
		// A link asked for a download, but it is cross-origin: Chromium ignores
		// that and navigates. Expect one download less.
		p.arrivals.due--
	}
	p.open(string(ev.FrameID), ev.URL, string(ev.LoaderID))
}

func (p *Page) open(frame, url, loader string) {
	p.navigations++
	p.opening[frame] = opening{url: url, loader: loader, order: p.navigations}
}

// stoppedLoading ends a navigation that commits nothing, such as a download.
func (p *Page) stoppedLoading(_ *cdp.Session, ev proto.EventFrameStoppedLoading) {
	id := string(ev.FrameID)
	o, ok := p.opening[id]
	if !ok {
		return
	}
	if o.answered {
		p.arrivals.due++
	}
	delete(p.opening, id)
	if o.loader != "" {
		p.requests.abandoned(id, o.loader)
	}
}

// Navigate opens a URL in the tab and waits until its document has loaded.
func (p *Page) Navigate(ctx context.Context, url string) error {
	loader, err := p.leave(ctx, url)
	if err != nil {
		return err
	}
	return p.loaded(ctx, loader)
}

// Open is Navigate that waits only for a moment for all that the document loads.
func (p *Page) Open(ctx context.Context, url string) error {
	loader, err := p.leave(ctx, url)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, slowLoad, errSlow)
	defer cancel()
	if err := p.loaded(limited, loader); !errors.Is(err, errSlow) {
		return err
	}
	return nil
}

// slowLoad is how long Open waits for what a document loads.
const slowLoad = 5 * time.Second

var errSlow = errors.New("the document still loads")

// leave goes to a URL and returns the loader of the document that was
// committed; none if the document stayed.
func (p *Page) leave(ctx context.Context, url string) (loader string, err error) {
	if p.Leaving() != "" {
		p.stopLoading()
	}
	p.Unstick(ctx, nil)
	for {
		visits := p.Visits()
		loader, err := p.tryLeave(ctx, url)
		load, failed := errors.AsType[*LoadError](err)
		switch {
		case failed && load.Text == aborted && p.Visits() > visits: // the page went its own way meanwhile
		case err == nil && loader == "" && !sameDocument(p.URL(), url): // likewise
		default:
			return loader, err
		}
		if ctx.Err() != nil {
			return "", pageError(ctx, context.Cause(ctx))
		}
	}
}

// aborted is Chromium's word for a navigation that came to nothing.
const aborted = "net::ERR_ABORTED"

// sameDocument reports whether two addresses differ at most in their fragment.
func sameDocument(a, b string) bool { return withoutFragment(a) == withoutFragment(b) }

// withoutFragment is an address as Chromium writes it, as far as callers write it
// in another way, without its fragment.
func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	if u.Host = strings.ToLower(u.Host); u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

func (p *Page) tryLeave(ctx context.Context, url string) (loader string, err error) {
	visits, files := p.Visits(), p.expected()
	if p.shows(url) {
		defer p.bypassCache()()
	}
	res, err := cdp.Call(ctx, p.session, proto.Navigate, proto.NavigateParams{URL: url})
	if err != nil {
		// While a beforeunload dialog is open the navigation waits for its answer, which
		// another call may give: stopped now, the tab would stay whatever the answer is.
		if _, asked := errors.AsType[*DialogOpen](err); !asked {
			p.stopLoading()
		}
		return "", fmt.Errorf("navigate to %s: %w", url, err)
	}
	if res.IsDownload {
		return "", cmp.Or(p.awaitFile(ctx, files), ErrFile)
	}
	if res.ErrorText != "" {
		return "", &LoadError{url, res.ErrorText}
	}
	if res.LoaderID == "" { // the address within the document follows
		err = p.await(ctx, func() bool { return p.visits > visits })
	}
	return string(res.LoaderID), err
}

// shows reports whether the tab shows the document of an address already, so
// that going there is a reload. With a fragment it is a jump within the document.
func (p *Page) shows(url string) bool {
	return !strings.Contains(url, "#") && sameDocument(p.URL(), url)
}

// bypassCache has the tab ask servers for documents, not its cache, until the
// returned function is called. Page.navigate to the address that is shown takes
// the document from the cache, where the user of a browser gets a reload; and
// Page.reload would send a form again that the document is the answer to.
func (p *Page) bypassCache() (restore func()) {
	set := func(disabled bool) {
		cdp.Send(p.session, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: disabled})
	}
	set(true)
	return func() { set(false) }
}

// stopLoading gives up a navigation under way. While a tab waits for a server,
// Chromium passes nothing on to its page.
func (p *Page) stopLoading() { cdp.Send(p.session, proto.StopLoading, protocol.Empty{}) }

// leaves waits, but not long, until a tab that is on its way elsewhere is there,
// or stays. Whoever accepts a beforeunload dialog does not expect to find the
// document that it was about.
func (p *Page) leaves(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, slowLoad)
	defer cancel()
	p.await(limited, func() bool {
		_, under := p.opening[p.main().id]
		return !under
	})
}

// Leaving is the address that the tab is on its way to, "" if it stays.
func (p *Page) Leaving() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.opening[p.main().id]; o.loader != "" {
		return o.url
	}
	return ""
}

// loaded waits until the document of this loader, or one that it made way for,
// has loaded. No loader means that the document stayed.
func (p *Page) loaded(ctx context.Context, loader string) error {
	main := p.main()
	return p.await(ctx, func() bool {
		return (loader == "" || slices.Contains(main.loaders, loader)) && main.state == "load"
	})
}

// readable waits until the main frame's document has been read by the browser,
// so that there is something to see; a document that takes long is seen as it is.
func (p *Page) readable(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	p.await(ctx, func() bool {
		main := p.main()
		return main.state != "" || main.loader == "" && main.world != nil && p.opening[main.id].loader == ""
	})
}

// Arrive waits until a tab that a page opened is where it was opened for. One
// that was opened for a file closes.
func (p *Page) Arrive(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.main().address() != Blank })
}

// begun marks now, for settle.
func (p *Page) begun() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.navigations
}

// leaving reports whether a frame, or one that it is in, has begun to load
// another document since a mark. It is called with mu held.
func (p *Page) leaving(f *frame, since int) bool {
	for ; f != nil; f = f.parent {
		if o := p.opening[f.id]; o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// leavingAny reports whether any frame has begun to load another document since
// a mark. It is called with mu held.
func (p *Page) leavingAny(since int) bool {
	for _, o := range p.opening {
		if o.loader != "" && o.order > since {
			return true
		}
	}
	return false
}

// settle waits until what has begun since a mark has its outcome: each
// navigation has committed or come to nothing, each file has begun to arrive.
// One whose server is slow is left to go on when the deadline comes. A
// navigation that was only requested is given a moment to begin: it may have
// been for another program.
func (p *Page) settle(ctx context.Context, since int, files arrivals) error {
	if err := p.sync(ctx); err != nil {
		return err
	}
	p.inputTaken()
	p.dueSince(files)
	pending := func(counts func(opening) bool) func() bool {
		return func() bool {
			for _, o := range p.opening {
				if o.order > since && counts(o) {
					return false
				}
			}
			return true
		}
	}
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	p.await(soon, pending(func(o opening) bool { return o.loader == "" }))
	limited, cancel := context.WithTimeout(ctx, remaining(ctx))
	defer cancel()
	documents := pending(func(o opening) bool { return o.loader != "" })
	p.await(limited, func() bool { return documents() && !p.awaited(files) })
	if ctx.Err() != nil && interrupts(context.Cause(ctx)) {
		return context.Cause(ctx)
	}
	return nil
}

// Act runs an act and waits for what it began. A page that closes itself took the act.
func (p *Page) Act(ctx context.Context, do func(context.Context) error) error {
	mark, files := p.begun(), p.expected()
	p.watchChanges(ctx)
	if err := do(ctx); err != nil {
		return err
	}
	p.noteChanges(ctx, mark)
	if err := p.settle(ctx, mark, files); !errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}
