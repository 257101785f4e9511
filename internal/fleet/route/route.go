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
	Hosts(ctx context.Context) []string                // returns the only hosts that the session of ctx may open; nil: all
	Confine(ctx context.Context, hosts []string) error // lets the session of ctx open only these hosts from now on
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
	silence   *time.Timer  // wakes the waiting calls when no node has sent anything for [roster.Silence]
	here      atomic.Int64 // calls on this machine that the scheduler has not placed
}

// New returns a router.
func New(o Options) *Router {
	r := &Router{o: o}
	r.silence = time.AfterFunc(silenceTime, r.waiting.Wake)
	if o.Fleet != nil {
		o.Fleet.Roster.Watch(r.heard)
	}
	return r
}

// silenceTime is the time without a status of any node after which all nodes count as gone.
const silenceTime = roster.Silence + time.Millisecond

// heard records the status that a node has sent, and wakes the waiting calls. The node may have a
// place now. It may also take no more calls, or another node may be gone: then calls that no other
// node can take end with an error.
func (r *Router) heard(n roster.Node) {
	r.scheduler.Heard(n.Name, n.Beat)
	r.silence.Reset(silenceTime)
	r.waiting.Wake()
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
	switch {
	case o.EndsSession() && node == "":
		return r.end(ctx, o, args)
	case node == "":
		r.here.Add(1)
		defer r.here.Add(-1)
	default:
		if err := r.confine(ctx, o, args); err != nil {
			return nil, err
		}
	}
	raw, node, err := r.follow(ctx, o, args, node, means)
	if err != nil {
		return nil, err
	}
	if !o.Anywhere(args) && !o.OnlyHere() {
		r.sessions.stay(op.Session(ctx), node)
	}
	return raw, nil
}

// confine limits the session of a call on a node here as well, if the call sets a limit. The limit
// is then in force on this machine, and each later call takes it to its node. It is set before the
// call leaves, so that no other call of the session is made without it. It stays if the call fails,
// as the limit that a call on this machine sets does: the node may have it by then.
func (r *Router) confine(ctx context.Context, o *op.Op, args op.Args) error {
	hosts, err := o.LimitsTo(args)
	if err != nil || hosts == nil || op.Session(ctx) == "" {
		return nil // the node reports what is wrong with the call
	}
	return r.o.Local.Confine(ctx, hosts)
}

// at returns the runner for a node, or the one for this machine if node is "".
func (r *Router) at(ctx context.Context, o *op.Op, args op.Args, node string) op.Runner {
	if node == "" {
		return r.o.Local
	}
	return r.on(ctx, o, args, node)
}

// on returns a Runner that makes a call on a node. The call may open a tab there, even if its answer
// is lost. If the session of ctx is limited, the node keeps its limit. So the end of the session must
// reach that node, even if its calls there fail. A reading without a tab leaves nothing there.
func (r *Router) on(ctx context.Context, o *op.Op, args op.Args, node string) remote.Runner {
	f, hosts := r.o.Fleet, r.o.Local.Hosts(ctx)
	if hosts != nil || !o.Anywhere(args) {
		r.sessions.visit(op.Session(ctx), node)
	}
	return remote.Runner{
		Line: f.Line, Objects: f.Objects, Subjects: f.Subjects, Roster: f.Roster, Files: r.o.Local, Node: node, Hosts: hosts,
	}
}
