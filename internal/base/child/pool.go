package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// A Pool has children do work.
type Pool struct {
	places   chan struct{} // has a value in it for each child at work
	starting sync.Mutex    // held while a child is started; mu is not, as that may take long

	mu     sync.Mutex  // guards the rest
	idle   []*process  // processes without work; the one that has worked last is at the end
	timer  *time.Timer // ends the first of idle when it had no work for long; nil if no end is planned
	closed bool
}

// minAtOnce is how many children work at once, on a machine with few processors. It is more than
// the number of processors: work that takes all of its time must not keep other work waiting.
const minAtOnce = 4

// NewPool returns a pool without children.
func NewPool() *Pool {
	return &Pool{places: make(chan struct{}, max(minAtOnce, runtime.GOMAXPROCS(0)))}
}

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("no documents are read any more")

// Prepare starts a child if none is waiting for work, so that work that comes soon finds one.
func (p *Pool) Prepare() {
	p.starting.Lock()
	defer p.starting.Unlock()
	if c, err := p.takeOrStart(); err == nil { // if no process can be started, Do reports the error
		p.giveBack(c, true)
	}
}

// Do gives work to a child, and decodes the result of the work into result. Errors are
// [ErrTooMuch], [ErrNotBegun], [ErrClosed], errors of the work, and errors of starting a process.
// If ctx ends while the work waits for its turn, or is canceled, the error is the cause of ctx.
//
// Work ends a little before the deadline of ctx, so that the caller has time to answer with the
// error. On a busy machine, a process may take long to start and to end. Do does not wait for
// that beyond the deadline. The child keeps its place until it has ended.
func (p *Pool) Do(ctx context.Context, w *Work, params any, body []byte, result any) error {
	raw, err := encode(params)
	if err != nil {
		return err
	}
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, timeFor(ctx, w))
	defer cancel()
	t := &task{head: requestHead{Work: w.Name, Params: raw}, body: body, done: make(chan error, 1)}
	go func() {
		defer func() { <-p.places }()
		p.do(limited, t)
	}()
	select {
	case err = <-t.done:
	case <-limited.Done():
		err = limited.Err()
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Cause(ctx)
	case err != nil && t.begun.Load():
		return fmt.Errorf("%s: %w", w.Name, ErrTooMuch)
	case err != nil && limited.Err() != nil:
		return fmt.Errorf("%s: %w", w.Name, ErrNotBegun)
	case err != nil:
		return err
	case t.reply.Fault != "":
		return errors.New(t.reply.Fault)
	}
	return json.Unmarshal(t.result, result)
}

// do has a child do a task, and waits for the end of a child that is not kept. A child may have been
// killed while it had no work. It then does not begin, and another child gets the task.
func (p *Pool) do(ctx context.Context, t *task) {
	for tries := 1; ; tries++ {
		c, err := p.take(ctx)
		if err != nil {
			t.done <- err
			return
		}
		if ctx.Err() != nil { // the child was started for nothing, and can do other work
			p.giveBack(c, true)
			t.done <- ctx.Err()
			return
		}
		if err = c.work(ctx, t); err != nil && !t.begun.Load() {
			err = fmt.Errorf("%w: %w", ErrNotBegun, err)
		}
		kept := p.giveBack(c, err == nil && !t.reply.Last)
		if err != nil && !t.begun.Load() && ctx.Err() == nil && tries == 1 {
			continue
		}
		t.done <- err
		if !kept {
			<-c.ended
		}
		return
	}
}

// timeFor returns how long work that begins now may take.
func timeFor(ctx context.Context, w *Work) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return w.Time
	}
	left := time.Until(deadline)
	return min(w.Time, left-min(left/10, maxMargin))
}

// maxMargin is how long before the deadline of a call its work ends, at most.
const maxMargin = 200 * time.Millisecond

// take returns a child that has no work. If there is none, it waits for one that is being started,
// or starts one. If ctx has ended by then, it returns the error of ctx.
func (p *Pool) take(ctx context.Context) (*process, error) {
	if c, err := p.takeIdle(); c != nil || err != nil {
		return c, err
	}
	p.starting.Lock()
	defer p.starting.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.takeOrStart()
}

func (p *Pool) takeOrStart() (*process, error) {
	if c, err := p.takeIdle(); c != nil || err != nil {
		return c, err
	}
	c, err := start()
	if err != nil {
		return nil, fmt.Errorf("start a process that reads documents: %w", err)
	}
	return c, nil
}

// takeIdle returns a child that waits for work, or nil. It removes children that have ended
// meanwhile.
func (p *Pool) takeIdle() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	p.idle = slices.DeleteFunc(p.idle, func(c *process) bool {
		ended := c.hasEnded()
		if ended {
			c.end()
		}
		return ended
	})
	last := len(p.idle) - 1
	if last < 0 {
		return nil, nil
	}
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c, nil
}

// giveBack takes back a child after its work. It keeps the child for the next work if the child is
// fit for it and the pool is open; otherwise it ends the child.
func (p *Pool) giveBack(c *process, fit bool) (kept bool) {
	p.mu.Lock()
	kept = fit && !p.closed
	if kept {
		p.keepLocked(c)
	}
	p.mu.Unlock()
	if !kept {
		c.end()
	}
	return kept
}

// keepLocked keeps a child for work to come.
func (p *Pool) keepLocked(c *process) {
	c.since = time.Now()
	p.idle = append(p.idle, c)
	p.planEndLocked()
}

// planEndLocked plans the end of the child that has had no work for the longest time.
func (p *Pool) planEndLocked() {
	if p.timer == nil && len(p.idle) > 0 {
		p.timer = time.AfterFunc(time.Until(p.idle[0].since.Add(idleTime)), func() { p.endIdle(time.Now()) })
	}
}

func (p *Pool) stopTimerLocked() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// endIdle ends the children that at a given time have had no work for long.
func (p *Pool) endIdle(at time.Time) {
	p.mu.Lock()
	n := 0
	for n < len(p.idle) && at.Sub(p.idle[n].since) >= idleTime {
		n++
	}
	ended := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	p.stopTimerLocked()
	p.planEndLocked()
	p.mu.Unlock()
	endAll(ended)
}

// Close ends all children that have no work. The others end when their work is done.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.stopTimerLocked()
	ended := p.idle
	p.idle = nil
	p.mu.Unlock()
	endAll(ended)
}
