package setting

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"

	"chela/internal/base/sitedata"
	"chela/internal/wall/secret"
)

// A decision says what happens to a paused request.
type decision struct {
	route   *Route             // nil: no route matches
	headers map[string]*string // request headers by lower-case names: set, or removed if nil
	watch   bool               // also pause the response, because it may demand a login
	allow   bool               // the request is a CORS preflight: answer that everything is allowed
	spent   bool               // a route that matches has no uses left: this request was the last, or it came too late
	counted bool               // the request used a route with a limited number of uses
}

// decide returns what the settings say about a request. It counts a use of the route that it
// chooses.
func (c Common) decide(r *PausedRequest) (d decision) {
	if r.preflight() {
		return decision{allow: c.answersFor(r)}
	}
	for _, h := range c.Headers {
		if h.Origin.covers(r.Request.URL) {
			for name, text := range h.Headers {
				// A header is left out if its secret may not be sent to the origin of this request.
				if value, ok := secret.Reveal(text, sitedata.OriginOf(r.Request.URL)); ok {
					d.set(name, &value)
				}
			}
		}
	}
	for _, route := range slices.Backward(c.Routes) {
		if !route.fits(r.Request.URL, r.ResourceType) {
			continue
		}
		taken, last := route.take()
		d.spent, d.counted = d.spent || last || !taken, d.counted || route.Times > 0
		if taken {
			d.route = route
			for name, value := range route.Headers {
				d.set(name, value)
			}
			break
		}
	}
	c.logIn(r, &d)
	return d
}

func (d *decision) set(name string, value *string) {
	if d.headers == nil {
		d.headers = map[string]*string{}
	}
	d.headers[strings.ToLower(name)] = value
}

// answersFor reports whether chela answers a CORS preflight, in which Chromium asks the server
// whether it accepts a cross-origin request. Chela answers if the request after the preflight never
// reaches the server, because a route answers or aborts it. All other preflights go to the server,
// even if a caller adds headers to the request. The server need not allow such headers, because
// they are added after the preflight.
func (c Common) answersFor(preflight *PausedRequest) bool {
	for _, route := range slices.Backward(c.Routes) {
		if !route.Spent() && route.addresses().Fits(preflight.Request.URL) {
			return route.Abort != "" || route.Fulfill != nil
		}
	}
	return false
}

// carryOut answers, fails or continues the request, as the decision says.
func (d decision) carryOut(r *PausedRequest) {
	switch {
	case d.allow:
		r.Fulfill(http.StatusNoContent, preflightHeaders(r), nil)
	case d.route != nil && d.route.Abort != "":
		r.Fail(abortReasons[d.route.Abort])
	case d.route != nil && d.route.Fulfill != nil:
		f := d.route.Fulfill
		r.Fulfill(int64(f.Status), f.headersFor(r), f.Body)
	case len(d.headers) > 0 || d.watch:
		r.admit(func() { r.proceedWith(d.headers, d.watch) })
	default:
		r.admit(r.proceed)
	}
}

// headersFor returns the headers of a route's response. As in Playwright, a cross-origin script may
// read the response, unless the route itself sets Access-Control-Allow-Origin: the caller has
// written the response for that script.
func (f *Fulfillment) headersFor(r *PausedRequest) (headers []*fetch.HeaderEntry) {
	given := map[string]bool{}
	add := func(name, value string) {
		headers = append(headers, &fetch.HeaderEntry{Name: name, Value: value})
		given[strings.ToLower(name)] = true
	}
	for name, value := range f.Headers {
		add(name, value)
	}
	if !given["content-length"] {
		add("content-length", fmt.Sprint(len(f.Body)))
	}
	if from := r.header("Origin"); from != "" && !Origin(from).covers(r.Request.URL) && !given["access-control-allow-origin"] {
		add("access-control-allow-origin", from)
		add("access-control-allow-credentials", "true")
		add("vary", "Origin")
	}
	return headers
}

// preflightHeaders returns the headers by which a server allows all that a preflight asks for.
func preflightHeaders(r *PausedRequest) []*fetch.HeaderEntry {
	headers := []*fetch.HeaderEntry{
		{Name: "Access-Control-Allow-Origin", Value: r.header("Origin")},
		{Name: "Access-Control-Allow-Methods", Value: r.header("Access-Control-Request-Method")},
		{Name: "Access-Control-Allow-Credentials", Value: "true"},
	}
	if names := r.header("Access-Control-Request-Headers"); names != "" {
		headers = append(headers, &fetch.HeaderEntry{Name: "Access-Control-Allow-Headers", Value: names})
	}
	return headers
}
