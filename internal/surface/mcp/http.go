package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// An HTTP serves the tool over MCP's streamable HTTP, to many agents. An agent begins by a POST of
// initialize without a session id, and gets an id for its further requests. Each POST makes a call,
// and its response is a stream of server-sent events. A GET opens a stream for other messages. A
// DELETE ends the session.
//
// The protocol has no connection whose end would show that an agent has ended. So a connection ends
//   - by DELETE, and with Life;
//   - when a stream or an answer to the agent has broken off, and the agent has sent nothing for
//     the time leftAfter. An agent that still runs comes back for the rest of the stream, so this
//     one has ended;
//   - when no request came for the time idleAfter, and the agent has no open stream;
//   - when another agent begins, there are already maxAgents, and this one was not used for the
//     longest time.
//
// The server has already checked that the caller may use it. Here, a caller needs only the id of an
// MCP session. Nobody can guess the id, and it is in no answer to anybody else and in no log.
type HTTP struct {
	o       HTTPOptions
	handler *sdk.StreamableHTTPHandler

	mu     sync.Mutex // guards the rest, and presence of each agent
	agents map[string]*agent
}

// HTTPOptions are the options of an [HTTP].
type HTTPOptions struct {
	// Tool returns the tool for an agent that connects with these headers. The context life ends
	// with the connection. The context carries the session that the user has named for the
	// connection, if any.
	Tool  func(life context.Context, h http.Header) (Tool, error)
	Life  context.Context      // when it ends, all connections end; its cause is the [*op.Error] of their calls
	Ended func(session string) // is called with a connection's own session when the connection has ended

	leftAfter, idleAfter time.Duration // 0: the constants of these names
}

const (
	leftAfter = time.Minute   // an agent whose stream broke counts as ended after this time without requests
	idleAfter = 2 * time.Hour // any other agent counts as ended after this time; by default, idle tabs are closed after the same time
	maxAgents = 128           // number of connections
)

// An agent is a connection over HTTP.
type agent struct {
	*connection
	key      string                  // id of the agent's MCP session
	named    string                  // the session that the user has named for the agent's calls; "": none
	end      context.CancelCauseFunc // ends the connection
	ended    chan struct{}           // closed when the connection has ended
	posts    sync.WaitGroup          // requests that are being answered; none begins after the end
	presence presence
}

// presence has what is needed to decide whether an agent still runs. HTTP.mu guards it.
type presence struct {
	requests int         // how many requests are in progress, streams included
	broken   bool        // a stream or an answer has broken off since the last request began
	since    time.Time   // when the last request ended
	check    *time.Timer // calls endIdle when the longest time without requests is over
}

var (
	errNoAgent = op.Errorf(op.NotFound, "there is no such session of MCP, or it has ended").
			Hinted("send initialize without Mcp-Session-Id to begin another")
	errLeft = op.Errorf(op.Canceled, "the agent has ended its session")
	errIdle = op.Errorf(op.Canceled, "the session was not used any more")
)

// NewHTTP returns an HTTP without agents.
func NewHTTP(o HTTPOptions) *HTTP {
	o.leftAfter, o.idleAfter = cmp.Or(o.leftAfter, leftAfter), cmp.Or(o.idleAfter, idleAfter)
	return &HTTP{
		o: o, agents: map[string]*agent{},
		handler: sdk.NewStreamableHTTPHandler(serverOf, &sdk.StreamableHTTPOptions{
			EventStore: &events{}, DisableLocalhostProtection: true, // package server checks the Host header, and knows the allowed names
		}),
	}
}

type agentKey struct{}

// serverOf returns the MCP server of the agent that sends a request. The SDK calls it.
func serverOf(r *http.Request) *sdk.Server {
	return r.Context().Value(agentKey{}).(*agent).server
}

// Serve answers a request. It returns when the response, which may be a stream, has ended, possibly
// after hours. Errors are [*op.Error]s, and are returned before the response has begun.
func (h *HTTP) Serve(w http.ResponseWriter, r *http.Request) error {
	a, isNew, err := h.enter(r)
	if err != nil {
		return err
	}
	defer h.leave(a, r)
	if r.Method == http.MethodDelete {
		a.end(errLeft)
		<-a.ended
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	h.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), agentKey{}, a)))
	if isNew && !a.hasBegun() {
		a.end(errLeft)
		a.close() // finish may have run before the SDK had made its session, so close that now
	}
	return nil
}

// hasBegun reports whether the agent has sent initialize, and its connection has not ended.
func (a *agent) hasBegun() bool {
	for session := range a.server.Sessions() {
		return session.InitializeParams() != nil && a.life.Err() == nil
	}
	return false
}

