package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/guard"
)

// exchanges has the requests under way, by Chromium's id, which all hops of a redirect share.
// Events of one request may come from several sessions. For example, the document of a cross-site
// frame is requested in the session of its parent frame, and finishes in its own.
type exchanges struct {
	byID  map[network.RequestID]*exchange
	order []network.RequestID // oldest first
}

// maxExchanges limits how many requests are kept. Chromium does not report the end of a request
// whose document has gone, so some entries never complete.
const maxExchanges = 1000

// An exchange is a request with its redirects.
//
// Chromium reports a request twice. One report is the renderer's view, without cookies and other
// headers that only the network service adds. The "extra" report has the headers on the wire, and
// may come before or after the other one. There is one extra report for each hop that went to the
// network, in the order of the hops. Each response says whether an extra report exists for it.
type exchange struct {
	last        *journal.Request   // the newest hop; nil until Network.requestWillBeSent has come
	length      int64              // bytes of the last hop's body so far, decompressed
	hasReply    bool               // the response to the last hop was reported
	ended       bool               // the last hop has finished or failed
	networkHops []*journal.Request // hops with a response from the network, in order
	sent        []journal.Headers  // headers from the extra reports about requests, in order
	received    []extraHeaders     // extra reports about responses, in order
}

type extraHeaders struct {
	headers journal.Headers
	bytes   int64 // size of the headers on the wire; 0 if it is not known
}

// exchanges.of returns the exchange of a request, and creates it if there is none.
func (e *exchanges) of(id network.RequestID) *exchange {
	if x := e.byID[id]; x != nil {
		return x
	}
	if e.byID == nil {
		e.byID = map[network.RequestID]*exchange{}
	}
	if len(e.order) >= maxExchanges {
		delete(e.byID, e.order[0])
		e.order = e.order[1:]
	}
	x := &exchange{}
	e.byID[id] = x
	e.order = append(e.order, id)
	return x
}

// forget drops an exchange.
func (e *exchanges) forget(id network.RequestID) {
	delete(e.byID, id)
	if i := slices.Index(e.order, id); i >= 0 {
		e.order = slices.Delete(e.order, i, i+1)
	}
}

// known returns the exchange of a request if Network.requestWillBeSent has come for it, else nil.
func (e *exchanges) known(id network.RequestID) *exchange {
	if x := e.byID[id]; x != nil && x.last != nil {
		return x
	}
	return nil
}

// requestSent records a request, or the next hop of one. Requests for data: URLs are left out: they
// do not use the network, and their data is in the URL. Chromium requests the icon of a site by
// itself. As in Playwright, such a request does not count as the page's.
func (o *Observer) requestSent(s *cdp.Session, ev network.EventRequestWillBeSent) {
	if ev.Request == nil || strings.HasPrefix(ev.Request.URL, "data:") || isIcon(ev.Request.URL) {
		return
	}
	x := o.exchanges.of(ev.RequestID)
	before := x.last
	r := requestOf(s, ev)
	if ev.RedirectResponse != nil && before != nil {
		r.RedirectedFrom = before.ID
		o.respond(x, ev.RedirectResponse, ev.RedirectHasExtraInfo, ev.Timestamp.Float64())
	}
	x.last, x.length, x.hasReply, x.ended = o.journal.AddRequest(r), 0, false, false
	if r.RedirectedFrom != "" {
		o.journal.ChangeRequest(before, func(r *journal.Request) { r.Ended, r.RedirectedTo = ev.Timestamp.Float64(), x.last.ID })
	}
}

// isIcon reports whether browsers look for the icon of a site at this address.
func isIcon(url string) bool { return strings.HasSuffix(url, "/favicon.ico") }

// requestOf converts the event for a request that is sent. If the request is for a document, it has
// the loader id of the coming document. Its headers are the ones that the renderer knows. The event
// has the body in parts, several for a form.
func requestOf(s *cdp.Session, ev network.EventRequestWillBeSent) journal.Request {
	r := journal.Request{
		Session: s.ID, Key: string(ev.RequestID), Frame: string(ev.FrameID), Document: string(ev.LoaderID),
		Navigation: ev.Type == network.ResourceTypeDocument && string(ev.RequestID) == string(ev.LoaderID),
		Method:     ev.Request.Method, URL: ev.Request.URL + ev.Request.URLFragment,
		Type: cmp.Or(strings.ToLower(string(ev.Type)), "other"), Headers: headersOf(ev.Request.Headers),
		HasBody: ev.Request.HasPostData,
		At:      seconds(ev.WallTime), Sent: ev.Timestamp.Float64(),
	}
	var body strings.Builder
	for _, part := range ev.Request.PostDataEntries {
		body.Write(part.Bytes)
	}
	r.Body = body.String()
	if ev.Initiator != nil {
		r.Initiator = initiatorOf(*ev.Initiator)
	}
	return r
}

