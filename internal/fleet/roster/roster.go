// Package roster knows which nodes there are, by the status that each node sends twice a second.
package roster

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"chela/internal/fleet/wire"
)

// Silence is how long a node may send nothing until it counts as gone. A node sends its status twice
// a second.
const Silence = 2 * time.Second

// HowToJoin is the hint in the error for a call that asks for a node when no fleet is configured.
const HowToJoin = "set fleet.url or CHELA_NATS where the server runs, and start the server again"

// A Roster knows the nodes of a tenant.
type Roster struct {
	line     wire.Line
	subjects wire.Subjects
	begun    time.Time
	end      func()

	mu    sync.Mutex // guards the rest
	nodes map[string]Node
	heard time.Time // when any node last sent something
	since time.Time // since when the line was connected, at the last sweep
	watch []func(Node)
}

// A Node is what this machine knows of one node of the fleet.
type Node struct {
	wire.Status
	Seen      time.Time     // when the node last sent something
	RoundTrip time.Duration // time of a message to the node and its answer; 0 until it was measured

	gone bool // the node was silent for longer than Silence; a break of the line does not bring it back
}

// New returns a roster, which receives the status of all nodes until Close.
func New(line wire.Line, tenant string) (*Roster, error) {
	r := &Roster{line: line, subjects: wire.Subjects{Tenant: tenant}, begun: time.Now(), nodes: map[string]Node{}}
	end, err := line.Subscribe(r.subjects.Beat("*"), func(message []byte, _ func([]byte) error) { r.note(message) })
	if err != nil {
		return nil, err
	}
	closed := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { r.watchSilence(closed) })
	r.end = func() {
		end()
		close(closed)
		watching.Wait()
	}
	return r, nil
}

// watchSilence notes which nodes are gone, even when nobody asks. After a break of the line, that can
// no longer be seen.
func (r *Roster) watchSilence(closed <-chan struct{}) {
	ticker := time.NewTicker(Silence / 4)
	defer ticker.Stop()
	for {
		select {
		case <-closed:
			return
		case <-ticker.C:
			r.mu.Lock()
			r.sweepLocked()
			r.mu.Unlock()
		}
	}
}

// Close ends the subscription to the status of nodes.
func (r *Roster) Close() { r.end() }

// Watch adds a function that is called whenever a node has sent its status.
func (r *Roster) Watch(fn func(Node)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watch = append(r.watch, fn)
}

// note records the status that a node has sent. It also records messages of an unknown version, so
// that a call to that node gets an error about the version. It returns the name of the node, or "" if
// the message cannot be read.
func (r *Roster) note(message []byte) (name string) {
	var s wire.Status
	if json.Unmarshal(message, &s) != nil || s.Name == "" {
		return ""
	}
	r.mu.Lock()
	r.heard = time.Now()
	n := Node{Status: s, Seen: r.heard, RoundTrip: r.nodes[s.Name].RoundTrip}
	r.nodes[s.Name] = n
	watch := r.watch
	r.mu.Unlock()
	for _, fn := range watch {
		fn(n)
	}
	return s.Name
}

// newShare is the weight of a new measurement in the average time of a round trip to a node.
const newShare = 0.2

// Measured notes how long a message to a node and its answer were under way.
func (r *Roster) Measured(name string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.nodes[name]
	if !ok {
		return
	}
	if n.RoundTrip == 0 {
		n.RoundTrip = took
	}
	n.RoundTrip += time.Duration(newShare * float64(took-n.RoundTrip))
	r.nodes[name] = n
}

// Times of the message that asks all nodes for their status.
const (
	askTime   = 500 * time.Millisecond // longest wait for the first answer, or for that of the node that is asked for
	quietTime = 50 * time.Millisecond  // when no further answer came for this long, the list is complete
	newTime   = 2 * askTime            // after this time on the line, all nodes are known by their beats
)

