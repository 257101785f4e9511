package dashboard

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"chela/internal/base/ticket"
)

const (
	linkLife = time.Minute    // how long a link can be exchanged for a pass
	passLife = 12 * time.Hour // how long a pass is valid
	maxLinks = 100            // largest number of links that were not used yet
	maxPass  = 100            // largest number of passes
)

// A Door authenticates persons who opened the dashboard by a link. The link has a secret, which can be
// exchanged once for a pass: a cookie and a token. Requests need both. A browser sends the cookie to
// every port of this machine, so the cookie alone must not be enough. Only one tab of the browser
// knows the token. A copy of the token is useless without the cookie, which no script can read.
//
// A Door keeps only hashes of these secrets. So neither the time of a comparison nor the memory of
// the server reveals them. They are random and so long that guesses need not be counted. The zero
// value admits nobody. Links and passes end with the server.
type Door struct {
	links ticket.Tickets[struct{}]

	mu     sync.Mutex // guards the rest
	passes []pass     // the oldest first
}

type hash = [sha256.Size]byte

// A pass is the cookie and the token, as hashes, with which a person is admitted. What the person
// has open, such as a live view, ends with the pass.
type pass struct {
	cookie, token hash
	until         time.Time       // when the pass ends at the latest; without a monotonic reading, which stands still while the machine sleeps
	life          context.Context // ends with the pass
	end           context.CancelCauseFunc
}

// ErrPassEnded is the cause with which the context of a pass ends when its time is over or the
// person leaves.
var ErrPassEnded = errors.New("the pass has ended")

func hashOf(secret string) hash { return sha256.Sum256([]byte(secret)) }

// NewLink returns the secret of a new link. If there are too many links, the oldest one is forgotten.
func (d *Door) NewLink() (secret string) {
	return d.links.New(struct{}{}, linkLife, maxLinks)
}

// Exchange uses up the secret of a link, and returns a new pass. The parameter had is the cookie that
// the browser already has. If it belongs to a pass, the new pass has the same cookie, so that other
// tabs of the browser stay admitted. Exchange reports false for a secret that was used before, is too
// old, or does not exist.
func (d *Door) Exchange(secret, had string) (cookie, token string, until time.Time, ok bool) {
	if _, ok := d.links.Take(secret); !ok {
		return "", "", until, false
	}
	until = time.Now().Add(passLife).Round(0)
	life, stop := context.WithDeadlineCause(context.Background(), until, ErrPassEnded)
	cookie, token, life = d.enter(life, until, had)
	context.AfterFunc(life, stop)
	return cookie, token, until, true
}

// enter makes a pass that ends with a context, or before, and returns its own context as well. The
// time until is when that context ends by itself. enter keeps the cookie had if that belongs to a pass.
func (d *Door) enter(within context.Context, until time.Time, had string) (cookie, token string, life context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldLocked()
	cookie, token = rand.Text(), rand.Text()
	if d.findLocked(func(p pass) bool { return p.cookie == hashOf(had) }) != nil {
		cookie = had
	}
	if len(d.passes) >= maxPass {
		d.passes[0].end(ErrPassEnded)
		d.passes = d.passes[1:]
	}
	life, end := context.WithCancelCause(within)
	d.passes = append(d.passes, pass{hashOf(cookie), hashOf(token), until, life, end})
	return cookie, token, life
}

// Admits reports whether a cookie and a token belong to one pass. The context ends with the pass.
func (d *Door) Admits(cookie, token string) (life context.Context, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	life = d.findLocked(func(p pass) bool { return p.cookie == hashOf(cookie) && p.token == hashOf(token) })
	return life, life != nil
}

// Knows reports whether a cookie belongs to a pass. The cookie alone permits nothing. Knows is for
// WebSockets, which also need a ticket, and to get a ticket a person needs the token. The context
// ends with the newest pass that has the cookie.
func (d *Door) Knows(cookie string) (life context.Context, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	life = d.findLocked(func(p pass) bool { return p.cookie == hashOf(cookie) })
	return life, life != nil
}

// findLocked returns the context of the newest valid pass for which is returns true, or nil.
func (d *Door) findLocked(is func(pass) bool) context.Context {
	d.dropOldLocked()
	for _, p := range slices.Backward(d.passes) {
		if is(p) {
			return p.life
		}
	}
	return nil
}

// Leave ends all passes with a cookie, and so those of all tabs of that browser.
func (d *Door) Leave(cookie string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.passes {
		if p.cookie == hashOf(cookie) {
			p.end(ErrPassEnded)
		}
	}
	d.dropOldLocked()
}

// dropOldLocked removes the passes that have ended, and ends those whose time is over. The deadline of
// their context is late after the machine has slept.
func (d *Door) dropOldLocked() {
	now := time.Now()
	d.passes = slices.DeleteFunc(d.passes, func(p pass) bool {
		if now.After(p.until) {
			p.end(ErrPassEnded)
		}
		return p.life.Err() != nil
	})
}
