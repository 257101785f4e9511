package route

import (
	"context"
	"encoding/json"
	"fmt"
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

// A reader is the service of a node. Each of its calls runs until the test sends to end, or closes it.
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
func (r *reader) Portable() []string                        { return nil }
func (r *reader) Leave(context.Context, string) error       { panic("no portable profile") }

// startReader starts a node with two slots. The function stop kills the node. The node's label at
// is its name.
func startReader(t *testing.T, line *wiretest.Line, name string) (r *reader, stop func()) {
	r = &reader{end: make(chan struct{})}
	n := node.New(node.Options{
		Name: name, Tenant: "default", Labels: map[string]string{"at": name, "fleet": "test"}, Line: line, Service: r, Slots: 2,
		Table:  func() *op.Table { return &op.Table{Ops: []*op.Op{reading}} },
		Policy: func() node.Policy { return node.Policy{Enabled: true, Name: func(name string) string { return name }} },
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

// spread runs a test in a bubble of package synctest, with the readers mac and pc and a router that
// reaches them.
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
		time.Sleep(time.Second) // until both nodes have sent their status
		fleet := &Fleet{Line: line, Roster: known, Subjects: wire.Subjects{Tenant: "default"}}
		test(t, New(Options{Local: local{}, Fleet: fleet, Policy: func() Policy { return Policy{Mode: "auto"} }}), mac, pc, stopMac)
	})
}

var anyNode = op.Target{Place: op.OnNode}

// readOn begins a reading on any node.
func readOn(t *testing.T, r *Router, target op.Target) <-chan error {
	return runOn(t, r, target, reading)
}

func runOn(t *testing.T, r *Router, target op.Target, o *op.Op) <-chan error {
	result := make(chan error, 1)
	go func() {
		_, err := r.Run(op.WithTarget(t.Context(), target), o, op.Args{"url": json.RawMessage(`"https://example.com/"`)})
		result <- err
	}()
	synctest.Wait()
	return result
}

// Readings are spread over the nodes. When no node has a place, further readings wait, and begin as
// soon as others end. A reading whose time ends meanwhile gets the status 429, and the time after
// which to try again.
func TestBusyNodes(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, _ func()) {
		var results []<-chan error
		for range 4 { // two slots on each node
			results = append(results, readOn(t, r, anyNode))
		}
		late := runOn(t, r, anyNode, op.Define("POST /read", "read", "Read.", nothing, op.Anywhere("url"), op.Limit(5*time.Second, time.Second, 5*time.Second)))
		if mac.began.Load() != 2 || pc.began.Load() != 2 || r.waiting.Waiting() != 1 {
			t.Errorf("mac has %d readings, pc %d, and %d wait", mac.began.Load(), pc.began.Load(), r.waiting.Waiting())
		}
		e := op.AsError(<-late)
		if ms, _ := e.Details["retryAfterMs"].(int); e.Code.Status() != 429 || ms != 5000 { // no place has come free for 5 s
			t.Errorf("one too many: %+v", e)
		}
		for range 4 {
			results = append(results, readOn(t, r, anyNode))
		}
		close(mac.end)
		synctest.Wait()
		if r.waiting.Waiting() != 0 || pc.began.Load() != 2 {
			t.Errorf("after the end of others %d wait, and pc has done %d", r.waiting.Waiting(), pc.began.Load())
		}
		close(pc.end)
		for _, result := range results {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
	})
}

// While NATS does not answer, readings run on this machine. A reading for a node fails soon.
func TestReadingsWithoutNATS(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, _ func()) {
		r.o.Fleet.Line.(*wiretest.Line).Break(true)
		began := time.Now()
		for range 20 {
			if err := <-readOn(t, r, op.Target{}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("20 readings took %s", took)
		}
		if e := op.AsError(<-readOn(t, r, anyNode)); e.Code != op.NodeLost || time.Since(began) > 5*time.Second {
			t.Errorf("a reading for a node got %v after %s", e, time.Since(began))
		}
	})
}

// Several callers share the places of a node. The node refuses calls for which it has no place, or its
// beats (status messages) report that it is full. Each caller still gets places.
func TestOtherCallers(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, stopMac func()) {
		stopMac()
		time.Sleep(roster.Silence + time.Second)
		others := []*Router{New(r.o), New(r.o), New(r.o), New(r.o)}
		var results []<-chan error
		for _, other := range others {
			for range 2 {
				results = append(results, readOn(t, other, anyNode))
			}
		}
		if got := pc.began.Load(); got != 4 { // two calls in the slots of pc, and two that wait there
			t.Fatalf("pc has %d readings", got)
		}
		own := readOn(t, r, anyNode)
		for range 9 {
			time.Sleep(600 * time.Millisecond)
			pc.end <- struct{}{}
			synctest.Wait()
		}
		for _, result := range append(results, own) {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
	})
}

