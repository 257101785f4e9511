package recorder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"chela/internal/base/config"
)

// A Recorder records one profile. Calls never wait for it: their entries are queued, and one
// goroutine writes them. All methods may be used by several goroutines.
type Recorder struct {
	dir    string
	limits func() Limits
	queue  chan func(*store)
	done   chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards the rest
	closed  bool
	lastID  int64
	dropped int    // calls that were not written, because the queue was full
	problem string // see TakeProblem
}

// queued is the size of the queue: how many entries, events and pictures may wait to be written.
const queued = 1024

// New returns the recorder of a profile, whose files are in the folder dir. It calls limits before
// each write. [Recorder.Close] ends the recorder.
func New(dir string, limits func() Limits) *Recorder {
	r := &Recorder{dir: dir, limits: limits, queue: make(chan func(*store), queued), done: make(chan struct{})}
	go r.run(&store{dir: dir, append: config.Append})
	return r
}

func (r *Recorder) run(s *store) {
	defer close(r.done)
	for work := range r.queue {
		s.limits = r.limits()
		work(s)
	}
}

// do queues work for the goroutine. The error is ErrClosed, or ErrBusy if there is no room.
func (r *Recorder) do(work func(*store)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return ErrClosed
	}
	select {
	case r.queue <- work:
		return nil
	default:
		return ErrBusy
	}
}

// Close writes what is queued, and ends the recorder.
func (r *Recorder) Close() {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	<-r.done
}

// Add records a call, and gives it its id. If the queue is full, the call counts as dropped.
func (r *Recorder) Add(e Entry) (id string) {
	e.ID = r.nextID()
	if err := r.do(func(s *store) { r.note(s.add(line{Entry: &e})) }); err == ErrBusy {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dropped++
	}
	return e.ID
}

// AddEvent records an event, unless the queue is full.
func (r *Recorder) AddEvent(e Event) {
	r.do(func(s *store) { r.note(s.add(line{Event: &e})) })
}

// AddPicture records the picture of a call that was added before, unless the queue is full. It sets
// the name of the file.
func (r *Recorder) AddPicture(of string, p Picture, jpeg []byte) {
	p.File = of + pictureExt
	r.do(func(s *store) { r.note(s.addPicture(of, p, jpeg)) })
}

// expire removes what is too old.
func (r *Recorder) expire() {
	r.do(func(s *store) { r.note(s.expire()) })
}

// nextID returns a new id: the time in microseconds, in base 36. Ids always increase, even when the
// server is started again.
func (r *Recorder) nextID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastID = max(r.lastID+1, time.Now().UnixMicro())
	return strconv.FormatInt(r.lastID, 36)
}

// note remembers the error of a write for TakeProblem. It ignores the error for a missing folder:
// the profile was deleted, and nothing is recorded any more.
func (r *Recorder) note(err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if newer, ok := errors.AsType[*config.NewerError](err); ok {
		r.problem = "nothing is recorded: " + newer.Error()
		return
	}
	r.problem = fmt.Sprintf("calls were dropped, since they could not be written: %v", err)
}

// TakeProblem returns why writing has failed since the last TakeProblem, or "". The limits also drop
// calls, which is not a problem.
func (r *Recorder) TakeProblem() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	problem := r.problem
	r.problem = ""
	return problem
}

// Read returns what was recorded so far. Errors come from the file system or from ask.
func (r *Recorder) Read(ctx context.Context) (Recording, error) {
	out, err := ask(ctx, r, func(s *store) (Recording, error) { return s.read(s.limits) })
	r.mu.Lock()
	defer r.mu.Unlock()
	out.Dropped += r.dropped
	return out, err
}

// ReadPicture returns the file of a picture. Errors come from the file system or from ask.
func (r *Recorder) ReadPicture(ctx context.Context, file string) ([]byte, error) {
	return ask(ctx, r, func(s *store) ([]byte, error) { return config.ReadFile(filepath.Join(s.dir, filepath.Base(file))) })
}

// Path returns the path of a picture.
func (r *Recorder) Path(p Picture) string { return filepath.Join(r.dir, filepath.Base(p.File)) }

// Clear removes all that was recorded. Errors come from the file system or from ask.
func (r *Recorder) Clear(ctx context.Context) error {
	_, err := ask(ctx, r, func(s *store) (struct{}, error) { return struct{}{}, s.clear() })
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dropped = 0
	}
	return err
}

// Errors of a recorder that takes no more work.
var (
	ErrClosed = errors.New("the recorder is closed")
	ErrBusy   = errors.New("the recorder has too much to write")
)

// ask lets the goroutine of the recorder run work, after all that is queued, and waits for the
// result. The error comes from work, or is ErrClosed, ErrBusy or the cause of ctx.
func ask[T any](ctx context.Context, r *Recorder, work func(*store) (T, error)) (answer T, err error) {
	type result struct {
		answer T
		err    error
	}
	results := make(chan result, 1)
	queued := r.do(func(s *store) {
		answer, err := work(s)
		results <- result{answer, err}
	})
	if queued != nil {
		return answer, queued
	}
	select {
	case got := <-results:
		return got.answer, got.err
	case <-ctx.Done():
		return answer, context.Cause(ctx)
	}
}
