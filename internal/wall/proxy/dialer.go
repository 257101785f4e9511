package proxy

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"

	"chela/internal/base/hosts"
	"chela/internal/wall/guard"
)

// A dialer connects to where the network policy allows, and ends connections that a later policy
// does not allow. A [Proxy] is a dialer that serves a browser, a [Dialer] is one that serves chela.
type dialer struct {
	options Options
	names   names
	rules   []nameRule

	mu      sync.Mutex // guards the rest
	inForce *guard.Policy
	open    map[*tunnel]bool
	closed  bool
}

// init prepares a dialer. The error comes from the rules for names.
func (d *dialer) init(o Options) (err error) {
	if d.rules, err = parseNameRules(o.Names); err != nil {
		return err
	}
	if o.Policy == nil {
		standard := &guard.Policy{}
		o.Policy = func() *guard.Policy { return standard }
	}
	if o.Ports == nil {
		o.Ports = &Ports{}
	}
	d.options, d.open, d.inForce = o, map[*tunnel]bool{}, o.Policy()
	d.names.init(o.Lookup)
	d.names.keepFailures = o.Upstream != nil
	return nil
}

// begin adds a connection to those that are open. It adds nothing and returns false if the dialer
// is closed. It does the same if the policy has changed since the connection was judged, and does
// not allow it now.
func (d *dialer) begin(t *tunnel) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if policy := d.policyLocked(); d.closed || d.check(t, policy) != nil {
		return false
	}
	d.open[t] = true
	return true
}

func (d *dialer) end(t *tunnel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, t)
}

// policy returns the policy in force. If it has changed, connections that it does not
// allow are ended.
func (d *dialer) policy() *guard.Policy {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.policyLocked()
}

// policyLocked asks for the policy while it holds the mutex. Otherwise a goroutine that asked
// before a change and came after it would put the old policy back.
func (d *dialer) policyLocked() *guard.Policy {
	policy := d.options.Policy()
	if policy != d.inForce {
		d.inForce = policy
		for t := range d.open {
			if d.check(t, policy) != nil {
				t.abort()
			}
		}
	}
	return policy
}

// check returns why a policy does not allow a connection, or nil.
func (d *dialer) check(t *tunnel, policy *guard.Policy) *guard.Refused {
	if refused := cmp.Or(d.checkRouted(policy), policy.CheckHost(t.to.host)); refused != nil {
		return refused
	}
	addrs := []netip.Addr{t.addr.Addr()}
	if !t.addr.IsValid() {
		addrs = d.known(t.to.host)
	}
	return policy.CheckAddrs(t.to.host, addrs)
}

// known returns the last known addresses of a host that chela itself does not connect to.
func (d *dialer) known(host hosts.Host) []netip.Addr {
	if addrs := withoutDNS(host); addrs != nil {
		return addrs
	}
	return d.names.last(host.String())
}

// closeAll ends all connections and name queries, and those that come later.
func (d *dialer) closeAll() {
	d.names.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for t := range d.open {
		t.abort()
	}
}

// A Dialer connects chela itself to where the browsers of a profile may go, by the same rules. It
// resolves a name once, judges all its addresses, and connects to one of them. It is for the time
// of one call.
type Dialer struct{ dialer }

// NewDialer returns a dialer. It connects only to the given hosts, as for [Proxy.Narrow]. If hosts
// is nil, it connects to all that the policy allows. Errors come from [guard.Policy.Narrow] and
// from the rules for names.
func NewDialer(o Options, hosts []string) (*Dialer, error) {
	d := &Dialer{}
	if err := d.init(o); err != nil || hosts == nil {
		return d, err
	}
	narrow, err := d.options.narrow(hosts)
	if err != nil {
		return nil, err
	}
	d.options, d.inForce = narrow, narrow.Policy()
	return d, nil
}

// ErrUnsafePort says that browsers refuse to connect to a port, and so does a [Dialer].
var ErrUnsafePort = errors.New("browsers refuse to connect to this port")

// Dial connects to host:port, for [net/http.Transport]; the network is tcp in any case. Errors are
// [ErrUnsafePort], a [*guard.Refused] and an [*UpstreamError], or come from resolving names and
// from connecting.
func (d *Dialer) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	to, err := parseTarget(address)
	if err != nil {
		return nil, err
	}
	if hosts.IsUnsafePort(to.port) {
		return nil, ErrUnsafePort
	}
	t, err := d.connect(ctx, to)
	if d.mayForward(to, err) {
		t, err = d.forwardingTunnel(to), nil
	}
	switch {
	case err != nil:
		return nil, err
	case d.begin(t):
		return t.server, nil
	}
	t.abort()
	if refused := d.check(t, d.policy()); refused != nil {
		return nil, refused
	}
	return nil, errClosed
}

// forwardingTunnel returns a connection whose requests are given to the HTTP proxy upstream one by
// one.
func (d *Dialer) forwardingTunnel(to target) *tunnel {
	near, far := net.Pipe()
	go d.forward(far, to)
	return &tunnel{server: near, to: to}
}

// Allowed returns a [*guard.Refused] if the policy has changed and does not allow one of the open
// connections any more, and otherwise nil. The caller must not see what was read from such a
// connection.
func (d *Dialer) Allowed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	policy := d.policyLocked()
	for t := range d.open {
		if refused := d.check(t, policy); refused != nil {
			return refused
		}
	}
	return nil
}

// Close ends the connections.
func (d *Dialer) Close() { d.closeAll() }

// parseTarget reads host:port, as it stands in a URL.
func parseTarget(address string) (target, error) {
	host, port, ok := guard.HostOf("http://" + address)
	if !ok {
		return target{}, &net.AddrError{Err: "no host and port", Addr: address}
	}
	return target{host, port}, nil
}
