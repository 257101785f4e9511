package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// The limits on every connection. Bodies have their own in body.go.
const (
	headerTime   = 10 * time.Second
	requestTime  = 30 * time.Second // header and body
	replyTime    = 30 * time.Second
	idleTime     = 120 * time.Second
	headerBytes  = 32 << 10
	maxHead      = 1 << 20 // net/http refuses larger heads, in words of its own; we refuse those above headerBytes
	maxConns     = 512
	loopbackIPv4 = "127.0.0.1"
	loopbackIPv6 = "::1"
)

// ListenTCP listens on the loopback addresses only; port 0 means a free port. There
// is a listener for IPv6 only if the machine has it. Other addresses of the machine
// cannot be chosen, since whoever reaches the port and has the token can use the
// user's browser and its logins. Both families are needed, because clients resolve
// localhost to either. Errors are those of net.Listen for IPv4, such as EADDRINUSE.
func ListenTCP(port int) ([]net.Listener, error) {
	v4, err := net.Listen("tcp4", net.JoinHostPort(loopbackIPv4, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	v6, err := net.Listen("tcp6", net.JoinHostPort(loopbackIPv6, strconv.Itoa(Port(v4))))
	if err != nil {
		return []net.Listener{v4}, nil
	}
	return []net.Listener{v4, v6}, nil
}

// ListenUnix listens on a socket that only the user can open. The caller holds the
// lock of the state directory, so a socket that exists was left by a killed server.
// There is a moment between Listen and Chmod in which the mode is that of the umask;
// the directory of the socket keeps other users out of it.
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

// Port is the TCP port of a listener; 0 if it has none.
func Port(l net.Listener) int {
	if addr, ok := l.Addr().(*net.TCPAddr); ok {
		return addr.Port
	}
	return 0
}

// attend makes the HTTP server of a listener. All are made here, so that all have a
// door and the same limits. Calls is the context of their requests. ReadTimeout
// covers the head and the body; handlers of large bodies and of long calls lengthen
// or remove it. Write deadlines are set for each answer, since an operation may run
// longer than an answer may take to be sent. net/http's own log messages are about
// broken connections, so they are only of the level debug.
func (s *Server) attend(l net.Listener, calls context.Context) *http.Server {
	d := s.doorFor(l)
	hs := &http.Server{
		Handler:           s.through(d),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHead,
		BaseContext:       func(net.Listener) context.Context { return calls },
		ConnContext:       withConn,
		ConnState:         trackState,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),

		// Otherwise net/http would answer OPTIONS * itself, without asking the door.
		DisableGeneralOptionsHandler: true,
	}
	if d.local {
		// An agent tool keeps its connection open between calls, which shows that the
		// server is in use: see conns.idleFor.
		hs.IdleTimeout = -1
	}
	return hs
}
