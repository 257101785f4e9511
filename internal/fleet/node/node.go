// Package node offers the browsers of this machine to callers on other machines.
//
// A node receives calls over NATS, and runs them with the [Service] of this machine. It refuses
// those that are too old (beats.go), and those that the policy of the machine does not allow
// (admit.go). It keeps its answers for a while, so that a caller whose connection broke can ask
// again (work.go).
package node

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/fleet/keeper"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// A Service runs operations on the browsers of this machine, and stores the files of calls.
type Service interface {
	op.Runner

	// Receive stores a file of a call, and returns the reference by which arguments name it.
	Receive(name string, content io.Reader) (reference string, err error)

	// Confine lets the session of ctx visit only these hosts. It fails if the session already has
	// another limit, or has opened something without one.
	Confine(ctx context.Context, hosts []string) error

	// Portable lists the profiles of this machine that may move to another.
	Portable() []string

	// Leave ends the browser of a portable profile, so that another machine can go on with its tabs.
	Leave(ctx context.Context, profile string) error
}

// Options configure a node.
type Options struct {
	Name, Tenant, Version string
	Labels                map[string]string
	Line                  wire.Line
	Objects               wire.Objects // stores large files; nil: calls with large files are refused
	Table                 func() *op.Table
	Service               Service
	Policy                func() Policy  // returns the policy that is in force
	Slots                 int            // how many calls placed by schedulers may run at once
	Keeper                *keeper.Keeper // keeper of portable profiles; nil: there is none

	Warm   Warm                            // zero: no browsers are kept ready
	Owners func() map[string]int           // returns the number of open tabs by session; "" stands for calls without a session
	Health func(ctx context.Context) error // returns why no browser can start, or nil
	Retry  func(ctx context.Context)       // starts the browser again, after its start has failed
}

// A Node answers calls of other machines. [New] makes one.
type Node struct {
	o        Options
	instance string // random id of this run of the node; calls that were sent to an earlier run are refused
	subjects wire.Subjects
	beats    beats
	works    works
	tabs     atomic.Int64 // number of open tabs when they were counted last
	warm     atomic.Int64 // number of empty tabs that were ready at that time

	check    chan struct{} // holds a value if the health is to be checked now
	calls    sync.WaitGroup
	lifetime context.Context
	endCalls context.CancelCauseFunc

	mu       sync.Mutex // guards the rest
	running  int        // number of calls
	placed   int        // running calls for which the caller's scheduler has chosen this node
	draining bool
	served   map[string]time.Time // sessions that have made calls here, and when each ended its last one
	calling  map[string]int       // number of calls by profile
	leaving  map[string]bool      // portable profiles that take no calls any more
	left     map[string]bool      // profiles that this node has given up, so that other nodes can take them; all are in leaving
	portable []string             // portable profiles that this node can take from other nodes
	sick     error                // why no browser can start
}

// New returns a node, which does nothing yet.
func New(o Options) *Node {
	n := &Node{
		o: o, instance: rand.Text(), subjects: wire.Subjects{Tenant: o.Tenant}, served: map[string]time.Time{}, check: make(chan struct{}, 1),
		calling: map[string]int{}, leaving: map[string]bool{}, left: map[string]bool{},
	}
	n.lifetime, n.endCalls = context.WithCancelCause(context.Background())
	return n
}

// Subject returns the subject of the node's calls. Messages to it are for Handle.
func (n *Node) Subject() string { return n.subjects.Call(n.o.Name) }

// Run makes the node known to callers until ctx ends. It also answers requests for the node's
// status, and handles cancellations. Calls go to Handle.
func (n *Node) Run(ctx context.Context) error {
	endCancels, err := n.o.Line.Subscribe(n.subjects.Cancel(n.o.Name), func(message []byte, _ func([]byte) error) { n.cancel(message) })
	if err != nil {
		return err
	}
	defer endCancels()
	endQuestions, err := n.o.Line.Subscribe(n.subjects.Question(), func(message []byte, reply func([]byte) error) {
		var q wire.Question
		if json.Unmarshal(message, &q) == nil {
			reply(wire.Encode(n.beat()))
		}
	})
	if err != nil {
		return err
	}
	defer endQuestions()
	var checking sync.WaitGroup
	checking.Go(func() { n.checkHealth(ctx) })
	checking.Go(func() { n.countTabs(ctx) })
	defer checking.Wait()
	ticker := time.NewTicker(beatTime)
	defer ticker.Stop()
	for {
		n.Say()
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			n.works.forget(time.Now())
		}
	}
}

