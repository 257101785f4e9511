package inspect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// A snapshot gives refs to elements that a user can act on. A div that listens for clicks is such
// an element, whatever its role. Scripts cannot list event listeners. DOMDebugger.getEventListeners
// can, for a document and all that is in it. Each snapshot calls it, and gives the page script the
// new elements that listen for [actionTypes]. The next walk of the page script marks them.

// actionTypes are the types of events that show that a user can act on an element, if a page
// listens for them there.
var actionTypes = strings.Fields(`click dblclick mousedown mouseup pointerdown pointerup touchstart contextmenu
	mouseover mouseenter pointerover pointerenter mousemove pointermove mouseout mouseleave pointerout pointerleave
	drop dragover dragenter keydown`)

const (
	// An element that listens for more types of events than this is the root of a framework. The
	// framework listens there for all elements within the root. Its listeners say nothing about the
	// element itself; see handlers.go.
	frameworkTypes = 20

	// maxListened limits how many elements are given to the page script at a time: each costs a
	// command. The rest follows with the next snapshot. The present one says that it is incomplete.
	maxListened = 5000

	// maxRoots limits in how many shadow roots of a document listeners are looked for.
	maxRoots = 500

	// maxListeners limits the bytes of the reply with the listeners in the document's own tree. A page decides
	// how many there are, and how long their types. A shadow root is one of many: its limit is maxReply.
	maxListeners = 32 << 20

	// maxDeadRoots limits how many shadow roots are still held as remote objects after they have
	// left the document. Chromium cannot free a root that is held. Beyond the limit all are
	// released, and the roots that still exist are looked up again.
	maxDeadRoots = 100
)

// Listeners has what earlier queries have found out about the event listeners of a tab's documents.
// The key is the main world of the document.
type Listeners map[*frame.World]*listeners

// listeners has the event listeners of a document that the page script already knows.
type listeners struct {
	document  runtime.RemoteObjectID         // object id in the main world; "" before the first query
	roots     []runtime.RemoteObjectID       // object ids of its shadow roots in the main world
	types     map[proto.BackendNodeID]string // the actionTypes that each element listens for, separated by spaces
	rest      int                            // how many elements with listeners have not been sent to the page script yet
	framework bool                           // some element listens for more than frameworkTypes event types
	handlers  string                         // the last result of handlers.js as JSON: which handlers frameworks call for which elements; "" before the first result
}

// A ListenerQuery asks Chromium for the listeners of a document. Its commands are sent first, and
// their replies are collected after other work.
type ListenerQuery struct {
	world, main *frame.World                                      // the page script's world in the document, and the page's own; main is nil while there is none
	known       *listeners                                        // what the page script already knows; nil if main is nil
	replies     []*cdp.Reply[domdebugger.GetEventListenersResult] // replies that are not collected yet
	whole       bool                                              // the replies cover the whole document with all known shadow roots
	lacks       bool                                              // a reply was too long, so the page script lacks listeners or handlers
	unasked     int                                               // in how many shadow roots listeners are not looked for, see maxRoots
	handlers    *cdp.Reply[runtime.CallFunctionOnResult]          // reply that is not collected yet; nil: none is awaited
}

// Query returns a query for the listeners of a document. The page script runs in the world w of the
// document. If the document has no main world, main is nil. For a new document, Query also forgets
// the documents of the tab that were replaced. The mutex of the tab must be held.
func (l Listeners) Query(w, main *frame.World, tab *frame.Tree) *ListenerQuery {
	if main == nil {
		return &ListenerQuery{world: w}
	}
	if l[main] == nil {
		there := tab.Worlds(func(f *frame.Frame) *frame.World { return f.MainWorld })
		maps.DeleteFunc(l, func(w *frame.World, _ *listeners) bool { return !slices.Contains(there, w) })
		l[main] = &listeners{}
	}
	return &ListenerQuery{world: w, main: main, known: l[main]} // a query must name objects of the main world: Chromium lists listeners of the object's own world
}

