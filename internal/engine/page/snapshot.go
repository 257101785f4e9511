package page

import (
	"context"
	"errors"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
	"chela/internal/wall/guard"
)

// View says which part of a page a snapshot shows, and how.
type View struct {
	snapshot.Options
	Selector string // a CSS selector: only the first element that it matches; "" is the whole page
	Frame    string // a CSS selector of an iframe: only the frame in it; "" is the main frame
	Hidden   string // what to do with text that a person cannot see: snapshot.OmitHidden, snapshot.MarkHidden or "" to show it
	Purpose  string // any text: elements count as new in comparison with earlier snapshots of the same purpose
	News     bool   // leave out menus and similar parts whose text was the same in the last snapshot of another document

	inner      bool    // it is the view of a frame inside another one, see forFrame
	search     bool    // the tree is searched, so it has no lines for signs that a snapshot does not show
	keepUnseen bool    // the page script keeps the texts that are left out, for takeUnseen
	budget     *budget // characters that the frames of the page may have
}

// Snapshot reads the page as text. The error is a [SelectorError], a [NoMatchError] for an iframe
// that is not there, ErrBusy, or why the turn ended.
func (p *Page) Snapshot(ctx context.Context, v View) (snapshot.Snapshot, error) {
	tree, err := p.readTree(ctx, v)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return p.render(ctx, tree, v), nil
}

// SnapshotOfFilled is like Snapshot for a page that has just come. If the snapshot has no line, and
// a script may still fill the page, it waits for a line. That is so when an application starts: it
// loads data or compiles code, and shows nothing yet. It waits for a limited time (most), and for at
// most half of the time that the call has left. Then it returns the empty snapshot.
func (p *Page) SnapshotOfFilled(ctx context.Context, v View, most time.Duration) (snapshot.Snapshot, error) {
	s, err := p.Snapshot(ctx, v)
	if err != nil || most == 0 || !s.IsBlank() || !p.mayFill(ctx) {
		return s, err
	}
	waiting, cancel := context.WithTimeout(ctx, min(most, remaining(ctx)/2))
	defer cancel()
	changed := p.watchNews(waiting)
	defer changed.end()
	for err == nil && s.IsBlank() && changed.next(waiting) {
		limited, cancel := context.WithTimeout(waiting, fillingTime)
		p.AwaitSettled(limited, quietTime)
		cancel()
		s, err = p.Snapshot(ctx, v)
	}
	return s, err
}

// fillingTime limits how long a page that has begun to change may take to become quiet.
const fillingTime = time.Second

// mayFill reports whether a script may bring the first content of the page's document.
func (p *Page) mayFill(ctx context.Context) bool {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return false
	}
	may, err := frame.Call[bool](ctx, w, "mayFill")
	return err == nil && may
}

// Find returns the first lines of the page that match a query. See [snapshot.Find]. Each match has
// a ref, even if a snapshot would give it none. The parameter hidden is explained at [View]. Errors
// are the same as for Snapshot.
func (p *Page) Find(ctx context.Context, q snapshot.Query, hidden string, limit, maxChars int) (snapshot.Found, error) {
	tree, err := p.readTree(ctx, View{Options: snapshot.Options{AllRefs: true}, Hidden: hidden, search: true})
	if err != nil {
		return snapshot.Found{}, err
	}
	found := snapshot.Find(tree, q, limit, maxChars)
	p.noteRefs(found.Matches)
	return found, nil
}

// readTree reads what a view shows, see readLasting.
func (p *Page) readTree(ctx context.Context, v View) (tree *snapshot.Frame, err error) {
	p.awaitReadable(ctx)
	if err := p.checkSelector(ctx, v.Selector); err != nil {
		return nil, err
	}
	err = p.readLasting(ctx, v.Frame, func(root *frame.Frame) (err error) {
		v.budget = p.newBudget()
		tree, err = p.readAlone(ctx, root, v)
		if err == nil && tree.Walk != nil && tree.Walk.Lines == "" && p.isUnloaded(ctx, root) {
			tree = tree.AsUnloaded()
		}
		return err
	})
	return tree, err
}

// readLasting calls read with the frame that a selector names, see frameIn. If the frame's document
// is replaced meanwhile, that is not an error: the new document is read. Otherwise the caller would
// take the address and the refs of the new document for those of the one that was read. That of the
// main frame is read once it is parsed.
func (p *Page) readLasting(ctx context.Context, selector string, read func(root *frame.Frame) error) error {
	for {
		root, err := p.frameIn(ctx, selector)
		if err != nil {
			return err
		}
		w, err := p.worldOf(ctx, root)
		if err == nil {
			err = read(root)
		}
		if err == nil {
			err = p.stillShows(ctx, root, w)
		}
		if !errors.Is(err, frame.ErrGone) || remaining(ctx) == 0 || ctx.Err() != nil {
			return err
		}
		p.awaitReadable(ctx)
	}
}

