package page

import (
	"context"
	"slices"
	"sync"

	"chela/internal/engine/frame"
)

// news watches the documents of a page for changes. Each document answers a pending call when it
// has changed (awaitNews in news.js).
type news struct {
	page   *Page
	any    chan struct{} // gets a value when something has changed since the last receive
	cancel context.CancelFunc
	all    sync.WaitGroup
}

// watchNews begins to watch the page's documents, including those that come later. The caller must
// call end.
func (p *Page) watchNews(ctx context.Context) *news {
	ctx, cancel := context.WithCancel(ctx)
	n := &news{page: p, any: make(chan struct{}, 1), cancel: cancel}
	n.all.Go(func() { n.watchFrames(ctx) })
	return n
}

// next waits for a change. It returns false if ctx ends first.
func (n *news) next(ctx context.Context) bool {
	select {
	case <-n.any:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (n *news) report() {
	select {
	case n.any <- struct{}{}:
	default: // already reported
	}
}

// end stops watching, and ends the pending calls in the documents.
func (n *news) end() {
	n.cancel()
	n.all.Wait()
	for _, w := range n.page.worlds(ours) {
		frame.Send[struct{}](context.Background(), w, "endNews")
	}
}

func ours(f *frame.Frame) *frame.World { return f.World }

// A place is where the main frame is: its address, and how far the document has loaded.
type place struct {
	url   string
	state frame.LoadState
}

// watchFrames watches each document of the page from its beginning. It also reports when a document
// comes or goes, or when the main frame's address or load state changes.
func (n *news) watchFrames(ctx context.Context) {
	p := n.page
	var watched []*frame.World
	var last place
	for {
		var now []*frame.World
		var at place
		err := p.await(ctx, func() bool {
			now, at = p.frames.Worlds(ours), place{p.main().Address(), p.main().State}
			return at != last || len(now) != len(watched) || slices.ContainsFunc(now, func(w *frame.World) bool { return !slices.Contains(watched, w) })
		})
		if err != nil {
			return
		}
		for _, w := range now {
			if !slices.Contains(watched, w) {
				n.all.Go(func() { n.watchDocument(ctx, w) })
			}
		}
		watched, last = now, at
		n.report()
	}
}

// watchDocument reports each change of a document, until the document is replaced or ScriptDeadline
// has passed.
func (n *news) watchDocument(ctx context.Context, w *frame.World) {
	for version := 0; remaining(ctx) > 0; {
		now, err := frame.Call[int](ctx, w, "awaitNews", version, ScriptDeadline(ctx))
		if err != nil {
			return
		}
		if now != version {
			n.report()
		}
		version = now
	}
}
