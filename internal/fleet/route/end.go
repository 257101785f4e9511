package route

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"chela/internal/op"
)

// A session ends on all machines that it has used. A node ends it by the same operation as this
// machine. That call is made outside of the session: a session with limits cannot end itself.

// endTime is how long it may take to end a session on other machines. They end it at the same time.
const endTime = 5 * time.Second

// end runs a call that ends a session. First the nodes end it. If one of them fails to, such as when a
// person has taken over a tab there, the session and its limit stay here. A node that has not run the
// call is named in the result.
func (r *Router) end(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	if op.Session(ctx) != "" && r.o.Local.Hosts(ctx) != nil {
		return r.o.Local.Run(ctx, o, args) // it refuses the call, and no node must have ended the session then
	}
	key := op.SessionEnded(op.Session(ctx), args)
	closed, silent, err := r.endOnNodes(ctx, key)
	if err != nil {
		return nil, err
	}
	raw, err := r.o.Local.Run(ctx, o, args)
	if err != nil {
		return nil, err
	}
	r.sessions.forget(key)
	return withEnded(raw, closed, silent)
}

// EndSession closes the tabs of a session on all machines that it has used.
func (r *Router) EndSession(ctx context.Context, key string) (closed int, err error) {
	closed, err = r.o.Local.EndSession(ctx, key)
	elsewhere, silent, failed := r.endOnNodes(ctx, key)
	if err = errors.Join(err, failed); err == nil {
		r.sessions.forget(key)
	}
	if len(silent) > 0 {
		slog.Warn("a session was not ended on nodes that do not answer or take no such calls", "session", key, "nodes", silent)
	}
	return closed + elsewhere, err
}

// endOnNodes ends a session on the nodes that it has used. A node that does not answer, or whose
// settings or version refuse the call, is in the list silent. It closes the session's tabs itself when
// they are idle. If other nodes do not end the session, the first of their errors is returned. The next
// call to end the session tries them again.
func (r *Router) endOnNodes(ctx context.Context, key string) (closed int, silent []string, err error) {
	nodes := r.sessions.nodesOf(key)
	end := r.endOperation()
	if len(nodes) == 0 || end == nil {
		return 0, nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(op.WithSession(context.WithoutCancel(ctx), ""), endTime, op.ErrDeadline)
	defer cancel()
	all := make([]ended, len(nodes))
	var ending sync.WaitGroup
	for i, node := range nodes {
		ending.Go(func() { all[i].closed, all[i].err = r.endOn(ctx, end, node, key) })
	}
	ending.Wait()
	for i, node := range nodes {
		closed += all[i].closed
		switch failed := all[i].err; {
		case failed == nil:
			r.sessions.left(key, node)
		case isLost(failed), why(failed) != "", op.AsError(failed).Code == op.Deadline:
			silent = append(silent, node)
		case err == nil:
			refused := *op.AsError(failed)
			refused.Message = op.PageText(fmt.Sprintf("session %s goes on on node %s: %s", key, node, refused.Message))
			err = &refused
		}
	}
	return closed, silent, err
}

// ended is the result of ending a session on one node.
type ended struct {
	closed int
	err    error
}

// endOn ends a session on a node, by a call outside of it.
func (r *Router) endOn(ctx context.Context, end *op.Op, node, key string) (closed int, err error) {
	named, _ := json.Marshal(key) // a string can be encoded
	raw, err := r.on(ctx, end, nil, node).Run(ctx, end, op.Args{"session": named})
	var done struct{ Closed int }
	if err == nil {
		err = json.Unmarshal(raw, &done)
	}
	return done.Closed, err
}

// endOperation returns the operation that ends a session, or nil.
func (r *Router) endOperation() *op.Op {
	for _, o := range r.o.Table().Ops {
		if o.EndsSession() {
			return o
		}
	}
	return nil
}

// withEnded adds to the result of ending a session how many tabs nodes have closed, and which nodes
// have not run the call.
func withEnded(raw json.RawMessage, closed int, silent []string) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	var here int
	if closed == 0 && silent == nil || json.Unmarshal(raw, &fields) != nil || json.Unmarshal(fields["closed"], &here) != nil {
		return raw, nil
	}
	fields["closed"], _ = json.Marshal(here + closed) // a number can be encoded
	if len(silent) > 0 {
		fields["silent"], _ = json.Marshal(silent) // strings can be encoded
	}
	return op.Merge(fields)
}
