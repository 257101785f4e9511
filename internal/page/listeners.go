package page

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/frame"
	"chela/internal/snapshot"
)

// doingTypes are what a page listens for on an element that something may be done to.
var doingTypes = strings.Fields("click dblclick mousedown mouseup pointerdown pointerup touchstart contextmenu mouseover mouseenter pointerover pointerenter mousemove pointermove mouseout mouseleave pointerout pointerleave drop dragover dragenter keydown")

const (
	// framework is how many kinds of events nobody listens for on one element,
	// but a framework does for all that it contains.
	framework = 20

	// maxHeard bounds how many elements with listeners are handed to the page script at a time.
	maxHeard = 2000

	// maxRoots bounds how many shadow roots of a document are asked for their listeners.
	maxRoots = 500

	// maxDeadRoots is how many shadow roots may have left the document before those
	// that are still there are collected anew: what we hold, Chromium cannot free.
	maxDeadRoots = 100
)

// listeners are those of a document. A script cannot ask for them, so Go does,
// and hands the elements that have any to the page script.
type listeners struct {
	document runtime.RemoteObjectID
	roots    []runtime.RemoteObjectID // the shadow roots in it that are known
	known    map[proto.BackendNodeID]string
	rooted   bool   // something listens for as many events as a framework
	handlers string // what frameworks call for which elements, as the page script knows it
}

// A question is what a document listens for, asked and not yet heard.
type question struct {
	to, page *frame.World
	heard    *listeners
	replies  []*cdp.Reply[domdebugger.GetEventListenersResult] // none when there is nothing to hear
	handlers *cdp.Reply[runtime.CallFunctionOnResult]
	whole    bool // they are of all that is known of the document
}

// listeners asks what a frame's document listens for. Where that is likely to
// bring news, the page script has been told them when listeners returns; a
// document that was silent so far is better heard when other work is done.
func (p *Page) listeners(ctx context.Context, f *frame.Frame, w *frame.World) (*question, error) {
	p.mu.Lock()
	page := f.MainWorld // Chromium tells of the listeners of the world that asks
	q := &question{to: w, page: page, heard: p.heardLocked(page)}
	p.mu.Unlock()
	if page == nil {
		return q, nil
	}
	first := q.heard.document == ""
	if first {
		document, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(){return document}", UniqueContextID: page.UniqueID,
		})
		if err != nil {
			return nil, frame.Failure(ctx, err)
		}
		*q.heard = listeners{document: document.Result.ObjectID, known: map[proto.BackendNodeID]string{}}
	}
	q.whole = true
	q.ask(q.heard.document)
	for _, root := range q.heard.roots {
		q.ask(root)
	}
	q.askHandlers()
	if first || len(q.heard.known) > 0 || q.heard.rooted {
		_, err := q.hear(ctx)
		return q, err
	}
	return q, nil
}

// heardLocked returns what is known of the listeners of the document that a main
// world belongs to. What was known of documents that have gone is dropped then.
func (p *Page) heardLocked(main *frame.World) *listeners {
	if p.heard[main] == nil {
		there := p.frames.Worlds(func(f *frame.Frame) *frame.World { return f.MainWorld })
		maps.DeleteFunc(p.heard, func(w *frame.World, _ *listeners) bool { return !slices.Contains(there, w) })
		p.heard[main] = &listeners{}
	}
	return p.heard[main]
}

// ask asks for the listeners in the tree of a document or shadow root. Pierce,
// which would find those in the shadow roots inside too, crashes Chromium 156.
func (q *question) ask(root runtime.RemoteObjectID) {
	q.replies = append(q.replies, cdp.Send(q.to.Session, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{
		ObjectID: root, Depth: new(int64(-1)),
	}))
}

