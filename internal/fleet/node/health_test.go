package node

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// A machine is the service of a node. Its browser can be made to fail to start.
type machine struct {
	mu      sync.Mutex
	works   bool // the next start of the browser succeeds
	failed  error
	retries int
}

func (m *machine) set(works bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.works = works
}

func (m *machine) start() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.works {
		m.failed = nil
		return nil
	}
	m.failed = errors.New("the browser did not start")
	return op.Errorf(op.BrowserFailed, "the browser did not start")
}

func (m *machine) Run(context.Context, *op.Op, op.Args) (json.RawMessage, error) {
	return json.RawMessage(`{}`), m.start()
}

func (m *machine) health(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed
}

func (m *machine) retry(context.Context) {
	m.mu.Lock()
	m.retries++
	m.mu.Unlock()
	m.start()
}

func (*machine) Receive(string, io.Reader) (string, error) { return "", nil }
func (*machine) Confine(context.Context, []string) error   { return nil }
func (*machine) Portable() []string                        { return nil }
func (*machine) Leave(context.Context, string) error       { panic("no portable profile") }

func list(context.Context, *machine, struct{}) (struct{}, error) { return struct{}{}, nil }

var table = &op.Table{Ops: []*op.Op{op.Define("GET /tabs", "tabs", "List.", list)}}

// A node whose browser did not start says so at once, and tries again by itself. After a start that
// works, of its own or in a call, it is healthy.
func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, m := wiretest.New(), &machine{works: true}
		n := New(Options{
			Name: "mac", Tenant: "default", Line: line, Service: m, Table: func() *op.Table { return table }, Slots: 2,
			Policy: func() Policy { return Policy{Enabled: true, Name: func(name string) string { return name }} }, Owners: func() map[string]int { return nil }, Health: m.health, Retry: m.retry,
		})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { n.Run(ctx) })
		defer running.Wait()
		defer cancel()
		call := func(id string) {
			synctest.Wait()
			n.Handle(wire.Encode(wire.Call{
				V: wire.Version, ID: id, Command: wire.Command, Instance: n.instance, Beat: n.Status().Beat + n.beats.last,
				Params: wire.Params{Sent: op.Sent{Method: "GET", Path: "/tabs"}},
			}), func([]byte) error { return nil })
			synctest.Wait()
		}
		expect := func(when string, healthy bool, retries int) {
			t.Helper()
			if s := n.Status(); s.Healthy != healthy || (s.Reason == "") != healthy || (s.Load != nil) != healthy || m.retries != retries {
				t.Errorf("%s: the node says %+v after %d retries", when, s, m.retries)
			}
		}
		call("1")
		expect("after a call", true, 0)
		m.set(false)
		call("2")
		expect("after a start that failed", false, 0)
		m.set(true)
		call("3")
		expect("after one that worked", true, 0)
		m.set(false)
		call("4")
		time.Sleep(2*healthTime + time.Second)
		expect("while none works", false, 2)
		m.set(true)
		time.Sleep(healthTime)
		expect("after its own start", true, 3)
		time.Sleep(3 * healthTime)
		expect("as long as all is well", true, 3)
	})
}
