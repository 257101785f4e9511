package child

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// A Pool has children do work.
type Pool struct {
	places chan struct{} // has a value in it for each child at work

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
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.hasIdleLocked() {
		return
	}
	if started, err := start(); err == nil { // if no process can be started, Do reports the error
		p.keepLocked(started)
	}
}

// Do gives work to a child, and decodes the result of the work into result. Errors are
// [ErrTooMuch], [ErrClosed], errors of the work, and errors of starting a process. If ctx ends
// before the work has begun, or is canceled during the work, the error is the cause of ctx.
//
// Work ends a little before the deadline of ctx, so that the caller has time to answer with the
// error.
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
	defer func() { <-p.places }()
	c, err := p.take()
	if err != nil {
		return err
	}
	left := timeFor(ctx, w)
	limited, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	head := requestHead{w.Name, raw, left}
	reply, err := c.work(limited, head, body, result)
	if errors.Is(err, errNotSent) && limited.Err() == nil { // the child was killed while it had no work
		p.giveBack(c, false)
		if c, err = p.take(); err != nil {
			return err
		}
		reply, err = c.work(limited, head, body, result)
	}
	p.giveBack(c, err == nil && !reply.Last)
	switch {
	case err != nil && ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%s: %w", w.Name, ErrTooMuch)
	case reply.Fault != "":
		return errors.New(reply.Fault)
	}
	return nil
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

// take returns a child that has no work.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	var c *process
	if p.hasIdleLocked() {
		last := len(p.idle) - 1
		c, p.idle = p.idle[last], p.idle[:last]
	} else {
		var err error
		if c, err = start(); err != nil {
			return nil, fmt.Errorf("start a process that reads documents: %w", err)
		}
	}
	return c, nil
}

// hasIdleLocked reports whether a child waits for work. It removes children that have ended
// meanwhile.
func (p *Pool) hasIdleLocked() bool {
	p.idle = slices.DeleteFunc(p.idle, func(c *process) bool {
		ended := c.hasEnded()
		if ended {
			c.end()
		}
		return ended
	})
	return len(p.idle) > 0
}

// giveBack takes back a child after its work. It keeps the child for the next work if the child is
// fit for it and the pool is open; otherwise it ends the child.
func (p *Pool) giveBack(c *process, fit bool) {
	p.mu.Lock()
	keep := fit && !p.closed
	if keep {
		p.keepLocked(c)
	}
	p.mu.Unlock()
	if !keep {
		c.end()
	}
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
	for _, c := range ended {
		c.end()
	}
}

// Close ends all children that have no work. The others end when their work is done.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.stopTimerLocked()
	ended := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range ended {
		c.end()
	}
}
