package server

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"chela/internal/api/words"
	"chela/internal/engine/capture"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/record/live"
	"chela/internal/surface/dashboard"
)

// The limits of a viewer.
const (
	maxFromViewer = 64 << 10        // size of a message from the viewer, in bytes
	maxEvents     = 256             // number of events that wait to be sent; further ones are dropped, and counted
	goodbyeTime   = 1 * time.Second // how long sending the last message may take
)

// A viewer is the WebSocket of a person or program that watches a tab. Pictures, events and input each
// have a goroutine of their own. So a viewer who does not read delays neither calls nor other viewers.
type viewer struct {
	server *Server
	socket *websocket.Conn
	stream *live.Stream
	ctx    context.Context // ends with the viewer
	end    context.CancelCauseFunc
	events chan any
	missed atomic.Int32 // events that were dropped
	inputs inputs
	mouse  mouse // only act uses it

	mu    sync.Mutex    // guards the rest
	seq   int           // number of the last picture
	acked chan struct{} // closed when the viewer has acknowledged the last picture
	last  capture.Still // the last picture, without its JPEG
}

// newViewer returns a viewer that ends with ctx. Its connection is closed goodbyeTime later at the
// latest. Socket.CloseNow could not do that: it has no effect while Socket.Close waits for a viewer
// that does not answer.
func newViewer(ctx context.Context, s *Server, socket *websocket.Conn, connection net.Conn, stream *live.Stream) *viewer {
	acked := make(chan struct{})
	close(acked)
	v := &viewer{server: s, socket: socket, stream: stream, events: make(chan any, maxEvents), inputs: newInputs(), acked: acked}
	v.ctx, v.end = context.WithCancelCause(ctx)
	context.AfterFunc(v.ctx, func() { time.AfterFunc(goodbyeTime, func() { connection.Close() }) })
	return v
}

// Reasons for the end of a viewer.
var (
	errViewerGone = errors.New("the viewer has gone")
	errSilent     = errors.New("the viewer was silent")
)

// serve shows the tab until the tab closes, the viewer disconnects, or the server shuts down. Then it
// tells the viewer why, and closes the connection within goodbyeTime. It does not read or write with
// a context that may end: package websocket would close the connection, and the viewer would not
// learn why.
func (v *viewer) serve(how capture.Filming) {
	defer context.AfterFunc(v.server.ending, func() { v.end(errStopping) })()
	var running sync.WaitGroup
	running.Go(v.read)
	running.Go(v.sendEvents)
	running.Go(v.act)
	running.Go(v.ping)
	v.end(v.stream.Follow(v.ctx, live.Viewer{Filming: how, Show: v.show, Tell: v.tell}))
	v.sayGoodbye(context.Cause(v.ctx))
	running.Wait()
}

// sayGoodbye tells the viewer why the live view ends, and closes the connection.
func (v *viewer) sayGoodbye(why error) {
	for _, end := range []struct {
		err          error
		status       websocket.StatusCode
		reason, text string
	}{
		{page.ErrClosed, websocket.StatusNormalClosure, "tab-closed", "the tab was closed"},
		{cdp.ErrClosed, websocket.StatusGoingAway, "browser-ended", "the browser has ended"},
		{dashboard.ErrShareEnded, websocket.StatusPolicyViolation, "share-ended", "the tab is not shared any more"},
		{dashboard.ErrPassEnded, websocket.StatusPolicyViolation, "pass-ended", "the dashboard was left, or its time is over"},
		{errSilent, websocket.StatusPolicyViolation, "silent", "the viewer has not answered for a minute"},
		{why, websocket.StatusGoingAway, "server-ended", "chela is shutting down"},
	} {
		if errors.Is(why, end.err) {
			if !errors.Is(why, errViewerGone) {
				v.send(op.Object{"type": "end", "reason": end.reason, "message": end.text})
			}
			v.socket.Close(end.status, end.text)
			return
		}
	}
}

// send sends a message. If the viewer does not read it within replyTime, the live view ends.
func (v *viewer) send(message any) {
	raw, err := json.Marshal(message)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), replyTime)
		defer cancel()
		err = v.socket.Write(ctx, websocket.MessageText, raw)
	}
	if err != nil {
		v.end(errViewerGone)
	}
}

// A frameMessage is the message with a picture.
type frameMessage struct {
	Type   string `json:"type"`
	Seq    int    `json:"seq"`
	Width  int    `json:"width"` // width of the picture, in pixels
	Height int    `json:"height"`
	Data   []byte `json:"data"` // JPEG; base64 in JSON
}

// show sends a picture, and waits until the viewer has acknowledged it. Pictures that come in the
// meantime are left out, see [live.Viewer].
func (v *viewer) show(ctx context.Context, s capture.Still) {
	if !v.awaitAck(ctx) { // wait until the viewer has acknowledged the previous picture
		return
	}
	v.mu.Lock()
	v.seq++
	v.acked = make(chan struct{})
	message := frameMessage{"frame", v.seq, s.Size.X, s.Size.Y, s.JPEG}
	v.last = s
	v.last.JPEG = nil
	v.mu.Unlock()
	v.send(message)
	v.awaitAck(ctx)
}