// Nodes lists the connected nodes in the order of their names. If it may not know all because it is
// new, it asks all nodes.
func (r *Roster) Nodes(ctx context.Context) []Node {
	known := r.Known()
	if !r.isNew() || len(known) > 0 && !r.Connected() {
		return known
	}
	return r.List(ctx)
}

// List does what Nodes does, but asks all nodes even if it knows some.
func (r *Roster) List(ctx context.Context) []Node {
	r.ask(ctx, "")
	return r.Known()
}

// Connected reports whether the line is connected. While it is not, no status arrives.
func (r *Roster) Connected() bool { return !r.line.Since().IsZero() }

// upTime is how long AwaitLine waits for the connection to NATS.
const upTime = 2 * time.Second

// AwaitLine waits for the line, but not longer than upTime. The error says that ctx or this time
// has ended.
func (r *Roster) AwaitLine(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, upTime)
	defer cancel()
	return wire.Await(ctx, r.line)
}

// Node returns a connected node by its name. If it does not know the node because it is new, it asks
// all nodes, and waits for that one.
func (r *Roster) Node(ctx context.Context, name string) (Node, bool) {
	find := func() (Node, bool) {
		all := r.Known()
		i := slices.IndexFunc(all, func(n Node) bool { return n.Name == name })
		if i < 0 {
			return Node{}, false
		}
		return all[i], true
	}
	n, ok := find()
	if ok || !r.isNew() {
		return n, ok
	}
	r.ask(ctx, name)
	return find()
}

// Last returns what was last heard of a node, however long ago; it is the zero Node if nothing was.
func (r *Roster) Last(name string) Node {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.nodes[name]
}

// isNew reports whether nodes may not have sent their status yet, since this machine can receive it.
func (r *Roster) isNew() bool {
	since := r.line.Since()
	return since.IsZero() || time.Since(since) < newTime || time.Since(r.begun) < newTime
}

// ask asks all nodes for their status. It returns when the node with the name has answered. If the
// name is "", it returns when no further answer is likely to come.
func (r *Roster) ask(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	quiet := time.AfterFunc(askTime, cancel)
	defer quiet.Stop()
	r.line.Request(ctx, r.subjects.Question(), wire.Encode(wire.Question{V: wire.Version}), func(answer []byte) bool {
		answered := r.note(answer)
		if name == "" {
			quiet.Reset(quietTime)
		}
		return name == "" || answered != name
	})
}

// Known lists the connected nodes in the order of their names, without asking any. While the
// connection to NATS is down, no status arrives. So the silence of a node that was there before
// counts from when the connection is up again.
func (r *Roster) Known() []Node {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
	all := slices.DeleteFunc(slices.Collect(maps.Values(r.nodes)), func(n Node) bool { return n.gone })
	slices.SortFunc(all, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// sweepLocked notes which nodes are gone, and forgets those that have been silent for an hour. A dead
// line is noticed only after seconds, in which all nodes seem silent. So when the line breaks, a node
// that was silent only together with all others is there again.
func (r *Roster) sweepLocked() {
	since := r.line.Since()
	broken := !since.Equal(r.since)
	r.since = since
	for name, n := range r.nodes {
		n.gone = n.gone && !(broken && r.heard.Sub(n.Seen) <= Silence)
		silent := r.silence(n, since)
		n.gone = silent > Silence
		r.nodes[name] = n
		if silent > time.Hour {
			delete(r.nodes, name)
		}
	}
}

// Silent returns for how long a node has sent no status. For a node that is not gone, time in which
// the connection to NATS was down does not count.
func (r *Roster) Silent(name string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
	return r.silence(r.nodes[name], r.since)
}

func (r *Roster) silence(n Node, since time.Time) time.Duration {
	switch {
	case n.gone:
		return time.Since(n.Seen)
	case since.IsZero():
		return 0
	}
	if n.Seen.After(since) {
		since = n.Seen
	}
	return time.Since(since)
}
