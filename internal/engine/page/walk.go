package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// Bounds of one walk of a frame's document. What is beyond them is missing from
// the snapshot, which says so.
const (
	maxNodes = 300_000
	maxChars = 20_000_000 // of the lines
)

// walk has the page script write a frame's document down as lines.
//
// Three things in a document cannot be seen by any script, and are asked of
// Chromium: which elements have event listeners, what closed shadow roots hold,
// and which roles and states custom elements set through ElementInternals. The
// script notes on its walk which elements it has to know these of; what Chromium
// answers is handed to the script, which keeps it for the life of the document, and
// the document is walked once more. So the first snapshot of a document may take
// several walks, and later ones take one unless the page has added such elements.
func (p *Page) walk(ctx context.Context, f *frame.Frame, v View) (*snapshot.Walk, error) {
	w, err := p.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	listening, err := p.askListeners(ctx, f, w)
	if err != nil {
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
		if err := listening.askRoots(ctx, &walk); err != nil {
			return nil, err
		}
		if news, err := listening.collect(ctx); err != nil {
			return nil, err
		} else if news {
			continue // the page script knows more now
		}
		walk.Unlistened = listening.rest()
		if walk.Hosts > 0 && depth < maxClosedDepth {
			depth++
			if err := openClosedRoots(ctx, w, walk.Hosts); err != nil {
				return nil, err
			}
			continue
		}
		if walk.Customs == 0 {
			return &walk, nil
		}
		if changed, err := askInternals(ctx, w); err != nil || !changed {
			return &walk, err
		}
	}
}

// walkOptions are those of walk.js. The walk may take three quarters of the time
// that is left: the rest is for reading the other frames and for the answer.
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
