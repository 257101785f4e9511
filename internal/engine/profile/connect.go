package profile

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/hosts"
	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A ReachError says why chela could not connect to the browser of a profile that somebody else
// starts. Err is an error of [endpoint.Endpoint.Open]. It is not unwrapped: a deadline in it is not
// the deadline of the call.
type ReachError struct {
	Profile string
	URL     string // URL of the browser's endpoint, without secrets
	Driver  Driver
	Remote  bool // the browser is on another machine
	Err     error
}

func (e *ReachError) Error() string {
	switch {
	case e.Driver == Extension:
		return "the browser with the extension cannot be reached: " + e.Err.Error()
	case e.URL == "":
		return "the user's browser cannot be reached: " + e.Err.Error()
	}
	return e.URL + " cannot be reached: " + e.Err.Error()
}

// notActive reports whether chela did not even try to connect: the user's browser does not allow
// it, or its extension is not connected.
func (e *ReachError) notActive() bool {
	_, ok := errors.AsType[*chrome.NotActiveError](e.Err)
	return ok || isUnconnected(e.Err)
}

// A StrictError says that the network policy is strict, and cannot be enforced in a browser that
// chela does not start.
type StrictError struct{ Profile string }

func (e *StrictError) Error() string {
	return "the strict network policy cannot be enforced in the browser of profile " + e.Profile
}

// checkStrict returns a [*StrictError] if the network policy does not let chela connect to a
// browser that it does not start.
func (p *Profile) checkStrict(s Setup) error {
	if policy, err := p.wall.policy(); err == nil && s.Connected() && policy.IsStrict() {
		return &StrictError{p.Name}
	}
	return nil
}

// connectURL returns the URL to which chela connects, with the secrets in it. It is "" if chela
// starts the browser itself, or does not know its address. For a profile with attachOnly and
// without a URL, it is the profile's port on this machine.
func (s Setup) connectURL() string {
	switch {
	case s.Driver == Extension || s.Launched():
		return ""
	case s.URL == "" && s.Port > 0 && s.Driver == Managed:
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port))
	}
	return s.URL
}

// Connected reports whether chela connects to a browser that somebody else starts. It connects by a
// URL, by the port that the user's own browser has opened for chela, or by the extension.
func (s Setup) Connected() bool { return s.IsOfUser() || s.connectURL() != "" }

// IsOfUser reports whether the user has started the browser and works with it.
func (s Setup) IsOfUser() bool { return s.Driver == ExistingSession || s.Driver == Extension }

// connect connects to the browser of a profile. Errors are a [*ReachError] and the cause of ctx.
func (p *Profile) connect(ctx context.Context, s Setup) (*browser.Browser, error) {
	memory, err := p.memoryFor(ctx, s)
	if err != nil {
		return nil, err
	}
	host, at, err := p.reach(s)
	if err != nil {
		return nil, err
	}
	network, err := p.wall.judge(s)
	if err != nil {
		return nil, &StartError{p.Name, err}
	}
	if _, port, ok := guard.HostOf(at); ok && isOnThisMachine(at) {
		network.Own(int(port)) // no page may connect to this port: it could drive the browser
	}
	keep := func(m browser.Memory) error { return p.session.save(s.lasting(m)) }
	b, err := browser.Start(ctx, host, browser.Options{Memory: memory, Keep: keep, Sweep: p.cleanup, Hosts: p.limits.Hosts, Files: p.files, Network: network, Drops: p.drops})
	if err != nil {
		return nil, p.reachError(s, err)
	}
	return b, nil
}

// reach returns the host of the browser of a profile, and the URL where chela drives it. Errors are
// a [*StartError], and a [*ReachError] if it is already known that chela cannot connect.
func (p *Profile) reach(s Setup) (host browser.Host, rawURL string, err error) {
	if s.OwnPort() {
		return p.reachUser(s)
	}
	if s.Driver == Extension {
		return p.reachExtension(), "", nil
	}
	at, err := p.endpoint(s)
	if err != nil {
		return nil, "", &StartError{p.Name, err}
	}
	shared := s.Driver == ExistingSession
	return browser.Connect(at.Open, browser.Description{WebSocketURL: s.CDPURL(), Shared: shared, Local: shared && isOnThisMachine(at.URL)}), at.URL, nil
}

