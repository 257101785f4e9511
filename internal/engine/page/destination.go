package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// A Destination is an address to open, and how.
type Destination struct {
	URL    string
	OrHTTP bool // over http, if https is refused there
	Brief  bool // wait only for a moment for all that the document loads
}

// An Arrival says how an address was reached.
type Arrival struct {
	Status   int  // HTTP status of the document; 0 if no server has sent one, as for about:blank and fragments
	OverHTTP bool // https was refused

	// WantsLogin says that the server answers so (401) because it wants a name and a
	// password by HTTP, for which a page has no form.
	WantsLogin bool
}

// Go opens an address in the tab and waits until its document has loaded. A
// status of HTTP is no error. The errors are a [*LoadError], [ErrFile], the
// [*DialogOpen] that holds the page, and the cause of ctx.
func (p *Page) Go(ctx context.Context, to Destination) (Arrival, error) {
	visits := p.Visits()
	overHTTP, err := p.goTo(ctx, to)
	a := p.ArrivalSince(visits)
	a.OverHTTP = overHTTP
	return a, err
}

func (p *Page) goTo(ctx context.Context, to Destination) (overHTTP bool, err error) {
	loader, err := p.commit(ctx, to.URL)
	if failed, ok := errors.AsType[*LoadError](err); ok {
		overHTTP, err = p.tryAgain(ctx, to, failed)
	}
	if failed, ok := errors.AsType[*LoadError](err); ok && failed.ofCertificate() {
		p.addCertificate(ctx, failed)
	}
	if failed, ok := errors.AsType[*LoadError](err); ok && failed.Refused != nil && failed.loader != "" && p.loader() == failed.loader {
		p.Back(ctx) // it was not stopped in time, see Stay; a tab that has shown nothing before stays on the error page
	}
	if err != nil {
		return overHTTP, err
	}
	if !to.Brief {
		return overHTTP, p.loaded(ctx, loader)
	}
	limited, cancel := context.WithTimeoutCause(ctx, openTime, errSlow)
	defer cancel()
	if err := p.loaded(limited, loader); !errors.Is(err, errSlow) {
		return overHTTP, err
	}
	return overHTTP, nil
}

// openTime is how long is waited for what a document loads where that is to be brief,
// and in a call for the outcome of a navigation that it has not begun itself.
const openTime = 5 * time.Second

var errSlow = errors.New("the document still loads")

// Chromium's words for why a navigation failed.
const (
	aborted  = "net::ERR_ABORTED"                    // it came to nothing, or to a file
	refused  = "net::ERR_CONNECTION_REFUSED"         // nobody listens at the port
	notTLS   = "net::ERR_SSL_PROTOCOL_ERROR"         // who listens there speaks another protocol
	noBody   = "net::ERR_HTTP_RESPONSE_CODE_FAILURE" // a status such as 404, with nothing to show
	notSaved = "net::ERR_INVALID_RESPONSE"           // a status such as 404, with a file, which is not saved then
)

// isStatus reports whether a navigation failed only as Chromium sees it: the
// server has answered, with a status that says the same.
func isStatus(failure string) bool { return failure == noBody || failure == notSaved }

// refusedTLS reports whether no connection by https was possible because nobody
// offers one at the port. At a port that the address names, that may also be
// somebody who speaks plain http, at the port of https it is not expected.
// Timeouts, resets and bad certificates do not count: there https is offered,
// and whoever disturbs it must not be able to have the page opened without it.
func (e *LoadError) refusedTLS() bool {
	u, err := url.Parse(e.URL)
	return e.Text == refused || e.Text == notTLS && err == nil && u.Port() != ""
}

// tryAgain goes on after a navigation that has failed, and waits until a document has
// been committed. The error is that of the navigation if there is no other way.
func (p *Page) tryAgain(ctx context.Context, to Destination, failed *LoadError) (overHTTP bool, err error) {
	if !to.OrHTTP || !strings.HasPrefix(to.URL, "https:") || !failed.refusedTLS() {
		return false, failed
	}
	redirected := false
	err = p.await(ctx, func() bool {
		redirected = p.document.redirected
		return p.main().Loader == failed.loader
	})
	switch {
	case err != nil:
		return false, err
	case redirected: // there is https at the address; where it leads to there is none
		return false, failed
	}
	err = p.leaveErrorPage(ctx, "http"+strings.TrimPrefix(to.URL, "https"))
	if again, ok := errors.AsType[*LoadError](err); ok {
		again.Both = true
	}
	return true, err
}

// leaveErrorPage goes to a URL from the error page of a navigation that has failed,
// and waits until that has been committed. It goes there as a script of the error
// page would, which replaces it in the tab's history: with Page.navigate, the way
// back would lead to what cannot be opened.
func (p *Page) leaveErrorPage(ctx context.Context, url string) error {
	return p.replaceDocument(ctx, url, func() error {
		script := fmt.Sprintf("location.replace(%s)", quoted(url))
		_, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script})
		return err
	})
}

// quoted is a text as a literal of JavaScript.
func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string has a form in JSON
	}
	return string(raw)
}

// A document is what is known of how the main frame's document came.
type document struct {
	visit   int    // its place in the count of Visits
	url     string // of an error page, the address that could not be loaded
	stopped bool   // by StopLoading
	broken  bool   // the connection ended before it did; failure says why

	refresh time.Time // when it is to lead to another one by itself, see navigationScheduled; zero: it is not

	outcome // of the navigation that brought it
}

// ArrivalSince says how the document was reached that the tab shows; nothing if
// it was there after so many visits already.
func (p *Page) ArrivalSince(visits int) Arrival {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.document.visit <= visits {
		return Arrival{}
	}
	return Arrival{Status: p.document.status, WantsLogin: p.document.wantsLogin}
}
