package proxy

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"

	"chela/internal/base/hosts"
)

const (
	keepNames = 30 * time.Second // for which the addresses of a name are used again; Chromium keeps them for 60 s
	maxNames  = 1000             // that are kept
)

// names resolves host names. Several connections to one host, which a page opens at
// once, make one question, and those soon after it none.
type names struct {
	resolve func(ctx context.Context, name string) ([]netip.Addr, error) // nil: that of the system
	ctx     context.Context                                              // of all questions
	end     context.CancelFunc                                           // of those under way, and those that come later

	mu   sync.Mutex // guards the rest
	kept map[string]*answer
}

// init prepares names for questions. Resolve is nil for the resolver of the system.
func (n *names) init(resolve func(ctx context.Context, name string) ([]netip.Addr, error)) {
	n.resolve = resolve
	n.ctx, n.end = context.WithCancel(context.Background())
}

// briefTime is how long a connection waits for the addresses of a name that another proxy
// resolves. Where only that can, nobody may answer us.
const briefTime = 2 * time.Second

// lookupBriefly is lookup for names that another proxy resolves: nil if we cannot. That a
// name cannot be resolved is known for a while then, so that connections wait for it once.
func (n *names) lookupBriefly(ctx context.Context, name string) []netip.Addr {
	asked := n.ask(name)
	wait := time.NewTimer(time.Until(asked.at.Add(briefTime)))
	defer wait.Stop()
	select {
	case <-asked.done:
	case <-wait.C:
	case <-ctx.Done():
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if asked.err != nil && n.kept[name] == nil {
		n.kept[name] = asked
	}
	return asked.addrs // which are there also if it was done long ago, and the wait is over, too
}

// An answer is what a name was resolved to, once done is closed.
type answer struct {
	at    time.Time // when it was asked for
	done  chan struct{}
	addrs []netip.Addr // at least one, if err is nil
	err   error
	until time.Time
}

// lookup returns all addresses of a name. Errors are those of the resolver, and the cause
// of ctx.
func (n *names) lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	asked := n.ask(name)
	select {
	case <-asked.done:
		return asked.addrs, asked.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fresh returns the addresses of a name if they are known, and would be used again; else nil.
func (n *names) fresh(name string) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	if a := n.kept[name]; a != nil && time.Now().Before(a.until) {
		return a.addrs
	}
	return nil
}

// last returns the addresses that a name had when it was resolved last, if that is known.
func (n *names) last(name string) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	if a := n.kept[name]; a != nil {
		return a.addrs
	}
	return nil
}

// ask returns the answer that is kept or on its way, or else asks. The question goes on
// for those who ask later, if the first one has given up.
func (n *names) ask(name string) *answer {
	n.mu.Lock()
	defer n.mu.Unlock()
	if a := n.kept[name]; a != nil && (a.until.IsZero() || time.Now().Before(a.until)) {
		return a
	}
	if n.kept == nil || len(n.kept) >= maxNames {
		n.kept = map[string]*answer{}
	}
	a := &answer{at: time.Now(), done: make(chan struct{})}
	n.kept[name] = a
	go n.fill(name, a)
	return a
}

// fill completes an answer. One that is an error is not kept.
func (n *names) fill(name string, a *answer) {
	ctx, cancel := context.WithTimeout(n.ctx, dialTime)
	defer cancel()
	resolve := n.resolve
	if resolve == nil {
		resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	addrs, err := resolve(ctx, name)
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: "no addresses", Name: name, IsNotFound: true}
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	a.addrs, a.err, a.until = addrs, err, time.Now().Add(keepNames)
	if err != nil && n.kept[name] == a {
		delete(n.kept, name)
	}
	close(a.done)
}

// withoutDNS returns the addresses of a host that no resolver is asked about, or nil: its
// own if it is an address, and this machine for localhost and all below it.
func withoutDNS(h hosts.Host) []netip.Addr {
	if addr, ok := h.Addr(); ok {
		return []netip.Addr{addr}
	}
	if h.IsLocalhost() {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	return nil
}
