package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// againTime is the time after which a caller that has heard nothing of a call sends it again.
const againTime = time.Second

// await sends a call and waits for its answer. The call is sent again when the connection broke, or
// the node says that the message was too old. The call counts as lost when the node is silent for
// [roster.Silence] while the connection is up.
func (r Runner) await(ctx context.Context, c wire.Call) (*wire.Payload, error) {
	last := r.Roster.Last(r.Node)
	if last.Name == "" { // the node was silent for so long that the roster has forgotten it
		return nil, r.lost("no")
	}
	if err := wire.Check(last.V); err != nil {
		e := op.AsError(err)
		return nil, &RefusedError{r.Node, wire.Wrong, op.Errorf(e.Code, "node %s: %s", r.Node, e.Message).Hinted("%s", e.Hint)}
	}
	a := &attempt{Runner: r, call: c, replies: make(chan *wire.Reply, 64), nobody: make(chan error, 8)}
	a.call.Instance = last.Instance
	ctx, cancel := context.WithCancel(ctx)
	defer a.sending.Wait()
	defer cancel()
	a.send(ctx)
	ticker := time.NewTicker(againTime / 10)
	defer ticker.Stop()
	for {
		select {
		case reply := <-a.replies:
			if payload, err, done := a.take(ctx, reply); done {
				return payload, err
			}
		case err := <-a.nobody:
			if !errors.Is(err, wire.ErrNobody) {
				a.takeBack()
				return nil, fmt.Errorf("%w: %w", r.lost(a.sent()), err)
			}
			a.unheard = true
		case <-ticker.C:
			switch {
			case a.isLost():
				a.takeBack()
				return nil, r.lost(a.sent())
			case a.mustSend():
				a.call.Again = true
				a.send(ctx)
			}
		case <-ctx.Done():
			a.takeBack()
			return nil, a.ended(ctx)
		}
	}
}

// An attempt is a call that was sent to a node and has no answer yet.
type attempt struct {
	Runner
	call    wire.Call
	replies chan *wire.Reply
	nobody  chan error // errors of sending: wire.ErrNobody if no node has received the message
	sending sync.WaitGroup
	end     context.CancelFunc // stops waiting for replies to the last message

	lastSent, lastHeard time.Time
	unheard             bool // no node has received the last message that was sent
	anyGot              bool // some node may have received one of the messages
	accepted            bool // the node has replied that it has the call
}

// send sends the call, with the number and age of the node's last beat (status message). From these
// the node knows how old the message is.
func (a *attempt) send(ctx context.Context) {
	if a.end != nil {
		a.end()
		a.anyGot = a.anyGot || !a.unheard
	}
	last := a.Roster.Last(a.Node)
	a.call.Beat, a.call.Age = last.Beat, time.Since(last.Seen).Milliseconds()
	message := wire.Encode(a.call)
	a.lastSent, a.unheard = time.Now(), false
	ctx, a.end = context.WithCancel(ctx)
	var parts wire.Joiner
	a.sending.Go(func() {
		err := a.Line.Request(ctx, a.Subjects.Call(a.Node), message, func(message []byte) bool {
			reply, err := parts.Read(message)
			if err != nil || reply == nil || reply.ID != a.call.ID {
				return true
			}
			select {
			case a.replies <- reply:
			case <-ctx.Done():
				return false
			}
			return reply.Kind != wire.Answer
		})
		if err != nil && ctx.Err() == nil {
			select {
			case a.nobody <- err:
			case <-ctx.Done():
			}
		}
	})
}

// take handles a reply of the node. The result done is true for the last one.
func (a *attempt) take(ctx context.Context, reply *wire.Reply) (payload *wire.Payload, err error, done bool) {
	a.lastHeard = time.Now()
	switch reply.Kind {
	case wire.Accepted:
		a.accepted = true
	case wire.Progress:
		if p := reply.Progress; p != nil {
			op.Progress(ctx, p.Done, p.Total, p.Doing)
		}
	case wire.Answer:
		if took := time.Duration(reply.TookUs) * time.Microsecond; took > 0 && !a.call.Again {
			a.Roster.Measured(a.Node, max(0, time.Since(a.lastSent)-took))
		}
		switch {
		case reply.Error != nil:
			return nil, reply.Error, true
		case reply.Payload == nil || reply.Payload.Result == nil:
			return nil, op.Errorf(op.Internal, "browser proxy failed").Hinted("node %s has sent an answer without a result", a.Node), true
		}
		return reply.Payload, nil, true
	case wire.Refused:
		switch {
		case reply.Refused == wire.Stale:
			a.unheard = true // the message is sent again, with the number of a newer beat
		case reply.Refused == wire.Restart && (a.accepted || a.anyGot):
			return nil, a.lost("unknown"), true
		default:
			return nil, a.refused(reply), true
		}
	}
	return nil, nil, false
}

// isLost reports whether the node has sent nothing for [roster.Silence]: neither a beat, nor a reply
// to the call.
func (a *attempt) isLost() bool {
	return a.Roster.Silent(a.Node) > roster.Silence && time.Since(a.lastHeard) > roster.Silence
}

// mustSend reports whether the call must be sent again. Even a call that the node has accepted is
// sent again after a silence, because its answer may have been lost.
func (a *attempt) mustSend() bool {
	since := a.Line.Since()
	switch last := a.lastSent; {
	case since.IsZero():
		return false
	case since.After(last):
		return true // the connection has broken since the last message
	case a.unheard:
		return time.Since(last) > againTime/5
	case a.accepted:
		return time.Since(last) > 2*againTime && time.Since(a.lastHeard) > 2*againTime
	default:
		return time.Since(last) > againTime
	}
}

// sent returns "no" if the node cannot have run the call, and "unknown" if it may have.
func (a *attempt) sent() string {
	if !a.accepted && !a.anyGot && a.unheard {
		return "no"
	}
	return "unknown"
}

// ended returns the error for a call whose context ended before the answer came.
func (a *attempt) ended(ctx context.Context) error {
	if context.Cause(ctx) == op.ErrDeadline {
		return unanswered(op.Errorf(op.Deadline, "node %s did not answer in time", a.Node), a.Node, a.sent())
	}
	return fmt.Errorf("%w: %w", op.Errorf(op.Canceled, "interrupted"), ctx.Err())
}

// takeBack tells the node to cancel the call, since nobody waits for its answer any more.
func (a *attempt) takeBack() {
	// If the message gets lost, the node ends the call at its deadline.
	a.Line.Request(context.Background(), a.Subjects.Cancel(a.Node), wire.Encode(wire.Cancel{V: wire.Version, ID: a.call.ID}), nil)
}
