package observe

import (
	"net/http"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/proxy"
)

// A WebTransport connection is a request of the type webtransport in the event log, which ends when
// it is closed. Chromium reports little about it, and not why it fails. WebTransport uses datagrams
// (HTTP/3), which no proxy carries. In a browser with a proxy each attempt therefore fails without
// sending anything, as it should.

// noDatagrams explains why WebTransport fails in a browser with a proxy.
const noDatagrams = "policy datagrams: none leave the browser, so there is no WebTransport"

// transportCreated records that a script tries to open a WebTransport connection.
func (o *Observer) transportCreated(s *cdp.Session, ev network.EventWebTransportCreated) {
	r := journal.Request{
		Session: s.ID, Key: string(ev.TransportID), Method: http.MethodConnect, URL: ev.URL, Type: "webtransport",
		At: time.Now(), Sent: ev.Timestamp.Float64(),
	}
	if ev.Initiator != nil {
		r.Initiator = initiatorOf(*ev.Initiator)
	}
	o.sockets.of(ev.TransportID).last = o.journal.AddRequest(r)
}

// transportEstablished records that the server has accepted the connection.
func (o *Observer) transportEstablished(_ *cdp.Session, ev network.EventWebTransportConnectionEstablished) {
	o.changeSocket(ev.TransportID, func(r *journal.Request) {
		r.Response.Status, r.Response.Received = http.StatusOK, ev.Timestamp.Float64()
	})
}

// transportClosed records the end of a WebTransport connection. If it was never established, that
// is a failure.
func (o *Observer) transportClosed(_ *cdp.Session, ev network.EventWebTransportClosed) {
	o.changeSocket(ev.TransportID, func(r *journal.Request) {
		r.Ended = ev.Timestamp.Float64()
		switch {
		case r.Response.Status != 0:
		case o.network.Carries():
			r.Failure, r.Reason = proxy.Blocked, noDatagrams
		default:
			r.Failure = "net::ERR_FAILED"
		}
	})
	o.sockets.forget(ev.TransportID)
}