// Begin sends the query. If some listeners are known, or this is the first query, it also waits for
// the replies, so that the walk that follows has them. A document without listeners so far most
// likely still has none. Then the walk goes first, and is repeated if there are some after all.
func (q *ListenerQuery) Begin(ctx context.Context) error {
	if q.main == nil {
		return nil
	}
	first := q.known.document == ""
	if first {
		document, err := cdp.Call(ctx, q.world.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(){return document}", UniqueContextID: q.main.UniqueID,
		})
		if err != nil {
			return frame.Failure(ctx, err)
		}
		*q.known = listeners{document: document.Result.ObjectID, types: map[proto.BackendNodeID]string{}}
	}
	q.whole = true
	q.ask(q.known.document, maxListeners)
	for _, root := range q.known.roots {
		q.ask(root, maxReply)
	}
	q.askHandlers()
	if first || len(q.known.types) > 0 || q.known.framework {
		_, err := q.Collect(ctx)
		return err
	}
	return nil
}

// ask sends the command for the listeners in the tree of a document or shadow root. The option
// pierce would include shadow roots in it, but crashes Chromium 156.
func (q *ListenerQuery) ask(root runtime.RemoteObjectID, maxBytes int) {
	q.replies = append(q.replies, cdp.SendWithin(q.world.Session, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{
		ObjectID: root, Depth: new(int64(-1)),
	}, maxBytes))
}

// AskRoots sends the commands for the listeners in shadow roots that a walk has met for the first
// time.
func (q *ListenerQuery) AskRoots(ctx context.Context, walk *snapshot.Walk) error {
	q.unasked = 0
	if q.main == nil || walk.NewRoots == 0 {
		return nil
	}
	known, all, found := q.known, false, walk.NewRoots
	group := "chela-shadows-" + q.main.UniqueID
	if len(known.roots)+walk.NewRoots > walk.Roots+maxDeadRoots {
		cdp.Send(q.world.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
		known.roots, all, found = nil, true, walk.Roots
	}
	room := max(0, maxRoots-len(known.roots))
	q.unasked = max(0, found-room)
	if room == 0 {
		return nil
	}
	roots, err := shadowRoots(ctx, q.world, q.main, group, all, room)
	if err != nil {
		return err
	}
	known.roots = append(known.roots, roots...)
	for _, root := range roots {
		q.ask(root, maxReply)
	}
	return nil
}

// shadowRoots returns the shadow roots that walks have met since the last call. If all is true, it
// returns all shadow roots. The parameter most limits their number. The page script has them as
// objects of its own world. They are resolved to objects of the main world, because the listeners
// of that world are wanted.
func shadowRoots(ctx context.Context, w, main *frame.World, group string, all bool, most int) ([]runtime.RemoteObjectID, error) {
	ours := group + "-ours"
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: ours})
	taken, err := w.Objects(ctx, ours, "function(all,most){return chela.takeRoots(all,most)}", frame.Value(all), frame.Value(most))
	if err != nil {
		return nil, err
	}
	nodes := make([]dom.DescribeNodeParams, len(taken))
	for i, id := range taken {
		nodes[i].ObjectID = id
	}
	var resolved []dom.ResolveNodeParams
	if err := askEach(ctx, w, dom.DescribeNode, nodes, func(_ int, res dom.DescribeNodeResult) {
		resolved = append(resolved, dom.ResolveNodeParams{
			BackendNodeID: res.Node.BackendNodeID, ExecutionContextID: main.ID, ObjectGroup: group,
		})
	}); err != nil {
		return nil, err
	}
	var roots []runtime.RemoteObjectID
	err = askEach(ctx, w, dom.ResolveNode, resolved, func(_ int, res dom.ResolveNodeResult) {
		roots = append(roots, res.Object.ObjectID)
	})
	return roots, err
}

