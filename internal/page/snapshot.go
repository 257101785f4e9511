package page

import (
	"context"
	"errors"

	"chela/internal/frame"
	"chela/internal/snapshot"
)

// View says what of a page a snapshot shows, and how.
type View struct {
	snapshot.Options
	Selector string // a CSS selector: only the first element that it matches; "" is the whole page
	Frame    string // a CSS selector of an iframe: only the frame in it; "" is the main frame
	Hidden   string // what becomes of text that a person cannot see: snapshot.OmitHidden, snapshot.MarkHidden or "", shown
	Purpose  string // which elements are new is counted for each purpose apart

	keepUnseen bool // the page script keeps the texts that are left out, for takeUnseen
}

// Snapshot reads the page as text. It returns a [SelectorError], a [NoMatchError] for
// an iframe that is not there, ErrBusy, or why the turn ended.
func (p *Page) Snapshot(ctx context.Context, v View) (snapshot.Snapshot, error) {
	tree, err := p.tree(ctx, v)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return p.render(tree, v), nil
}

// tree reads what a view shows. A document that is replaced meanwhile is no error:
// the one that took its place is read.
func (p *Page) tree(ctx context.Context, v View) (*snapshot.Frame, error) {
	p.readable(ctx)
	if err := p.checkSelector(ctx, v.Selector); err != nil {
		return nil, err
	}
	for {
		root, err := p.scope(ctx, v.Frame)
		if err != nil {
			return nil, err
		}
		tree, err := p.readAlone(ctx, root, v)
		if errors.Is(err, frame.ErrGone) && remaining(ctx) > 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		return tree, nil
	}
}

// scope returns the frame in the iframe element that a selector matches in the
// main frame; without a selector it is the main frame.
func (p *Page) scope(ctx context.Context, selector string) (*frame.Frame, error) {
	if selector == "" {
		return p.main(), nil
	}
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return nil, err
	}
	n, err := frame.Call[int](ctx, w, "find", selector)
	if err != nil {
		return nil, err
	}
	for _, f := range p.children(p.main()) {
		if owner, err := p.owner(ctx, f); err == nil && owner == n {
			return f, nil
		}
	}
	return nil, &NoMatchError{Selector: selector, Iframe: true}
}

// readAlone is read while nobody else reads the page.
func (p *Page) readAlone(ctx context.Context, f *frame.Frame, v View) (tree *snapshot.Frame, err error) {
	err = p.alone(ctx, func() (err error) {
		tree, err = p.read(ctx, f, v)
		return err
	})
	return tree, err
}

// alone calls read while nobody else reads the page.
func (p *Page) alone(ctx context.Context, read func() error) error {
	select {
	case p.reading <- struct{}{}:
	case <-ctx.Done():
		return frame.Failure(ctx, context.Cause(ctx))
	}
	defer func() { <-p.reading }()
	return read()
}

// read walks a frame and, at the same time, the frames inside it: those of other
// sites are in other processes, which walk while this one does.
func (p *Page) read(ctx context.Context, f *frame.Frame, v View) (*snapshot.Frame, error) {
	type child struct {
		owner int
		tree  *snapshot.Frame
	}
	children := p.children(f)
	results := make(chan child, len(children))
	for _, c := range children {
		go func() { results <- child{tree: p.readChild(ctx, c, v), owner: p.ownerOrNone(ctx, c)} }()
	}
	tree := &snapshot.Frame{Prefix: p.prefix(f), Children: map[int]*snapshot.Frame{}}
	walk, err := p.walk(ctx, f, v)
	tree.Walk = walk
	for range children {
		c := <-results
		tree.Children[c.owner] = c.tree
	}
	return tree, err
}

// readChild is read for a frame inside another. It has half of the time that is
// left, so that one frame that does not answer cannot keep the snapshot from being
// made: it becomes a line that says why it was not read.
func (p *Page) readChild(ctx context.Context, f *frame.Frame, v View) *snapshot.Frame {
	limited, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
	defer cancel()
	tree, err := p.read(limited, f, View{Options: snapshot.Options{URLs: v.URLs, AllRefs: v.AllRefs}, Hidden: v.Hidden})
	if err != nil {
		return &snapshot.Frame{Prefix: p.prefix(f), Failed: frameFailure(err)}
	}
	return tree
}

// frameFailure says in a snapshot why a frame was not read.
func frameFailure(err error) string {
	switch {
	case errors.Is(err, ErrCrashed):
		return "this frame crashed"
	case errors.Is(err, frame.ErrGone):
		return "this frame navigated while it was read"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrBusy):
		return "this frame did not answer in time"
	}
	return "this frame could not be read"
}
