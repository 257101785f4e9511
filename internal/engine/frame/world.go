package frame

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"chela/internal/engine/cdp"
	"chela/internal/reading/pagejs"
)

// A World is a script context of a frame's document. chela uses two in each document. Scripts of
// the page run in the main world. The page script, which is chela's, runs in an isolated world,
// which the page can neither see nor change. A World ends with its document. Several goroutines may
// use it.
type World struct {
	Session  *cdp.Session
	UniqueID string                     // unique among all processes, unlike ID
	ID       runtime.ExecutionContextID // needed for commands that take no UniqueID
	Clock    *Clock                     // clock of the world's document

	origin string                // origin of the world's document, as Chromium writes it
	base   atomic.Int64          // see CountFrom
	first  atomic.Pointer[[]any] // see RunFirst; nil: nothing
}

// CountFrom sets the highest number that was given. From the next call in this world on, the page
// script gives elements higher numbers.
func (w *World) CountFrom(highest int) { w.base.Store(int64(highest)) }

// RunFirst stores a call of a function that returns nothing. The next call of the page script in this
// world takes it along, and runs it first. A message of its own would take longer than most functions
// do. If RunFirst is called again before that, only the later call is run.
func (w *World) RunFirst(fn string, args ...any) {
	call := append([]any{fn}, args...)
	w.first.Store(&call)
}

// takeFirst returns the call of RunFirst for the next call, or nil.
func (w *World) takeFirst() any {
	if call := w.first.Swap(nil); call != nil {
		return *call
	}
	return nil
}

// ContextCreated adds a world to its frame. It does not need an event of a navigation before:
// Chromium reports no navigation for the first, empty document of a frame.
func (t *Tree) ContextCreated(s *cdp.Session, ev runtime.EventExecutionContextCreated) {
	var of struct {
		FrameID   string `json:"frameId"`
		IsDefault bool   `json:"isDefault"`
	}
	if json.Unmarshal(ev.Context.AuxData, &of) != nil || of.FrameID == "" {
		return // the context belongs to a worker or the like, not to a frame
	}
	f := t.byID[of.FrameID]
	w := &World{Session: s, UniqueID: ev.Context.UniqueID, ID: ev.Context.ID, Clock: newClock(time.Now()), origin: ev.Context.Origin}
	switch {
	case f == nil && of.IsDefault:
		t.earlyReportOf(of.FrameID).mainWorld = w
	case f == nil && ev.Context.Name == t.WorldName:
		t.earlyReportOf(of.FrameID).world = w
	case f == nil, f.leftSession == s: // a world that is not chela's, or a late report of the process that the frame has left
	case f.World != nil && f.World.UniqueID == w.UniqueID, f.MainWorld != nil && f.MainWorld.UniqueID == w.UniqueID: // Chromium reports the same world again
	case of.IsDefault:
		f.MainWorld = w
	case ev.Context.Name == t.WorldName:
		f.World, f.Session = w, s
	}
}

// ContextDestroyed removes a world.
func (t *Tree) ContextDestroyed(ev runtime.EventExecutionContextDestroyed) {
	t.forgetWorlds(func(w *World) bool { return w.UniqueID == ev.ExecutionContextUniqueID })
}

// ContextsCleared removes all worlds of a session.
func (t *Tree) ContextsCleared(s *cdp.Session) {
	t.forgetWorlds(func(w *World) bool { return w.Session == s })
}

func (t *Tree) forgetWorlds(gone func(*World) bool) {
	for _, f := range t.byID {
		if f.World != nil && gone(f.World) {
			f.World = nil
		}
		if f.MainWorld != nil && gone(f.MainWorld) {
			f.MainWorld = nil
		}
	}
	for _, e := range t.earlyReports {
		if e.world != nil && gone(e.world) {
			e.world = nil
		}
		if e.mainWorld != nil && gone(e.mainWorld) {
			e.mainWorld = nil
		}
	}
}