func (p *Profile) reachError(s Setup, err error) error {
	return &ReachError{Profile: p.Name, URL: s.CDPURL(), Driver: s.Driver, Remote: s.Remote(), Err: err}
}

// memoryFor returns the memory of the last browser for the next one. If the profile now has a
// browser at another URL or with other user data, only [browser.Memory.Fresh] is kept. So what was
// set in a browser that chela started is never set in the user's, even after a restart of chela.
func (p *Profile) memoryFor(ctx context.Context, s Setup) (browser.Memory, error) {
	if err := p.awaitGone(ctx); err != nil {
		return browser.Memory{}, err
	}
	memory, err := p.lastMemory(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := p.lastSetupLocked(); last.connectURL() != s.connectURL() || last.UserDataDir != s.UserDataDir {
		memory = memory.Fresh()
	}
	return memory, err
}

// endpoint returns the endpoint of a connected profile's browser.
func (p *Profile) endpoint(s Setup) (endpoint.Endpoint, error) {
	c := p.config.Current().Browser
	e := endpoint.Endpoint{URL: s.connectURL(), Pin: s.Pin, Probe: ms(c.RemoteCDPTimeoutMs), Handshake: ms(c.RemoteCDPHandshakeMs)}
	policy, err := p.wall.policy()
	if err != nil {
		return e, err
	}
	e.AllowOtherServer = policy.AllowsPrivate()
	if isOnThisMachine(e.URL) {
		return e, nil
	}
	dialer, err := proxy.NewDialer(proxy.Options{Policy: func() *guard.Policy { return policy }, Ports: p.wall.ports}, nil)
	if err == nil {
		e.Dial = dialer.Dial
	}
	return e, err
}

// AskedSetup returns the Setup, after it has asked whether a browser already runs at the profile's
// URL on this machine.
func (p *Profile) AskedSetup(ctx context.Context) Setup { return p.detectRunning(ctx, p.Setup()) }

// detectRunning returns s, with Found if a browser answers at its URL on this machine. The port is
// then not free for a browser of chela, so chela connects to the browser there. If another program
// answers, starting a browser fails with a [PortError].
func (p *Profile) detectRunning(ctx context.Context, s Setup) Setup {
	if !s.mayBeFound() {
		return s
	}
	there := s
	there.Found = true
	at, err := p.endpoint(there)
	if err == nil {
		_, err = at.Version(ctx)
	}
	if err != nil {
		return s
	}
	return there
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// isOnThisMachine reports whether an endpoint is on this machine. The network policy does not apply
// to such an endpoint, since the user has started its browser.
func isOnThisMachine(rawURL string) bool {
	host, _, ok := guard.HostOf(rawURL)
	return ok && (host.IsLocalhost() || hosts.IsLoopback(host.String()))
}

// Ask finds out whether the browser of a connected profile runs, without driving it. The version is
// empty if the endpoint answers only by WebSocket. For the user's own browser (see
// [Setup.OwnPort]), Ask only checks whether its port is open, and returns no version. A connection
// would make the browser ask its user. For an extension, Ask only checks whether it is connected.
// Errors are a [*ReachError] and a [*StrictError].
func (p *Profile) Ask(ctx context.Context) (endpoint.Version, error) {
	s := p.AskedSetup(ctx)
	if err := p.checkStrict(s); err != nil {
		return endpoint.Version{}, err
	}
	if s.OwnPort() {
		if _, err := s.FindUser(); err != nil {
			return endpoint.Version{}, p.reachError(s, err)
		}
		return endpoint.Version{}, nil
	}
	if s.Driver == Extension {
		if err := p.relay.Ready(); err != nil {
			return endpoint.Version{}, p.reachError(s, err)
		}
		return endpoint.Version{}, nil
	}
	at, err := p.endpoint(s)
	if err != nil {
		return endpoint.Version{}, p.reachError(s, err)
	}
	v, err := at.Version(ctx)
	if err != nil {
		return v, p.reachError(s, err)
	}
	return v, nil
}

// connectTime returns the limit for a start: for all attempts to connect together.
func connectTime(c config.Browser) time.Duration {
	return max(startTime, allowTime+startTime/2, 4*(ms(c.RemoteCDPTimeoutMs)+ms(c.RemoteCDPHandshakeMs)))
}
