// Package mutex has a mutex that is awaited no longer than a context lives.
package mutex

import "context"

// A Mutex is locked by one goroutine at a time. A new one, made by [New], is unlocked.
type Mutex chan struct{} // has a value while it is locked

// New returns an unlocked mutex.
func New() Mutex { return make(Mutex, 1) }

// Lock locks the mutex. If another goroutine has locked it, Lock waits. The error is the cause of ctx;
// then the mutex is not locked.
func (m Mutex) Lock(ctx context.Context) error {
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Unlock unlocks the mutex, which the caller has locked.
func (m Mutex) Unlock() { <-m }

// Locked reports whether a goroutine has locked the mutex.
func (m Mutex) Locked() bool { return len(m) > 0 }
