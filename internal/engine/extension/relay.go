package extension

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"chela/internal/base/hosts"
	"chela/internal/base/refusals"
	"chela/internal/engine/cdp"
)

// Path is where extensions connect.
const Path = "/extension"

// maxUnproved limits the connections whose handshake is not finished.
const maxUnproved = 8

// Options of a relay.
type Options struct {
	Dir     string // folder of the keys
	ID      string // id of the extension
	Address string // host and port on which the relay listens

	// OwnPort is called with the port when the relay begins to listen. It keeps browsers from using
	// that port until release is called. OwnPort may be nil.
	OwnPort func(port int) (release func())
}

// A Relay is a server on loopback to which the extension in browsers connects. It opens its port at
// its first use.
type Relay struct {
	Options
	keys     keys
	pairings pairings
	refused  refusals.Log
	instance string // random name of this relay, see Reach

	pingTime   time.Duration // time between pings
	answerTime time.Duration // how long the extension may take to answer a ping
	awayTime   time.Duration // how long a browser may be disconnected until it counts as gone
	joinTime   time.Duration // how long Connect waits for a browser

	mu       sync.Mutex       // guards the rest
	peers    map[string]*peer // paired browsers that have connected, by key id
	changed  chan struct{}    // closed when a browser has connected
	unproved int              // connections whose handshake is not finished
	listener net.Listener     // nil: the relay does not listen
	server   *http.Server
	release  func() // see OwnPort; nil: the relay does not listen, or OwnPort is nil
	closed   bool
}

// New returns a relay that does not listen yet.
func New(o Options) *Relay {
	return &Relay{
		refused: refusals.Log{Text: "the relay refused a connection"},
		Options: o, keys: keys{dir: o.Dir}, instance: randomHex(16), peers: map[string]*peer{}, changed: make(chan struct{}),
		pingTime: 5 * time.Second, answerTime: time.Second, awayTime: time.Minute, joinTime: 3 * time.Second,
	}
}

// Listen opens the port if it is not open yet.
func (r *Relay) Listen() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil || r.closed {
		return nil
	}
	listener, err := net.Listen("tcp", r.Address)
	if err != nil {
		return err
	}
	r.listener, r.server = listener, &http.Server{Handler: r, ReadHeaderTimeout: openTime}
	if r.OwnPort != nil {
		r.release = r.OwnPort(listener.Addr().(*net.TCPAddr).Port)
	}
	go r.server.Serve(listener)
	return nil
}

// Close ends all connections and waits for their end, but at most twice closeTime. A browser that
// does not read what is sent to it is then disconnected at once.
func (r *Relay) Close() error {
	r.mu.Lock()
	r.closed = true
	server, peers := r.server, r.peers
	r.peers = map[string]*peer{}
	r.mu.Unlock()
	var links []*link
	for _, p := range peers {
		if l := p.close(context.Canceled); l != nil {
			links = append(links, l)
		}
	}
	late, cancel := context.WithTimeout(context.Background(), 2*closeTime)
	defer cancel()
	for _, l := range links {
		select {
		case <-l.done:
		case <-late.Done():
			l.conn.CloseNow()
		}
	}
	if server == nil {
		return nil
	}
	if r.release != nil {
		r.release()
	}
	return server.Close()
}

// A Browser describes a paired browser.
type Browser struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Profile    string `json:"profile"` // product and version of the browser; empty: it has not connected since chela started
	Connected  bool   `json:"connected"`
	SharedTabs int    `json:"sharedTabs"` // number of tabs that are shared now
}

// Browsers lists the paired browsers.
func (r *Relay) Browsers() []Browser {
	list := []Browser{}
	for _, key := range r.keys.list() {
		r.mu.Lock()
		p := r.peers[key.ID]
		r.mu.Unlock()
		b := Browser{ID: key.ID, Name: key.Name}
		if p != nil {
			p.mu.Lock()
			b.Profile, b.Connected, b.SharedTabs = p.about.Browser, p.greeted, len(p.tabs)
			p.mu.Unlock()
		}
		list = append(list, b)
	}
	return list
}

// Paired reports whether a browser is paired.
func (r *Relay) Paired() bool { return len(r.keys.list()) > 0 }

// Pair offers to pair a browser with six digits, see [Pairing].
func (r *Relay) Pair() (Pairing, error) {
	if err := r.Listen(); err != nil {
		return Pairing{}, err
	}
	return r.pairings.open(time.Now()), nil
}

// ErrName says that a text cannot be the name of a browser.
var ErrName = errors.New("a browser has a name of at most 64 letters, digits, spaces and . _ / -")

// Grant pairs a browser without digits. The caller must have proved to be the same user of the
// machine, for example by using the Unix socket in the state directory. The error is [ErrName], or
// comes from writing the key.
func (r *Relay) Grant(name string) (Key, error) {
	if !isName(name) {
		return Key{}, ErrName
	}
	key := Key{ID: randomHex(8), Secret: randomHex(32), Name: name, Paired: time.Now()}
	return key, r.keys.add(key)
}

