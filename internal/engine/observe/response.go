package observe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"chela/internal/engine/journal"
	"chela/internal/engine/urls"
)

// A NoResponseError says that no answer came from an address that fits a pattern, or
// that one came and did not end.
type NoResponseError struct {
	Pattern string
	Begun   string // address of the answer that did not end; "" if none came
}

func (e *NoResponseError) Error() string { return fmt.Sprintf("no response from %q", e.Pattern) }

// A BrokenError says that an answer began, and did not arrive as a whole.
type BrokenError struct{ URL, Failure string }

func (e *BrokenError) Error() string { return e.URL + ": " + e.Failure }

// AwaitResponse waits for the next answer from an address that fits a pattern, and until
// all of it has arrived. The pattern is an address, a part of one, or a glob, in which **
// stands for any characters and * for any but a slash. With past, the newest answer that
// is in the journal will do, one from the very address before others. Redirects are no answers. Errors are a [*NoResponseError] at
// the deadline, a [*BrokenError], and the cause of ctx.
func AwaitResponse(ctx context.Context, j *journal.Journal, pattern string, past bool) (journal.Request, error) {
	w := responseWait{fits: urls.Matcher(pattern), known: map[string]bool{}, done: make(chan struct{})}
	before, _ := j.Requests()
	for _, r := range slices.Backward(before) {
		w.known[r.ID] = r.Response.Status != 0
		better := w.chosen.ID == "" || r.URL == pattern && w.chosen.URL != pattern
		if past && better && w.answers(r) {
			w.chosen = r
		}
	}
	defer j.Listen(journal.Listener{Request: w.see})()
	if r, ok := j.Request(w.chosen.ID); ok {
		w.see(r) // what came of it before we listened
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return journal.Request{}, &NoResponseError{pattern, w.chosen.URL}
		}
		return journal.Request{}, context.Cause(ctx)
	}
	if r := w.chosen; r.Failure != "" {
		return r, &BrokenError{r.URLWithoutSecrets(), r.Failure}
	}
	return w.chosen, nil
}

// A responseWait chooses one of the requests of a journal: the first whose answer begins
// after it was made. So an answer that had begun before does not count, though it may
// have been asked for by the same address, and end later.
type responseWait struct {
	fits  func(url string) bool
	known map[string]bool // by id: it had an answer before
	done  chan struct{}   // closed when the answer has ended

	mu     sync.Mutex      // guards the rest
	chosen journal.Request // its ID is "" before one is chosen
	ended  bool
}

// see is called with each request, whenever more is known of it.
func (w *responseWait) see(r journal.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.chosen.ID == "" && w.answers(r) && !w.known[r.ID] {
		w.chosen = r
	}
	if w.chosen.ID != r.ID || w.ended {
		return
	}
	w.chosen = r
	if r.Ended > 0 {
		w.ended = true
		close(w.done)
	}
}

// answers reports whether a request has an answer that is meant. The answer to a redirect
// has no body that Chromium would give.
func (w *responseWait) answers(r journal.Request) bool {
	redirects := r.Response.Status >= 300 && r.Response.Status < 400 && r.Response.Headers.Get("Location") != ""
	return r.Response.Status != 0 && !redirects && w.fits(r.URL)
}
