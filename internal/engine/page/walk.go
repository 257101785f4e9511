package page

import (
	"context"

	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/snapshot"
)

// These limit one walk of a frame's document. A snapshot says where something is missing because of
// them.
const (
	maxNodes = 300_000
	maxChars = 20_000_000 // characters of all lines together
)

// walk has the page script write a frame's document down as lines.
//
// A script cannot see all of a document, such as closed shadow roots: see package inspect. On its
// walk, the script records the elements about which Chromium must be asked. It gets Chromium's
// answers, keeps them for the life of the document, and walks again. So the first snapshot of a
// document may take several walks. Later ones take one, unless the page has added such elements.
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
		p.reportCarriedOverLocked()
		p.mu.Unlock()
		if err := listening.AskRoots(ctx, &walk); err != nil {
			return nil, err
		}
		old := walk.OldHandlers && !again // only once: a page may change all the time
		if old {
			listening.AskHandlersAgain()
		}
		if news, err := listening.Collect(ctx); err != nil {
			return nil, err
		} else if news || old {
			continue // the page script now knows more listeners: walk again
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
// time. The rest is for reading the other frames and for the answer. A page that was busy may have
// left no time: then half of the margin is enough for most pages.
func (p *Page) walkOptions(ctx context.Context, v View, again bool) map[string]any {
	most := max(remaining(ctx)*3/4, margin/2)
	o := map[string]any{
		"maxNodes": maxNodes, "maxChars": maxChars, "maxMs": most.Milliseconds(),
		"urls": v.URLs, "again": again, "hidden": v.Hidden,
	}
	if v.AllRefs {
		o["refs"], o["signs"] = "all", !v.search
	}
	if v.keepUnseen {
		o["keep"] = true
	}
	if v.Selector != "" {
		o["selector"] = v.Selector
	}
	return o
}
