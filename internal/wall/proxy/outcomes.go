package proxy

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"

	"chela/internal/wall/guard"
)

// Unreachable is Chromium's error for every connection that the proxy has not made, for whatever
// reason. Servers cannot cause it.
const Unreachable = "net::ERR_SOCKS_CONNECTION_FAILED"

// maxOutcomes is how many targets' last outcomes are remembered at least; at most, there are twice as
// many. They are asked for soon, when Chromium reports the result of a request.
const maxOutcomes = 1000

// outcomes are the results of the last connection to each target.
type outcomes struct {
	mu     sync.Mutex // guards the rest
	of     map[target]outcome
	before map[target]outcome // the outcomes before those in of, until of is full
}

// An outcome is the result of trying to connect.
type outcome struct {
	err    error          // why there is no connection
	server netip.AddrPort // the address that was connected to last; not valid if an upstream proxy made the connection
}

func (o *outcomes) note(to target, what outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.noteLocked(to, what)
}

// noteLocked forgets the oldest half of the outcomes when there are too many. After a failure, the
// server of the connection before still counts: what a page shows may come from there.
func (o *outcomes) noteLocked(to target, what outcome) {
	if !what.server.IsValid() {
		what.server = o.lastLocked(to).server
	}
	if o.of == nil || len(o.of) >= maxOutcomes {
		o.of, o.before = map[target]outcome{}, o.of
	}
	o.of[to] = what
}

func (o *outcomes) lastLocked(to target) outcome {
	if what, ok := o.of[to]; ok {
		return what
	}
	return o.before[to]
}

// last returns the outcome for the host and port of a URL.
func (p *Proxy) last(rawURL string) outcome {
	host, port, ok := guard.HostOf(rawURL)
	if !ok || p == nil {
		return outcome{}
	}
	p.outcomes.mu.Lock()
	defer p.outcomes.mu.Unlock()
	return p.outcomes.lastLocked(target{host, port})
}

// Failure returns why the browser could not be connected for a URL the last time. The error is a
// [*guard.Refused], or comes from resolving the name or from connecting. It is nil if the browser
// was connected, or has not tried.
func (p *Proxy) Failure(rawURL string) error { return p.last(rawURL).err }

// Server returns the address that the browser was connected to for a URL the last time. It
// is not valid if that is not known.
func (p *Proxy) Server(rawURL string) netip.AddrPort { return p.last(rawURL).server }

// Blocked is Chromium's error for a connection that its own policy forbids.
const Blocked = "net::ERR_BLOCKED_BY_ADMINISTRATOR"

// NetError returns the error code that Chromium would have reported for a failure if it had
// connected without the proxy.
func NetError(err error) string {
	if _, ok := errors.AsType[*guard.Refused](err); ok {
		return Blocked
	}
	if errors.Is(err, ErrUnsafePort) {
		return "net::ERR_UNSAFE_PORT"
	}
	if upstream, ok := errors.AsType[*UpstreamError](err); ok {
		switch upstream.Status {
		case 0:
			return "net::ERR_PROXY_CONNECTION_FAILED"
		case http.StatusProxyAuthRequired:
			return "net::ERR_PROXY_AUTH_REQUESTED"
		}
		return "net::ERR_TUNNEL_CONNECTION_FAILED"
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsTimeout {
			return "net::ERR_NAME_RESOLUTION_FAILED"
		}
		return "net::ERR_NAME_NOT_RESOLVED"
	}
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "net::ERR_CONNECTION_TIMED_OUT"
	}
	return "net::ERR_ADDRESS_UNREACHABLE"
}
