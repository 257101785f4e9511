package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/snapshot"
)

// Limits of one walk of a frame's document. What is beyond them is missing from the snapshot, which
// says so.
const (
	maxNodes = 300_000
	maxChars = 20_000_000 // of the lines
)

// walk has the page script write a frame's document down as lines.
//
// No script can see all of a document, see package inspect. On its walk the script records for which
// elements it needs what Chromium knows. It is given Chromium's answers, keeps them for the life of
// the document, and walks the document again. So the first snapshot of a document may take several
// walks. Later ones take one unless the page has added such elements.
func (p *Page) walk(ctx context.Context, f *frame.Frame, v View) (*snapshot.Walk, error) {
	w, err := p.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	listening := p.listeners.Query(w, f.MainWorld, p.frames)
	p.mu.Unlock()
	if err := listening.Begin(ctx); err != nil {
		return nil, err
	}
	for depth, again := 0, false; ; again = true {
		walk, err := frame.Call[snapshot.Walk](ctx, w, "walk", p.walkOptions(ctx, v, again))
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		f.Refs.AddWalk(walk.Doc, f.Loader, walk.Max)
		p.mu.Unlock()
		if err := listening.AskRoots(ctx, &walk); err != nil {
			return nil, err
		}
		if news, err := listening.Collect(ctx); err != nil {
			return nil, err
		} else if news {
			continue // the page script knows more now
		}
		walk.Unlistened = listening.Rest()
		if walk.Hosts > 0 && depth < inspect.MaxClosedDepth {
			depth++
			if err := inspect.OpenClosedRoots(ctx, w, walk.Hosts); err != nil {
				return nil, err
			}
			continue
		}
		if walk.Customs == 0 {
			return &walk, nil
		}
		if changed, err := inspect.AskInternals(ctx, w); err != nil || !changed {
			return &walk, err
		}
	}
}

// walkOptions returns the options of walk.js. The walk may take three quarters of the remaining
// time. The rest is for reading the other frames and for the answer.
func (p *Page) walkOptions(ctx context.Context, v View, again bool) map[string]any {
	o := map[string]any{
		"maxNodes": maxNodes, "maxChars": maxChars, "maxMs": remaining(ctx).Milliseconds() * 3 / 4,
		"urls": v.URLs, "again": again, "hidden": v.Hidden,
	}
	if v.AllRefs {
		o["refs"] = "all"
	}
	if v.keepUnseen {
		o["keep"] = true
	}
	if v.Selector != "" {
		o["selector"] = v.Selector
	}
	return o
}
