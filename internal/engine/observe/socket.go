package observe

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/guard"
)

// A WebSocket is a request of the type websocket in the event log. Its response is the response to
// the handshake, and it ends when the WebSocket is closed. Chromium reports it by separate events,
// which name no frame and no document. Its frames are only counted, without decoding their content:
// a page may send thousands in a second.

// socketCreated records a WebSocket that a script has made, before its handshake.
func (o *Observer) socketCreated(s *cdp.Session, ev network.EventWebSocketCreated) {
	r := journal.Request{Session: s.ID, Key: string(ev.RequestID), Method: "GET", URL: ev.URL, Type: journal.WebSocket, At: time.Now()}
	if ev.Initiator != nil {
		r.Initiator = initiatorOf(*ev.Initiator)
	}
	o.sockets.of(ev.RequestID).last = o.journal.AddRequest(r)
}

// socketSent stores the headers of the handshake, and when it was sent.
func (o *Observer) socketSent(_ *cdp.Session, ev network.EventWebSocketWillSendHandshakeRequest) {
	o.changeSocket(ev.RequestID, func(r *journal.Request) {
		r.At, r.Sent = seconds(ev.WallTime), ev.Timestamp.Float64()
		if ev.Request != nil {
			r.Headers = headersOf(ev.Request.Headers)
		}
	})
}

// socketAnswered stores the response to the handshake: 101 if the server has accepted.
func (o *Observer) socketAnswered(_ *cdp.Session, ev network.EventWebSocketHandshakeResponseReceived) {
	if ev.Response == nil {
		return
	}
	o.changeSocket(ev.RequestID, func(r *journal.Request) {
		r.Response.Status, r.Response.StatusText, r.Response.Received = int(ev.Response.Status), ev.Response.StatusText, ev.Timestamp.Float64()
		r.Response.Headers, r.Response.Raw = headersOf(ev.Response.Headers), true
		if len(ev.Response.RequestHeaders) > 0 {
			r.Headers, r.Raw = headersOf(ev.Response.RequestHeaders), true
		}
	})
}

// frameSent and frameReceived count a frame.
func (o *Observer) frameSent(ev cdp.Event) {
	o.changeSocket(RequestIn(ev), func(r *journal.Request) { r.Frames.Sent++ })
}

func (o *Observer) frameReceived(ev cdp.Event) {
	o.changeSocket(RequestIn(ev), func(r *journal.Request) { r.Frames.Received++ })
}

// RequestIn returns the id of the request that an event is about, "" if there is none. Chromium
// writes the id first, so the rest need not be read. With the extension, the parameters have
// another order, and are decoded.
func RequestIn(ev cdp.Event) network.RequestID {
	rest, ok := bytes.CutPrefix(ev.Params, []byte(`{"requestId":"`))
	if id, _, whole := bytes.Cut(rest, []byte(`"`)); ok && whole {
		return network.RequestID(id)
	}
	var params struct{ RequestID network.RequestID }
	json.Unmarshal(ev.Params, &params)
	return params.RequestID
}

// socketFailed records why a WebSocket could not be opened, or broke off. The event
// Network.webSocketClosed follows.
func (o *Observer) socketFailed(_ *cdp.Session, ev network.EventWebSocketFrameError) {
	o.changeSocket(ev.RequestID, func(r *journal.Request) {
		r.Failure, r.Reason = "WebSocket error", ev.ErrorMessage
		if i := strings.Index(ev.ErrorMessage, "net::ERR_"); i >= 0 {
			r.Failure, _, _ = strings.Cut(ev.ErrorMessage[i:], " ")
			var refused *guard.Refused
			if r.Failure, refused = Explain(o.network, r.URL, r.Failure); refused != nil {
				r.Reason = refused.Reason()
			}
		}
	})
}

// socketClosed records the end of a WebSocket. Its duration is 0 if the handshake was never sent
// because it was forbidden.
func (o *Observer) socketClosed(_ *cdp.Session, ev network.EventWebSocketClosed) {
	o.changeSocket(ev.RequestID, func(r *journal.Request) {
		r.Ended = ev.Timestamp.Float64()
		if r.Sent == 0 {
			r.Sent = r.Ended
		}
	})
	o.sockets.forget(ev.RequestID)
}

// changeSocket changes the request of an open WebSocket in the event log. A WebSocket that was
// created before the page was observed is not known.
func (o *Observer) changeSocket(id network.RequestID, change func(*journal.Request)) {
	if x := o.sockets.known(id); x != nil {
		o.journal.ChangeRequest(x.last, change)
	}
}
