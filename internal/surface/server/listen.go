package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"time"
)

// limits are the limits for every connection, and the time of the server without requests. The limits
// for bodies are in body.go.
type limits struct {
	head    time.Duration // how long the head of a request may take
	request time.Duration // how long a whole request may take
	idle    time.Duration // how long the client may be silent between two requests
	drain   time.Duration // how long a client may go on sending a request that was already answered
	silence time.Duration // how long a viewer of a tab may be silent
	rest    time.Duration // how long there is no request before the server frees memory
	conns   int           // largest number of open connections
}

var usualLimits = limits{head: 10 * time.Second, request: 30 * time.Second, idle: 120 * time.Second, drain: 5 * time.Second, silence: time.Minute, rest: 30 * time.Second, conns: 512}

const (
	replyTime    = 30 * time.Second    // how long a client may take to read an answer, or a piece of a stream
	headerBytes  = 32 << 10            // largest head of a request
	maxHead      = headerBytes + 4<<10 // net/http adds 4 KB, see http.Server.MaxHeaderBytes
	loopbackIPv4 = "127.0.0.1"
	loopbackIPv6 = "::1"
)

// ListenTCP listens on the loopback addresses only; port 0 means a free port. There is a listener
// for IPv6 only if the machine has it. Both families are needed, because clients resolve localhost
// to either. It returns the errors of net.Listen for IPv4, such as EADDRINUSE.
func ListenTCP(port int) ([]net.Listener, error) {
	v4, err := listenTCP("tcp4", net.JoinHostPort(loopbackIPv4, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	v6, err := listenTCP("tcp6", net.JoinHostPort(loopbackIPv6, strconv.Itoa(Port(v4))))
	if err != nil {
		return []net.Listener{v4}, nil
	}
	return []net.Listener{v4, v6}, nil
}

// An outside listener is for callers on other machines. It speaks TLS only.
type outside struct {
	net.Listener
	config *tls.Config
}

// ListenTLS listens on an address that other machines can reach. For each connection, the function
// in the argument certificate returns the certificate. Whoever reaches the port and has the token
// can use the user's browsers and their logins. So the address must be one that the user has named.
// It returns the errors of net.Listen.
func ListenTLS(at netip.AddrPort, certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)) (net.Listener, error) {
	l, err := listenTCP("tcp", at.String())
	if err != nil {
		return nil, err
	}
	return &outside{l, &tls.Config{GetCertificate: certificate, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}}, nil
}

// Accept returns before the TLS handshake, which the first [conn.Read] makes.
func (l *outside) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tls.Server(c, l.config), nil
}

// listenTCP listens without Multipath TCP, which Go uses by default. On loopback there is only one
// path, and sockets are slower with it.
func listenTCP(network, address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(context.Background(), network, address)
}

// ListenUnix listens on a socket that only the user can open. The caller must hold the lock of the
// state directory: then a socket that exists was left by a killed server, and can be removed. Between
// Listen and Chmod, the mode of the socket comes from the umask. Even then other users cannot open
// it, because they cannot enter its directory.
func ListenUnix(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Port returns the TCP port of a listener; 0 if it has none.
func Port(l net.Listener) int {
	if addr, ok := l.Addr().(*net.TCPAddr); ok {
		return addr.Port
	}
	return 0
}

// attend returns the HTTP server for a listener. All HTTP servers are made here, so that all have a
// [door] and the same limits. ReadTimeout covers the head and the body. Handlers for large bodies and
// long calls lengthen or remove it. The write deadline is set when an answer is sent, since an
// operation may run for longer. The log messages of net/http are about broken connections, so they
// have only the level debug.
func (s *Server) attend(l net.Listener) *http.Server {
	d := s.doorFor(l)
	return &http.Server{
		Handler:           s.through(d),
		ReadHeaderTimeout: s.o.limits.head,
		ReadTimeout:       s.o.limits.request,
		IdleTimeout:       s.o.limits.idle,
		MaxHeaderBytes:    headerBytes,
		BaseContext:       func(net.Listener) context.Context { return withDoor(s.calls, d) },
		ConnContext:       withConn,
		ConnState:         trackState,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),

		// Otherwise net/http would answer OPTIONS * itself, without asking the door.
		DisableGeneralOptionsHandler: true,
	}
}
