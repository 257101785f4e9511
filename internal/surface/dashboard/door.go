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
	linkLife = time.Minute    // how long a link may be used, once
	passLife = 12 * time.Hour // how long a person who came by it is let in
	maxLinks = 100
	maxPass  = 100
)

// A Door lets in who came by a link. The link has a secret, which is exchanged once for a pass: a
// cookie and a token. Requests need both. The cookie is sent by the browser to every port of this
// machine, so it alone must not be enough. The token is known to one tab of the browser only. A
// copy of it is useless without the cookie, which no script can read.
//
// Only hashes of the secrets are kept. So neither the time of a comparison nor the memory of the
// server reveals them. They are random and long enough that guesses need not be counted. The zero
// value lets nobody in, and what it knows ends with the server.
type Door struct {
	links ticket.Tickets[struct{}]

	mu     sync.Mutex // guards the rest
	passes []pass     // the oldest first
}

type hash = [sha256.Size]byte

// A pass is what a person has who was let in.
type pass struct {
	cookie, token hash
	until         time.Time
}

func hashOf(secret string) hash { return sha256.Sum256([]byte(secret)) }

// NewLink returns the secret of a new link. If there are too many links, the oldest makes room.
func (d *Door) NewLink() (secret string) {
	return d.links.New(struct{}{}, linkLife, maxLinks)
}

// Exchange uses up the secret of a link, and returns a pass. The cookie that the browser has is kept
// if it is good, so that other tabs of the browser stay in. It reports false for a secret that was
// used, is too old, or is none.
func (d *Door) Exchange(secret, had string) (cookie, token string, until time.Time, ok bool) {
	if _, ok := d.links.Take(secret); !ok {
		return "", "", until, false
	}
	until = time.Now().Add(passLife)
	cookie, token = d.enter(had, until)
	return cookie, token, until, true
}

// enter returns a pass, which is good until a time.
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

// Knows reports whether a cookie belongs to a pass. It authorises nothing: a socket also needs a
// ticket, which only who has the token can get.
func (d *Door) Knows(cookie string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldLocked()
	return d.knowsLocked(cookie)
}

func (d *Door) knowsLocked(cookie string) bool {
	return slices.ContainsFunc(d.passes, func(p pass) bool { return p.cookie == hashOf(cookie) })
}

// Leave ends the passes of a cookie: all tabs of that browser are out.
func (d *Door) Leave(cookie string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.passes = slices.DeleteFunc(d.passes, func(p pass) bool { return p.cookie == hashOf(cookie) })
}

// dropOldLocked forgets what is not good any more.
func (d *Door) dropOldLocked() {
	now := time.Now()
	d.passes = slices.DeleteFunc(d.passes, func(p pass) bool { return now.After(p.until) })
}
