package proxy

import (
	"sync"

	"chela/internal/wall/guard"
)

// Narrow returns a proxy for a part of the browser, such as an isolated session. It allows only the
// given hosts, and of those only what p allows. It is closed when p is. [Proxy.Admit] must have
// been called on p before. Errors come from [guard.Policy.Narrow] and from listening. It also fails
// if p is closed.
func (p *Proxy) Narrow(hosts []string) (*Proxy, error) {
	o, err := p.options.narrow(hosts)
	if err != nil {
		return nil, err
	}
	o.Lookup = p.names.lookup
	narrow, err := Start(o)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		narrow.Close()
		return nil, errClosed
	}
	p.serving.Go(func() {
		select {
		case <-p.ctx.Done():
		case <-narrow.ctx.Done():
		}
		narrow.Close()
	})
	narrow.onRefusal.Store(p.onRefusal.Load())
	narrow.Admit(p.clients.group)
	return narrow, nil
}

// narrow returns options with a policy that allows only the hosts, and of these only what it
// allowed before. The error comes from [guard.Policy.Narrow].
func (o Options) narrow(hosts []string) (Options, error) {
	_, err := o.Policy().Narrow(hosts)
	o.Policy = narrowPolicy(o.Policy, hosts)
	return o, err
}

// narrowPolicy narrows a policy again whenever it changes. The hosts are known to be valid.
func narrowPolicy(policy func() *guard.Policy, hosts []string) func() *guard.Policy {
	var mu sync.Mutex // guards the rest
	var of, narrow *guard.Policy
	return func() *guard.Policy {
		mu.Lock()
		defer mu.Unlock()
		if now := policy(); now != of {
			of = now
			narrow, _ = now.Narrow(hosts)
		}
		return narrow
	}
}
