package route

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chela/internal/fleet/queue"
	"chela/internal/fleet/remote"
	"chela/internal/fleet/schedule"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// place waits until one of several machines has a place for a call, and runs the call there. If the
// machine refuses because it is busy or shutting down, it has done nothing, and place tries another.
// If the machine was lost, place tries another if the call was not sent yet or may be repeated.
func (r *Router) place(ctx context.Context, w wish, o *op.Op, args op.Args) (json.RawMessage, error) {
	if !w.here {
		if err := r.awaitLine(ctx); err != nil {
			return nil, err
		}
	}
	p := &placing{Router: r, wish: w, op: o, args: args, deadline: time.Now().Add(o.Budget(args))}
	ctx, cancel := context.WithDeadlineCause(ctx, p.deadline.Add(wire.Slack), op.ErrDeadline)
	defer cancel()
	for {
		place, err := p.await(ctx)
		if err != nil {
			return nil, err
		}
		raw, err := p.run(ctx, place)
		if err == nil || ctx.Err() != nil || !p.mayGoOn(place.Node, err) {
			return raw, err
		}
	}
}

// A placing is a call that may run on several machines, while one of them is chosen and runs it.
type placing struct {
	*Router
	wish
	op       *op.Op
	args     op.Args
	deadline time.Time

	tried  []string // machines that are not tried again for this call
	last   error    // error of the machine that was tried last
	placed bool     // the call has had a place before: if it waits again, it is the first in the queue
}

// await waits for a place. The error says that too many calls wait, or that the time of the call is
// over. If all machines were tried, it is the error of the last one.
func (p *placing) await(ctx context.Context) (place *schedule.Place, err error) {
	ctx, cancel := context.WithDeadlineCause(ctx, p.deadline, op.ErrDeadline)
	defer cancel()
	err = p.waiting.Wait(ctx, queue.Call{
		Session: cmp.Or(op.Session(ctx), op.Caller(ctx)), Wish: fmt.Sprint(p.wish, p.tried), First: p.placed,
		Take: func() bool {
			nodes := slices.DeleteFunc(p.places(p.wish), func(n schedule.Node) bool { return slices.Contains(p.tried, n.Name) })
			place, _ = p.scheduler.Take(nodes)
			return place != nil || len(nodes) == 0
		},
	})
	switch {
	case err == queue.ErrFull, err == op.ErrDeadline:
		return nil, p.busy(err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", op.Errorf(op.Canceled, "interrupted"), err)
	case place == nil:
		return nil, cmp.Or(p.last, noNodes("run chela node --nats URL on another machine"))
	}
	p.placed = true
	return place, nil
}

// busy returns the error for a call that gets no place.
func (p *placing) busy(why error) error {
	message := "no machine has a place, and no more calls may wait"
	if why == op.ErrDeadline {
		message = "no machine had a place in the time of the call"
	}
	busy := op.Errorf(op.NodesBusy, "%s", message).Hinted("call again after retryAfterMs")
	busy.Details = map[string]any{"retryAfterMs": int(p.waiting.RetryAfter().Milliseconds())}
	return busy
}

// run runs the call on the machine of a place, and then gives the place back.
func (p *placing) run(ctx context.Context, place *schedule.Place) (json.RawMessage, error) {
	defer p.waiting.Wake()
	defer place.End()
	if place.Node == "" {
		ctx, cancel := context.WithDeadlineCause(ctx, p.deadline, op.ErrDeadline)
		defer cancel()
		return p.o.Local.Run(ctx, p.op, p.args)
	}
	on := p.on(ctx, p.op, p.args, place.Node)
	on.Placed, on.Deadline = true, p.deadline
	raw, err := on.Run(ctx, p.op, p.args)
	if why(err) == wire.Busy {
		place.Refused()
	}
	return raw, err
}

// mayGoOn reports whether another machine may get the call after the machine with this name failed
// with err. A machine that was only busy may get the call later.
func (p *placing) mayGoOn(name string, err error) bool {
	if why(err) == wire.Busy {
		return true
	}
	p.tried, p.last = append(p.tried, name), err
	if why := why(err); why != "" {
		return why != wire.Wrong
	}
	return isLost(err) && (p.op.Repeatable(p.args) || !mayBeDone(err))
}

// isLost reports whether a call has failed because its node is gone.
func isLost(err error) bool { return op.AsError(err).Code == op.NodeLost }

// mayBeDone reports whether the node of a call may have done it before the node was lost.
func mayBeDone(err error) bool { return op.AsError(err).Details["sent"] != "no" }

// why returns the reason that a node gave for refusing a call; "" if no node has refused it.
func why(err error) string {
	if refused, ok := errors.AsType[*remote.RefusedError](err); ok {
		return refused.Why
	}
	return ""
}