// Collect waits for the replies, gives the page script the changes, and reports whether there were
// any. If so, the document must be walked again.
func (q *ListenerQuery) Collect(ctx context.Context) (changed bool, err error) {
	if len(q.replies) == 0 && q.handlers == nil {
		return false, nil
	}
	var found []*domdebugger.EventListener
	for _, reply := range q.replies {
		res, err := reply.Wait(ctx)
		if _, gone := errors.AsType[*cdp.Error](err); gone {
			continue // the document is gone: later commands report that
		}
		if _, large := errors.AsType[*cdp.LargeError](err); large {
			q.lacks, q.whole = true, false
			continue
		}
		if err != nil {
			return false, frame.Failure(ctx, err)
		}
		found = append(found, res.Listeners...)
	}
	differing := q.known.differing(found, q.whole)
	rest := max(len(differing)-maxListened, 0)
	differing = differing[:len(differing)-rest]
	if q.whole {
		q.known.rest = 0
	}
	q.known.rest += rest
	q.replies, q.whole = nil, false
	if err := sendListeners(ctx, q.world, differing); err != nil {
		return false, err
	}
	for _, l := range differing {
		q.known.types[l.node] = l.types
	}
	q.askHandlers()
	changed, err = q.collectHandlers(ctx)
	return changed || len(differing) > 0, err
}

// Notes says which listeners the page script does not know.
func (q *ListenerQuery) Notes() (notes []string) {
	if q.known != nil && q.known.rest > 0 {
		notes = append(notes, fmt.Sprintf("%d more elements listen for events: take another snapshot to give them refs", q.known.rest))
	}
	if q.lacks {
		notes = append(notes, "the page has too many event listeners: elements that only listen for events may have no refs")
	}
	if q.unasked > 0 {
		notes = append(notes, fmt.Sprintf("the page has too many shadow roots: in %d of them, elements that only listen for events get no refs", q.unasked))
	}
	return notes
}

// A listened is an element with the actionTypes that it listens for, separated by spaces. The field
// types is "" if the element no longer listens for any of them.
type listened struct {
	node  proto.BackendNodeID
	types string
}

// sendListeners gives the page script the elements, with the types of events that they listen for.
func sendListeners(ctx context.Context, w *frame.World, list []listened) error {
	if len(list) == 0 {
		return nil
	}
	group := "chela-listeners-" + w.UniqueID // a group per frame, since frames are asked at the same time
	params := make([]dom.ResolveNodeParams, len(list))
	for i, l := range list {
		params[i] = dom.ResolveNodeParams{BackendNodeID: l.node, ExecutionContextID: w.ID, ObjectGroup: group}
	}
	var args []any
	var types []string
	err := askEach(ctx, w, dom.ResolveNode, params, func(i int, res dom.ResolveNodeResult) {
		args, types = append(args, res.Object.ObjectID), append(types, list[i].types)
	})
	if err != nil {
		return err
	}
	_, err = frame.Call[struct{}](ctx, w, "setListeners", append(args, types)...)
	cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	return err
}

// differing returns, in document order, the elements whose listeners differ from what is known. If
// the whole document was queried, a known element that was not found has lost its listeners. Such
// elements come first.
func (l *listeners) differing(found []*domdebugger.EventListener, whole bool) []listened {
	types := map[proto.BackendNodeID][]string{}
	var order []proto.BackendNodeID
	for _, e := range found {
		if types[e.BackendNodeID] == nil {
			order = append(order, e.BackendNodeID)
		}
		types[e.BackendNodeID] = append(types[e.BackendNodeID], e.Type)
	}
	var lost, list []listened
	for _, node := range order {
		now, many := actionsOf(types[node])
		l.framework = l.framework || many
		if now != l.types[node] {
			list = append(list, listened{node, now})
		}
	}
	for node, before := range l.types {
		switch {
		case !whole || types[node] != nil:
		case before == "":
			delete(l.types, node)
		default:
			lost = append(lost, listened{node, ""})
		}
	}
	return slices.Concat(lost, list)
}

// actionsOf returns which of the types of events are actionTypes, separated by spaces. If there are
// more than frameworkTypes, it returns none, and many is true.
func actionsOf(types []string) (actions string, many bool) {
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > frameworkTypes {
		return "", true
	}
	return strings.Join(slices.DeleteFunc(types, func(t string) bool { return !slices.Contains(actionTypes, t) }), " "), false
}
