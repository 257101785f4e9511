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

// A NoResponseError says that no response came from an address that matches a pattern, or that a
// response began and did not end in time.
type NoResponseError struct {
	Pattern string
	Begun   string // address of the response that did not end; "" if none came
}

func (e *NoResponseError) Error() string { return fmt.Sprintf("no response from %q", e.Pattern) }

// A BrokenError says that a response began, and did not arrive completely.
type BrokenError struct{ URL, Failure string }

func (e *BrokenError) Error() string { return e.URL + ": " + e.Failure }

// AwaitResponse waits for the next response from an address that matches a pattern, until all of it
// has arrived. The pattern is an address, a part of one, or a glob. In a glob, ** matches any
// characters and * any except a slash. If past is true, it first looks for the newest matching
// response in the event log, and prefers one whose address equals the pattern. Redirects do not
// count. The secrets in both addresses are hidden before they are compared: a caller cannot find out
// a secret by guessing its beginning. Errors are a [*NoResponseError] at the deadline, a
// [*BrokenError], and the cause of ctx.
func AwaitResponse(ctx context.Context, j *journal.Journal, pattern string, past bool) (journal.Request, error) {
	pattern = journal.WithoutURLSecrets(pattern)
	w := responseWait{fits: urls.Matcher(pattern), known: map[string]bool{}, done: make(chan struct{})}
	before, _ := j.Requests()
	for _, r := range slices.Backward(before) {
		w.known[r.ID] = r.Response.Status != 0
		better := w.chosen.ID == "" || r.URLWithoutSecrets() == pattern && w.chosen.URLWithoutSecrets() != pattern
		if past && better && w.answers(r) {
			w.chosen = r
		}
	}
	defer j.Listen(journal.Listener{Request: w.see})()
	since, _ := j.Requests()
	for _, r := range since { // a response may have begun or ended before we listened
		w.see(r)
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

// A responseWait selects one request of an event log: the first whose response begins after the
// wait was created. A response that had begun before does not count, even if its address matches
// and it ends later.
type responseWait struct {
	fits  func(url string) bool
	known map[string]bool // ids of requests that already had a response
	done  chan struct{}   // closed when the response has ended

	mu     sync.Mutex      // guards the rest
	chosen journal.Request // the selected request; its ID is "" until one is selected
	ended  bool            // the response to chosen has ended, and done is closed
}

// see handles a request of the event log. The listener calls it for each request, and again
// whenever more is known about it.
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

// answers reports whether a request has a response that the caller may wait for. Redirects do not
// count, since Chromium does not provide their bodies.
func (w *responseWait) answers(r journal.Request) bool {
	redirects := r.Response.Status >= 300 && r.Response.Status < 400 && r.Response.Headers.Get("Location") != ""
	return r.Response.Status != 0 && !redirects && w.fits(r.URLWithoutSecrets())
}
