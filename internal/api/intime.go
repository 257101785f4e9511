package api

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"chela/internal/op"
)

// slots has a value in it for each piece of work that is in. So many are let in at once.
type slots chan struct{}

// enter returns when the work may begin. It must leave then. The error is the cause of ctx.
func (s slots) enter(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) leave() { <-s }

// finders are places for work that finds content: it takes a processor, and memory of many times
// the size of the page.
var finders = make(slots, runtime.GOMAXPROCS(0))

// inTime returns what work computes to find the content of a page. The error is the cause of ctx; for
// the deadline it has its words.
func inTime[T any](ctx context.Context, work func() T) (found T, err error) {
	found, err = aside(ctx, finders, func() (T, error) { return work(), nil })
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		err = late(ctx)
	}
	return found, err
}

// aside returns what work returns, which has one of the places until it ends. The library functions that
// read documents cannot be interrupted, and take seconds for one of several megabytes, so they are left to
// themselves when ctx ends before; the error is the cause of that. A panic of theirs is an error, too.
func aside[T any](ctx context.Context, places slots, work func() (T, error)) (found T, err error) {
	if err := places.enter(ctx); err != nil {
		return found, err
	}
	type outcome struct {
		found T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer places.leave()
		defer func() {
			if broken := recover(); broken != nil {
				done <- outcome{err: fmt.Errorf("find content: %v\n%s", broken, debug.Stack())}
			}
		}()
		found, err := work()
		done <- outcome{found, err}
	}()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
		return found, context.Cause(ctx)
	}
}

// late is why ctx ended before the content was found.
func late(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, op.ErrDeadline) {
		return op.Errorf(op.Deadline, "not done in time: the page is large").
			Hinted("give it more time with timeoutMs, or select a part of the page")
	}
	return cause
}
