// Package proxy is the only way of a browser to the network. A [Proxy] listens on a
// loopback port, serves one browser, and connects it to where the network policy lets
// it go.
//
// The browser is started so that all its connections go this way, whatever causes them:
// navigations, redirects, frames, all kinds of requests, workers, WebSockets, downloads.
// It resolves no names. The proxy resolves a name once, asks the policy about all of its
// addresses, and connects to one of these: what DNS says later cannot change it.
//
// The browser speaks SOCKS 5, so the proxy knows host and port and reads nothing of what
// follows. It sees neither requests nor answers and cannot be confused by them; http and
// WebSockets arrive at the server as without it, byte by byte, and the kernel copies the
// bytes. Browsers keep a connection for one host, so to judge connections is enough:
// when the policy changes, those that it does not allow any more are ended.
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

	// Ports are never connected to, under any policy. nil: only that of the proxy.
	Ports *Ports

	// Upstream is a proxy to which all connections are passed on, or nil. See [ParseUpstream].
	Upstream *url.URL

	// ByFlag says that flags of the user's for Chromium name another proxy, which is Upstream,
	// or nil if it cannot be known, as that of a PAC script. Then nothing may be opened unless
	// all addresses may: see [guard.Policy.CheckRouted].
	ByFlag bool

	// Names are rules of Chromium's flag --host-resolver-rules, which has no effect in a
	// browser with a proxy. They come before DNS.
	Names string

	judges bool // see NewJudge

	// Lookup resolves names. nil: the resolver of the system.
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)
}

// A Proxy serves one browser. See the package comment. A nil one is that of a browser that
// connects itself: it refuses nothing, and knows nothing. One that [NewJudge] returns serves a
// browser that connects itself, too, whose requests are judged one by one.
type Proxy struct {
	dialer
	listener *net.TCPListener
	clients  clients
	outcomes outcomes
	ctx      context.Context // ends with Close
	cancel   context.CancelCauseFunc
	release  func() // of the port
	serving  sync.WaitGroup

	onRefusal atomic.Pointer[func(context.Context, Refusal)]
}

// Limits of time.
const (
	handshakeTime = 10 * time.Second // until a client has said where it wants to connect to
	dialTime      = 25 * time.Second // until a server accepts; Chromium gives up after 30 s
)

// Start begins to listen. Nobody is served before [Proxy.Admit]. Errors are those of
// listening, and of rules for names.
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

// Addr is where the proxy listens.
func (p *Proxy) Addr() netip.AddrPort { return p.listener.Addr().(*net.TCPAddr).AddrPort() }

// URL is the address of the proxy, for Chromium's --proxy-server. Its host is a name that only
// that browser knows, see [chela/internal/engine/chrome.Options].
func (p *Proxy) URL() string { return fmt.Sprintf("socks5://%s:%d", hostName(), p.Addr().Port()) }

// hostName is this machine, for the browsers. No page can guess it.
var hostName = sync.OnceValue(func() string { return strings.ToLower(rand.Text()) + ".invalid" })

// Admit says which processes may use the proxy: those of a process group, which is that
// of the browser. It is called once; connections that came before wait for it.
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

// Own adds a port that the browser itself listens on, as that of its DevTools endpoint, to
// those that no browser may open, until the proxy is closed.
func (p *Proxy) Own(port int) {
	release := p.options.Ports.Add(uint16(port))
	context.AfterFunc(p.ctx, release)
}

var errClosed = errors.New("the proxy is closed")

// accept serves until the proxy is closed. If the process has no more descriptors,
// accepting fails for a while: connections wait in the queue of the kernel until then.
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

// serve connects a client to where it asks to be connected to, and copies until one of
// both ends it. Where it must not go, or nobody answers, it is told that the host cannot
// be reached: Chromium has only this one error for it, and [Proxy.Failure] has the reason.
func (p *Proxy) serve(client *net.TCPConn) {
	defer client.Close()
	stop := context.AfterFunc(p.ctx, func() { client.Close() })
	defer stop()
	client.SetDeadline(time.Now().Add(handshakeTime))
	if !p.clients.may(p.ctx, client) {
		return
	}
	to, err := readTarget(client)
	if err != nil {
		return
	}
	client.SetDeadline(time.Time{})
	t, err := p.connect(p.ctx, to)
	if p.mayForward(to, err) {
		p.outcomes.note(to, outcome{})
		reply(client, succeeded)
		p.forward(client, to)
		return
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
		return
	}
	defer p.end(t)
	t.carry()
}

// Enforce ends the connections that the policy in force does not allow. That is also done
// when a connection is opened, so this is for when the policy has changed.
func (p *Proxy) Enforce() {
	if p != nil {
		p.policy()
	}
}
