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

// A PausedRequest is one that Chromium has paused, before it is sent or when the
// answer to it has come. It stays so until one of the methods proceed, proceedWith, Fail
// and Fulfill is called.
type PausedRequest struct {
	fetch.EventRequestPaused
	session *cdp.Session
	judge   judge // decides whether it may be sent
}

// answered reports whether the answer has come.
func (r *PausedRequest) answered() bool {
	return r.ResponseStatusCode != 0 || r.ResponseErrorReason != ""
}

// header is a header of the request, "" if it has none of this name.
func (r *PausedRequest) header(name string) string {
	for each, value := range r.Request.Headers {
		if strings.EqualFold(each, name) {
			return fmt.Sprint(value)
		}
	}
	return ""
}

// preflight reports whether Chromium asks a server, by itself, whether it takes a
// request from another origin. No script can send that header.
func (r *PausedRequest) preflight() bool {
	return r.Request.Method == http.MethodOptions && r.header("Access-Control-Request-Method") != ""
}

// proceed lets the request, or its answer, go on as it is.
func (r *PausedRequest) proceed() {
	cdp.Send(r.session, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: r.RequestID})
}

// proceedWith sends the request with other headers: changed has those that are set,
// and as nil those that are removed. With watch it is paused again when it is answered.
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

// Fail ends the request without an answer.
func (r *PausedRequest) Fail(reason network.ErrorReason) {
	cdp.Send(r.session, fetch.FailRequest, fetch.FailRequestParams{RequestID: r.RequestID, ErrorReason: reason})
}

// Fulfill answers the request, or replaces its answer.
func (r *PausedRequest) Fulfill(status int64, headers []*fetch.HeaderEntry, body []byte) {
	orFail(r, cdp.Send(r.session, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: r.RequestID, ResponseCode: status, ResponseHeaders: headers, Body: body,
	}))
}

// orFail fails the request if Chromium refuses what was to be done with it: it would
// stay paused for ever. What it refuses are headers, which callers have been told.
func orFail[R any](r *PausedRequest, done *cdp.Reply[R]) {
	go func() {
		if _, err := done.Wait(context.Background()); err != nil { // it ends with the session
			r.Fail(network.ErrorReasonFailed)
		}
	}()
}
