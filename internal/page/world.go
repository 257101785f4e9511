package page

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/pagejs"
)

// A world is a script context of a frame's document.
type world struct {
	session  *cdp.Session
	uniqueID string
	id       runtime.ExecutionContextID
	clock    *clock    // of its document, as this world sees it
	origin   string    // of its document
	heard    listeners // of its document; of a turn
}

func (p *Page) contextCreated(s *cdp.Session, ev runtime.EventExecutionContextCreated) {
	var of struct {
		FrameID   string `json:"frameId"`
		IsDefault bool   `json:"isDefault"`
	}
	if json.Unmarshal(ev.Context.AuxData, &of) != nil || p.frames[of.FrameID] == nil {
		return
	}
	f := p.frames[of.FrameID]
	w := &world{session: s, uniqueID: ev.Context.UniqueID, id: ev.Context.ID, clock: newClock(time.Now()), origin: ev.Context.Origin}
	switch {
	case of.IsDefault:
		f.page = w
	case ev.Context.Name == pagejs.World:
		f.world, f.session = w, s
	}
}

func (p *Page) contextDestroyed(_ *cdp.Session, ev runtime.EventExecutionContextDestroyed) {
	p.forgetWorldsLocked(func(w *world) bool { return w.uniqueID == ev.ExecutionContextUniqueID })
}

func (p *Page) contextsCleared(s *cdp.Session, _ runtime.EventExecutionContextsCleared) {
	p.forgetWorldsLocked(func(w *world) bool { return w.session == s })
}

func (p *Page) forgetWorldsLocked(gone func(*world) bool) {
	for _, f := range p.frames {
		if f.world != nil && gone(f.world) {
			f.world = nil
		}
		if f.page != nil && gone(f.page) {
			f.page = nil
		}
	}
}

// worldOf waits until the frame has a world of ours.
func (p *Page) worldOf(ctx context.Context, f *frame) (*world, error) {
	var w *world
	err := p.await(ctx, func() bool {
		w = f.world
		return w != nil || f.crashed
	})
	if err != nil {
		return nil, fmt.Errorf("wait for the frame's document: %w", pageError(ctx, err))
	}
	if w == nil {
		return nil, ErrCrashed
	}
	return w, nil
}

// objects returns the objects in the array that a function in the world returns.
func (w *world) objects(ctx context.Context, group, function string, args ...*runtime.CallArgument) ([]runtime.RemoteObjectID, error) {
	list, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.uniqueID, Arguments: args, ObjectGroup: group,
	})
	if err != nil || list.Result.ObjectID == "" {
		return nil, pageError(ctx, err)
	}
	items, err := cdp.Call(ctx, w.session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: list.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil, pageError(ctx, err)
	}
	var ids []runtime.RemoteObjectID
	for _, item := range items.Result {
		if item.Value != nil && item.Value.ObjectID != "" {
			ids = append(ids, item.Value.ObjectID)
		}
	}
	return ids, nil
}

// readClock makes the clock of a world known in which no page function runs, as
// it is the page's own. If the page has replaced performance.now, what runs there
// counts by that.
func (w *world) readClock(ctx context.Context) error {
	if w.clock.known() {
		return nil
	}
	res, err := cdp.Call(ctx, w.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "performance.now()", UniqueContextID: w.uniqueID, Silent: new(true)})
	if err != nil {
		return pageError(ctx, err)
	}
	var now float64
	if json.Unmarshal(res.Result.Value, &now) == nil {
		w.clock.readAt(time.Now(), now)
	}
	return nil
}

// worlds returns our worlds of all frames.
func (p *Page) worlds() []*world { return p.worldsIn(func(f *frame) *world { return f.world }) }

// worldsIn returns the worlds of a kind of all frames.
func (p *Page) worldsIn(kind func(*frame) *world) []*world {
	p.mu.Lock()
	defer p.mu.Unlock()
	var worlds []*world
	for _, f := range p.frames {
		if w := kind(f); w != nil {
			worlds = append(worlds, w)
		}
	}
	return worlds
}

// origins returns one world of each origin, in each process. Its script reaches
// those of the others: a page may have many frames, and each message costs.
func (p *Page) origins() []*world {
	known := map[origin]bool{}
	return slices.DeleteFunc(p.worlds(), func(w *world) bool {
		again := known[w.from()]
		known[w.from()] = true
		return again
	})
}

// An origin is what documents share whose scripts reach each other.
type origin struct {
	session *cdp.Session
	name    string
}

// opaque is an origin that is like no other, not even another of this name.
const opaque = "://"

func (w *world) from() origin {
	if w.origin == opaque {
		return origin{w.session, w.uniqueID}
	}
	return origin{w.session, w.origin}
}
