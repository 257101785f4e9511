package inspect

import (
	"context"
	"slices"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

const (
	// MaxClosedDepth limits how many levels of nested closed shadow roots are opened.
	MaxClosedDepth = 4

	// maxHosts limits for how many elements of one walk Chromium is asked for a closed shadow root.
	maxHosts = 500
)

// OpenClosedRoots gives the closed shadow roots of elements to the page script.
//
// For a closed root element.shadowRoot is null, so the script does not know which elements have
// one. Its last walk has listed the elements that may have one; hosts is their number. They are
// custom elements, and empty elements that take space. For each, DOM.describeNode with pierce lists
// the root's node, and DOM.resolveNode makes it an object in the page script's world. All commands
// of a kind are sent before the first reply is awaited, so the whole takes three round trips.
func OpenClosedRoots(ctx context.Context, w *frame.World, hosts int) error {
	hosts = min(hosts, maxHosts)
	group := "chela-roots-" + w.UniqueID // a group per frame: other frames are read at the same time, and release their own
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	objects := make([]*cdp.Reply[runtime.CallFunctionOnResult], hosts)
	for i := range objects {
		objects[i] = cdp.Send(w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(i){return chela.candidate(i)}", UniqueContextID: w.UniqueID,
			Arguments: []*runtime.CallArgument{frame.Value(i)}, ObjectGroup: group,
		})
	}
	ids := make([]runtime.RemoteObjectID, hosts)
	nodes := make([]*cdp.Reply[dom.DescribeNodeResult], hosts)
	for i, o := range objects {
		res, err := o.Wait(ctx)
		if err != nil {
			return frame.Failure(ctx, err)
		}
		ids[i] = res.Result.ObjectID
		nodes[i] = cdp.Send(w.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: ids[i], Depth: new(int64(1)), Pierce: new(true)})
	}
	var last frame.Answer[struct{}]
	for i, reply := range nodes {
		if ids[i] == "" {
			continue
		}
		var root any
		if node, err := reply.Wait(ctx); err == nil {
			if root, err = closedRoot(ctx, w, node.Node, group); err != nil {
				return err
			}
		}
		last = frame.Send[struct{}](ctx, w, "adoptClosedRoot", ids[i], root)
	}
	if last.World == nil {
		return nil
	}
	_, err := last.Wait(ctx)
	return err
}

// closedRoot returns a node's closed shadow root as an argument of a function in the page script's
// world. It is nil if the node has none.
func closedRoot(ctx context.Context, w *frame.World, n *proto.Node, group string) (any, error) {
	i := slices.IndexFunc(n.ShadowRoots, func(r *proto.Node) bool { return r.ShadowRootType == proto.ShadowRootTypeClosed })
	if i < 0 {
		return nil, nil
	}
	res, err := cdp.Call(ctx, w.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: n.ShadowRoots[i].BackendNodeID, ExecutionContextID: w.ID, ObjectGroup: group,
	})
	if err != nil {
		return nil, frame.Failure(ctx, err)
	}
	return res.Object.ObjectID, nil
}
