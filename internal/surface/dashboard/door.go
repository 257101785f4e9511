package dashboard

import (
	"crypto/rand"
	"crypto/sha256"
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

// A pass is the cookie and the token, as hashes, with which a person is admitted.
type pass struct {
	cookie, token hash
	until         time.Time
}

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
	until = time.Now().Add(passLife)
	cookie, token = d.enter(had, until)
	return cookie, token, until, true
}

// enter makes a pass that is valid until a time. It keeps the cookie had if that belongs to a pass.
func (d *Door) enter(had string, until time.Time) (cookie, token string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldLocked()
	cookie, token = rand.Text(), rand.Text()
	if d.knowsLocked(had) {
		cookie = had
	}
	if len(d.passes) >= maxPass {
		d.passes = d.passes[1:]
	}
	d.passes = append(d.passes, pass{hashOf(cookie), hashOf(token), until})
	return cookie, token
}

// Admits reports whether a cookie and a token belong to one pass.
func (d *Door) Admits(cookie, token string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldLocked()
	return slices.ContainsFunc(d.passes, func(p pass) bool { return p.cookie == hashOf(cookie) && p.token == hashOf(token) })
}

// Knows reports whether a cookie belongs to a pass. The cookie alone permits nothing. Knows is for
// WebSockets, which also need a ticket, and to get a ticket a person needs the token.
func (d *Door) Knows(cookie string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldLocked()
	return d.knowsLocked(cookie)
}

func (d *Door) knowsLocked(cookie string) bool {
	return slices.ContainsFunc(d.passes, func(p pass) bool { return p.cookie == hashOf(cookie) })
}

// Leave ends all passes with a cookie, and so those of all tabs of that browser.
func (d *Door) Leave(cookie string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.passes = slices.DeleteFunc(d.passes, func(p pass) bool { return p.cookie == hashOf(cookie) })
}

// dropOldLocked removes the passes that are not valid any more.
func (d *Door) dropOldLocked() {
	now := time.Now()
	d.passes = slices.DeleteFunc(d.passes, func(p pass) bool { return now.After(p.until) })
}
