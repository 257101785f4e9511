package node

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/keeper"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// A portableMachine is the service of a node with the portable profile work. It notes which profiles
// it was told to leave to other nodes.
type portableMachine struct {
	machine
	left []string
}

func (m *portableMachine) Portable() []string { return []string{"work"} }

func (m *portableMachine) Leave(ctx context.Context, profile string) error {
	m.left = append(m.left, profile)
	return ctx.Err()
}

type drainRequest struct {
	Profile string `json:"profile,omitempty" doc:"a profile"`
}

func nothing(context.Context, *portableMachine, drainRequest) (op.Object, error) { return nil, nil }

// newPortable returns the node mac, which a session with a tab has used. Its profile work can be taken
// by the node pc.
func newPortable(t *testing.T) (*Node, *portableMachine) {
	line, m := wiretest.New(), new(portableMachine)
	known, err := roster.New(line, "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(known.Close)
	line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat("pc"), wire.Encode(wire.Status{V: wire.Version, Name: "pc", Healthy: true, Portable: []string{"work"}}), nil)
	synctest.Wait()
	k := keeper.New(keeper.Options{Node: "mac", Roster: known, KeyFile: func() string { return filepath.Join(t.TempDir(), "key") }})
	n := New(Options{
		Name: "mac", Tenant: "default", Line: line, Service: m, Keeper: k, Owners: func() map[string]int { return map[string]int{"shop": 1} },
		Policy: func() Policy { return Policy{Enabled: true, Name: func(string) string { return "work" }} },
	})
	n.served["shop"] = time.Now()
	return n, m
}

// A draining node leaves its portable profiles to other nodes. From then on it takes no calls in them,
// but sessions can be ended.
func TestDrainLeavesProfiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, m := newPortable(t)
		ctx, cancel := context.WithCancel(t.Context())
		drained := make(chan struct{})
		go func() { n.Drain(ctx); close(drained) }()
		synctest.Wait()
		if !slices.Equal(m.left, []string{"work"}) {
			t.Errorf("left are %q", m.left)
		}
		acting := op.Define("POST /act", "act", "Act.", nothing)
		if why := n.begin(wire.Call{Session: "shop"}, acting, op.Args{}, "work"); why != wire.Draining {
			t.Errorf("an act is refused as %q", why)
		}
		ending := op.Define("POST /sessions/end", "session end", "End.", nothing, op.EndsSession)
		if why := n.begin(wire.Call{}, ending, op.Args{}, "work"); why != "" {
			t.Errorf("the end of a session is refused as %q", why)
		}
		cancel()
		<-drained
	})
}

// A node that has no time to drain, as after chela shutdown, does not leave its profiles. No time is
// left to save them for another node.
func TestDrainWithoutTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, m := newPortable(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n.Drain(ctx)
		if len(m.left) > 0 {
			t.Errorf("left are %q", m.left)
		}
	})
}

// A drain waits for the tabs of sessions that have made calls here, even if the end of a session has
// left some. A session without tabs is forgotten, unless it has made a call since they were counted.
func TestDrainWaitsForSessions(t *testing.T) {
	acting := op.Define("POST /act", "act", "Act.", nothing)
	ending := op.Define("POST /sessions/end", "session end", "End.", nothing, op.EndsSession)
	n := New(Options{Name: "mac", Owners: func() map[string]int { return map[string]int{"shop": 1} }})
	call := func(c wire.Call, o *op.Op) {
		n.begin(c, o, op.Args{}, "work")
		n.ended(c, o, "work")
	}
	if !n.finished() {
		t.Error("the tab of another user counts")
	}
	call(wire.Call{Session: "shop"}, acting)
	call(wire.Call{}, ending)
	if n.finished() {
		t.Error("the tab of the session does not count")
	}
	last := n.served["shop"]
	n.forgetServed(nil, last)
	n.forgetServed(map[string]int{"shop": 1}, last.Add(time.Second))
	if len(n.served) == 0 {
		t.Error("the session is forgotten")
	}
	if n.forgetServed(nil, last.Add(time.Second)); len(n.served) > 0 {
		t.Error("a session without a tab is remembered")
	}
}

// A browser may delay the count of tabs. The node still sends beats meanwhile, which need its mutex.
func TestCountOfTabsDelaysNoBeats(t *testing.T) {
	counted, free := 0, 0
	var n *Node
	n = New(Options{Name: "mac", Owners: func() map[string]int {
		if counted++; n.mu.TryLock() {
			free++
			n.mu.Unlock()
		}
		return nil
	}})
	n.draining = true
	n.finished()
	n.begin(wire.Call{Session: "shop"}, &op.Op{}, nil, "chela")
	if counted != 2 || free != 2 {
		t.Errorf("the mutex was free in %d of %d counts", free, counted)
	}
}