// awaitAck waits until the last picture is acknowledged, and reports whether it is.
func (v *viewer) awaitAck(ctx context.Context) bool {
	v.mu.Lock()
	acked := v.acked
	v.mu.Unlock()
	select {
	case <-acked:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// ack handles the acknowledgement of a picture. It ignores an acknowledgement of an earlier
// picture.
func (v *viewer) ack(seq int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if seq != v.seq {
		return
	}
	select {
	case <-v.acked:
	default:
		close(v.acked)
	}
}

// tell queues an event. It does not wait: if the viewer does not read, events are dropped.
func (v *viewer) tell(event any) {
	select {
	case v.events <- eventMessage(event, v.stream.Guest):
	default:
		v.missed.Add(1)
	}
}

// sendEvents sends the queued events, and how many were dropped.
func (v *viewer) sendEvents() {
	for {
		select {
		case message := <-v.events:
			v.send(message)
			if n := v.missed.Swap(0); n > 0 {
				v.send(op.Object{"type": "missed", "events": n})
			}
		case <-v.ctx.Done():
			return
		}
	}
}

// eventMessage returns the message for an event of a tab. Long texts of the page are cut, and characters
// that could deceive a reader are escaped. A guest is not told the names of others. The parameter guest is the
// guest's share; "": the viewer is no guest.
func eventMessage(event any, guest string) any {
	switch e := event.(type) {
	case live.Address:
		message := op.Object{"type": "address", "url": words.Shown(e.URL)}
		if e.Refused {
			message["urlUnavailableReason"] = "navigation_blocked"
		}
		return plain(message)
	case live.Title:
		return plain(op.Object{"type": "title", "title": words.Shown(e.Title)})
	case live.Person:
		message := op.Object{"type": "person"}
		if guest != "" {
			e.By = ""
		}
		if guest != "" && guest != e.Guest {
			e.Guest = ""
		}
		if e.TakeOver != (page.TakeOver{}) {
			message["person"] = e.TakeOver
		}
		return plain(message)
	case live.Act:
		message := op.Object{"type": "act", "op": e.Operation, "ms": e.Took.Milliseconds()}
		if guest == "" {
			message["session"], message["caller"] = e.Session, e.Caller
		}
		if e.Failed != "" {
			message["code"] = e.Failed
		}
		return plain(message)
	case live.Dialog:
		message := op.Object{"type": "dialog", "id": e.ID, "kind": e.Dialog.Type, "message": words.Shown(e.Message), "open": e.ClosedAt == nil}
		if e.DefaultValue != "" {
			message["default"] = words.Shown(e.DefaultValue)
		}
		if e.ClosedAt != nil {
			message["closedBy"] = e.ClosedBy
		}
		return plain(message)
	case live.Crashed:
		return op.Object{"type": "crashed"}
	case live.Reopened:
		return op.Object{"type": "reopened"}
	}
	return nil
}

// plain returns a message as JSON, with secrets masked and deceiving characters escaped, like answers of
// calls.
func plain(message op.Object) json.RawMessage {
	raw, _ := json.Marshal(message) // texts and numbers can be encoded
	return outgoing(raw)
}

// read reads the messages of the viewer, until the connection ends.
func (v *viewer) read() {
	for {
		_, raw, err := v.socket.Read(context.Background())
		if err != nil {
			v.end(errViewerGone)
			return
		}
		v.take(raw)
	}
}

// take handles a message of the viewer: an acknowledgement, or input.
func (v *viewer) take(raw []byte) {
	var m struct {
		op.UserInput
		Seq int `json:"seq"`
	}
	switch err := json.Unmarshal(raw, &m); {
	case err != nil:
		v.refuse(op.Errorf(op.Invalid, "the message cannot be read: %s", err))
	case m.Type == "ack":
		v.ack(m.Seq)
	case !v.stream.Control:
		v.refuse(op.Errorf(op.Forbidden, "this viewer may only watch").Hinted("get a ticket with control, or connect with control=true"))
	case !v.inputs.add(m.UserInput):
		v.refuse(op.Errorf(op.TooMany, "more input came than the page takes"))
	}
}

// refuse sends an error.
func (v *viewer) refuse(err error) {
	e := op.FailureOf(v.ctx, err)
	if e.Code == op.Internal {
		v.server.o.Log.Error("internal error", "err", err, "caller", "live view")
		e = internal()
	}
	message := op.Object{"type": "error", "code": e.Code, "error": e.Message, "hint": e.Hint}
	if e.Reason != "" {
		message["reason"] = e.Reason
	}
	v.send(plain(message))
}

// ping sends pings to the viewer, and ends the live view if one is not answered. A viewer that answers
// stays, even if the tab does not change and so there is nothing to acknowledge. The time between two
// pings and the wait for an answer are together limits.silence.
func (v *viewer) ping() {
	interval := v.server.o.limits.silence / 2
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-v.ctx.Done():
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), interval)
		err := v.socket.Ping(ctx)
		cancel()
		if err != nil {
			v.end(errSilent)
			return
		}
	}
}
