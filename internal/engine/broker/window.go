package broker

import (
	"context"
	"sync"
)

// These limit the commands of one client that have no reply yet. They keep a client that sends very
// many from filling the connection to the browser, which all clients share.
const (
	maxPending      = 512
	maxPendingBytes = 32 << 20
)

// A window counts the commands of a client that have no reply yet. Only one goroutine calls enter.
type window struct {
	left chan struct{} // holds a token after a command got its reply, so enter tries again

	mu    sync.Mutex // guards the rest; nothing else is locked while it is held
	count int
	bytes int
}

func newWindow() *window { return &window{left: make(chan struct{}, 1)} }

// enter waits until there is room for one more command, or ctx ends. One command always has room,
// whatever its size.
func (w *window) enter(ctx context.Context, size int) error {
	for !w.tryEnter(size) {
		select {
		case <-w.left:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *window) tryEnter(size int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count > 0 && (w.count == maxPending || w.bytes+size > maxPendingBytes) {
		return false
	}
	w.count++
	w.bytes += size
	return true
}

func (w *window) leave(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count--
	w.bytes -= size
	select {
	case w.left <- struct{}{}:
	default:
	}
}
