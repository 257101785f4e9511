// Package proxy is the only way of a browser to the network. A [Proxy] listens on a loopback port,
// serves one browser, and connects it to where the network policy lets it go.
//
// The browser is started so that all its connections go this way, whatever causes them:
// navigations, redirects, frames, all kinds of requests, workers, WebSockets, downloads. It
// resolves no names. The proxy resolves a name once, and asks the policy about all its addresses.
// It connects to one of these, so later answers of DNS change nothing.
//
// The browser speaks SOCKS 5, so the proxy knows host and port and reads nothing of what follows.
// It sees neither requests nor answers, so they cannot confuse it. The server gets http and
// WebSockets byte by byte as without a proxy, and the kernel copies the bytes. Browsers use each
// connection for one host only, so it is enough to judge connections. When the policy changes,
// connections that it no longer allows are ended.
//
// Chromium only learns that it was not connected; outcomes.go remembers why. Before it learns that,
// the navigations that need the connection are stopped, so that a tab keeps its page (refusal.go).
// The proxy serves only the processes of its browser (clients_linux.go), and connects to no port of
// chela (ports.go). A session that may open only some hosts has a proxy of its own (narrow.go).
package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/wall/guard"
)

// Options say where the browser may connect to.
type Options struct {
	// Policy returns the policy in force. It is asked for each connection, and returns the
	// same pointer until the policy changes. nil: the standard policy.
	Policy func() *guard.Policy

	// Ports are never connected to, under any policy. nil: only the proxy's own port.
	Ports *Ports

	// Upstream is a proxy to which all connections are passed on, or nil. See [ParseUpstream].
	Upstream *url.URL

	// ByFlag says that the user's flags for Chromium name another proxy. That proxy is Upstream, or
	// nil if it cannot be known, as with a PAC script. Then nothing may be opened unless the policy
	// allows all addresses: see [guard.Policy.CheckRouted].
	ByFlag bool

	// Names are rules of Chromium's flag --host-resolver-rules, which has no effect in a browser
	// with a proxy. They are applied before DNS is asked.
	Names string

	judges bool // see NewJudge

	// Lookup resolves names. nil: the resolver of the system.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)
}

// A Proxy serves one browser. See the package comment. A nil Proxy belongs to a browser that
// connects itself: it refuses nothing and knows nothing. A Proxy that [NewJudge] returns also
// serves a browser that connects itself, and judges its requests one by one.
type Proxy struct {
	dialer
	listener *net.TCPListener
	clients  clients
	outcomes outcomes
	ctx      context.Context // ends with Close
	cancel   context.CancelCauseFunc
	release  func() // releases the port of the listener
	serving  sync.WaitGroup

	onRefusal atomic.Pointer[func(context.Context, Refusal)]
}

// Limits of time.
const (
	handshakeTime = 10 * time.Second // how long a client may take to say where it wants to connect
	dialTime      = 25 * time.Second // how long a server may take to accept; Chromium gives up after 30 s
)

// Start begins to listen. Nobody is served before [Proxy.Admit]. Errors come from listening, and
// from the rules for names.
func Start(o Options) (*Proxy, error) {
	p := &Proxy{}
	if err := p.init(o); err != nil {
		return nil, err
	}
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("listen for the browser's connections: %w", err)
	}
	p.listener = listener
	p.clients.admitted = make(chan struct{})
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.release = p.options.Ports.Add(p.Addr().Port())
	p.serving.Go(p.accept)
	return p, nil
}

// Addr returns where the proxy listens.
func (p *Proxy) Addr() netip.AddrPort { return p.listener.Addr().(*net.TCPAddr).AddrPort() }

// URL returns the address of the proxy, for Chromium's --proxy-server. Its host is a name that only
// that browser knows, see [chela/internal/engine/chrome.Options].
func (p *Proxy) URL() string { return fmt.Sprintf("socks5://%s:%d", hostName(), p.Addr().Port()) }

// hostName is a name for this machine that only browsers of chela know. No page can guess it.
var hostName = sync.OnceValue(func() string { return strings.ToLower(rand.Text()) + ".invalid" })

// Admit says which processes may use the proxy: the process group of the browser. It is called
// once; connections that came before wait for it.
func (p *Proxy) Admit(group int) {
	p.clients.group = group
	close(p.clients.admitted)
}

// Close ends all connections, and waits until they have ended.
func (p *Proxy) Close() {
	if p == nil {
		return
	}
	p.closeAll()
	p.cancel(errClosed)
	if p.Carries() {
		p.listener.Close()
	}
	p.serving.Wait()
	p.release()
}

// Own adds a port to those that no browser may open, until the proxy is closed. It is for ports on
// which the browser itself listens, such as that of its DevTools endpoint.
func (p *Proxy) Own(port int) {
	release := p.options.Ports.Add(uint16(port))
	context.AfterFunc(p.ctx, release)
}

var errClosed = errors.New("the proxy is closed")

// accept serves until the proxy is closed. If the process has no free file descriptor, accepting
// fails. Then connections wait in the queue of the kernel until one is free.
func (p *Proxy) accept() {
	for {
		client, err := p.listener.AcceptTCP()
		switch {
		case err == nil:
			p.serving.Go(func() { p.serve(client) })
			continue
		case errors.Is(err, net.ErrClosed):
			return
		}
		slog.Warn("the proxy cannot accept a connection", "error", err)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-p.ctx.Done():
			return
		}
	}
}

// serve connects a client to the target that it names, and copies until either side ends. If the
// target is refused, or nobody answers, the client is told that the host cannot be reached.
// Chromium has only this one error for it, and [Proxy.Failure] has the reason.
func (p *Proxy) serve(client *net.TCPConn) {
	defer client.Close()
	stop := context.AfterFunc(p.ctx, func() { client.Close() })
	defer stop()
	client.SetDeadline(time.Now().Add(handshakeTime))
	if !p.clients.mayConnect(p.ctx, client) {
		return
	}
	to, err := readTarget(client)
	if err != nil {
		return
	}
	client.SetDeadline(time.Time{})
	t, err := p.connect(p.ctx, to)
	forwards := p.mayForward(to, err)
	if forwards {
		t, err = &tunnel{server: client, to: to}, nil // it needs no connection of its own to a server
	}
	if err != nil {
		p.outcomes.note(to, outcome{err: err})
		p.announce(to, err)
		reply(client, unreachable)
		return
	}
	defer t.server.Close()
	p.outcomes.note(to, outcome{server: t.addr})
	t.client = client
	if reply(client, succeeded) != nil || !p.begin(t) {
		t.abort() // the browser believes that it is connected, but the policy has changed since
		return
	}
	defer p.end(t)
	if forwards {
		p.forward(client, to)
		return
	}
	t.carry()
}

// Enforce ends the connections that the policy in force does not allow. Opening a connection does
// the same. So a call of Enforce is needed only when the policy has changed.
func (p *Proxy) Enforce() {
	if p != nil {
		p.policy()
	}
}
