package broker

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/base/media"
	"chela/internal/base/refusals"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
)

// maxClients limits how many programs are connected at the same time.
const maxClients = 64

// A Grant says what the programs that connect to an endpoint may use.
type Grant struct {
	// An endpoint is for one session of chela, in one profile.
	Profile, Session string

	// Browser returns the browser of the profile, and starts it if need be.
	Browser func(context.Context) (*browser.Browser, error)

	// Scripts reports whether programs may run scripts, by the current configuration.
	Scripts func() bool

	// Clipboard returns why programs may not use the clipboard of the browser; nil: they may.
	Clipboard func(*browser.Browser) error

	// MiddleButton returns why programs may not use the middle button of the mouse; nil: they may.
	MiddleButton func(*browser.Browser) error

	// Stage copies files for an upload. Its error names the folders that files may be in.
	Stage func(paths []string) (*media.Staged, error)

	// Note records a command of a program, in the list of calls on a tab.
	Note func(journal.TabCall)
}

// An endpoint is where the programs of one session connect. Whoever has its secret may connect.
type endpoint struct {
	Grant
	secret string // random; a part of the endpoint's URLs
}

// A Broker has the endpoints of a server. It opens its port for the first endpoint.
type Broker struct {
	own func(port int) (release func()) // see New

	// Dropped counts frames that were not sent, because a program did not read earlier ones.
	Dropped atomic.Int64

	refused refusals.Log

	mu        sync.Mutex // guards the rest
	server    *http.Server
	port      int
	release   func() // releases the port
	endpoints []*endpoint
	clients   map[*client]struct{}
	closed    bool
	serving   sync.WaitGroup // counts the clients
}

// New returns a broker. When the broker has opened a port, it calls the function own, which keeps
// chela's browsers from connecting to that port until release is called.
func New(own func(port int) (release func())) *Broker {
	return &Broker{own: own, refused: refusals.Log{Text: "a program was refused at the endpoints of sessions"}, clients: map[*client]struct{}{}}
}

// An Address has the two URLs of an endpoint: programs use the one that their library asks for.
type Address struct {
	WebSocket string // URL of the browser's WebSocket
	HTTP      string // URL below which /json/version and /json/list are
}

// headTime limits how long a program may take to send the header of a request.
const headTime = 10 * time.Second

// Open returns the address of the endpoint of a session in a profile. The address stays the same
// until the session, the profile or the server ends. The error is [net.ErrClosed] after Close, or
// says why no port could be opened.
func (b *Broker) Open(g Grant) (Address, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.listenLocked(); err != nil {
		return Address{}, err
	}
	i := slices.IndexFunc(b.endpoints, func(e *endpoint) bool { return e.Profile == g.Profile && e.Session == g.Session })
	if i < 0 {
		i = len(b.endpoints)
		b.endpoints = append(b.endpoints, &endpoint{g, rand.Text() + rand.Text()})
	}
	return addressAt(net.JoinHostPort("127.0.0.1", portText(b.port)), b.endpoints[i].secret), nil
}

func (b *Broker) listenLocked() error {
	if b.closed {
		return net.ErrClosed
	}
	if b.server != nil {
		return nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b.port = listener.Addr().(*net.TCPAddr).Port
	b.release = b.own(b.port)
	b.server = &http.Server{Handler: b.handler(), ReadHeaderTimeout: headTime, ConnContext: func(ctx context.Context, socket net.Conn) context.Context {
		return context.WithValue(ctx, socketKey{}, socket)
	}}
	go b.server.Serve(listener)
	return nil
}

// socketKey is the key of the connection in the context of a request.
type socketKey struct{}

// find returns the endpoint with a secret, or nil. The time that it takes reveals nothing about the
// secrets.
func (b *Broker) find(secret string) (found *endpoint) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.endpoints {
		if subtle.ConstantTimeCompare([]byte(e.secret), []byte(secret)) == 1 {
			found = e
		}
	}
	return found
}

// enter adds a client of an endpoint. It returns why there is no place for it: there are too many
// clients, or the endpoint has ended meanwhile.
func (b *Broker) enter(c *client) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !slices.Contains(b.endpoints, c.endpoint):
		return errors.New("the endpoint has ended")
	case len(b.clients) >= maxClients:
		return errors.New("too many programs are connected")
	}
	b.clients[c] = struct{}{}
	b.serving.Add(1)
	return nil
}

func (b *Broker) leave(c *client) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.clients, c)
	b.serving.Done()
}

// Busy reports whether a program is connected.
func (b *Broker) Busy() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.clients) > 0
}

// End removes the endpoints of a session, and ends the connections of its programs.
func (b *Broker) End(session string) {
	b.end(errSessionEnded, func(e *endpoint) bool { return e.Session == session })
}

// EndProfile does what End does, for the endpoints of a profile that was deleted. A new profile of
// that name may be another kind of browser.
func (b *Broker) EndProfile(profile string) {
	b.end(errBrowserGone, func(e *endpoint) bool { return e.Profile == profile })
}

func (b *Broker) end(why error, which func(*endpoint) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.endpoints = slices.DeleteFunc(b.endpoints, which)
	for c := range b.clients {
		if which(c.endpoint) {
			c.end(why)
		}
	}
}

// Close ends all connections, and waits until they have ended.
func (b *Broker) Close() error {
	b.mu.Lock()
	b.closed = true // first: an endpoint that is opened later would let in a program that nobody ends
	server := b.server
	b.mu.Unlock()
	b.end(errServerEnds, func(*endpoint) bool { return true })
	if server == nil {
		return nil
	}
	err := server.Close()
	b.serving.Wait()
	b.release()
	return err
}