// askRoots asks the shadow roots that a walk has met for the first time.
func (q *question) askRoots(ctx context.Context, walk *snapshot.Walk) error {
	if q.page == nil || walk.NewRoots == 0 {
		return nil
	}
	heard, all := q.heard, false
	group := "chela-shadows-" + q.page.UniqueID
	if len(heard.roots)+walk.NewRoots > walk.Roots+maxDeadRoots {
		cdp.Send(q.to.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
		heard.roots, all = nil, true
	}
	room := maxRoots - len(heard.roots)
	if room <= 0 {
		return nil
	}
	roots, err := shadowRoots(ctx, q.to, q.page, group, all, room)
	if err != nil {
		return err
	}
	heard.roots = append(heard.roots, roots...)
	for _, root := range roots {
		q.ask(root)
	}
	return nil
}

// shadowRoots resolves, in the world of the page, the shadow roots that our walks
// have met since they were last asked for, or all.
func shadowRoots(ctx context.Context, w, page *frame.World, group string, all bool, most int) ([]runtime.RemoteObjectID, error) {
	ours := group + "-ours"
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: ours})
	taken, err := w.Objects(ctx, ours, "function(all,most){return chela.takeRoots(all,most)}", frame.Value(all), frame.Value(most))
	if err != nil {
		return nil, err
	}
	nodes := make([]*cdp.Reply[dom.DescribeNodeResult], len(taken))
	for i, id := range taken {
		nodes[i] = cdp.Send(w.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: id})
	}
	resolved := make([]*cdp.Reply[dom.ResolveNodeResult], 0, len(nodes))
	for _, node := range nodes {
		res, err := node.Wait(ctx)
		if err != nil {
			return nil, frame.Failure(ctx, err)
		}
		resolved = append(resolved, cdp.Send(w.Session, dom.ResolveNode, dom.ResolveNodeParams{
			BackendNodeID: res.Node.BackendNodeID, ExecutionContextID: page.ID, ObjectGroup: group,
		}))
	}
	roots := make([]runtime.RemoteObjectID, 0, len(resolved))
	for _, reply := range resolved {
		res, err := reply.Wait(ctx)
		if err != nil {
			return nil, frame.Failure(ctx, err)
		}
		roots = append(roots, res.Object.ObjectID)
	}
	return roots, nil
}

// hear waits for the answers, tells the page script what is new, and reports
// whether anything is. Each is heard once.
func (q *question) hear(ctx context.Context) (told bool, err error) {
	if len(q.replies) == 0 {
		return false, nil
	}
	var found []*domdebugger.EventListener
	for _, reply := range q.replies {
		res, err := reply.Wait(ctx)
		if _, gone := errors.AsType[*cdp.Error](err); gone {
			continue // with its document, as will be seen
		}
		if err != nil {
			return false, frame.Failure(ctx, err)
		}
		found = append(found, res.Listeners...)
	}
	news := q.heard.news(found, q.whole)
	q.replies, q.whole = nil, false
	if err := listensTo(ctx, q.to, news); err != nil {
		return false, err
	}
	for _, l := range news {
		q.heard.known[l.node] = l.types
	}
	q.askHandlers()
	told, err = q.handlersHeard(ctx)
	return told || len(news) > 0, err
}

// A listened is a node with the events that tell that something may be done to it.
type listened struct {
	node  proto.BackendNodeID
	types string
}

// listensTo tells the page script what the page listens for.
func listensTo(ctx context.Context, w *frame.World, news []listened) error {
	if len(news) == 0 {
		return nil
	}
	group := "chela-listeners-" + w.UniqueID // frames are asked at the same time
	objects := make([]*cdp.Reply[dom.ResolveNodeResult], len(news))
	for i, l := range news {
		objects[i] = cdp.Send(w.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: l.node, ExecutionContextID: w.ID, ObjectGroup: group})
	}
	var args []any
	var types []string
	for i, l := range news {
		object, err := objects[i].Wait(ctx)
		if _, gone := errors.AsType[*cdp.Error](err); gone {
			continue // the page has removed it meanwhile
		}
		if err != nil {
			return frame.Failure(ctx, err)
		}
		args, types = append(args, object.Object.ObjectID), append(types, l.types)
	}
	_, err := frame.Call[struct{}](ctx, w, "listens", append(args, types)...)
	cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	return err
}

// news returns what of the listeners that were found is not known, in the order
// of the document: when there are more than can be handed over at a time, the
// first elements get theirs first. When all was asked for, what was known and is
// not found listens no more.
func (l *listeners) news(found []*domdebugger.EventListener, whole bool) []listened {
	types := map[proto.BackendNodeID][]string{}
	var order []proto.BackendNodeID
	for _, e := range found {
		if types[e.BackendNodeID] == nil {
			order = append(order, e.BackendNodeID)
		}
		types[e.BackendNodeID] = append(types[e.BackendNodeID], e.Type)
	}
	var news []listened
	for _, node := range order {
		told, many := doingsOf(types[node])
		l.rooted = l.rooted || many
		if told == l.known[node] {
			continue
		}
		if news = append(news, listened{node, told}); len(news) == maxHeard {
			return news
		}
	}
	for node, known := range l.known {
		if whole && types[node] == nil {
			delete(l.known, node)
			if known != "" && len(news) < maxHeard {
				news = append(news, listened{node, ""})
			}
		}
	}
	return news
}

// doingsOf returns which of the types say that something may be done, parted by
// spaces, and whether they are so many that they are a framework's.
func doingsOf(types []string) (doings string, many bool) {
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > framework {
		return "", true
	}
	return strings.Join(slices.DeleteFunc(types, func(t string) bool { return !slices.Contains(doingTypes, t) }), " "), false
}