// An Origin stands for documents of a tab whose scripts can access each other. Those of one web origin are
// in one process, whatever lies between their frames. So sessions make no difference: a frame of another
// site begins one, so a tab may have several for one process.
type Origin string

// opaqueOrigin is how Chromium writes the origin of a sandboxed document or of a data: address. Two
// such origins are never equal, although both are written like this.
const opaqueOrigin = "://"

// Origin returns the origin of the world's document.
func (w *World) Origin() Origin {
	if w.origin == opaqueOrigin {
		return Origin(w.UniqueID)
	}
	return Origin(w.origin)
}

// IsOf reports whether the world's document is of an origin such as https://example.com.
func (w *World) IsOf(origin string) bool { return w.origin == origin }

// WebOrigin returns the origin of the world's document, as Chromium writes it: https://example.com.
// The origin of a document such as about:blank is not of this form.
func (w *World) WebOrigin() string { return w.origin }

// Provide loads the page script into a document if it has none, see scriptMissing. It does not
// wait: later calls of the session find the script there.
func (w *World) Provide() {
	cdp.Send(w.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: pagejs.Source(), UniqueContextID: w.UniqueID, Silent: new(true)})
}

// maxClockReply limits the bytes of the reply with the time of a document.
const maxClockReply = 4 << 10

// ReadClock evaluates performance.now() in a main world, and sets the document's clock by it. In
// other worlds each answer of the page script contains the time, so ReadClock is not needed. If the
// page has replaced performance.now, the replacement is called. If it returns no number, the clock stays
// unknown. Errors come from [Failure].
func (w *World) ReadClock(ctx context.Context) error {
	if w.Clock.known() {
		return nil
	}
	res, err := cdp.CallWithin(ctx, w.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "performance.now()", UniqueContextID: w.UniqueID, Silent: new(true),
	}, maxClockReply)
	if _, large := errors.AsType[*cdp.LargeError](err); large {
		return nil
	}
	if err != nil {
		return Failure(ctx, err)
	}
	var now float64
	if json.Unmarshal(res.Result.Value, &now) == nil {
		w.Clock.Read(time.Now(), now)
	}
	return nil
}

// NewObject creates an empty object. The caller releases it, see [Release]. Errors come from
// [Failure].
func (w *World) NewObject(ctx context.Context) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, w.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: "({})", UniqueContextID: w.UniqueID})
	if err != nil {
		return "", Failure(ctx, err)
	}
	return res.Result.ObjectID, nil
}

// MaxDescription limits the bytes of a reply that describes elements. Chromium describes an element with all
// of its id and class, or with all its attributes. A longer reply is a [*cdp.LargeError].
const MaxDescription = 8 << 20

// Objects runs a function that returns an array, and returns the objects in that array. Make the
// arguments by [Value] and [Object]. The objects belong to the object group with the given name,
// which the caller releases. If their list is longer than MaxDescription, the error is a
// [*cdp.LargeError]. Other errors come from [Failure].
func (w *World) Objects(ctx context.Context, group, function string, args ...*runtime.CallArgument) ([]runtime.RemoteObjectID, error) {
	list, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.UniqueID, Arguments: args, ObjectGroup: group,
	})
	if err != nil || list.Result.ObjectID == "" {
		return nil, Failure(ctx, err)
	}
	items, err := cdp.CallWithin(ctx, w.Session, runtime.GetProperties, runtime.GetPropertiesParams{
		ObjectID: list.Result.ObjectID, OwnProperties: new(true),
	}, MaxDescription)
	if err != nil {
		return nil, Failure(ctx, err)
	}
	var ids []runtime.RemoteObjectID
	for _, item := range items.Result {
		if item.Value != nil && item.Value.ObjectID != "" {
			ids = append(ids, item.Value.ObjectID)
		}
	}
	return ids, nil
}

// Release lets Chromium free the object that a remote object id refers to.
func Release(s *cdp.Session, object runtime.RemoteObjectID) {
	cdp.Send(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: object})
}
