package setting

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
)

// A PausedRequest is a request that Chromium has paused before it is sent, or when its response has
// come. It stays paused until proceed, proceedWith, Fail or Fulfill is called.
type PausedRequest struct {
	fetch.EventRequestPaused
	session *cdp.Session
	judge   judge // decides whether the request may be sent
}

// hasResponse reports whether the response has come.
func (r *PausedRequest) hasResponse() bool {
	return r.ResponseStatusCode != 0 || r.ResponseErrorReason != ""
}

// header returns a header of the request, or "" if there is none of this name.
func (r *PausedRequest) header(name string) string {
	for each, value := range r.Request.Headers {
		if strings.EqualFold(each, name) {
			return fmt.Sprint(value)
		}
	}
	return ""
}

// preflight reports whether this is a CORS preflight: Chromium itself asks a server whether it
// accepts a cross-origin request. No script can send the header Access-Control-Request-Method.
func (r *PausedRequest) preflight() bool {
	return r.Request.Method == http.MethodOptions && r.header("Access-Control-Request-Method") != ""
}

// proceed continues the request, or its response, unchanged.
func (r *PausedRequest) proceed() {
	cdp.Send(r.session, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: r.RequestID})
}

// proceedWith sends the request with changed headers: a nil value removes a header. If watch is
// true, the request is paused again when its response comes.
func (r *PausedRequest) proceedWith(changed map[string]*string, watch bool) {
	headers := []*fetch.HeaderEntry{}
	for name, value := range r.Request.Headers {
		if _, other := changed[strings.ToLower(name)]; !other {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: fmt.Sprint(value)})
		}
	}
	for name, value := range changed {
		if value != nil {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: *value})
		}
	}
	slices.SortFunc(headers, func(a, b *fetch.HeaderEntry) int { return strings.Compare(a.Name, b.Name) })
	params := fetch.ContinueRequestParams{RequestID: r.RequestID, Headers: headers}
	if watch {
		params.InterceptResponse = &watch
	}
	orFail(r, cdp.Send(r.session, fetch.ContinueRequest, params))
}

// Fail ends the request without a response.
func (r *PausedRequest) Fail(reason network.ErrorReason) {
	cdp.Send(r.session, fetch.FailRequest, fetch.FailRequestParams{RequestID: r.RequestID, ErrorReason: reason})
}

// Fulfill answers the request, or replaces its response.
func (r *PausedRequest) Fulfill(status int64, headers []*fetch.HeaderEntry, body []byte) {
	orFail(r, cdp.Send(r.session, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: r.RequestID, ResponseCode: status, ResponseHeaders: headers, Body: body,
	}))
}

// orFail fails the request if Chromium refuses the command, which it does for invalid headers.
// Otherwise the request would stay paused for ever.
func orFail[R any](r *PausedRequest, done *cdp.Reply[R]) {
	go func() {
		if _, err := done.Wait(context.Background()); err != nil { // the wait ends with the session
			r.Fail(network.ErrorReasonFailed)
		}
	}()
}
