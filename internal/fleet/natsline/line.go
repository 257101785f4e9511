// Package natsline connects to NATS. No other package imports the NATS client.
package natsline

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"chela/internal/base/config"
	"chela/internal/fleet/wire"
)

// A Line is a connection to NATS. When it breaks, it is made again for as long as the Line is open.
type Line struct {
	conn   *nats.Conn
	tenant string
	since  atomic.Pointer[time.Time] // when the connection was made; nil while there is none
	wrong  atomic.Pointer[error]     // why the last attempt to connect failed; nil while it is connected
	ended  chan struct{}             // closed when the connection has been closed for good
}

// Times of the connection.
const (
	dialTime  = 2 * time.Second
	retryTime = 200 * time.Millisecond // time between attempts
	pingTime  = 2 * time.Second        // time between pings; after two pings without an answer the connection is made again
)

// maxAnswers limits how many answers to one request are buffered until they are read. With the
// default of nats.go, 65,536, each request would allocate half a megabyte of pointers.
const maxAnswers = 1024

// Open connects to NATS in the background, and returns at once. NATS lists the connection under the
// given name. The error is about the URL in the configuration, or about a file that it names.
func Open(f config.Fleet, name string) (*Line, error) {
	return open(f, name, nats.RetryOnFailedConnect(true))
}

// Dial connects to NATS, and returns when it is connected. The error may say that no NATS answers,
// or that NATS does not accept this machine.
func Dial(f config.Fleet, name string) (*Line, error) { return open(f, name) }

func open(f config.Fleet, name string, more ...nats.Option) (*Line, error) {
	l := &Line{tenant: f.Tenant, ended: make(chan struct{})}
	if err := f.CheckFiles(); err != nil {
		return nil, err
	}
	options, err := l.options(f, name)
	if err != nil {
		return nil, err
	}
	l.conn, err = nats.Connect(f.URL, append(options, more...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w", f.Shown(), err)
	}
	if l.conn.IsConnected() {
		l.connected()
	}
	return l, nil
}

// options returns the options of the NATS client for a configuration.
func (l *Line) options(f config.Fleet, name string) ([]nats.Option, error) {
	all := []nats.Option{
		nats.Name(name), nats.Timeout(dialTime), nats.MaxReconnects(-1), nats.ReconnectWait(retryTime), nats.ReconnectJitter(retryTime/2, retryTime/2),
		nats.SyncQueueLen(maxAnswers), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(2),
		nats.ConnectHandler(func(*nats.Conn) { l.connected() }),
		nats.ReconnectHandler(func(*nats.Conn) { l.connected() }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { l.failed(err) }),
		nats.IgnoreAuthErrorAbort(), // NATS may let this machine in later, with the same credentials
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { l.lost(err) }),
		nats.ClosedHandler(func(*nats.Conn) { close(l.ended) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slog.Warn("NATS reports an error", "error", err) }),
	}
	if strings.Contains(f.URL, "tls://") || strings.Contains(f.URL, "wss://") {
		all = append(all, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	if f.TLS.CA != "" {
		all = append(all, nats.RootCAs(f.TLS.CA))
	}
	if f.TLS.Cert != "" {
		all = append(all, nats.ClientCert(f.TLS.Cert, f.TLS.Key))
	}
	switch {
	case f.Credentials == "":
	case f.IsSeed():
		key, err := nats.NkeyOptionFromSeed(f.Credentials)
		if err != nil {
			return nil, fmt.Errorf("read the seed of an NKey in %s: %w", f.Credentials, err)
		}
		all = append(all, key)
	default:
		all = append(all, nats.UserCredentials(f.Credentials))
	}
	return all, nil
}

// failed notes why an attempt to connect failed. It logs the reason if it differs from the last
// one.
func (l *Line) failed(err error) {
	if last := l.wrong.Swap(&err); last == nil || (*last).Error() != err.Error() {
		slog.Warn("NATS cannot be connected to", "error", err)
	}
}

// refusals are the errors with which NATS refuses a machine. ErrTLS means that the server ended the
// connection just after the handshake. In TLS 1.3 a client can send before the server has checked
// the client's certificate. If the server refuses it, the connection may be closed before the
// client has read the server's alert.
var refusals = []error{
	nats.ErrTLS, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired, nats.ErrSecureConnRequired, nats.ErrSecureConnWanted,
}

// tlsAlert is the Op of a [net.OpError] in which package tls reports an alert of the other side, such
// as that a certificate is required.
const tlsAlert = "remote error"

// Refused returns why the last attempt to connect was refused. Either NATS did not let this machine
// in, or this machine does not trust the certificate of NATS. The result is nil while the line is
// connected, and while NATS cannot be reached. In all cases the line goes on trying.
func (l *Line) Refused() error {
	err := l.wrong.Load()
	if err == nil {
		return nil
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](*err)
	remote, isRemote := errors.AsType[*net.OpError](*err)
	if certificate || isRemote && remote.Op == tlsAlert || slices.ContainsFunc(refusals, func(r error) bool { return errors.Is(*err, r) }) {
		return *err
	}
	return nil
}

func (l *Line) connected() {
	l.wrong.Store(nil)
	if l.since.CompareAndSwap(nil, new(time.Now())) {
		slog.Info("connected to NATS")
	}
}

func (l *Line) lost(err error) {
	l.since.Store(nil)
	if err != nil {
		slog.Warn("the connection to NATS broke", "error", err)
	}
}

// Close ends the connection, and waits for that.
func (l *Line) Close() {
	l.conn.Close()
	<-l.ended
}

// Since implements [wire.Line].
func (l *Line) Since() time.Time {
	if since := l.since.Load(); since != nil {
		return *since
	}
	return time.Time{}
}

// Most implements [wire.Line]. Until NATS has said its limit, Most returns the usual one, 1 MB.
func (l *Line) Most() int {
	if most := l.conn.MaxPayload(); most > 0 {
		return int(most)
	}
	return 1 << 20
}

// Request implements [wire.Line].
func (l *Line) Request(ctx context.Context, subject string, message []byte, each func([]byte) bool) error {
	if each == nil {
		return l.conn.Publish(subject, message)
	}
	inbox := l.conn.NewInbox()
	answers, err := l.conn.SubscribeSync(inbox)
	if err != nil {
		return err
	}
	defer answers.Unsubscribe()
	if err := l.conn.PublishRequest(subject, inbox, message); err != nil {
		return err
	}
	for {
		m, err := answers.NextMsgWithContext(ctx)
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return wire.ErrNobody
		case err != nil:
			return err
		case !each(m.Data):
			return nil
		}
	}
}

// Subscribe implements [wire.Line].
func (l *Line) Subscribe(subject string, handle func([]byte, func([]byte) error)) (end func(), err error) {
	sub, err := l.conn.Subscribe(subject, func(m *nats.Msg) { handle(m.Data, m.Respond) })
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { sub.Unsubscribe() }), nil
}
