// Package render shows a page for the time of one call, and takes a picture or a text of it.
//
// Each page is in a browser context of its own, so it leaves nothing for the next one. The browser
// is used only for this: the first call starts it, and it ends when there was no call for idleTime.
// [Renderer] limits how many pages are shown at the same time; further calls wait in a queue.
//
// A part of the time of a call is reserved for looking at the page. Anything that has not loaded
// when this part begins is left out, and the answer says so (view.go).
package render

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"chela/internal/base/mutex"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
)

// A Browser starts and ends the browser in which pages are shown.
type Browser interface {
	Browser(ctx context.Context) (*browser.Browser, error)
	Stop(ctx context.Context) error
}

// A Renderer shows pages, each for the time of one call.
type Renderer struct {
	browser Browser
	queue   queue
	// turn is locked while a call begins, and while the idle browser is ended. A call that begins
	// meanwhile waits. It would otherwise get the browser that is ending.
	turn mutex.Mutex

	mu    sync.Mutex  // guards the rest
	calls int         // calls under way, including those whose pages are still being removed
	idle  *time.Timer // ends the browser; nil while calls are under way
	ended bool        // [Renderer.Close] was called: the browser is no longer ended when it is idle
}

// How many pages are shown at once, how many more calls may wait, and how long the browser
// runs without a call.
const (
	maxPages   = 8
	maxWaiting = 64
	idleTime   = 5 * time.Minute
)

// New returns a renderer that shows pages in a browser.
func New(b Browser) *Renderer {
	return &Renderer{browser: b, queue: newQueue(maxPages, maxWaiting), turn: mutex.New()}
}

// After Close, the renderer no longer ends the browser when it is idle. Whoever made the browser
// ends it.
func (r *Renderer) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.stopTimerLocked()
}

// Show opens a page, waits as the view says, and calls look with the page as it is then. The
// context must have a deadline.
//
// The result partial is true if time ran out: Show looked at the page before it was fully loaded,
// or before the wait was over. It is also true if the connection ended before the document was
// complete. Errors are [ErrFull], [ErrQueued] with the cause of ctx, a [*page.LoadError],
// [page.ErrFile] and [ErrSlow]. Others come from starting the browser or from look, or say why the
// page or ctx ended.
func (r *Renderer) Show(ctx context.Context, v View, look func(context.Context, *page.Page) error) (partial bool, err error) {
	if err := r.queue.enter(ctx); err != nil {
		return false, err
	}
	err = r.inPage(ctx, v.Hosts, r.queue.leave, func(ctx context.Context, p *page.Page) (err error) {
		partial, err = v.show(ctx, p, look)
		return err
	})
	return partial, err
}

// Use opens an empty page and calls work with it. It is for work of chela itself that needs a
// browser for longer than a call. It takes no place in the queue, so the caller limits how often it
// is used. If work returns [cdp.ErrClosed], it is called once more in the next browser. Other errors
// come from starting the browser and from work, or say why the page or ctx ended.
func (r *Renderer) Use(ctx context.Context, work func(context.Context, *page.Page) error) error {
	return r.inPage(ctx, nil, func() {}, work)
}

// inPage calls fn with an empty page. When that page is removed, it calls the function after.
func (r *Renderer) inPage(ctx context.Context, hosts []string, after func(), fn func(context.Context, *page.Page) error) error {
	if err := r.begin(ctx); err != nil {
		after()
		return err
	}
	var removed sync.WaitGroup
	var last *browser.Browser
	defer func() {
		go func() {
			awaitRemoved(&removed, last)
			after()
			r.end()
		}()
	}()
	return browser.RetryInNext(ctx, r.browser.Browser, func(b *browser.Browser) error {
		last = b
		removed.Add(1)
		return b.InEphemeralContext(ctx, hosts, fn, removed.Done)
	})
}

// Start starts the browser, if it does not run. If no call comes, the browser ends again after
// idleTime.
func (r *Renderer) Start(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.end()
	_, err := r.browser.Browser(ctx)
	return err
}

// removeTime is how long a browser may take to remove a page; it needs some milliseconds.
const removeTime = 15 * time.Second

// awaitRemoved waits until the page of a call is removed. If the browser does not remove it within
// removeTime, the browser hangs, and the page would keep the call's place in the queue for ever. So
// the browser is killed, and the next call starts another one.
func awaitRemoved(removed *sync.WaitGroup, b *browser.Browser) {
	gone := make(chan struct{})
	go func() {
		removed.Wait()
		close(gone)
	}()
	hangs := time.NewTimer(removeTime)
	defer hangs.Stop()
	select {
	case <-gone:
	case <-hangs.C:
		slog.Warn("the browser that renders pages hangs, and is ended")
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			slog.Warn("the browser that renders pages could not be ended", "error", err)
		}
	}
}

// begin counts a call. The error is the cause of ctx, if that ends while the browser is being ended.
func (r *Renderer) begin(ctx context.Context) error {
	if err := r.turn.Lock(ctx); err != nil {
		return err
	}
	defer r.turn.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	r.stopTimerLocked()
	return nil
}

// end ends the browser after idleTime, if no call is under way then.
func (r *Renderer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls--; r.calls == 0 && !r.ended {
		r.idle = time.AfterFunc(idleTime, r.stop)
	}
}

func (r *Renderer) stopTimerLocked() {
	if r.idle != nil {
		r.idle.Stop()
		r.idle = nil
	}
}

// stopTime limits how long the end of the browser may take.
const stopTime = 30 * time.Second

// stop ends the browser. A call that begins meanwhile waits, and then starts another one.
func (r *Renderer) stop() {
	r.turn.Lock(context.Background())
	defer r.turn.Unlock()
	r.mu.Lock()
	busy := r.calls > 0 || r.ended
	r.mu.Unlock()
	if busy {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := r.browser.Stop(ctx); err != nil {
		slog.Warn("the browser that renders pages could not be ended", "error", err)
	}
}
