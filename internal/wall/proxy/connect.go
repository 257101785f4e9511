package proxy

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"chela/internal/base/hosts"
	"chela/internal/wall/guard"
)

// A target says where a client wants to be connected to.
type target struct {
	host hosts.Host
	port uint16
}

// Check returns why the browser cannot open a URL, before it tries: a [*guard.Refused]. It is nil
// for what is not on the network, and for a name that cannot be resolved: the browser finds that
// out itself. A name stays resolved for the connection that follows.
func (p *Proxy) Check(ctx context.Context, rawURL string) error {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil {
		return nil
	}
	if refused := p.checkRouted(p.policy()); refused != nil {
		return refused
	}
	var err error
	if p.options.Upstream != nil {
		err = p.judgeUpstream(ctx, target{host, port})
	} else {
		_, _, err = p.judge(ctx, target{host, port})
	}
	if refused, ok := err.(*guard.Refused); ok {
		return refused
	}
	return nil
}

// Policy returns the policy in force; nil if p is nil. It is the same pointer until the policy changes.
func (p *Proxy) Policy() *guard.Policy {
	if p == nil {
		return nil
	}
	return p.policy()
}

// Allows checks whether content that the browser has already loaded from the URLs may be shown. The
// policy may have changed since. Allows returns why the policy in force forbids one of the URLs, or
// nil. It does not resolve names: what counts is the address that the browser was connected to. If
// chela has not made the connection, the last known addresses of the name count. That is so for a
// judge (see NewJudge), and behind another proxy.
func (p *Proxy) Allows(rawURLs ...string) *guard.Refused {
	if p == nil {
		return nil
	}
	policy := p.policy()
	for _, rawURL := range rawURLs {
		if refused := p.checkFile(rawURL); refused != nil {
			return refused
		}
		rawURL = strings.TrimPrefix(rawURL, "blob:") // what follows is the origin that has made the blob
		host, _, ok := guard.HostOf(rawURL)
		if !ok {
			continue
		}
		if refused := cmp.Or(p.checkRouted(policy), policy.CheckHost(host)); refused != nil {
			return refused
		}
		if refused := policy.CheckAddrs(host, p.connectedTo(host, rawURL)); refused != nil {
			return refused
		}
	}
	return nil
}

// checkFile returns a [*guard.Refused] if the URL names a file of this machine, and otherwise nil.
// Pages cannot navigate a tab to a file. But if a file is dropped on a page that does not handle
// the drop, Chromium opens the file in a new tab. A script in it could open every file that the
// user can read. In the user's own browser such tabs are allowed.
func (p *Proxy) checkFile(rawURL string) *guard.Refused {
	if p.Carries() && guard.IsFile(rawURL) {
		return &guard.Refused{Rule: guard.LocalFile}
	}
	return nil
}

// connectedTo returns the addresses that the browser was connected to for a URL, as far as known.
func (p *Proxy) connectedTo(host hosts.Host, rawURL string) []netip.Addr {
	if !p.Carries() || p.options.Upstream != nil {
		return p.known(host)
	}
	if server := p.Server(rawURL); server.IsValid() {
		return []netip.Addr{server.Addr()}
	}
	return nil
}

// connect returns a connection to a target that the policy allows. Errors are a [*guard.Refused]
// and an [*UpstreamError], or come from resolving names and from connecting.
func (d *dialer) connect(ctx context.Context, to target) (*tunnel, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	if refused := d.checkRouted(d.policy()); refused != nil {
		return nil, refused
	}
	if d.options.Upstream != nil {
		return d.connectUpstream(ctx, to)
	}
	addrs, port, err := d.judge(ctx, to)
	if err != nil {
		return nil, err
	}
	server, addr, err := dial(ctx, addrs, port)
	if err != nil {
		return nil, err
	}
	return &tunnel{server: server, to: to, addr: netip.AddrPortFrom(addr, port)}, nil
}

// checkRouted returns why a policy lets nothing be opened in this browser, or nil. It concerns
// browsers that chela has not started, and those with another proxy. If the user's flags for
// Chromium name that proxy, and chela does not know which it is, no policy lets anything be opened.
func (d *dialer) checkRouted(policy *guard.Policy) *guard.Refused {
	switch {
	case d.options.judges:
		return policy.CheckUnenforced()
	case d.options.ByFlag && d.options.Upstream == nil:
		return &guard.Refused{Rule: guard.Routed, Proxy: guard.ProxyFlag}
	case d.options.ByFlag:
		return policy.CheckRouted(guard.ProxyFlag)
	case d.options.Upstream != nil:
		return policy.CheckRouted(guard.ProxyKey)
	}
	return nil
}

