package extension

import "sync"

// A queue passes frames from any goroutine to one other. Its method put never waits, so it may be
// called with a mutex held.
type queue struct {
	ready chan struct{} // holds a token while there may be something to take

	mu     sync.Mutex // guards the rest
	frames [][]byte
	err    error // not nil: the queue is closed
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

func (q *queue) put(frame []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.frames = append(q.frames, frame)
		q.signalLocked()
	}
}

// close makes take return err once the queue is empty. Only the first error counts.
func (q *queue) close(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
		q.signalLocked()
	}
}

// take waits for the oldest frame. Only one goroutine may call it.
func (q *queue) take() ([]byte, error) {
	for {
		<-q.ready
		q.mu.Lock()
		var frame []byte
		err := q.err
		if len(q.frames) > 0 {
			frame, q.frames, err = q.frames[0], q.frames[1:], nil
		}
		if len(q.frames) > 0 || q.err != nil {
			q.signalLocked()
		}
		q.mu.Unlock()
		if frame != nil || err != nil {
			return frame, err
		}
	}
}

func (q *queue) signalLocked() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}