// headersSent stores the headers of a request as they were on the wire.
func (o *Observer) headersSent(_ *cdp.Session, ev network.EventRequestWillBeSentExtraInfo) {
	x := o.exchanges.of(ev.RequestID)
	x.sent = append(x.sent, headersOf(ev.Headers))
	o.completeHeaders(x, len(x.sent)-1)
	o.forgetIfComplete(ev.RequestID, x)
}

// responseReceived records the response to the last hop. Responses to earlier hops come with the
// request of the next hop. The session that reports the response has the body: a cross-site
// document is requested in one process and read in another.
func (o *Observer) responseReceived(s *cdp.Session, ev network.EventResponseReceived) {
	if x := o.exchanges.known(ev.RequestID); x != nil && ev.Response != nil {
		if x.last.Session != s.ID { // no lock is needed: only this goroutine changes Session
			o.journal.ChangeRequest(x.last, func(r *journal.Request) { r.Session = s.ID }) // the body must be asked for on the session that reports the response
		}
		o.respond(x, ev.Response, ev.HasExtraInfo, ev.Timestamp.Float64())
	}
}

// respond records the response to the last hop. For a redirect, the event of the next hop has it.
func (o *Observer) respond(x *exchange, from *network.Response, extra bool, at float64) {
	x.hasReply = true
	o.journal.ChangeRequest(x.last, func(r *journal.Request) {
		r.Response = responseOf(from)
		if server := o.network.Server(r.URL); server.IsValid() && r.Response.RemoteIP != "" { // Chromium reports the address of the proxy instead of the server
			r.Response.RemoteIP, r.Response.RemotePort = server.Addr().String(), int(server.Port())
		}
		r.Response.Received = at
	})
	if extra {
		x.networkHops = append(x.networkHops, x.last)
		o.completeHeaders(x, len(x.networkHops)-1)
	}
}

// headersReceived stores the headers of a response as they were on the wire. For some responses
// this event is the only report. Examples are the script of a shared worker, and a response that
// CORS hides from the page.
func (o *Observer) headersReceived(_ *cdp.Session, ev network.EventResponseReceivedExtraInfo) {
	x := o.exchanges.of(ev.RequestID)
	x.received = append(x.received, extraHeaders{headersOf(ev.Headers), int64(len(ev.HeadersText))})
	i := len(x.received) - 1
	if i == len(x.networkHops) && x.last != nil && !x.hasReply {
		o.journal.ChangeRequest(x.last, func(r *journal.Request) {
			r.Response.Status, r.Response.Headers, r.Response.Raw = int(ev.StatusCode), x.received[i].headers, true
		})
	}
	o.completeHeaders(x, i)
	o.forgetIfComplete(ev.RequestID, x)
}

// completeHeaders gives the i-th hop the headers on the wire, if they have come.
func (o *Observer) completeHeaders(x *exchange, i int) {
	if i >= len(x.networkHops) {
		return
	}
	o.journal.ChangeRequest(x.networkHops[i], func(r *journal.Request) {
		if i < len(x.sent) {
			r.Headers, r.Raw = x.sent[i], true
		}
		if i < len(x.received) {
			r.Response.Headers, r.Response.Raw = x.received[i].headers, true
			r.Response.HeaderBytes = cmp.Or(x.received[i].bytes, r.Response.HeaderBytes)
		}
	})
}

// servedFromCache records that nothing was sent: the renderer has the resource in memory.
func (o *Observer) servedFromCache(_ *cdp.Session, ev network.EventRequestServedFromCache) {
	if x := o.exchanges.known(ev.RequestID); x != nil {
		o.journal.ChangeRequest(x.last, func(r *journal.Request) { r.FromCache = true })
	}
}

// dataReceived counts the decompressed bytes of a body. There may be thousands of these events for
// one request, so the event log gets only the sum, at the end.
func (o *Observer) dataReceived(_ *cdp.Session, ev network.EventDataReceived) {
	if x := o.exchanges.known(ev.RequestID); x != nil {
		x.length += ev.DataLength
	}
}

// requestFinished records that the whole response has arrived.
func (o *Observer) requestFinished(s *cdp.Session, ev network.EventLoadingFinished) {
	o.end(s, ev.RequestID, func(r *journal.Request) {
		r.Ended, r.Received = ev.Timestamp.Float64(), int64(ev.EncodedDataLength)
	})
}

