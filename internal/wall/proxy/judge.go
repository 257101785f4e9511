package proxy

import (
	"context"
	"errors"
	"fmt"

	"chela/internal/wall/guard"
)

// NewJudge returns a Proxy that nothing goes through, for a browser that connects itself as
// chela has not started it. Its requests are paused instead, and the judge says of each whether
// it may be sent, by the policy and the ports of o; what o says of other proxies has no effect.
//
// This holds less than a proxy does: the browser resolves names itself, so what it connects to
// may not be what was judged, and opens connections for which it pauses nothing, such as WebSockets.
// Errors are those of rules for names.
func NewJudge(o Options) (*Proxy, error) {
	o.Upstream, o.ByFlag, o.judges = nil, false, true
	p := &Proxy{release: func() {}}
	if err := p.init(o); err != nil {
		return nil, err
	}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	return p, nil
}

// Carries reports whether the connections of the browser go through the proxy: it is neither
// nil nor a judge.
func (p *Proxy) Carries() bool { return p != nil && p.listener != nil }

// Judged are the URLs whose requests are to be judged, as patterns of the Fetch domain. None are
// where a proxy carries the connections. A policy that allows everything forbids only the ports
// of chela itself.
func (p *Proxy) Judged() (patterns []string) {
	switch {
	case p == nil || p.Carries():
		return nil
	case !p.policy().AllowsAll():
		return []string{"http*"}
	}
	for _, port := range p.options.Ports.all() {
		patterns = append(patterns, fmt.Sprintf("http*:%d/*", port))
	}
	return patterns
}

// Judge returns why a request must not be sent, or nil, and notes that for [Proxy.Failure]. A name
// that has to be resolved is waited for.
func (p *Proxy) Judge(rawURL string) *guard.Refused {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil {
		return nil
	}
	refused, _ := errors.AsType[*guard.Refused](p.Check(p.ctx, rawURL))
	p.outcomes.judged(target{host, port}, refused)
	return refused
}

// Passes reports whether it is known without waiting that a request may be sent: no
// name has to be resolved for that. One that does not pass is for [Proxy.Judge].
func (p *Proxy) Passes(rawURL string) bool {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil || p.Carries() {
		return true
	}
	if p.checkRouted() != nil {
		return false
	}
	policy, to := p.policy(), target{host, port}
	resolved, addrs, err := p.judgeName(policy, to)
	if err != nil {
		return false
	}
	if addrs == nil {
		if addrs = p.names.fresh(resolved.host.String()); addrs == nil {
			return false
		}
	}
	return p.judgeAddrs(policy, to, addrs, resolved.port) == nil && p.Failure(rawURL) == nil
}

// judged notes that a request was refused, or that it was not after another one was.
func (o *outcomes) judged(to target, refused *guard.Refused) {
	if refused != nil {
		o.note(to, outcome{err: refused})
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.of, to)
}
