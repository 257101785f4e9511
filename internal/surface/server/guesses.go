package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"chela/internal/op"
)

// guesses limits how many wrong tokens and passwords may come from an address of another machine. A
// token that chela has made cannot be guessed; a password that a person has chosen may be. Callers
// on this machine are not counted: they all have one address, as do all callers of a proxy on it.
type guesses struct {
	log *slog.Logger

	mu sync.Mutex // guards the rest
	by map[netip.Prefix]guesser
}

// A guesser counts the wrong guesses from one address.
type guesser struct {
	wrong int
	last  time.Time
}

// After maxGuesses wrong secrets, an address may try one more each guessTime. Its count goes back
// to 0 when it has sent no wrong secret for forgetTime. At most maxGuessers addresses are
// remembered: an attacker with more addresses has to be stopped elsewhere.
const (
	maxGuesses  = 10
	guessTime   = 10 * time.Second
	forgetTime  = 10 * time.Minute
	maxGuessers = 4096
)

// check checks the secret of a request from another machine, by the function check. While its
// address has to wait, even the right secret is refused: otherwise guessing could go on. A
// connection on which the right secret was sent before need not wait. Secrets are checked one after
// the other. Otherwise many that come at the same time would all count as the one that may be
// tried. The error is TooMany, or comes from the function check.
func (g *guesses) check(r *http.Request, check func(*http.Request) error) error {
	c := connOf(r)
	if len(credentials(r)) == 0 {
		return check(r)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	from, now := sourceOf(c), time.Now()
	if !c.trusted.Load() && !g.mayTryLocked(from, now) {
		return op.Errorf(op.TooMany, "too many wrong tokens or passwords came from this address").Hinted("wait for %s, and check which one is sent", guessTime)
	}
	err := check(r)
	if err != nil && g.wrongLocked(from, now) {
		g.log.Warn("wrong tokens or passwords: the address has to wait after each further one", "from", from, "count", maxGuesses)
	}
	return err
}

// mayTryLocked reports whether an address may try a secret now.
func (g *guesses) mayTryLocked(from netip.Prefix, now time.Time) bool {
	is := g.by[from]
	return is.wrong < maxGuesses || now.Sub(is.last) >= guessTime
}

// wrongLocked counts a wrong guess, and reports whether the address has to wait from now on.
func (g *guesses) wrongLocked(from netip.Prefix, now time.Time) (last bool) {
	if g.by == nil {
		g.by = map[netip.Prefix]guesser{}
	}
	if _, known := g.by[from]; !known && len(g.by) >= maxGuessers {
		g.forgetLocked()
	}
	is := g.by[from]
	if now.Sub(is.last) >= forgetTime {
		is.wrong = 0
	}
	g.by[from] = guesser{is.wrong + 1, now}
	return is.wrong+1 == maxGuesses
}

// forgetLocked forgets the address that has guessed least recently.
func (g *guesses) forgetLocked() {
	var oldest netip.Prefix
	for from, is := range g.by {
		if first := g.by[oldest]; !oldest.IsValid() || is.last.Before(first.last) {
			oldest = from
		}
	}
	delete(g.by, oldest)
}

// sourceOf returns the source of a connection: an IPv4 address, or an IPv6 network of the size that
// one customer has.
func sourceOf(c net.Conn) netip.Prefix {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	addr := tcp.AddrPort().Addr().Unmap().WithZone("")
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	from, _ := addr.Prefix(bits) // cannot fail
	return from
}
