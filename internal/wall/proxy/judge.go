package proxy

import (
	"context"
	"errors"
	"fmt"

	"chela/internal/wall/guard"
)

// NewJudge returns a Proxy that nothing goes through. It is for a browser that chela has not
// started, which makes its connections itself. The requests of such a browser are paused, and the
// judge decides whether each may be sent. It uses the policy and the ports of o. It ignores what o
// says of other proxies and of names, because the browser was started without that.
//
// A judge is weaker than a proxy. The browser resolves names itself, so it may connect to another
// address than the judged one. For some connections, such as WebSockets, it pauses nothing. Errors
// come from the rules for names.
func NewJudge(o Options) (*Proxy, error) {
	o.Upstream, o.ByFlag, o.Names, o.judges = nil, false, "", true
	p := &Proxy{release: func() {}}
	if err := p.init(o); err != nil {
		return nil, err
	}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	return p, nil
}

// Carries reports whether the connections of the browser go through the proxy. They do not if p is
// nil or a judge (see NewJudge).
func (p *Proxy) Carries() bool { return p != nil && p.listener != nil }

// PatternsToJudge returns the URLs whose requests are to be judged, as patterns of the Fetch
// domain. There are none if a proxy carries the connections. Under a policy that allows everything,
// only requests to the ports of chela itself are judged, and those to the usual addresses of this
// machine. There chela may open further ports later.
func (p *Proxy) PatternsToJudge() (patterns []string) {
	switch {
	case p == nil || p.Carries():
		return nil
	case !p.policy().AllowsAll():
		return []string{"http*"}
	}
	patterns = []string{"http*://localhost*", "http*://*.localhost*", "http*://127.*", "http*://0.0.0.0*", "http*://[*"}
	for _, port := range p.options.Ports.all() {
		patterns = append(patterns, fmt.Sprintf("http*:%d/*", port))
	}
	return patterns
}

// Judge returns why a request must not be sent, or nil. It stores the result for [Proxy.Failure].
// If a name has to be resolved, Judge waits for that.
func (p *Proxy) Judge(rawURL string) *guard.Refused {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil {
		return nil
	}
	refused, _ := errors.AsType[*guard.Refused](p.Check(p.ctx, rawURL))
	p.outcomes.noteJudged(target{host, port}, refused)
	return refused
}

// Passes reports whether it is known without waiting that a request may be sent: no name has to be
// resolved for that. A request that does not pass is for [Proxy.Judge].
func (p *Proxy) Passes(rawURL string) bool {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil || p.Carries() {
		return true
	}
	policy, to := p.policy(), target{host, port}
	if p.checkRouted(policy) != nil {
		return false
	}
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

// noteJudged stores that a request to a target was refused. If refused is nil, the request was
// allowed, and noteJudged forgets an earlier refusal for the target.
func (o *outcomes) noteJudged(to target, refused *guard.Refused) {
	if refused != nil {
		o.note(to, outcome{err: refused})
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.of, to)
	delete(o.before, to)
}
