package page

import (
	"context"
	"errors"
	"slices"
	"strings"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
)

// doings are what a page listens for on an element that something may be done to.
var doings = strings.Fields("click dblclick mousedown mouseup pointerdown pointerup touchstart contextmenu mouseover mouseenter pointerover pointerenter drop dragover dragenter keydown")

const (
	// framework is how many kinds of events nobody listens for on one element,
	// but a framework does for all that it contains.
	framework = 20

	// maxHeard bounds how many elements with listeners are handed to the page script at a time.
	maxHeard = 2000
)

// listeners are those of a document. A script cannot ask for them, so Go does,
// and hands the elements that have any to the page script.
type listeners struct {
	root  runtime.RemoteObjectID // the document
	known map[proto.BackendNodeID]string
}

// A question is what a document listens for, asked and not yet heard.
type question struct {
	to, page *world
	reply    *cdp.Reply[domdebugger.GetEventListenersResult] // nil when there is none to hear
}

// listeners asks what a frame's document listens for. Where that is likely to
// bring news, the page script has been told them when listeners returns; a
// document that was silent so far is better heard when other work is done.
func (p *Page) listeners(ctx context.Context, f *frame, w *world) (*question, error) {
	p.mu.Lock()
	page := f.page // Chromium tells of the listeners of the world that asks
	p.mu.Unlock()
	q := &question{to: w, page: page}
	if page == nil {
		return q, nil
	}
	first := page.heard.root == ""
	if first {
		root, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(){return document}", UniqueContextID: page.uniqueID,
		})
		if err != nil {
			return nil, pageError(ctx, err)
		}
		page.heard = listeners{root.Result.ObjectID, map[proto.BackendNodeID]string{}}
	}
	// With pierce, which would find those in shadow roots too, it crashes Chromium 156.
	q.reply = cdp.Send(w.session, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{
		ObjectID: page.heard.root, Depth: new(int64(-1)),
	})
	if first || len(page.heard.known) > 0 {
		_, err := q.hear(ctx)
		return q, err
	}
	return q, nil
}

// hear waits for the answer, tells the page script what is new, and reports
// whether anything is. It is heard once.
func (q *question) hear(ctx context.Context) (told bool, err error) {
	if q.reply == nil {
		return false, nil
	}
	res, err := q.reply.Wait(ctx)
	q.reply = nil
	if _, gone := errors.AsType[*cdp.Error](err); gone {
		return false, nil // with its document, as will be seen
	}
	if err != nil {
		return false, pageError(ctx, err)
	}
	news := q.page.heard.news(res.Listeners)
	if err := q.to.listensTo(ctx, news); err != nil {
		return false, err
	}
	for _, l := range news {
		q.page.heard.known[l.node] = l.types
	}
	return len(news) > 0, nil
}

// A listened is a node with the events that tell that something may be done to it.
type listened struct {
	node  proto.BackendNodeID
	types string
}

// listensTo tells the page script what the page listens for.
func (w *world) listensTo(ctx context.Context, news []listened) error {
	if len(news) == 0 {
		return nil
	}
	group := "chela-listeners-" + w.uniqueID // frames are asked at the same time
	objects := make([]*cdp.Reply[dom.ResolveNodeResult], len(news))
	for i, l := range news {
		objects[i] = cdp.Send(w.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: l.node, ExecutionContextID: w.id, ObjectGroup: group})
	}
	var args []any
	var types []string
	for i, l := range news {
		object, err := objects[i].Wait(ctx)
		if _, gone := errors.AsType[*cdp.Error](err); gone {
			continue // the page has removed it meanwhile
		}
		if err != nil {
			return pageError(ctx, err)
		}
		args, types = append(args, object.Object.ObjectID), append(types, l.types)
	}
	_, err := call[struct{}](ctx, w, "listens", append(args, types)...)
	cdp.Send(w.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	return err
}

// news returns what of the listeners that were found is not known.
func (l *listeners) news(found []*domdebugger.EventListener) []listened {
	types := map[proto.BackendNodeID][]string{}
	for _, e := range found {
		types[e.BackendNodeID] = append(types[e.BackendNodeID], e.Type)
	}
	var news []listened
	for node, all := range types {
		told := doingsOf(all)
		if told == l.known[node] {
			continue
		}
		if news = append(news, listened{node, told}); len(news) == maxHeard {
			break
		}
	}
	return news
}

// doingsOf returns which of the types say that something may be done, parted by spaces.
func doingsOf(types []string) string {
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > framework {
		return ""
	}
	return strings.Join(slices.DeleteFunc(types, func(t string) bool { return !slices.Contains(doings, t) }), " ")
}
