// Package trace records what callers do in a browser, for Playwright's trace viewer. It records
// each call with its arguments, its error and its duration. It also records DOM snapshots of the
// tabs before and after the call, their console messages and requests, and pictures of them.
//
// A [Recorder] records one profile, as a trace of Playwright records one browser context. It
// records all tabs of the profile's browser, including tabs that are opened later. It goes on when
// the browser was lost and is started again. Nothing is sent to tabs, and nothing is kept, while no
// trace is recorded.
//
// A trace is a ZIP file in Playwright's format (event.go). A part of a snapshot that did not change
// is written as a reference to an earlier snapshot (history.go). Files that documents need are read
// from the renderers, and pictures come from Chromium's screencast. Credentials and cookies are
// removed from requests, and secrets from addresses, unless the caller wants them. Everything has
// limits, and the trace says what is missing (archive.go).
package trace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
)

// Options say what a trace has in addition to calls, console messages and requests.
type Options struct {
	Pictures  bool   // record a filmstrip of each tab
	Snapshots bool   // record what each tab showed before and after a call
	Secrets   bool   // write credentials and cookies without masking them
	Title     string // title that the viewer shows
}

// A Recorder records one trace.
type Recorder struct {
	options Options
	start   time.Time
	archive *archive

	running    context.Context // ends when nothing more is recorded
	stop       context.CancelCauseFunc
	following  sync.WaitGroup // goroutines that follow browsers, see Follow
	background sync.WaitGroup // goroutines of inBackground
	once       sync.Once      // of complete
	completed  chan struct{}  // closed when the file is complete

	mu       sync.Mutex // guards the rest; never held while a page or browser is called
	ended    bool
	lastCall int
	open     map[*Action]struct{}
	browsers map[*browser.Browser]struct{}
	tabs     map[*browser.Tab]*tabRecord
}

// Start begins a trace in an empty folder. The folder belongs to the recorder from now on;
// [Recorder.Stop] and [Recorder.Discard] remove it. Errors come from the file system.
func Start(dir string, o Options) (*Recorder, error) {
	a, err := newArchive(dir)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	r := &Recorder{
		options: o, start: time.Now(), archive: a, completed: make(chan struct{}),
		open: map[*Action]struct{}{}, browsers: map[*browser.Browser]struct{}{}, tabs: map[*browser.Tab]*tabRecord{},
	}
	r.running, r.stop = context.WithCancelCause(context.Background())
	a.event(calls, begun{
		Type: "context-options", Version: formatVersion, Origin: "library", Browser: "chromium", Platform: runtime.GOOS,
		Wall: r.start.UnixMilli(), Monotonic: r.at(r.start), Title: o.Title, Language: "javascript", Context: "chela",
		Options: options{size{1280, 800}},
	})
	return r, nil
}

// Secrets reports whether the trace has credentials and cookies as they are. If it has not, the
// recorder masks those in requests and addresses, and whoever makes a [Call] masks those in its
// arguments.
func (r *Recorder) Secrets() bool { return r.options.Secrets }

// text returns a text of the browser or the page as the trace shows it.
func (r *Recorder) text(text string) string {
	if r.options.Secrets {
		return text
	}
	return journal.TextWithoutSecrets(text)
}

// address returns an address as the trace shows it.
func (r *Recorder) address(url string) string {
	if r.options.Secrets {
		return url
	}
	return journal.WithoutURLSecrets(url)
}

// at converts a time to the trace's clock, in milliseconds. The clock begins at 1, because the
// viewer takes 0 for no time. Times before the trace become its beginning.
func (r *Recorder) at(t time.Time) float64 {
	return max(1, 1+float64(t.Sub(r.start).Microseconds())/1000)
}

// ErrKept says that the function put of [Recorder.Stop] has failed, or that its context has ended
// before the file was written.
var ErrKept = errors.New("the trace is kept")

// Stop ends the trace, and calls the function put with the path of its file, which put may move
// away. Stop then removes the folder of the trace. The first result is the reason why something is
// missing in the trace, or "". Errors come from writing, from put and from ctx. If put fails or ctx
// ends first, nothing is removed, and the error wraps ErrKept: Stop can be called again.
func (r *Recorder) Stop(ctx context.Context, put func(path string) error) (cut string, err error) {
	r.once.Do(func() { go r.complete() })
	select {
	case <-r.completed:
	case <-ctx.Done():
		return "", fmt.Errorf("%w: %w", ErrKept, context.Cause(ctx))
	}
	cut = r.archive.whyCut()
	path, err := r.archive.finish()
	if err != nil {
		r.archive.remove()
		return cut, fmt.Errorf("write the trace: %w", err)
	}
	if err := put(path); err != nil {
		return cut, fmt.Errorf("%w: %w", ErrKept, err)
	}
	r.archive.remove()
	return cut, nil
}

// complete ends the trace and completes its file. A trace that is incomplete says so itself.
func (r *Recorder) complete() {
	defer close(r.completed)
	r.end()
	if cut := r.archive.whyCut(); cut != "" {
		r.archive.event(notice, message{
			Type: "console", Time: r.at(time.Now()), Kind: "warning", Text: "chela: the trace is not complete: " + cut,
		})
	}
	r.archive.finish() // Stop asks for the error
}

// Discard ends the trace and removes its files. It may be called after Stop.
func (r *Recorder) Discard() {
	r.end()
	r.archive.remove()
}

// end stops recording, and writes the open calls and held requests. Only the first call does so.
func (r *Recorder) end() {
	r.mu.Lock()
	again := r.ended
	r.ended = true
	r.mu.Unlock()
	if again {
		return
	}
	// The order matters. Following a browser may start work in the background. That work may add
	// files. The requests of a tab name these files, so the tabs end after that work.
	r.syncJournals()
	r.stop(errStopped)
	r.following.Wait()
	r.background.Wait()
	for _, t := range r.takeTabs() {
		t.end()
	}
	r.endOpen()
}

// syncTime bounds how long the end of a trace waits until events from Chromium are in the journals.
const syncTime = time.Second

// syncJournals waits until the journals of all tabs contain the events that have already come from
// Chromium. These events may still be in queues.
func (r *Recorder) syncJournals() {
	r.mu.Lock()
	tabs := slices.Collect(maps.Keys(r.tabs))
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), syncTime)
	defer cancel()
	for _, tab := range tabs {
		tab.SyncJournal(ctx)
	}
}

// takeTabs removes the records of all tabs from the recorder, and returns them. So no other goroutine
// ends them again.
func (r *Recorder) takeTabs() map[*browser.Tab]*tabRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	tabs := r.tabs
	r.tabs = nil
	return tabs
}

// inBackground runs fn in a goroutine that the end of the trace waits for. The context of fn ends
// with the trace, and after the time limit at the latest.
func (r *Recorder) inBackground(limit time.Duration, fn func(context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.background.Go(func() {
		ctx, cancel := context.WithTimeout(r.running, limit)
		defer cancel()
		fn(ctx)
	})
}