// enter returns the agent that sends a request. For a POST without a session id, it makes a new agent.
// Until leave is called, the agent does not end as idle.
func (h *HTTP) enter(r *http.Request) (a *agent, isNew bool, err error) {
	if len(r.Header.Values("Mcp-Session-Id")) > 1 {
		return nil, false, op.Errorf(op.Invalid, "the request has more than one Mcp-Session-Id")
	}
	id := r.Header.Get("Mcp-Session-Id")
	isNew = id == "" && r.Method == http.MethodPost
	if isNew {
		if a, err = h.newAgent(r); err != nil {
			return nil, false, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if isNew {
		if err := h.addLocked(a); err != nil {
			a.end(err)
			return nil, false, err
		}
	} else if a = h.agents[id]; a == nil || a.life.Err() != nil {
		return nil, false, errNoAgent
	} else if session := op.Session(r.Context()); session != "" && session != a.named {
		return nil, false, op.Errorf(op.Invalid, "%s is not that with which the connection began", op.SessionHeader)
	}
	if r.Method == http.MethodPost {
		a.posts.Add(1)
	}
	a.presence.requests++
	a.presence.broken = false
	return a, isNew, nil
}

// newAgent makes the connection of a new agent. If the request names a session, the connection's calls
// are made in it.
func (h *HTTP) newAgent(r *http.Request) (*agent, error) {
	a := &agent{key: rand.Text(), named: op.Session(r.Context()), ended: make(chan struct{})}
	life, end := context.WithCancelCause(op.WithSession(h.o.Life, a.named))
	a.end = end
	tool, err := h.o.Tool(life, r.Header)
	if err != nil {
		end(err)
		return nil, err
	}
	a.connection = tool.connect(life, sdk.ServerOptions{
		GetSessionID: func() string { return a.key }, SupportedProtocolVersions: httpVersions(),
	})
	return a, nil
}

// httpVersions returns the versions of MCP in which a client has a session over HTTP. Versions from
// 2026-07-28 on have no sessions.
func httpVersions() []string {
	return slices.DeleteFunc(sdk.SupportedProtocolVersions(), func(version string) bool { return version >= "2026-07-28" })
}

// addLocked adds an agent. When there are maxAgents, it first ends an agent that has no request in
// progress. It chooses the one that was not used for the longest time, but agents that have made no
// call come before all others. So programs that connect and never end cannot keep others out. The
// error says that all agents have requests in progress.
func (h *HTTP) addLocked(a *agent) error {
	if len(h.agents) >= maxAgents {
		var last *agent
		for _, other := range h.agents {
			if other.presence.requests == 0 && (last == nil || other.endsBefore(last)) {
				last = other
			}
		}
		if last == nil {
			return op.Errorf(op.QueueFull, "%d agents are connected", maxAgents).Hinted("end one of them")
		}
		delete(h.agents, last.key)
		last.end(errIdle)
	}
	h.agents[a.key] = a
	a.presence.check = time.AfterFunc(h.o.idleAfter, func() { h.endIdle(a) })
	context.AfterFunc(a.life, func() { h.finish(a) })
	return nil
}

// endsBefore reports whether addLocked should end agent a rather than other. HTTP.mu must be held.
func (a *agent) endsBefore(other *agent) bool {
	if used := a.used.Load(); used != other.used.Load() {
		return !used
	}
	return a.presence.since.Before(other.presence.since)
}

// leave records that a request of an agent has ended. From now on, the agent may end as idle.
func (h *HTTP) leave(a *agent, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &a.presence
	p.requests--
	p.since = time.Now()
	p.broken = p.broken || r.Context().Err() != nil
	if a.life.Err() == nil { // otherwise finish stops the timer
		p.check.Reset(h.limitLocked(a))
	}
	if r.Method == http.MethodPost {
		a.posts.Done()
	}
}

// limitLocked returns how long an agent may be without requests before it counts as ended.
func (h *HTTP) limitLocked(a *agent) time.Duration {
	if a.presence.broken {
		return h.o.leftAfter
	}
	return h.o.idleAfter
}

// endIdle ends an agent that has had no request for the time of limitLocked. If a request is in
// progress, leave sets the timer again when it ends.
func (h *HTTP) endIdle(a *agent) {
	h.mu.Lock()
	defer h.mu.Unlock() // held until the end, so that no request enters in between and is cancelled
	if a.presence.requests == 0 && time.Since(a.presence.since) >= h.limitLocked(a) {
		a.end(errIdle)
	}
}

// finish cleans up after a connection that has ended. It waits for the answers of the cancelled calls
// before it closes the SDK's side, which sends nothing after that.
func (h *HTTP) finish(a *agent) {
	h.mu.Lock()
	a.presence.check.Stop()
	h.mu.Unlock() // enter checks life under mu, so from here on it adds no request
	a.posts.Wait()
	if session := a.close(); session != "" {
		h.o.Ended(session)
	}
	close(a.ended)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.agents, a.key)
}

// close closes the SDK's side of a connection. It returns the key of the connection's own session, or
// "" if its calls were made in a session that the user has named.
func (a *agent) close() (session string) {
	for s := range a.server.Sessions() {
		if s.InitializeParams() != nil && a.named == "" {
			session = a.sessionOf(s)
		}
		s.Close()
	}
	return session
}

// Busy reports whether an agent is connected.
func (h *HTTP) Busy() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.agents) > 0
}

// Wait returns when all connections have ended, after the end of Life, or when ctx ends.
func (h *HTTP) Wait(ctx context.Context) {
	h.mu.Lock()
	var all []*agent
	for _, a := range h.agents {
		all = append(all, a)
	}
	h.mu.Unlock()
	for _, a := range all {
		select {
		case <-a.ended:
		case <-ctx.Done():
			return
		}
	}
}
