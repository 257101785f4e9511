package api

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"chela/internal/op"
)

// finders are places for work that finds content: it takes a processor, and memory of many times
// the size of the page.
var finders = make(chan struct{}, runtime.GOMAXPROCS(0))

// inTime returns what work computes. The library functions that find the content of a page cannot be
// interrupted, and take seconds for one of several megabytes, so they are left to themselves when ctx ends before.
// The error is the cause of that; for the deadline it has its words.
func inTime[T any](ctx context.Context, work func() T) (found T, err error) {
	type outcome struct {
		found T
		err   error
	}
	done := make(chan outcome, 1)
	select {
	case finders <- struct{}{}:
	case <-ctx.Done():
		return found, late(ctx)
	}
	go func() {
		defer func() { <-finders }()
		defer func() {
			if broken := recover(); broken != nil {
				done <- outcome{err: fmt.Errorf("find content: %v\n%s", broken, debug.Stack())}
			}
		}()
		done <- outcome{found: work()}
	}()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
		return found, late(ctx)
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