// requestFailed records that a response, or the rest of it, will not arrive. A request that the
// page cancels also fails, and so does a navigation that becomes a download.
func (o *Observer) requestFailed(s *cdp.Session, ev network.EventLoadingFailed) {
	o.end(s, ev.RequestID, func(r *journal.Request) {
		var refused *guard.Refused
		r.Ended, r.Reason, r.Canceled = ev.Timestamp.Float64(), reasonOf(ev), ev.Canceled
		if r.Failure, refused = Explain(o.network, r.URL, ev.ErrorText); refused != nil {
			r.Reason = refused.Reason()
		} else if ev.ErrorText == UnknownHost && o.network.Carries() {
			r.Reason = bypassedProxy
		}
	})
}

// reasonOf returns why a request was blocked. Chromium's error text itself may be only
// net::ERR_FAILED.
func reasonOf(ev network.EventLoadingFailed) string {
	switch {
	case ev.CorsErrorStatus != nil:
		return strings.TrimSuffix(fmt.Sprintf("CORS: %s %s", ev.CorsErrorStatus.CorsError, ev.CorsErrorStatus.FailedParameter), " ")
	case ev.BlockedReason != "":
		return fmt.Sprintf("blocked: %s", ev.BlockedReason)
	}
	return ""
}

// end records that a request has ended: change sets how. The session that reports the end has the
// body.
func (o *Observer) end(s *cdp.Session, id network.RequestID, change func(*journal.Request)) {
	x := o.exchanges.known(id)
	if x == nil {
		return
	}
	x.ended = true
	o.journal.ChangeRequest(x.last, func(r *journal.Request) {
		change(r)
		r.Length, r.Session = x.length, s.ID
		if i := len(x.networkHops); !x.hasReply && i < len(x.sent) { // the request was sent, and no response was reported
			r.Headers, r.Raw = x.sent[i], true
		}
	})
	o.forgetIfComplete(id, x)
}

// forgetIfComplete drops an exchange for which no more events are expected. That is when its body
// has ended, and each hop that went to the network has its headers on the wire.
func (o *Observer) forgetIfComplete(id network.RequestID, x *exchange) {
	if x.ended && len(x.sent) >= len(x.networkHops) && len(x.received) >= len(x.networkHops) {
		o.exchanges.forget(id)
	}
}

// responseOf returns a response as the renderer sees it. Chromium writes IPv6 addresses in
// brackets.
func responseOf(from *network.Response) journal.Response {
	r := journal.Response{
		Status: int(from.Status), StatusText: from.StatusText, Headers: headersOf(from.Headers), MIMEType: from.MimeType,
		Protocol: from.Protocol, RemoteIP: strings.Trim(from.RemoteIPAddress, "[]"), RemotePort: int(from.RemotePort),
		HeaderBytes: int64(from.EncodedDataLength), FromDisk: from.FromDiskCache, FromWorker: from.FromServiceWorker,
	}
	if t := from.Timing; t != nil {
		r.Timing = &journal.Timing{
			Requested: t.RequestTime, DNSStart: t.DNSStart, DNSEnd: t.DNSEnd,
			ConnectStart: t.ConnectStart, ConnectEnd: t.ConnectEnd, SSLStart: t.SslStart, SSLEnd: t.SslEnd,
			SendStart: t.SendStart, SendEnd: t.SendEnd, HeadersEnd: t.ReceiveHeadersEnd,
		}
	}
	return r
}

// initiatorOf returns the cause of a request: a line of a document, or the call stack of a script.
// The stack includes the calls that led to the request through a timer or a promise.
func initiatorOf(from network.Initiator) journal.Initiator {
	i := journal.Initiator{
		Type:     string(from.Type),
		Location: journal.Location{URL: from.URL, Line: int(from.LineNumber), Column: int(from.ColumnNumber)},
	}
	for stack := from.Stack; stack != nil; stack = stack.Parent {
		for _, call := range stack.CallFrames {
			i.Stack = append(i.Stack, journal.Call{Function: call.FunctionName, Location: locationOf(call)})
		}
	}
	return i
}

// headersOf lists headers sorted by name, since the protocol has them in no order. The protocol
// joins several values of one name by newlines. Headers are shortened here, because a request may
// keep them until it ends.
func headersOf(from network.Headers) journal.Headers {
	var list journal.Headers
	for _, name := range slices.Sorted(maps.Keys(from)) {
		for value := range strings.SplitSeq(fmt.Sprint(from[name]), "\n") {
			list = append(list, journal.Header{Name: name, Value: value})
		}
	}
	return list.Shorten()
}
