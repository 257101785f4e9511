package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// A Destination is an address to open, and how.
type Destination struct {
	URL    string
	OrHTTP bool // if the URL begins with https and nothing offers https there, open it over http
	Brief  bool // do not wait long for the resources that the document loads, such as images
}

// An Arrival says how an address was reached.
type Arrival struct {
	Status   int  // HTTP status of the document; 0 if no server has sent one, as for about:blank and new fragments
	OverHTTP bool // https was refused, so http was used

	// WantsLogin says that the server answered 401 because it wants a name and a password by HTTP
	// authentication, for which a page has no form.
	WantsLogin bool

	Posted bool // see [Page.Posted]
}

// Go opens an address in the tab and waits until its document has loaded. An HTTP error status is
// not an error. The errors are a [*LoadError], [ErrFile], the [*DialogOpen] that blocks the page,
// and the cause of ctx.
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
		overHTTP, err = p.retryOverHTTP(ctx, to, failed)
	}
	if failed, ok := errors.AsType[*LoadError](err); ok && failed.ofCertificate() {
		p.addCertificate(ctx, failed)
	}
	if failed, ok := errors.AsType[*LoadError](err); ok && failed.Refused != nil && failed.loader != "" && p.loader() == failed.loader {
		p.Back(ctx) // CancelRefused came too late, so Chromium shows an error page: go back, if the tab has a history
	}
	if err != nil {
		return overHTTP, err
	}
	if !to.Brief {
		return overHTTP, p.awaitDocument(ctx, loader)
	}
	limited, cancel := context.WithTimeoutCause(ctx, openTime, errSlow)
	defer cancel()
	if err := p.awaitDocument(limited, loader); !errors.Is(err, errSlow) {
		return overHTTP, err
	}
	return overHTTP, nil
}

// openTime limits the wait for the resources of a document with [Destination.Brief]. It also limits
// the wait of a call for the outcome of a navigation that another call began.
const openTime = 5 * time.Second

var errSlow = errors.New("the document still loads")

// These are Chromium's names of errors that end a navigation.
const (
	aborted           = "net::ERR_ABORTED"                    // the load was cancelled, or became a download
	connectionRefused = "net::ERR_CONNECTION_REFUSED"         // nothing listens at the port
	notTLS            = "net::ERR_SSL_PROTOCOL_ERROR"         // the server there speaks another protocol
	noBody            = "net::ERR_HTTP_RESPONSE_CODE_FAILURE" // a status such as 404, with nothing to show
	notSaved          = "net::ERR_INVALID_RESPONSE"           // a status such as 404, with a file, which is then not saved
)

// isStatus reports whether a navigation failed only in Chromium's view: the server has answered,
// with an error status.
func isStatus(failure string) bool { return failure == noBody || failure == notSaved }

// refusedTLS reports whether https was impossible because nothing offers it at the port. If the
// address names a port, a plain http server there also counts; at the standard https port that is
// not expected. Timeouts, resets and bad certificates do not count. In these cases https is
// offered, and an attacker who disturbs it must not get the page opened without it.
func (e *LoadError) refusedTLS() bool {
	u, err := url.Parse(e.URL)
	return e.Text == connectionRefused || e.Text == notTLS && err == nil && u.Port() != ""
}

// retryOverHTTP opens the address over http after https has failed, if to.OrHTTP allows that. It
// waits until a document has been committed. The parameter failed is the error of the navigation
// over https. It is returned if http cannot be tried.
func (p *Page) retryOverHTTP(ctx context.Context, to Destination, failed *LoadError) (overHTTP bool, err error) {
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
	case redirected: // the https address works, and has redirected to an address that does not
		return false, failed
	}
	err = p.leaveErrorPage(ctx, "http"+strings.TrimPrefix(to.URL, "https"))
	if again, ok := errors.AsType[*LoadError](err); ok {
		again.Both = true
	}
	return true, err
}

// leaveErrorPage goes from the error page of a failed navigation to a URL, and waits until the new
// document has been committed. It navigates as a script of the error page would, which replaces the
// page in the tab's history. With Page.navigate, going back would lead to the address that cannot
// be opened.
func (p *Page) leaveErrorPage(ctx context.Context, url string) error {
	return p.replaceDocument(ctx, url, p.isOfMain, func() error {
		script := fmt.Sprintf("location.replace(%s)", javaScriptText(url))
		_, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{Expression: script})
		return err
	})
}

// javaScriptText returns a text as a JavaScript literal.
func javaScriptText(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string can be written as JSON
	}
	return string(raw)
}

// A document records how the tab came to the main frame's document.
type document struct {
	visit   int  // Page.visits when the document came
	stopped bool // StopLoading has stopped the loading
	broken  bool // the connection ended before the document was complete; failure says why

	refresh time.Time // when the document will navigate by itself, see navigationScheduled; zero: it will not

	outcome // outcome of the navigation that led to the document
}

// ArrivalSince says how the document that the tab shows was reached. The parameter visits is an
// earlier value of Visits. If the document was already there at that time, the result is empty.
func (p *Page) ArrivalSince(visits int) Arrival {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.document.visit <= visits {
		return Arrival{}
	}
	return Arrival{Status: p.document.status, WantsLogin: p.document.wantsLogin, Posted: p.document.method == http.MethodPost}
}
