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

// guesses limits how many wrong tokens and passwords an address of another machine may send. A
// token that chela has made cannot be guessed, but it may be possible to guess a password that a
// person has chosen. Callers on this machine are not limited: they all have the same address, even
// those behind a proxy on it.
type guesses struct {
	log *slog.Logger

	mu sync.Mutex // guards the rest
	by map[netip.Prefix]guesser
}

// A guesser counts the wrong guesses from one address.
type guesser struct {
	wrong int       // number of wrong secrets, see forgetTime
	last  time.Time // time of the last wrong secret
}

// After maxGuesses wrong secrets, an address may try one more in each guessTime. Its count goes back
// to 0 when it has sent no wrong secret for forgetTime. At most maxGuessers addresses are remembered,
// so these limits do not stop an attacker with more addresses.
const (
	maxGuesses  = 10
	guessTime   = 10 * time.Second
	forgetTime  = 10 * time.Minute
	maxGuessers = 4096
)

// check lets the function in its argument check the secret of a request from another machine. While
// the address has to wait, even the right secret is refused, or else guessing could go on. A
// connection on which the right secret was sent before need not wait. Only one secret is checked at
// a time. Otherwise many secrets that arrive at once would all be tried, although only one may. The
// error is TooMany, or comes from that function.
func (g *guesses) check(r *http.Request, check func(*http.Request) error) error {
	c := connOf(r)
	if len(credentials(r)) == 0 {
		return check(r)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	from, now := sourceOf(c), time.Now()
	if !c.proven.Load() && !g.mayTryLocked(from, now) {
		return op.Errorf(op.TooMany, "too many wrong tokens or passwords came from this address").Hinted("wait for %s, and check which one is sent", guessTime)
	}
	err := check(r)
	if err == nil {
		c.proven.Store(true)
	}
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

// forgetLocked forgets the address whose last wrong secret is the longest ago.
func (g *guesses) forgetLocked() {
	var oldest netip.Prefix
	for from, is := range g.by {
		if first := g.by[oldest]; !oldest.IsValid() || is.last.Before(first.last) {
			oldest = from
		}
	}
	delete(g.by, oldest)
}

// sourceOf returns the source of a connection. This is an IPv4 address, or the /64 network of an IPv6
// address, since one customer usually has such a network.
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
