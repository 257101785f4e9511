// Package server offers a table of operations over HTTP.
//
// All listeners are handled alike: the server checks the framing, the Host, the Origin and the
// credentials of each request, and then calls its route. A route belongs to operations of the table,
// or is one of the few in raw.go.
//
// A listener for other machines uses TLS (listen.go). All checks for loopback also apply there, to the
// decrypted bytes. In addition, callers that guess secrets must wait (guesses.go). When there are too
// many connections, those of other machines are closed first (conns.go).
//
// Agents call the tool at /mcp through the same checks (agent.go). Each event that is sent to them has
// a write deadline of its own. When the server shuts down, streams end at once, and calls after a
// grace time.
package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/op"
	"chela/internal/record/live"
	"chela/internal/surface/dashboard"
	"chela/internal/surface/mcp"
)

// Options configure a server.
type Options struct {
	Table   func() *op.Table // the table is made when this is first called
	Runner  op.Runner
	Version string

	// Callers over TCP must send the token or the password. An empty one is never accepted. Token is
	// called for each request, since the token can be replaced. If it is nil, there is no token.
	Token    func() string
	Password string

	// Hosts are further values of the header Host that are accepted over TCP, besides the addresses
	// of the listeners. Such a value comes from a caller on another machine, or from a proxy that
	// forwards requests.
	Hosts []string

	// The server ends by itself if it has had no connection for the time Idle, and Busy returns false.
	// If Idle is 0, it does not end by itself.
	Idle time.Duration
	Busy func() bool

	// Receive saves files that callers send, see POST /files; nil: there is no such route.
	Receive Receiver

	// Follow reports the progress of downloads, see GET /downloads; nil: there is no such route.
	Follow Follower

	// Watch returns the live view of a tab. If it is nil, there is no live view. TakeTicket uses up a
	// ticket, and returns the live view that it is for, or nil.
	Watch      Watcher
	TakeTicket func(secret string) *live.Stream

	// EndSession closes the tabs of a session. If it is nil, there is no route /sessions/hold.
	EndSession func(ctx context.Context, key string) (closed int, err error)

	// Agent returns the tool at /mcp for an agent that connects with these headers, see
	// [mcp.HTTPOptions]. If it is nil, there is no such route.
	Agent func(life context.Context, h http.Header) (mcp.Tool, error)

	// Metrics answers GET /metrics; nil: there is no such route.
	Metrics http.Handler

	// Pair makes a key for the extension in a browser, see the route /extension/key; nil: there is no
	// such route.
	Pair func(name string) (id, key string, err error)

	// Confirm gives the answer to a question that only a person may answer; nil: there are no such
	// questions.
	Confirm func(id, choice string) error

	// Changes reports to the dashboard what has changed in browsers and sessions. Settings are the
	// settings that a person can change there. If one of them is nil, the dashboard does not have it.
	Changes  Changes
	Settings Settings

	// OwnPort is called with each TCP port on which the server listens, so that no page in a browser
	// can connect to it. The function release ends that. OwnPort may be nil.
	OwnPort func(port int) (release func())

	// Deaf is called when the server shuts down, as soon as all its listeners are closed. Calls may
	// still be under way. It may be nil.
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
	rest     *time.Timer // frees memory when there was no request for limits.rest
	holds    holds
	guesses  guesses
	agents   *mcp.HTTP
	sockets  sync.WaitGroup // viewers of tabs
	people   dashboard.Door // persons who use the dashboard
	bases    []string       // URLs of the listeners, for links to the dashboard; the first is for this machine
	personal func() *router // routes for the dashboard
	guests   func() *router // routes for guests, with whom a tab is shared
	shares   dashboard.Shares
	watching crowd

	fingerprint func() string // returns the fingerprint of the certificate for other machines; nil: they cannot connect

	ending, calls context.Context // ending is cancelled when the shutdown begins; calls is cancelled when running calls must end
	beginEnd      context.CancelFunc
	endCalls      context.CancelCauseFunc
}

// When a server shuts down, calls have graceForCalls to finish. Then their contexts are cancelled.
// When the shutdown has taken graceForEnding, their connections are closed.
const (
	graceForCalls  = 500 * time.Millisecond
	graceForEnding = 2 * time.Second
)

var errStopping = op.Errorf(op.Stopping, "chela is shutting down").Hinted("call again: the next command starts it again")

// New returns a server, which does nothing until [Server.Serve] is called.
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
	s.o.Runner = confiningGuests{o.Runner, &s.shares}
	s.rest = time.AfterFunc(o.limits.rest, debug.FreeOSMemory) // without this, the garbage of the last calls stays for minutes: half of the server's memory
	s.ending, s.beginEnd = context.WithCancel(context.Background())
	s.calls, s.endCalls = context.WithCancelCause(context.Background())
	s.agents = mcp.NewHTTP(mcp.HTTPOptions{Tool: o.Agent, Life: s.calls, Ended: s.endSession})
	s.router = sync.OnceValue(s.routes)
	s.personal = sync.OnceValue(s.personalRoutes)
	s.guests = sync.OnceValue(s.guestRoutes)
	return s
}

// Serve answers requests on the listeners until ctx ends or the server is idle. It closes the
// listeners, and returns when all calls have ended. The contexts of calls do not come from ctx: when
// ctx ends, running calls have graceForCalls to finish before they are cancelled. If a listener
// fails, the whole server ends with the error of the listener. A server that answers only on some of
// its listeners would be hard to diagnose.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.endCalls(errStopping)
	defer s.rest.Stop()

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

// shutDown ends the calls and closes the connections. The listeners close first, so no new connection
// is accepted. A new request on an open connection gets errStopping. All HTTP servers shut down at the
// same time, so that their times do not add up. For them, graceForEnding is the limit.
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

// endWhenIdle calls the function stop when there was no connection for the idle time. The timer is set
// to the earliest moment at which that can be so. Connections do not change the timer; if it fires too
// early, it is set again. So with an idle time of an hour, this goroutine wakes about once in an hour.
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
