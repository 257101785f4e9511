package inspect

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

const (
	// MaxRounds limits how often one reading calls [OpenClosedRoots]. A closed root inside another takes
	// a round of its own, and so do each maxHosts elements.
	MaxRounds = 4

	// maxHosts limits for how many elements of one round Chromium is asked for a closed shadow root.
	maxHosts = 500
)

// OpenClosedRoots gives the closed shadow roots of elements to the page script. It reports whether that was
// all: it has looked into all these elements, and none has a closed root, in which there may be more. If the
// page script finds such elements after that, the page has added them.
//
// For a closed root element.shadowRoot is null, so the script does not know which elements have
// one. Its last walk has listed the elements that may have one; hosts is their number. They are
// custom elements, and empty elements that take space. For each, DOM.describeNode with pierce lists
// the root's node, and not what the element holds. DOM.resolveNode makes it an object in the page
// script's world. All commands of a kind are sent one after the other, see askEach, so the whole takes
// few round trips.
func OpenClosedRoots(ctx context.Context, w *frame.World, hosts int) (all bool, err error) {
	all = hosts <= maxHosts
	hosts = min(hosts, maxHosts)
	group := "chela-roots-" + w.UniqueID // a group per frame: other frames are read at the same time, and release their own
	defer cdp.Send(w.Session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	candidates := make([]runtime.CallFunctionOnParams, hosts)
	for i := range candidates {
		candidates[i] = runtime.CallFunctionOnParams{
			FunctionDeclaration: "function(i){return chela.candidate(i)}", UniqueContextID: w.UniqueID,
			Arguments: []*runtime.CallArgument{frame.Value(i)}, ObjectGroup: group,
		}
	}
	var nodes []dom.DescribeNodeParams
	if err := askEach(ctx, w, runtime.CallFunctionOn, candidates, func(_ int, res runtime.CallFunctionOnResult) {
		if id := res.Result.ObjectID; id != "" {
			nodes = append(nodes, dom.DescribeNodeParams{ObjectID: id, Depth: new(int64(0)), Pierce: new(true)})
		}
	}); err != nil {
		return false, err
	}
	var owners []runtime.RemoteObjectID // hosts of the closed roots in resolved
	var resolved []dom.ResolveNodeParams
	if err := askEach(ctx, w, dom.DescribeNode, nodes, func(i int, res dom.DescribeNodeResult) {
		if root := closedRoot(res.Node); root != 0 {
			owners = append(owners, nodes[i].ObjectID)
			resolved = append(resolved, dom.ResolveNodeParams{BackendNodeID: root, ExecutionContextID: w.ID, ObjectGroup: group})
		}
	}); err != nil {
		return false, err
	}
	roots := map[runtime.RemoteObjectID]any{}
	if err := askEach(ctx, w, dom.ResolveNode, resolved, func(i int, res dom.ResolveNodeResult) {
		roots[owners[i]] = res.Object.ObjectID
	}); err != nil {
		return false, err
	}
	var last frame.Answer[struct{}]
	for _, n := range nodes {
		last = frame.Send[struct{}](ctx, w, "adoptClosedRoot", n.ObjectID, roots[n.ObjectID])
	}
	if last.World == nil {
		return all, nil
	}
	_, err = last.Wait(ctx)
	return all && len(resolved) == 0, err
}

// closedRoot returns the backend id of a node's closed shadow root, 0 if it has none.
func closedRoot(n *proto.Node) proto.BackendNodeID {
	for _, r := range n.ShadowRoots {
		if r.ShadowRootType == proto.ShadowRootTypeClosed {
			return r.BackendNodeID
		}
	}
	return 0
}
