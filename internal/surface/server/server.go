// Package server offers a table of operations over HTTP.
//
// All listeners are handled alike: each request is checked for its size, its Host, its Origin and
// its credentials, and then calls its route. A route is an operation of the table, or one of the
// few in raw.go.
//
// A listener on other interfaces uses TLS for each connection, below the check of framing
// (listen.go). So all checks for loopback also apply there. Callers that guess secrets are slowed
// (guesses.go). When there are too many connections, those of other machines end first (conns.go).
//
// Agents call the tool at /mcp through the same checks (agent.go). Each event sent to them has a
// write deadline of its own. When the server ends, streams end at once, and calls after a grace
// time.
package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/op"
	"chela/internal/record/live"
	"chela/internal/surface/dashboard"
	"chela/internal/surface/mcp"
)

// Options are what a server offers, and to whom.
type Options struct {
	Table   func() *op.Table // the table is made when this is first called
	Runner  op.Runner
	Version string

	// Callers over TCP must send the token or the password; an empty one is never accepted. Token
	// is called at each request, since the token can be replaced. If it is nil, there is no token.
	Token    func() string
	Password string

	// Hosts are values of the header Host that are accepted over TCP, besides the addresses of the
	// listeners. A proxy that forwards requests to this server passes them on, or callers on other
	// machines name them.
	Hosts []string

	// The server ends if it has had no connection for Idle and Busy returns false. If Idle is 0, it
	// does not end by itself.
	Idle time.Duration
	Busy func() bool

	// Receive saves files that callers send; nil: there is no such route.
	Receive Receiver

	// Follow reports the progress of downloads; nil: there is no such route.
	Follow Follower

	// Watch returns what can be watched of a tab, and TakeTicket what a ticket is for, or nil. If
	// Watch is nil, there is no live view.
	Watch      Watcher
	TakeTicket func(secret string) *live.Stream

	// EndSession closes the tabs of a session; nil: sessions cannot be held.
	EndSession func(ctx context.Context, key string) (closed int, err error)

	// Agent returns the tool at /mcp for an agent that connects with these headers, see
	// [mcp.HTTPOptions]. If it is nil, there is no such route.
	Agent func(life context.Context, h http.Header) (mcp.Tool, error)

	// Metrics answers with the metrics of the server; nil: there is no such route.
	Metrics http.Handler

	// Pair makes a key for the extension in a browser, see the route /extension/key; nil: there is no
	// such route.
	Pair func(name string) (id, key string, err error)

	// Confirm answers a question that only a person may answer; nil: there are none.
	Confirm func(id, choice string) error

	// Changes reports what has changed in browsers and sessions, and Settings are those that a person
	// changes, both for the dashboard; nil: it shows none.
	Changes  Changes
	Settings Settings

	// OwnPort gets each TCP port while the server listens on it: no browser may open it.
	OwnPort func(port int) (release func())

	// Deaf is called when the server ends and none of its listeners accepts connections any more.
	// Calls may still be under way. It may be nil.
	Deaf func()

	Log *slog.Logger

	limits limits // usualLimits, except in tests
}

// A Server answers requests for operations.
type Server struct {
	o        Options
	router   func() *router
	conns    conns
	files    madeFiles
	stopping atomic.Bool
	holds    holds
	guesses  guesses
	agents   *mcp.HTTP
	sockets  sync.WaitGroup // viewers of tabs
	people   dashboard.Door
	bases    []string       // addresses of the listeners, as links to the dashboard begin; the first is for this machine
	personal func() *router // routes of the dashboard's own requests
	guests   func() *router // routes of guests
	shares   dashboard.Shares

	fingerprint func() string // of the certificate that other machines see; nil: they do not reach the server

	ending, calls context.Context // ending ends when the server stops, and calls when calls may not go on
	beginEnd      context.CancelFunc
	endCalls      context.CancelCauseFunc
}

// At the end of a server, calls may finish for graceForCalls. Then their contexts are cancelled,
// and after graceForEnding their connections are closed.
const (
	graceForCalls  = 500 * time.Millisecond
	graceForEnding = 2 * time.Second
)

var errStopping = op.Errorf(op.Stopping, "chela is shutting down").Hinted("call again: the next command starts it again")

// New returns a server, which does not listen yet: see [Server.Serve].
func New(o Options) *Server {
	if o.Busy == nil {
		o.Busy = func() bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Token == nil {
		o.Token = func() string { return "" }
	}
	o.limits = cmp.Or(o.limits, usualLimits)
	s := &Server{o: o, conns: conns{limits: o.limits}, guesses: guesses{log: o.Log}}
	s.ending, s.beginEnd = context.WithCancel(context.Background())
	s.calls, s.endCalls = context.WithCancelCause(context.Background())
	s.agents = mcp.NewHTTP(mcp.HTTPOptions{Tool: o.Agent, Life: s.calls, Ended: s.endSession})
	s.router = sync.OnceValue(s.routes)
	s.personal = sync.OnceValue(s.personalRoutes)
	s.guests = sync.OnceValue(s.guestRoutes)
	return s
}

// Serve answers requests on the listeners until ctx ends or the server is idle, and returns when
// all calls have ended. It closes the listeners. The error comes from a listener that failed. The
// contexts of calls do not come from ctx: when ctx ends, running calls have graceForCalls to finish
// by themselves before theirs are cancelled. A listener that fails ends the whole server: one that
// answers on IPv4 but not on its socket would only seem to run.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.endCalls(errStopping)

	var running, listening sync.WaitGroup
	var servers []*http.Server
	failures := make(chan error, len(listeners))
	for _, l := range listeners {
		s.addBase(l)
	}
	for _, l := range listeners {
		if port := Port(l); port != 0 && s.o.OwnPort != nil {
			defer s.o.OwnPort(port)()
		}
		hs := s.attend(l)
		servers = append(servers, hs)
		listening.Go(func() {
			if err := hs.Serve(s.conns.listener(l)); !errors.Is(err, http.ErrServerClosed) {
				failures <- err
				stop()
			}
		})
	}
	running.Go(func() { s.endWhenIdle(ctx, stop) })
	running.Go(func() {
		listening.Wait()
		if s.o.Deaf != nil {
			s.o.Deaf()
		}
	})
	s.router() // make the routes while the first client connects

	<-ctx.Done()
	s.stopping.Store(true)
	s.beginEnd()
	s.shutDown(servers)
	running.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

// shutDown ends the calls and closes the connections. The listeners close first, so nothing new is
// accepted; a request that comes on an open connection gets errStopping. It returns after
// graceForEnding at the latest. All servers end at once, so that the times do not add up.
func (s *Server) shutDown(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), graceForEnding)
	defer cancel()
	cancelCalls := time.AfterFunc(graceForCalls, func() { s.endCalls(errStopping) })
	defer cancelCalls.Stop()
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
	s.endCalls(errStopping)
	s.sockets.Wait() // the WebSockets have ended, or end within goodbyeTime
	s.agents.Wait(ctx)
}

// endWhenIdle calls the function stop when there was no connection for the idle time. The timer is
// set to the earliest moment at which that can be the case, and calls do not change it. When it
// fires too early, it is set again. With an idle time of an hour, the server wakes about once in an
// hour.
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
		busy := s.o.Busy() || s.agents.Busy() // ask first, because this may take long: a client may connect meanwhile
		idle := s.conns.idleFor()
		if busy {
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
