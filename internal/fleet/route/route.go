// Package route runs each call here or on a node of the fleet.
//
// The file choose.go decides where. It looks at the machine and the tab that the call names, the
// node of its session, and the settings. A call that needs no tab may run on several machines
// (places.go). It goes to the less busy of two machines, and waits if none has a place (place.go).
// The rules and the texts of their errors are the same as in OpenClaw.
package route

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"sync/atomic"
	"time"

	"chela/internal/fleet/queue"
	"chela/internal/fleet/remote"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/schedule"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A Local is the service of this machine.
type Local interface {
	op.Runner
	remote.Files
	Hosts(ctx context.Context) []string // returns the only hosts that the session of ctx may open; nil: all
	EndSession(ctx context.Context, key string) (closed int, err error)
}

// A Fleet is the connection by which nodes are reached.
type Fleet struct {
	Line     wire.Line
	Objects  wire.Objects
	Roster   *roster.Roster
	Subjects wire.Subjects
	Shown    string // address of NATS without secrets, for messages
}

// Options are the machines on which calls can run, the settings and the operations.
type Options struct {
	Local  Local
	Fleet  *Fleet        // nil if no fleet is configured
	Policy func() Policy // returns the policy that is in force
	Table  func() *op.Table
}

// A Router is an [op.Runner] that runs each call here or on a node.
type Router struct {
	o         Options
	sessions  sessions
	scheduler schedule.Scheduler
	waiting   queue.Queue  // calls for which no machine has a place
	here      atomic.Int64 // calls on this machine that the scheduler has not placed
}

// New returns a router.
func New(o Options) *Router {
	r := &Router{o: o}
	if o.Fleet != nil {
		o.Fleet.Roster.Watch(r.heard)
	}
	return r
}

// heard records the status that a node has sent, and wakes the waiting calls, since the node may
// have a place now.
func (r *Router) heard(n roster.Node) {
	r.scheduler.Heard(n.Name, n.Beat)
	if n.Load != nil {
		r.waiting.Wake()
	}
}

// Waiting returns how many calls wait here because no machine has a place for them.
func (r *Router) Waiting() int { return r.waiting.Waiting() }

// Run implements [op.Runner].
func (r *Router) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	args = maps.Clone(args)
	if w, ok := r.wishOf(ctx, o, args); ok {
		if nodes := r.o.Fleet.Roster.Nodes(ctx); len(nodes) > 0 {
			if err := r.checkLabels(w.labels, nodes); err != nil {
				return nil, err
			}
		}
		if r.hasNode(w) {
			return r.place(ctx, w, o, args)
		}
	}
	means := meantBy(ctx, args)
	node, err := r.choose(ctx, o, args)
	if err != nil {
		return nil, err
	}
	if node == "" {
		r.here.Add(1)
		defer r.here.Add(-1)
	}
	raw, node, err := r.follow(ctx, o, args, node, means)
	switch {
	case err != nil:
		return nil, err
	case o.EndsSession() && node == "":
		return withClosed(raw, r.endOnNodes(ctx, sessionIn(ctx, args)))
	case !o.Anywhere(args):
		r.sessions.stay(op.Session(ctx), node)
	}
	return raw, nil
}

// at returns the runner for a node, or the one for this machine if node is "".
func (r *Router) at(ctx context.Context, node string) op.Runner {
	if node == "" {
		return r.o.Local
	}
	return r.on(ctx, node)
}

// on returns a Runner that makes calls on a node.
func (r *Router) on(ctx context.Context, node string) remote.Runner {
	f := r.o.Fleet
	return remote.Runner{
		Line: f.Line, Objects: f.Objects, Subjects: f.Subjects, Roster: f.Roster, Files: r.o.Local, Node: node, Hosts: r.o.Local.Hosts(ctx),
	}
}

// withClosed adds the number of tabs closed on nodes to the number in the result of ending a
// session.
func withClosed(raw json.RawMessage, closed int) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	var here int
	if closed == 0 || json.Unmarshal(raw, &fields) != nil || json.Unmarshal(fields["closed"], &here) != nil {
		return raw, nil
	}
	fields["closed"], _ = json.Marshal(here + closed) // a number can be encoded
	return op.Merge(fields)
}

// endTime is how long it may take to end a session on other machines.
const endTime = 5 * time.Second

// EndSession closes the tabs of a session on all machines that it has used.
func (r *Router) EndSession(ctx context.Context, key string) (closed int, err error) {
	closed, err = r.o.Local.EndSession(ctx, key)
	return closed + r.endOnNodes(ctx, key), err
}

// endOnNodes ends a session on the nodes that it has used. A node that cannot be reached closes the
// session's tabs itself when they are idle.
func (r *Router) endOnNodes(ctx context.Context, key string) (closed int) {
	nodes := r.sessions.forget(key)
	end := r.endOperation()
	if len(nodes) == 0 || end == nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(op.WithSession(context.WithoutCancel(ctx), key), endTime)
	defer cancel()
	for _, node := range nodes {
		raw, err := r.on(ctx, node).Run(ctx, end, nil)
		var done struct{ Closed int }
		if err == nil {
			err = json.Unmarshal(raw, &done)
		}
		if err != nil {
			slog.Warn("a session could not be ended on a node", "node", node, "error", err)
		}
		closed += done.Closed
	}
	return closed
}

// endOperation returns the operation that ends the session of a call, or nil.
func (r *Router) endOperation() *op.Op {
	for _, o := range r.o.Table().Ops {
		if o.EndsSession() {
			return o
		}
	}
	return nil
}

// sessionIn returns the session that a call names or, if it names none, the session in which it is
// made.
func sessionIn(ctx context.Context, args op.Args) string {
	var named string
	json.Unmarshal(args["session"], &named) // leaves it empty if there is none
	if named == "" {
		named = op.Session(ctx)
	}
	return named
}
