package broker

import "sync"

// maxQueued limits the bytes that wait to be sent to a client. One frame is always accepted: a
// reply alone may have as many bytes (see maxReply).
const maxQueued = 64 << 20

// A queue holds the frames that wait to be sent to a client. Its put never waits, since the
// goroutine that reads from the browser for all clients calls it.
type queue struct {
	ready chan struct{} // holds a token while there may be something to take

	mu     sync.Mutex // guards the rest; nothing else is locked while it is held
	frames [][]byte
	bytes  int
	ended  bool // put drops further frames
	closed bool // take returns no more frames
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// put adds a frame, and reports whether there was room for it. A queue that has ended drops the
// frame and reports true.
func (q *queue) put(frame []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || q.closed {
		return true
	}
	if len(q.frames) > 0 && q.bytes+len(frame) > maxQueued {
		return false
	}
	q.frames = append(q.frames, frame)
	q.bytes += len(frame)
	q.signalLocked()
	return true
}

// take waits for the oldest frame; ok is false when the queue is closed. Only one goroutine calls
// take.
func (q *queue) take() (frame []byte, ok bool) {
	for range q.ready {
		q.mu.Lock()
		if q.closed || q.ended && len(q.frames) == 0 {
			q.mu.Unlock()
			break
		}
		if len(q.frames) > 0 {
			frame, q.frames[0] = q.frames[0], nil
			q.frames = q.frames[1:]
			q.bytes -= len(frame)
		}
		if len(q.frames) > 0 || q.ended {
			q.signalLocked()
		}
		q.mu.Unlock()
		if frame != nil {
			return frame, true
		}
	}
	return nil, false
}

// finish makes take return false when the waiting frames have been taken.
func (q *queue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.signalLocked()
}

// close drops the waiting frames, and makes take return false. It returns how many frames were
// waiting.
func (q *queue) close() (left int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left = len(q.frames)
	q.frames, q.bytes, q.closed = nil, 0, true
	q.signalLocked()
	return left
}

func (q *queue) signalLocked() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}
