// Package ticket has secrets that each work once, and for a short time. Whoever gets one may do one
// thing without a password: open the live view of a tab, for example.
package ticket

import (
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"sync"
	"time"
)

// Tickets holds the valid tickets, each with a value of type T. The zero value has none. Only
// hashes of their secrets are kept. So neither the time that a comparison takes, nor the memory of
// the server, reveals a secret. A secret is random and so long that guesses need not be counted.
type Tickets[T any] struct {
	mu    sync.Mutex // guards the rest
	valid map[[sha256.Size]byte]ticket[T]
}

type ticket[T any] struct {
	of    T
	until time.Time // without a monotonic reading, which stands still while the machine sleeps
}

// New makes a ticket for a value, and returns its secret. At most as many tickets as the parameter
// most says are valid at a time: the one that would expire first is dropped.
func (t *Tickets[T]) New(of T, ttl time.Duration, most int) (secret string) {
	secret = rand.Text()
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.valid == nil {
		t.valid = map[[sha256.Size]byte]ticket[T]{}
	}
	maps.DeleteFunc(t.valid, func(_ [sha256.Size]byte, t ticket[T]) bool { return now.After(t.until) })
	if len(t.valid) >= most {
		t.dropLocked()
	}
	t.valid[sha256.Sum256([]byte(secret))] = ticket[T]{of, now.Add(ttl).Round(0)}
	return secret
}

// Count returns how many valid tickets have a value for which the function returns true.
func (t *Tickets[T]) Count(which func(T) bool) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, each := range t.valid {
		if time.Now().Before(each.until) && which(each.of) {
			n++
		}
	}
	return n
}

// Take returns the value of a ticket, which is used up then. It reports false for what is not a
// ticket, was used, or is too old.
func (t *Tickets[T]) Take(secret string) (of T, ok bool) {
	key := sha256.Sum256([]byte(secret))
	t.mu.Lock()
	defer t.mu.Unlock()
	taken, ok := t.valid[key]
	delete(t.valid, key)
	if !ok || time.Now().After(taken.until) {
		return of, false
	}
	return taken.of, true
}

// dropLocked drops the ticket that would expire first.
func (t *Tickets[T]) dropLocked() {
	var first [sha256.Size]byte
	for key, each := range t.valid {
		if at, any := t.valid[first]; !any || each.until.Before(at.until) {
			first = key
		}
	}
	delete(t.valid, first)
}
