package proxy

import (
	"context"
	"errors"
	"time"

	"chela/internal/wall/guard"
)

// A Refusal is a connection that the policy does not allow, before the browser knows of it.
type Refusal struct {
	Why *guard.Refused

	by *Proxy
	to target
}

// Concerns reports whether the refused connection was for a URL, and through this proxy.
func (r Refusal) Concerns(through *Proxy, rawURL string) bool {
	host, port, ok := guard.HostOf(rawURL)
	return ok && r.by == through && r.to == target{host, port}
}

// refusalTime is how long a connection may be delayed before the browser learns that it is refused.
// On an idle machine the function of OnRefusal takes milliseconds, and on a busy one up to seconds.
// A browser that needs longer hangs.
const refusalTime = 5 * time.Second

// OnRefusal sets the function that is called for each refusal, before the browser is told. As soon
// as the browser is told, it replaces the document of the navigating tab by an error page. The
// function has refusalTime, and may run for several connections at once. It is also called for
// proxies that [Proxy.Narrow] makes later.
func (p *Proxy) OnRefusal(do func(context.Context, Refusal)) {
	if p != nil {
		p.onRefusal.Store(&do)
	}
}

// announce calls the function of OnRefusal if an error is a refusal, and waits for it.
func (p *Proxy) announce(to target, err error) {
	refused, ok := errors.AsType[*guard.Refused](err)
	do := p.onRefusal.Load()
	if !ok || do == nil {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, refusalTime)
	defer cancel()
	(*do)(ctx, Refusal{refused, p, to})
}
