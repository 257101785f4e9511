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
	maxHead      = 1 << 20 // beyond headerBytes we answer, beyond this net/http does
	maxConns     = 512
	loopbackIPv4 = "127.0.0.1"
	loopbackIPv6 = "::1"
)

// ListenTCP listens on the loopback addresses, and nowhere else; port 0 takes a
// free one. IPv6 is a courtesy: the machine may have none.
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

// ListenUnix listens on a socket for the user alone. The caller holds the lock of
// the place, so a socket that is already there was left by a killed server.
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

// attend makes the HTTP server for a listener. All are made here, so that all have
// the same door and limits.
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

		// OPTIONS * would be answered before the door.
		DisableGeneralOptionsHandler: true,
	}
	if d.local {
		// An agent's tool that waits for its next call keeps the server alive.
		hs.IdleTimeout = -1
	}
	return hs
}
