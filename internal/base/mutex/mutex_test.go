package mutex_test

import (
	"context"
	"errors"
	"testing"

	"chela/internal/base/mutex"
)

// TestLock shows who has the mutex, and how the wait of another caller ends.
func TestLock(t *testing.T) {
	m, gone := mutex.New(), errors.New("the caller has gone")
	if err := m.Lock(t.Context()); err != nil || !m.Locked() {
		t.Fatalf("the first Lock: %v, locked: %t", err, m.Locked())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if err := m.Lock(ctx); err != gone {
		t.Errorf("a second Lock whose caller has gone: %v", err)
	}
	second := make(chan error)
	go func() { second <- m.Lock(t.Context()) }()
	m.Unlock()
	if err := <-second; err != nil || !m.Locked() {
		t.Errorf("the second Lock after Unlock: %v, locked: %t", err, m.Locked())
	}
	m.Unlock()
	if m.Locked() {
		t.Error("locked after the last Unlock")
	}
}
