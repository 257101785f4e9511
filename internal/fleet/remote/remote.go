// Package remote makes a call on one node of the fleet.
//
// A call is sent again when the node does not reply. The node knows its recent calls by their ids,
// so it runs none twice (await.go). Files go with the call and come with its answer (files.go).
package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"time"

	"chela/internal/base/media"
	"chela/internal/base/stage"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// Files gives access to the files of this machine that calls read and save.
type Files interface {
	// Given opens a file that the arguments of a call name. It also returns the file name that a
	// page sees.
	Given(given op.Given) (content io.ReadCloser, name string, size int64, err error)

	// Keep saves a file that a node has sent, and returns its path on this machine.
	Keep(name string, write func(io.Writer) error) (path string, err error)

	// Place checks where a caller wants a file to be saved. Path is not empty.
	Place(s op.Saving) (media.Place, error)
}

// A Runner is an [op.Runner] whose operations run on one node.
type Runner struct {
	Line     wire.Line
	Objects  wire.Objects
	Subjects wire.Subjects
	Roster   *roster.Roster
	Files    Files

	Node   string
	Hosts  []string // the only hosts that the session may open; nil: all
	Placed bool     // a scheduler has chosen the node, so the node may refuse the call as busy
	From   string   // the node that the caller named, if its profile has moved from there to Node; else ""
	Shown  string   // name of the node in the tab handles of answers; "": that of Node

	Deadline time.Time // deadline of the call; zero: the operation's own deadline, from now on
}

// Run implements [op.Runner]. The error is an [*op.Error]: the error of the node, or one about the
// connection. If the node refused the call, the error is also a [*RefusedError]. Tab handles in the
// answer contain the name of the node.
func (r Runner) Run(ctx context.Context, o *op.Op, args op.Args) (_ json.RawMessage, err error) {
	ctx, end := stage.Begin(ctx, stage.Hop)
	defer func() { end(err) }()
	budget := o.Budget(args)
	if !r.Deadline.IsZero() {
		budget = time.Until(r.Deadline)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, budget+wire.Slack, op.ErrDeadline)
	defer cancel()
	args = maps.Clone(args)
	place, err := r.takePlace(o, args)
	if err != nil {
		return nil, err
	}
	call, err := r.call(ctx, o, args, budget)
	if err != nil {
		return nil, err
	}
	payload, err := r.await(ctx, call)
	if err != nil {
		return nil, err
	}
	answer, err := r.keep(ctx, o, payload, place)
	if err != nil {
		return nil, err
	}
	return o.MoveHandles(answer, func(h op.Handle) op.Handle { return h.OnNode(cmp.Or(r.Shown, r.Node)) }), nil
}

// call returns the message that asks the node for a call.
func (r Runner) call(ctx context.Context, o *op.Op, args op.Args, budget time.Duration) (wire.Call, error) {
	files, err := r.send(ctx, o, args)
	if err != nil {
		return wire.Call{}, err
	}
	c := wire.Call{
		V: wire.Version, ID: rand.Text(), Node: r.Node, Command: wire.Command,
		Params: wire.Params{Sent: o.Sent(args), Profile: o.ProfileIn(args), TimeoutMs: budget.Milliseconds(), ErrorEnvelope: "browser-v1"},
		Caller: op.Caller(ctx), Session: op.Session(ctx), Surface: string(op.SurfaceOf(ctx)), Progress: op.WantsProgress(ctx),
		TraceParent: stage.TraceParent(ctx), Hosts: r.Hosts, Placed: r.Placed, From: r.From, Files: files,
	}
	if size := len(wire.Encode(c)); size > r.Line.Most() {
		return c, op.Errorf(op.TooLarge, "the call has %d bytes, and a message to a node has at most %d", size, r.Line.Most()).
			Hinted("send large content as a file")
	}
	return c, nil
}

// A RefusedError says that a node has refused a call, and has done nothing. The node may be of a
// version that cannot even get it. Why is one of the reasons in package wire, such as wire.Busy.
type RefusedError struct {
	Node, Why string
	err       *op.Error
}

func (e *RefusedError) Error() string { return e.err.Error() }
func (e *RefusedError) Unwrap() error { return e.err }

// refused returns the error of a call that a node has refused, from the node's reply.
func (r Runner) refused(reply *wire.Reply) error {
	own := reply.Error
	switch {
	case own != nil:
	case reply.Refused == wire.Busy:
		own = op.Errorf(op.NodesBusy, "node %s is busy", r.Node).Hinted("call again later, or name another node")
	case reply.Refused == wire.Draining:
		own = op.Errorf(op.Stopping, "node %s ends, and takes nothing new", r.Node).Hinted("name another node, or none")
	default:
		own = r.lost("no")
	}
	return &RefusedError{r.Node, reply.Refused, own}
}

func (r Runner) lost(sent string) *op.Error { return Lost(r.Node, sent) }

// Lost returns the error for a node that does not answer any more. The parameter sent says whether
// the node has run the call: "yes", "no" or "unknown".
func Lost(node, sent string) *op.Error {
	return unanswered(op.Errorf(op.NodeLost, "node %s does not answer any more", node), node, sent)
}

// unanswered adds to the error of a call whose answer did not come whether the node has run the call.
// The parameter sent is the same as that of [Lost].
func unanswered(e *op.Error, node, sent string) *op.Error {
	e.Details = map[string]any{"sent": sent, "node": node}
	switch e.Sent = sent == "yes"; sent {
	case "no":
		return e.Hinted("nothing was done: call again, on another node if this one does not come back")
	case "yes":
		return e.Hinted("the call was done: look at the page before you do it again")
	default:
		return e.Hinted("the call may have been done: look at the page before you do it again")
	}
}
