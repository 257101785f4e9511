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
	keepNames = 30 * time.Second // time for which the addresses of a name are used again; Chromium keeps them for 60 s
	maxNames  = 1000             // how many names are kept
)

// names resolves host names. Several connections to one host, which a page opens at once, cause one
// query, and connections soon after it none.
type names struct {
	resolve func(ctx context.Context, name string) ([]netip.Addr, error) // nil: the resolver of the system
	ctx     context.Context                                              // context of all queries
	end     context.CancelFunc                                           // ends queries under way, and later ones

	// keepFailures is true behind another proxy. If only that proxy can resolve names, chela may get no
	// reply from its name servers. Then a name is asked for once in a while, and not per connection.
	keepFailures bool

	mu   sync.Mutex // guards the rest
	kept map[string]*answer
}

// init prepares names for queries. The parameter resolve is nil for the resolver of the system.
func (n *names) init(resolve func(ctx context.Context, name string) ([]netip.Addr, error)) {
	n.resolve = resolve
	n.ctx, n.end = context.WithCancel(context.Background())
}

// briefTime is how long a connection waits for the addresses of a name that another proxy resolves.
const briefTime = 2 * time.Second

// lookupBriefly returns the addresses of a name that another proxy resolves; nil if chela cannot
// resolve it. Only the first connection waits for a name that cannot be resolved, see keepFailures.
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
	return asked.addrs // set even if the name was resolved long ago and the wait is over
}

// An answer is what a name was resolved to, once done is closed.
type answer struct {
	at    time.Time // when the name was asked for
	done  chan struct{}
	addrs []netip.Addr // at least one, if err is nil
	err   error
	until time.Time
}

// lookup returns all addresses of a name. Errors come from the resolver, or are the cause of ctx.
func (n *names) lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	asked := n.ask(name)
	select {
	case <-asked.done:
		return asked.addrs, asked.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fresh returns the addresses of a name if the name was resolved less than keepNames ago; else nil.
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

// ask returns the stored answer for a name, even if the query for it is still under way. If there
// is none, ask begins to resolve the name. The query goes on for later callers, even if the first
// one has given up.
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

// fill resolves a name and stores the result in an answer, for all who wait for it. If it fails, the
// answer is not kept, unless keepFailures is set. So the next connection resolves the name again.
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
	if err != nil && !n.keepFailures && n.kept[name] == a {
		delete(n.kept, name)
	}
	close(a.done)
}

// withoutDNS returns the addresses of a host for which no resolver is asked, or nil. An address is
// returned as it is; localhost and all names below it are this machine.
func withoutDNS(h hosts.Host) []netip.Addr {
	if addr, ok := h.Addr(); ok {
		return []netip.Addr{addr}
	}
	if h.IsLocalhost() {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	return nil
}
