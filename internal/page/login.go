package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/cdp"
)

// wantsLogin reports whether a response asks for a name and a password in the way
// of HTTP, for which browsers have a window. Other schemes, such as Bearer, are
// for programs.
func wantsLogin(r *network.Response) bool {
	if r.Status != http.StatusUnauthorized {
		return false
	}
	for name, value := range r.Headers {
		if strings.EqualFold(name, "WWW-Authenticate") {
			return byPassword.MatchString(fmt.Sprint(value))
		}
	}
	return false
}

// byPassword fits the header of a response, which may offer several schemes.
var byPassword = regexp.MustCompile(`(?i)\b(basic|digest|ntlm|negotiate)\b`)

// showUnauthorized has Chromium show what a server sends to those who are not
// logged in (401), until the returned function is called. By itself it fails
// such a navigation, to ask for the login in a window, which nobody can see here.
// For that, the answers to navigations must pass us, which takes time, so this is
// only asked for when a navigation has failed in this way.
func (p *Page) showUnauthorized() (stop func()) {
	cdp.Send(p.session, fetch.Enable, fetch.EnableParams{
		Patterns: []*fetch.RequestPattern{{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageResponse}},
	})
	return func() { cdp.Send(p.session, fetch.Disable, protocol.Empty{}) }
}

// responsePaused lets an answer to a navigation go on. One that asks for a login
// is replaced by a copy, with which Chromium does not know that it asks.
func (p *Page) responsePaused(s *cdp.Session, ev fetch.EventRequestPaused) {
	if p.emptyAskedLocked(s, ev) {
		return
	}
	if ev.ResponseStatusCode != http.StatusUnauthorized {
		cdp.Send(s, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: ev.RequestID})
		return
	}
	go func() { // it ends with the session, or when the navigation is given up
		res, err := cdp.Call(context.Background(), s, fetch.GetResponseBody, fetch.GetResponseBodyParams{RequestID: ev.RequestID})
		if err != nil {
			return
		}
		cdp.Send(s, fetch.FulfillRequest, fetch.FulfillRequestParams{
			RequestID: ev.RequestID, ResponseCode: ev.ResponseStatusCode,
			ResponseHeaders: slices.DeleteFunc(ev.ResponseHeaders, func(h *fetch.HeaderEntry) bool { return ofTransfer[strings.ToLower(h.Name)] }),
			Body:            []byte(cmp.Or(string(res.Body), " ")), // without one Chromium would take that of the server, and the login with it
		})
	}()
}

// ofTransfer are the headers of a response that say how its body was sent.
var ofTransfer = map[string]bool{"content-encoding": true, "content-length": true, "transfer-encoding": true}
