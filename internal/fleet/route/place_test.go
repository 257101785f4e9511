package route

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/node"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// A reader is the service of a node whose readings end when the test says so.
type reader struct {
	began atomic.Int32
	end   chan struct{}
}

func (r *reader) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	r.began.Add(1)
	select {
	case <-r.end:
		return json.RawMessage(`{"ok":true}`), nil
	case <-ctx.Done():
		return nil, op.Errorf(op.Canceled, "cancelled")
	}
}

func (r *reader) Receive(string, io.Reader) (string, error) { panic("no files") }
func (r *reader) Confine(context.Context, []string) error   { return nil }

// startReader starts a node with two slots. Stop kills it.
func startReader(t *testing.T, line *wiretest.Line, name string) (r *reader, stop func()) {
	r = &reader{end: make(chan struct{})}
	n := node.New(node.Options{
		Name: name, Tenant: "default", Line: line, Service: r, Slots: 2,
		Table:  func() *op.Table { return &op.Table{Ops: []*op.Op{reading}} },
		Policy: func() node.Policy { return node.Policy{Enabled: true} },
		Owners: func() map[string]int { return nil }, Health: func(context.Context) error { return nil },
	})
	end, err := line.Subscribe(n.Subject(), n.Handle)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { n.Run(ctx) })
	stop = sync.OnceFunc(func() {
		end()
		cancel()
		running.Wait()
	})
	t.Cleanup(func() {
		stop()
		n.Close()
	})
	return r, stop
}

// spread runs a test in a bubble with the readers mac and pc, and a router that reaches them.
func spread(t *testing.T, test func(t *testing.T, r *Router, mac, pc *reader, stopMac func())) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		mac, stopMac := startReader(t, line, "mac")
		pc, _ := startReader(t, line, "pc")
		known, err := roster.New(line, "default")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(known.Close)
		known.Nodes(t.Context())
		time.Sleep(time.Second) // both have said how busy they are
		fleet := &Fleet{Line: line, Roster: known, Subjects: wire.Subjects{Tenant: "default"}}
		test(t, New(Options{Local: local{}, Fleet: fleet, Policy: func() Policy { return Policy{Mode: "auto"} }}), mac, pc, stopMac)
	})
}

var anyNode = op.Target{Place: op.OnNode}

// readOn begins a reading on any node.
func readOn(t *testing.T, r *Router, target op.Target) <-chan error {
	result := make(chan error, 1)
	go func() {
		_, err := r.Run(op.WithTarget(t.Context(), target), reading, op.Args{"url": json.RawMessage(`"https://example.com/"`)})
		result <- err
	}()
	synctest.Wait()
	return result
}

// Readings spread over the nodes. When these have no place, the answer is 429 with when to try
// again.
func TestBusyNodes(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, _ func()) {
		var results []<-chan error
		for range 8 { // two slots of each node, and as many that wait there
			results = append(results, readOn(t, r, anyNode))
		}
		if mac.began.Load() != 4 || pc.began.Load() != 4 {
			t.Errorf("mac has %d readings, pc %d", mac.began.Load(), pc.began.Load())
		}
		e := op.AsError(<-readOn(t, r, anyNode))
		if e.Code.Status() != 429 || e.Details["retryAfterMs"] != retryAfter {
			t.Errorf("one too many: %+v", e)
		}
		close(mac.end)
		close(pc.end)
		for _, result := range results {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
	})
}

// A reading whose node has gone is given to another.
func TestReadingOfALostNode(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, stopMac func()) {
		var results []<-chan error
		for range 6 { // at least two are on mac, as pc takes four
			results = append(results, readOn(t, r, anyNode))
		}
		stopMac()
		close(pc.end)
		for _, result := range results {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
		if got := pc.began.Load(); got != 6 {
			t.Errorf("pc has done %d readings, want 6", got)
		}
	})
}

// An address of this machine or its network is read here.
func TestIsNear(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:3000/": true, "127.0.0.1:80": true, "http://[::1]/": true, "http://10.0.0.1/": true, "http://printer/": true, "http://nas.local/": true,
		"https://example.com/": false, "example.com": false, "http://93.184.216.34/": false,
	} {
		if isNear(address) != want {
			t.Errorf("%s is near: %v", address, !want)
		}
	}
}