// judge resolves a target and returns the addresses and the port to which a connection may be made.
// Errors are a [*guard.Refused], or come from resolving names.
//
// The ports of chela are checked before the policy: for them, the policy's hint how to allow a host
// would be wrong.
func (d *dialer) judge(ctx context.Context, to target) ([]netip.Addr, uint16, error) {
	policy := d.policy()
	resolved, addrs, err := d.judgeName(policy, to)
	if err != nil {
		return nil, 0, err
	}
	if addrs == nil {
		if addrs, err = d.names.lookup(ctx, resolved.host.String()); err != nil {
			return nil, 0, err
		}
	}
	if refused := d.judgeAddrs(policy, to, addrs, resolved.port); refused != nil {
		return nil, 0, refused
	}
	return addrs, resolved.port, nil
}

// judgeName is the part of judge before a name is resolved. It returns what is to be resolved, and
// the addresses if no resolver has to be asked. It returns the same errors as judge.
func (d *dialer) judgeName(policy *guard.Policy, to target) (resolved target, addrs []netip.Addr, err error) {
	if resolved, err = applyNameRules(d.rules, to); err != nil {
		return resolved, nil, err
	}
	addrs = withoutDNS(resolved.host)
	if refused := cmp.Or(d.checkPort(to.host, addrs, resolved.port), policy.CheckHost(to.host)); refused != nil {
		return resolved, nil, refused
	}
	return resolved, addrs, nil
}

// judgeAddrs checks the resolved addresses of a target against the policy, and its port against the
// ports of chela itself.
func (d *dialer) judgeAddrs(policy *guard.Policy, to target, addrs []netip.Addr, port uint16) *guard.Refused {
	return cmp.Or(d.checkPort(to.host, addrs, port), policy.CheckAddrs(to.host, addrs))
}

// checkPort returns a [*guard.Refused] for a connection to a port of chela itself, and otherwise
// nil. The connection is refused if one of the addresses belongs to this machine.
func (d *dialer) checkPort(host hosts.Host, addrs []netip.Addr, port uint16) *guard.Refused {
	if !d.options.Ports.has(port) {
		return nil
	}
	if slices.ContainsFunc(addrs, isOwn) {
		return &guard.Refused{Rule: guard.OwnPort, Host: host}
	}
	return nil
}

// isOwn reports whether connections to an address lead to this machine.
func isOwn(addr netip.Addr) bool {
	if kind := hosts.KindOf(addr); kind == hosts.Loopback || kind == hosts.Unspecified {
		return true
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return true // without a list of our addresses, the address may be one of them
	}
	for _, each := range own {
		if prefix, err := netip.ParsePrefix(each.String()); err == nil && prefix.Addr().Unmap() == addr.Unmap().WithZone("") {
			return true
		}
	}
	return false
}

// stagger is the time after which the next address of a host is tried as well.
const stagger = 250 * time.Millisecond

// dial connects to the first of the addresses that answers. It tries them in order, and goes on
// when one has failed or has not answered for a while. If all fail, the error comes from the first
// address.
func dial(ctx context.Context, addrs []netip.Addr, port uint16) (*net.TCPConn, netip.Addr, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type attempt struct {
		conn net.Conn
		addr netip.Addr
		err  error
	}
	results := make(chan attempt, len(addrs))
	try := func(addr netip.Addr) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", netip.AddrPortFrom(addr, port).String())
		results <- attempt{conn, addr, err}
	}
	var first error
	running := 0
	next := time.NewTimer(0)
	defer next.Stop()
	for running > 0 || len(addrs) > 0 {
		select {
		case <-next.C:
			if len(addrs) > 0 {
				go try(addrs[0])
				addrs, running = addrs[1:], running+1
				next.Reset(stagger)
			}
		case done := <-results:
			running--
			if done.err == nil {
				go func() { // close the connections that come after the first
					for range running {
						if late := <-results; late.conn != nil {
							late.conn.Close()
						}
					}
				}()
				return done.conn.(*net.TCPConn), done.addr, nil
			}
			if first == nil {
				first = done.err
			}
			next.Reset(0)
		}
	}
	return nil, netip.Addr{}, first
}
