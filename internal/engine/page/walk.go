package page

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/reading/snapshot"
)

// These limit what is read of a page. A snapshot says where something is missing because of them.
const (
	maxNodes = 300_000   // of one frame
	maxChars = 5_000_000 // of the lines of all frames together

	leastChars = 20_000 // of the lines of one frame, even if the others leave nothing
)

// A budget shares maxChars among the walks of a page's frames. Frames are walked at the same time, so
// each gets a share at first. A frame that needs more is walked again, as long as something is left.
type budget struct {
	outer, inner int // shares of the frame that is read, and of each frame inside it

	mu   sync.Mutex // guards left
	left int
}

// newBudget returns a budget for a reading of the page. While it is read, more frames may come. They
// take a share as well.
func (p *Page) newBudget() *budget {
	p.mu.Lock()
	defer p.mu.Unlock()
	frames := p.frames.Len()
	if frames == 1 {
		return &budget{outer: maxChars * 3 / 4, inner: leastChars, left: maxChars}
	}
	return &budget{outer: maxChars / 2, inner: max(leastChars, maxChars/4/frames), left: maxChars}
}

// takeFirst returns how many of the given characters the caller may use: leastChars at least, even if
// nothing is left. So each small frame is read.
func (b *budget) takeFirst(most int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := max(leastChars, min(most, b.left))
	b.left -= n
	return n
}

// take returns how many of the given characters the caller may use.
func (b *budget) take(most int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := max(0, min(most, b.left))
	b.left -= n
	return n
}

func (b *budget) giveBack(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += max(n, 0)
}

// walk has the page script write a frame's document down as lines.
//
// A script cannot see all of a document, such as closed shadow roots: see package inspect. On its
// walk, the script records the elements about which Chromium must be asked. It gets Chromium's
// answers, keeps them for the life of the document, and walks again. So the first snapshot of a
// document may take several walks. Later ones take one, unless the page has added such elements. A page may
// add them all the time: the result is then the walk at which the repeats ended, with a note.
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
	share := v.budget.outer
	if v.inner {
		share = v.budget.inner
	}
	room, used := v.budget.takeFirst(share), 0
	defer func() { v.budget.giveBack(room - used) }()
	repeats := repeats{half: remaining(ctx) / 2}
	rounds, whole := 0, true // of OpenClosedRoots
	for again := false; ; again = true {
		walk, err := frame.Call[snapshot.Walk](ctx, w, "walk", p.walkOptions(ctx, v, room, again))
		if err != nil {
			return nil, err
		}
		used = walk.Chars
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
		news, err := listening.Collect(ctx)
		if err != nil {
			return nil, err
		}
		if (news || old) && repeats.allow(ctx, &walk) {
			continue // the page script now knows more listeners: walk again
		}
		if used >= room {
			if more := v.budget.take(3 * room); more > 0 { // steps so large cost little, and leave something for others
				room += more
				continue
			}
		}
		walk.Notes = append(walk.Notes, listening.Notes()...)
		if walk.Hosts > 0 && rounds < inspect.MaxRounds {
			rounds++
			if whole, err = inspect.OpenClosedRoots(ctx, w, walk.Hosts); err != nil {
				return nil, err
			}
			continue
		}
		if walk.Hosts > 0 && !whole {
			walk.Cut = cmp.Or(walk.Cut, Unopened+": read the page again")
			walk.Anywhere = true
		}
		if walk.Customs == 0 {
			return &walk, nil
		}
		if changed, err := inspect.AskInternals(ctx, w); err != nil || !changed || !repeats.allow(ctx, &walk) {
			return &walk, err
		}
	}
}

const keepsChanging = "the page keeps changing: some elements may have no refs, or lack roles and states"

// maxRepeats limits how often a walk is repeated because Chromium was asked about elements. A page that has
// come to rest needs fewer.
const maxRepeats = 12

// repeats decides how often a walk is repeated.
type repeats struct {
	half  time.Duration // half of the time for all walks
	count int
}

// allow reports whether a walk may be repeated: once at least, and otherwise in half of the time. If not,
// the walk gets a note.
func (r *repeats) allow(ctx context.Context, walk *snapshot.Walk) bool {
	r.count++
	if r.count == 1 || r.count <= maxRepeats && remaining(ctx) > r.half {
		return true
	}
	if !slices.Contains(walk.Notes, keepsChanging) {
		walk.Notes = append(walk.Notes, keepsChanging)
	}
	return false
}

// walkOptions returns the options of walk.js. The parameter chars limits the characters of the lines.
// The walk may take three quarters of the remaining time. The rest is for reading the other frames and
// for the answer. A page that was busy may have left no time: then half of the margin is enough for most
// pages.
func (p *Page) walkOptions(ctx context.Context, v View, chars int, again bool) map[string]any {
	most := max(remaining(ctx)*3/4, margin/2)
	o := map[string]any{
		"maxNodes": maxNodes, "maxChars": chars, "maxMs": most.Milliseconds(),
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
