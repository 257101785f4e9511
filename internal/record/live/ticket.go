package live

import (
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"sync"
	"time"
)

// Tickets are the tickets of a server. Each lets one viewer see one stream, once. The zero value
// has none.
type Tickets struct {
	mu    sync.Mutex // guards the rest
	valid map[[sha256.Size]byte]ticket
}

type ticket struct {
	stream *Stream
	until  time.Time
}

// maxTickets is how many tickets may wait for their viewers. Beyond that the one that ends first is
// dropped.
const maxTickets = 1000

// New makes a ticket for a stream, and returns its secret. Only a hash of it is kept. So neither
// the time that a comparison takes, nor the memory of the server, reveals a secret.
func (t *Tickets) New(s *Stream, ttl time.Duration) (secret string) {
	secret = rand.Text()
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.valid == nil {
		t.valid = map[[sha256.Size]byte]ticket{}
	}
	maps.DeleteFunc(t.valid, func(_ [sha256.Size]byte, t ticket) bool { return now.After(t.until) })
	if len(t.valid) >= maxTickets {
		t.dropLocked()
	}
	t.valid[sha256.Sum256([]byte(secret))] = ticket{s, now.Add(ttl)}
	return secret
}

// Take returns the stream of a ticket, which is used up then. It returns nil for what is no ticket,
// was used, or is too old.
func (t *Tickets) Take(secret string) *Stream {
	key := sha256.Sum256([]byte(secret))
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.valid[key]
	delete(t.valid, key)
	if time.Now().After(taken.until) {
		return nil
	}
	return taken.stream
}

// dropLocked drops the ticket that ends first.
func (t *Tickets) dropLocked() {
	var first [sha256.Size]byte
	for key, each := range t.valid {
		if at, any := t.valid[first]; !any || each.until.Before(at.until) {
			first = key
		}
	}
	delete(t.valid, first)
}
