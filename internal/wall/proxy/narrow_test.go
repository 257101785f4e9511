package proxy

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/wall/guard"
)

func TestNarrow(t *testing.T) {
	canary := newCanary(t)
	var policy atomic.Pointer[guard.Policy]
	policy.Store(rules(t, private)())
	var ports Ports
	wide := start(t, Options{Policy: policy.Load, Ports: &ports, Lookup: fixed(map[string]string{
		"example.com": "127.0.0.1", "a.example.com": "127.0.0.1", "example.org": "127.0.0.1",
	})})
	for _, wrong := range [][]string{nil, {"*"}, {"http://example.com"}} {
		if p, err := wide.Narrow(wrong); err == nil {
			t.Errorf("%q: %v", wrong, p)
		}
	}
	narrow, err := wide.Narrow([]string{"example.com", "*.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{"example.com": "secret of example.com", "a.example.com": "secret of a.example.com", "example.org": "status 4", "127.0.0.1": "status 4"} {
		if got := get(t, narrow, host, canary.port); got != want {
			t.Errorf("%s: got %q, want %q", host, got, want)
		}
	}
	if got := get(t, wide, "example.org", canary.port); got != "secret of example.org" {
		t.Errorf("outside of it: %q", got)
	}
	if refused, ok := narrow.Check(t.Context(), "http://example.org/").(*guard.Refused); !ok || refused.Rule != guard.NotInSession {
		t.Errorf("refused by %v", refused)
	}
	conn, _ := connect(t, narrow, "example.com", canary.port)
	policy.Store(&guard.Policy{})
	narrow.Enforce()
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a connection goes on that the policy does not allow any more")
	}
	wide.Close()
	if _, err := wide.Narrow([]string{"example.com"}); err != errClosed || len(ports.count) != 0 {
		t.Errorf("after the end: %v, ports %v", err, ports.count)
	}
}

// While one goroutine asks for the policy, others wait until it is in force. So an older policy
// cannot replace a newer one.
func TestPolicyIsAskedForInTurn(t *testing.T) {
	var d Dialer
	open := &guard.Policy{}
	asked := 0
	err := d.init(Options{Policy: func() *guard.Policy {
		if asked++; asked > 1 && d.mu.TryLock() { // the first question is from init
			d.mu.Unlock()
			t.Error("two could ask at the same time")
		}
		return open
	}})
	if err != nil {
		t.Fatal(err)
	}
	d.policy()
	d.begin(&tunnel{})
	d.Allowed()
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}

// If a flag of Chromium names a proxy, most policies refuse all requests. If the flag names a PAC
// script, all policies do, because the proxies that it chooses are not known.
func TestProxyByFlag(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{ByFlag: true, Upstream: office.upstream(t)}, "status 4"},
		{Options{ByFlag: true, Upstream: office.upstream(t), Policy: rules(t, private)}, "secret of any.example"},
		{Options{ByFlag: true}, "status 4"},
		{Options{ByFlag: true, Policy: rules(t, private)}, "status 4"},
	} {
		p := start(t, test.options)
		if got := get(t, p, "any.example", canary.port); got != test.want {
			t.Errorf("%+v: got %q", test.options, got)
		}
		refused, ok := p.Check(t.Context(), "http://any.example/").(*guard.Refused)
		if forbidden := test.want == "status 4"; ok != forbidden || forbidden && refused.Rule != guard.Routed {
			t.Errorf("%+v: %v", test.options, refused)
		}
	}
}

// LookupBriefly also returns addresses of a name that was resolved longer ago than briefTime.
func TestNamesThatWereAskedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n names
		n.init(fixed(map[string]string{"lan.example": "10.0.0.1"}))
		for range 100 {
			if addrs := n.lookupBriefly(t.Context(), "lan.example"); len(addrs) != 1 {
				t.Fatalf("got %v", addrs)
			}
			time.Sleep(briefTime / 8)
		}
	})
}

// If name servers do not answer, only the first connection to a name waits for them.
func TestNamesThatNobodyKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := names{keepFailures: true}
		n.init(func(ctx context.Context, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		began := time.Now()
		for range 3 {
			if addrs := n.lookupBriefly(t.Context(), "far.example"); addrs != nil {
				t.Error(addrs)
			}
		}
		if waited := time.Since(began); waited != briefTime {
			t.Errorf("waited %v", waited)
		}
		time.Sleep(dialTime)
		synctest.Wait()
		n.lookupBriefly(t.Context(), "far.example")
		n.mu.Lock()
		kept := n.kept["far.example"]
		n.mu.Unlock()
		if kept == nil {
			t.Error("that nobody knows the name is forgotten at once")
		}
		time.Sleep(dialTime)
	})
}

// Behind another proxy, a name that cannot be resolved is asked for once in a while. Elsewhere each
// connection asks, since the user may have repaired the network.
func TestFailuresAreKeptBehindAProxy(t *testing.T) {
	office := newOffice(t)
	for want, o := range map[int]Options{1: {Upstream: office.upstream(t)}, 3: {}} {
		asked := 0
		o.Lookup = func(context.Context, string) ([]netip.Addr, error) {
			asked++
			return nil, &net.DNSError{IsNotFound: true}
		}
		p := start(t, o)
		for range 3 {
			<-p.names.ask("far.example").done
		}
		if asked != want {
			t.Errorf("asked %d times, want %d", asked, want)
		}
	}
}

// Closing a proxy ends its queries for names, even those that are not answered for a long time.
func TestQuestionsEndWithTheProxy(t *testing.T) {
	asked, ended := make(chan bool, 1), make(chan error, 1)
	p := start(t, Options{Lookup: func(ctx context.Context, _ string) ([]netip.Addr, error) {
		asked <- true
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, ctx.Err()
	}})
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.Write([]byte("\x05\x01\x00\x05\x01\x00\x03\x0bfar.example\x00\x50"))
	<-asked
	p.Close()
	if err := <-ended; err != context.Canceled {
		t.Errorf("the question ended by %v", err)
	}
}
