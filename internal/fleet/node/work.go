package node

import (
	"context"
	"sync"
	"time"

	"chela/internal/fleet/wire"
)

// Bounds of the answers that are kept for callers who ask again.
const (
	keepTime  = 60 * time.Second // an ended call is forgotten after this time
	keepBytes = 64 << 20         // size of all kept answers
	keepMost  = 10_000           // number of ended calls
)

// A work is a call that runs on the node, or has ended a short time ago.
type work struct {
	id     string
	cancel context.CancelFunc

	mu     sync.Mutex         // guards the rest
	reply  func([]byte) error // replies to the caller that has asked last
	answer [][]byte           // the messages of the answer; nil: there is none yet, or it was dropped
	bytes  int                // size of answer
	done   time.Time          // when the call ended; zero while it runs
}

// say sends a message to the caller, as a reply to its last request. A caller that misses the
// message asks again.
func (w *work) say(r wire.Reply, most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, part := range wire.Split(r, most) {
		w.reply(part)
	}
}

// works are the calls by their ids. They are kept after their end, so that a call that is sent again
// is not run twice.
type works struct {
	mu    sync.Mutex // guards the rest
	byID  map[string]*work
	ended []*work // calls that have ended, the earliest first
	bytes int     // size of the answers of the ended calls
}

// enter returns the work with an id. If there is none, it adds one that the function cancel can end.
// From now on the work's replies go to the function reply, unless that is nil.
func (ws *works) enter(id string, reply func([]byte) error, cancel context.CancelFunc) (w *work, isNew bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.byID[id]; w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if reply != nil {
			w.reply = reply
		}
		return w, false
	}
	if reply == nil {
		reply = func([]byte) error { return nil }
	}
	if ws.byID == nil {
		ws.byID = map[string]*work{}
	}
	w = &work{id: id, reply: reply, cancel: cancel}
	ws.byID[id] = w
	return w, true
}

// get returns the work with an id; nil if there is none.
func (ws *works) get(id string) *work {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.byID[id]
}

// drop forgets a work that has not begun.
func (ws *works) drop(w *work) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	delete(ws.byID, w.id)
}

// finish keeps the answer of a work and sends it.
func (ws *works) finish(w *work, answer wire.Reply, most int) {
	parts := wire.Split(answer, most)
	w.mu.Lock()
	w.answer, w.done = parts, time.Now()
	for _, part := range parts {
		w.bytes += len(part)
		w.reply(part)
	}
	w.mu.Unlock()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = append(ws.ended, w)
	ws.bytes += w.bytes
	for i := 0; ws.bytes > keepBytes && i < len(ws.ended)-1; i++ {
		ws.bytes -= ws.ended[i].dropAnswer()
	}
}

// dropAnswer drops the answer, and returns its size in bytes. The id stays known.
func (w *work) dropAnswer() (bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	bytes, w.bytes, w.answer = w.bytes, 0, nil
	return bytes
}

// forget removes the works that ended longer than keepTime ago, and the oldest ones if there are
// more than keepMost.
func (ws *works) forget(now time.Time) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for len(ws.ended) > 0 && (len(ws.ended) > keepMost || now.Sub(ws.ended[0].done) > keepTime) {
		ws.bytes -= ws.ended[0].dropAnswer()
		delete(ws.byID, ws.ended[0].id)
		ws.ended = ws.ended[1:]
	}
}

// repeat replies to a caller that has sent a call again. The reply is the answer or, while the call
// runs, wire.Accepted. It returns false if the answer was dropped.
func (w *work) repeat(v int, most int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.done.IsZero():
		w.reply(wire.Encode(wire.Reply{V: v, ID: w.id, Kind: wire.Accepted}))
	case w.answer == nil:
		return false
	}
	for _, part := range w.answer {
		w.reply(part)
	}
	return true
}