// Revoke removes the key of a browser and ends its connection. It returns false if there is no such
// key.
func (r *Relay) Revoke(id string) (bool, error) {
	had, err := r.keys.remove(id) // first: from then on, no peer is made for the key
	r.mu.Lock()
	p := r.peers[id]
	delete(r.peers, id)
	r.mu.Unlock()
	if p != nil {
		p.close(errRevoked)
	}
	return had, err
}

var errRevoked = refuse(http.StatusUnauthorized, "revoked")

// Ready returns nil if a browser is connected, and otherwise [ErrUnpaired] or [ErrAway].
func (r *Relay) Ready() error {
	browsers := r.Browsers()
	switch {
	case len(browsers) == 0:
		return ErrUnpaired
	case !slices.ContainsFunc(browsers, func(b Browser) bool { return b.Connected }):
		return ErrAway
	}
	return nil
}

// Connect returns a transport to the shared tabs of a connected browser that no other transport
// drives. That is the browser that the profile drove last. Each browser keeps the handles of its own
// tabs, so the same handle is another tab in another browser. Connect waits up to joinTime for that
// one, because the extension tries to connect each second. Then it takes another one, see
// orderLocked. Errors are [ErrUnpaired], [ErrAway], [ErrBusy], the cause of ctx, and errors of
// opening the port.
func (r *Relay) Connect(ctx context.Context, profile string) (cdp.Transport, error) {
	if !r.Paired() {
		return nil, ErrUnpaired
	}
	if err := r.Listen(); err != nil {
		return nil, err
	}
	late := time.NewTimer(r.joinTime)
	defer late.Stop()
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		t, err := r.connect(profile, false)
		if err != ErrAway {
			return t, err
		}
		select {
		case <-changed:
		case <-late.C:
			return r.connect(profile, true)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// connect returns a transport to a connected browser. If another is true, it does not have to be the
// one that the profile drove last.
func (r *Relay) connect(profile string, another bool) (cdp.Transport, error) {
	t, err := r.choose(profile, another, r.keys.list())
	if err != nil {
		return nil, err
	}
	if err := r.keys.drove(t.peer.key.ID, profile); err != nil {
		slog.Warn("which browser was driven last cannot be stored", "error", err)
	}
	return t, nil
}

// choose does the work of connect, for the browsers with these keys.
func (r *Relay) choose(profile string, another bool, paired []Key) (*transport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orderLocked(profile, paired)
	failed := ErrAway
	for i, key := range paired {
		t, err := r.peers[key.ID].connect()
		switch {
		case err == nil:
			return t, nil
		case err == ErrBusy:
			failed = err
		case i == 0 && !key.Drove[profile].IsZero() && !another:
			return nil, ErrAway
		}
	}
	return nil, failed
}

// orderLocked brings the paired browsers into the order in which a profile takes them: first that which
// it drove last. Then come those with shared tabs, and of these those that were paired first.
func (r *Relay) orderLocked(profile string, paired []Key) {
	last := time.Time{}
	for _, key := range paired {
		if drove := key.Drove[profile]; drove.After(last) {
			last = drove
		}
	}
	rank := func(key Key) int {
		switch drove := key.Drove[profile]; {
		case !drove.IsZero() && drove.Equal(last):
			return 0
		case r.peers[key.ID].shared() > 0:
			return 1
		}
		return 2
	}
	slices.SortFunc(paired, func(a, b Key) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Paired.Compare(b.Paired)) })
}

// notify wakes the callers that wait for a browser. It may be called with the mutex of a peer held.
func (r *Relay) notify() {
	go func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		close(r.changed)
		r.changed = make(chan struct{})
	}()
}

// ServeHTTP accepts the connection of an extension. A page cannot connect: its Origin header is not
// the extension's. If the page's host name leads to this machine (DNS rebinding), the Host header
// is also wrong.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	origin := req.Header.Values("Origin")
	refuse := func(reason string, status int) {
		r.refused.Refused(reason, strings.Join(origin, " "), time.Now())
		http.Error(w, reason, status)
	}
	switch {
	case !isLoopback(req.Host):
		refuse("the host must be loopback", http.StatusForbidden)
	case len(origin) != 1 || origin[0] != r.origin():
		refuse("only chela's extension may connect", http.StatusForbidden)
	case req.URL.Path != Path:
		w.Header().Set(instanceHeader, r.instance)
		http.NotFound(w, req)
	case !r.enter():
		refuse("too many connections", http.StatusServiceUnavailable)
	default:
		r.accept(w, req)
	}
}

func (r *Relay) origin() string { return "chrome-extension://" + r.ID }

func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || hosts.IsLoopback(host)
}

// enter counts a connection as unproved until exit is called. If there are too many such
// connections, it returns false and does not count.
func (r *Relay) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unproved == maxUnproved || r.closed {
		return false
	}
	r.unproved++
	return true
}

func (r *Relay) exit() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unproved--
}

// peer returns the peer of the browser with a key, and makes it if it has not connected before. It
// returns nil if the key was revoked or the relay was closed meanwhile.
func (r *Relay) peer(key Key) *peer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.keys.get(key.ID); !ok || r.closed {
		return nil
	}
	if r.peers[key.ID] == nil {
		r.peers[key.ID] = newPeer(r, key)
	}
	return r.peers[key.ID]
}