// Say sends a beat (a message with the node's status) now. It is for a change that callers should
// know at once.
func (n *Node) Say() {
	// A beat that is lost does no harm: the next one comes soon.
	n.o.Line.Request(context.Background(), n.subjects.Beat(n.o.Name), wire.Encode(n.beat()), nil)
}

// beat returns the status of the node, with the next number of a beat.
func (n *Node) beat() wire.Status {
	s := n.Status()
	s.Beat = n.beats.next(time.Now())
	return s
}

// Status returns the present status of the node.
func (n *Node) Status() wire.Status {
	s := wire.Status{
		V: wire.Version, Name: n.o.Name, Instance: n.instance, Labels: n.o.Labels, Version: n.o.Version,
		Profiles: n.o.Policy().Profiles, Default: n.o.Policy().Name(""),
	}
	s.Tabs = int(n.tabs.Load())
	n.mu.Lock()
	defer n.mu.Unlock()
	s.Healthy, s.Draining, s.Portable = n.sick == nil, n.draining, n.portable
	if n.sick != nil {
		s.Reason = n.sick.Error()
	}
	if s.Healthy && !s.Draining {
		s.Load = &wire.Load{Calls: n.running, Placed: n.placed, Warm: int(n.warm.Load()), Slots: n.o.Slots, Queue: max(0, n.placed-n.o.Slots)}
	}
	return s
}

// countTabs counts the tabs every beatTime, and adjusts how many are kept ready. It has a goroutine
// of its own: a browser that starts may delay the count, and a node without beats counts as gone.
func (n *Node) countTabs(ctx context.Context) {
	ticker := time.NewTicker(beatTime)
	defer ticker.Stop()
	var warming warming
	for {
		warming.adjust(n.o.Warm)
		if n.o.Warm.Ready != nil {
			n.warm.Store(int64(n.o.Warm.Ready()))
		}
		counted := time.Now()
		count, owners := 0, n.o.Owners()
		for _, tabs := range owners {
			count += tabs
		}
		n.tabs.Store(int64(count))
		n.forgetServed(owners, counted)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Drain makes the node refuse new work. It waits until its calls have ended and the tabs of its
// callers are closed, or until ctx has ended. Calls of sessions that have tabs here go on
// meanwhile, except in portable profiles: these are left to other nodes. Sessions can be ended.
func (n *Node) Drain(ctx context.Context) {
	n.mu.Lock()
	n.draining = true
	n.mu.Unlock()
	if n.o.Keeper != nil {
		n.o.Keeper.End()
	}
	n.Say()
	ticker := time.NewTicker(beatTime / 5)
	defer ticker.Stop()
	for ctx.Err() == nil && !n.finished() {
		n.leavePortable(ctx)
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// finished reports whether no calls run and sessions of callers have no tabs. Sessions that only this
// machine has used do not count. The tabs are counted first, without mu: a browser may delay the count,
// and beats need mu. A call that ends meanwhile may have opened a tab, so it counts as running.
func (n *Node) finished() bool {
	n.mu.Lock()
	running := n.running
	n.mu.Unlock()
	owners := n.o.Owners()
	n.mu.Lock()
	defer n.mu.Unlock()
	for session := range owners {
		if _, ok := n.served[session]; ok {
			return false
		}
	}
	return running == 0 && n.running == 0
}

// forgetServed forgets sessions that had no tabs when these were counted. A call that has ended since
// then may have opened one.
func (n *Node) forgetServed(owners map[string]int, counted time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.served, func(session string, last time.Time) bool {
		return owners[session] == 0 && last.Before(counted)
	})
}

// Close ends the calls that still run, and waits for their answers.
func (n *Node) Close() {
	n.endCalls(op.Errorf(op.Stopping, "the node %s ends", n.o.Name))
	n.calls.Wait()
}
