package proxy

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"

	"chela/internal/guard"
)

// Unreachable is what Chromium says of every connection that the proxy has not made,
// for whatever reason. Servers cannot cause it.
const Unreachable = "net::ERR_SOCKS_CONNECTION_FAILED"

// maxFailures are the targets whose last failure is remembered. They are asked for at
// once, when Chromium reports that a request has failed.
const maxFailures = 1000

// failures are the targets that could not be connected to at last, and why.
type failures struct {
	mu sync.Mutex // guards of
	of map[target]error
}

// note remembers the failure for a target, or forgets it if err is nil.
func (f *failures) note(to target, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		delete(f.of, to)
		return
	}
	if f.of == nil || len(f.of) >= maxFailures {
		f.of = map[target]error{}
	}
	f.of[to] = err
}

// Failure returns why the browser could not be connected for a URL the last time: a
// [*guard.Refused], or the error of resolving the name or of connecting. It is nil if it
// was connected, or has not tried.
func (p *Proxy) Failure(rawURL string) error {
	host, port, ok := guard.HostOf(rawURL)
	if !ok {
		return nil
	}
	p.failures.mu.Lock()
	defer p.failures.mu.Unlock()
	return p.failures.of[target{host, port}]
}

// NetError returns what Chromium would have said of a failure if it had connected itself.
func NetError(err error) string {
	if _, ok := errors.AsType[*guard.Refused](err); ok {
		return "net::ERR_BLOCKED_BY_ADMINISTRATOR"
	}
	if upstream, ok := errors.AsType[*UpstreamError](err); ok {
		if upstream.Status != 0 {
			return "net::ERR_TUNNEL_CONNECTION_FAILED"
		}
		return "net::ERR_PROXY_CONNECTION_FAILED"
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
