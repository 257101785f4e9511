// Package server is the one HTTP door to a table of operations.
//
// Everything that listens is made by one constructor, and every request takes
// the same way: limits, Host, Origin, credentials, then its route. A route is a
// row of the table, or one of the few written by hand in raw.go.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/op"
)

// Options say what a server offers, and to whom.
type Options struct {
	Table   *op.Table
	Runner  op.Runner
	Version string

	// Who calls over TCP must know one of them; an empty one is not accepted.
	Token, Password string

	// The server ends after this time without a connection, while Busy reports
	// false; 0 means never.
	Idle time.Duration
	Busy func() bool

	// Receive keeps files that callers send; nil: they are refused.
	Receive Receiver

	// Follow reports the progress of downloads; nil: there is no such route.
	Follow Follower

	Log *slog.Logger
}

// A Server answers requests for operations.
type Server struct {
	o        Options
	mux      *http.ServeMux
	conns    conns
	stopping atomic.Bool
}

// The steps of a shutdown: calls may finish, then they are cancelled, then
// their connections are closed.
const (
	graceForCalls  = 500 * time.Millisecond
	graceForEnding = 2 * time.Second
)

var errStopping = op.Errorf(op.Stopping, "chela is shutting down").Hinted("call again: the next command starts it anew")

// New returns a server; Serve makes it answer.
func New(o Options) *Server {
	if o.Busy == nil {
		o.Busy = func() bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o}
	s.mux = s.routes()
	return s
}

// Serve answers on the listeners until ctx ends or the server is idle, and
// returns when all calls have ended. It closes the listeners.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	calls, endCalls := context.WithCancelCause(context.Background())
	defer endCalls(nil)

	var running sync.WaitGroup
	var servers []*http.Server
	failures := make(chan error, len(listeners))
	for _, l := range listeners {
		hs := s.attend(l, calls)
		servers = append(servers, hs)
		running.Go(func() {
			if err := hs.Serve(s.conns.listener(l)); !errors.Is(err, http.ErrServerClosed) {
				failures <- err
				stop()
			}
		})
	}
	running.Go(func() { s.endWhenIdle(ctx, stop) })

	<-ctx.Done()
	s.stopping.Store(true)
	s.shutDown(servers, endCalls)
	running.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

func (s *Server) shutDown(servers []*http.Server, endCalls context.CancelCauseFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), graceForEnding)
	defer cancel()
	hurry := time.AfterFunc(graceForCalls, func() { endCalls(errStopping) })
	defer hurry.Stop()
	var ending sync.WaitGroup
	for _, hs := range servers {
		ending.Go(func() {
			if hs.Shutdown(ctx) != nil {
				hs.Close()
			}
		})
	}
	s.conns.closeIdle()
	ending.Wait()
}

// endWhenIdle stops the server when there was no connection for the idle time.
func (s *Server) endWhenIdle(ctx context.Context, stop context.CancelFunc) {
	if s.o.Idle == 0 {
		return
	}
	timer := time.NewTimer(s.o.Idle)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		idle := s.conns.idleFor()
		if s.o.Busy() {
			idle = 0
		}
		if idle >= s.o.Idle {
			s.o.Log.Info("ends: idle", "for", idle.Round(time.Second))
			stop()
			return
		}
		timer.Reset(s.o.Idle - idle)
	}
}
