package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// A LoadError says why a document could not be loaded.
type LoadError struct{ URL, Text string }

func (e *LoadError) Error() string { return e.Text + " at " + e.URL }

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
			return "", frame.Failure(ctx, context.Cause(ctx))
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
	visits, files := p.Visits(), p.downloadsMark()
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
		return "", cmp.Or(p.awaitDownload(ctx, files), ErrFile)
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
		_, under := p.navigations[p.main().ID]
		return !under
	})
}

// loaded waits until the document of this loader, or one that it made way for,
// has loaded. No loader means that the document stayed.
func (p *Page) loaded(ctx context.Context, loader string) error {
	main := p.main()
	return p.await(ctx, func() bool {
		return (loader == "" || main.Showed(loader)) && main.State == frame.Loaded
	})
}

// readable waits until the main frame's document has been read by the browser,
// so that there is something to see; a document that takes long is seen as it is.
func (p *Page) readable(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	p.await(ctx, func() bool {
		main := p.main()
		return main.State != frame.Loading || main.Loader == "" && main.World != nil && p.navigations[main.ID].loader == ""
	})
}

// Arrive waits until a tab that a page opened is where it was opened for. One
// that was opened for a file closes.
func (p *Page) Arrive(ctx context.Context) error {
	return p.await(ctx, func() bool { return p.main().Address() != Blank })
}