// stillShows returns frame.ErrGone if a frame shows another document than that of a world, by the
// events that have arrived.
func (p *Page) stillShows(ctx context.Context, f *frame.Frame, w *frame.World) error {
	if err := p.Sync(ctx); err != nil {
		return frame.Failure(ctx, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stillShowsLocked(f, w)
}

func (p *Page) stillShowsLocked(f *frame.Frame, w *frame.World) error {
	if !p.frames.Has(f) || f.World != w {
		return frame.ErrGone
	}
	return nil
}

// frameIn returns the frame in the iframe element that a selector matches in the main frame;
// without a selector it is the main frame.
func (p *Page) frameIn(ctx context.Context, selector string) (*frame.Frame, error) {
	if selector == "" {
		return p.main(), nil
	}
	iframe, err := p.Match(ctx, selector)
	if _, none := errors.AsType[*NoMatchError](err); none {
		return nil, &NoMatchError{Selector: selector, Iframe: true}
	}
	if err != nil {
		return nil, err
	}
	if err := p.Sync(ctx); err != nil { // handle the events of new frames first: see readMissing
		return nil, err
	}
	for _, f := range p.children(p.main()) {
		if owner, err := p.owner(ctx, f); err == nil && owner == iframe.ref.Number {
			return f, nil
		}
	}
	return nil, &NoMatchError{Selector: selector, Iframe: true}
}

// readAlone calls read while no other call reads the page.
func (p *Page) readAlone(ctx context.Context, f *frame.Frame, v View) (tree *snapshot.Frame, err error) {
	err = p.alone(ctx, func() (err error) {
		tree, err = p.read(ctx, f, v)
		return err
	})
	return tree, err
}

// alone runs the function read while no other call reads the page. It returns the error of read, or
// why read could not begin.
func (p *Page) alone(ctx context.Context, read func() error) error {
	if err := p.reading.Lock(ctx); err != nil {
		return frame.Failure(ctx, err)
	}
	defer p.reading.Unlock()
	return read()
}

// read walks the document of a frame and, at the same time, those of the frames inside it. Frames
// of other sites are in other processes, which can walk at the same time. Chromium's error page becomes
// a line that says why it is shown.
func (p *Page) read(ctx context.Context, f *frame.Frame, v View) (*snapshot.Frame, error) {
	if why := p.errorPage(f); why != "" {
		return &snapshot.Frame{Prefix: p.refPrefix(f), Failed: why, Unloaded: true}, nil
	}
	tree := &snapshot.Frame{Prefix: p.refPrefix(f), Children: map[int]*snapshot.Frame{}}
	collect := p.startChildren(ctx, p.children(f), v, tree)
	walk, err := p.walk(ctx, f, v)
	tree.Walk = walk
	collect()
	if err == nil {
		p.readMissing(ctx, f, v, tree)
		tree.MarkUnloaded()
	}
	return tree, err
}

// startChildren starts reading the given frames, which are inside the frame of tree. The returned
// function waits until they are read, and adds each to tree.Children by the number of its iframe
// element.
func (p *Page) startChildren(ctx context.Context, frames []*frame.Frame, v View, tree *snapshot.Frame) (collect func()) {
	type child struct {
		owner int
		tree  *snapshot.Frame
	}
	results := make(chan child, len(frames))
	for _, f := range frames {
		go func() { results <- child{tree: p.readChild(ctx, f, v), owner: p.ownerOrNone(ctx, f)} }()
	}
	return func() {
		for range frames {
			c := <-results
			tree.Children[c.owner] = c.tree
		}
	}
}

// readMissing reads the frames of iframe elements for which tree has no frame. Such a frame came
// while its parent was walked. Or its events were still queued when the frames were listed, since
// replies overtake events. Chromium sends the events of a frame before the reply of a walk that
// sees its element, so they are all handled after Sync. An iframe whose frame is still unknown gets
// a line that says so: it is never shown as if it were empty.
func (p *Page) readMissing(ctx context.Context, f *frame.Frame, v View, tree *snapshot.Frame) {
	if len(tree.Missing()) == 0 {
		return
	}
	p.Sync(ctx)
	var late []*frame.Frame
	for _, c := range p.children(f) {
		if owner, err := p.owner(ctx, c); err == nil && tree.Children[owner] == nil {
			late = append(late, c)
		}
	}
	p.startChildren(ctx, late, v, tree)()
	for _, ref := range tree.Missing() {
		tree.Children[ref] = &snapshot.Frame{Failed: "the browser has not reported its document"}
	}
}

// readChild reads a frame inside another one, in the time of forFrame. A frame that does not answer
// becomes a line that says why it was not read.
func (p *Page) readChild(ctx context.Context, f *frame.Frame, v View) *snapshot.Frame {
	limited, cancel := forFrame(ctx, v.inner)
	defer cancel()
	tree, err := p.read(limited, f, View{Options: snapshot.Options{URLs: v.URLs, AllRefs: v.AllRefs}, Hidden: v.Hidden, inner: true, search: v.search, budget: v.budget})
	if err != nil {
		return &snapshot.Frame{Prefix: p.refPrefix(f), Failed: frameFailure(err)}
	}
	if tree.Walk != nil && tree.Walk.Lines == "" && tree.Walk.Cut == "" && p.isLoading(f) {
		return tree.AsUnloaded()
	}
	return tree
}

// frameFailure returns the reason why a frame was not read, for a line of the snapshot.
func frameFailure(err error) string {
	refused, isRefused := errors.AsType[*guard.Refused](err)
	huge, isHuge := errors.AsType[*HugeTreeError](err)
	switch {
	case isRefused:
		return "blocked by " + refused.Reason()
	case isHuge:
		return "it has " + huge.Has
	case errors.Is(err, ErrFrameCrashed):
		return "this frame crashed"
	case errors.Is(err, frame.ErrGone):
		return "this frame navigated while it was read"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrBusy):
		return "this frame did not answer in time"
	}
	return "this frame could not be read"
}