// A call goes to a node with the labels that it asks for, and waits for one. If no node has them,
// the error lists the labels of the nodes.
func TestLabels(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, _ func()) {
		labels := func(labels string) op.Target { return op.Target{Labels: labels} }
		for range 3 {
			readOn(t, r, labels("at=pc"))
		}
		other := readOn(t, r, labels("fleet=test"))
		if mac.began.Load() != 1 || pc.began.Load() != 2 {
			t.Errorf("mac has %d readings, pc %d", mac.began.Load(), pc.began.Load())
		}
		e := op.AsError(<-readOn(t, r, labels("gpu=yes,fleet=test")))
		if e.Code != op.NotFound || e.Error() != "no node has the labels gpu=yes,fleet=test (there are mac: at=mac,fleet=test; pc: at=pc,fleet=test)" {
			t.Errorf("unknown labels: %v", e)
		}
		node, err := r.choose(op.WithTarget(t.Context(), labels("at=pc")), acting, op.Args{})
		if node != "pc" || err != nil {
			t.Errorf("an act for labels is done on %q: %v", node, err)
		}
		_, err = r.choose(op.WithTarget(t.Context(), labels("at=pc")), acting, op.Args{"targetId": json.RawMessage(`"mac/t1"`)})
		if err == nil || err.Error() != "the tab is on node mac, which has not the labels at=pc" {
			t.Errorf("an act for labels on a tab elsewhere: %v", err)
		}
		close(mac.end)
		close(pc.end)
		if err := <-other; err != nil {
			t.Error(err)
		}
	})
}

// Calls that are cancelled while they wait leave nothing behind, here and on the nodes.
func TestCancelledWaits(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, _ func()) {
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error)
		for i := range 1004 {
			go func() {
				ctx := op.WithSession(op.WithTarget(ctx, anyNode), fmt.Sprint("session", i%10))
				_, err := r.Run(ctx, reading, op.Args{"url": json.RawMessage(`"https://example.com/"`)})
				results <- err
			}()
		}
		synctest.Wait()
		if waiting, calls := r.waiting.Waiting(), r.scheduler.Calls(); waiting != 1000 || calls != 4 {
			t.Errorf("%d calls wait, and %d are on nodes", waiting, calls)
		}
		cancel()
		for range 1004 {
			if e := op.AsError(<-results); e.Code != op.Canceled {
				t.Fatal(e)
			}
		}
		if waiting, calls := r.waiting.Waiting(), r.scheduler.Calls(); waiting != 0 || calls != 0 {
			t.Errorf("%d calls wait, and %d are on nodes", waiting, calls)
		}
		time.Sleep(time.Second)
		for _, n := range r.o.Fleet.Roster.Known() {
			if n.Load.Calls != 0 || n.Load.Placed != 0 {
				t.Errorf("node %s has %d calls", n.Name, n.Load.Calls)
			}
		}
		if len(r.sessions.byKey) != 0 {
			t.Errorf("%d sessions are known", len(r.sessions.byKey))
		}
	})
}

// A reading whose node has gone is given to another node.
func TestReadingOfALostNode(t *testing.T) {
	spread(t, func(t *testing.T, r *Router, mac, pc *reader, stopMac func()) {
		var results []<-chan error
		for range 6 { // two calls run on mac, two wait
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

// Calls that wait for a place end when the last node has gone.
func TestWaitForLostNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		mac, stop := startReader(t, line, "mac")
		known, err := roster.New(line, "default")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(known.Close)
		time.Sleep(1100 * time.Millisecond) // between two beats
		fleet := &Fleet{Line: line, Roster: known, Subjects: wire.Subjects{Tenant: "default"}}
		r := New(Options{Local: local{}, Fleet: fleet, Policy: func() Policy { return Policy{Mode: "auto"} }})
		for _, other := range []*Router{New(r.o), New(r.o)} {
			readOn(t, other, anyNode)
			readOn(t, other, anyNode)
		}
		if got := mac.began.Load(); got != 4 { // two calls in the slots, and two that wait there
			t.Fatalf("mac has %d readings", got)
		}
		waits := readOn(t, r, anyNode)
		if r.Waiting() != 1 {
			t.Fatalf("%d calls wait", r.Waiting())
		}
		stop()
		gone := time.Now()
		if e := op.AsError(<-waits); e.Code != op.NotSupported {
			t.Errorf("got %+v", e)
		}
		if took := time.Since(gone); took > 2*roster.Silence {
			t.Errorf("it waited for %s", took)
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
