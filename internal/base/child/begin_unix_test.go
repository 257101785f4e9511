//go:build unix

package child

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"
)

// A child that gets no processor does not begin. That says nothing about the document.
func TestNotBegun(t *testing.T) {
	p := pool(t)
	p.Prepare()
	first := p.idle[0]
	first.cmd.Process.Signal(syscall.SIGSTOP)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err := p.Do(ctx, echo, nil, nil, new(any))
	if !errors.Is(err, ErrNotBegun) || errors.Is(err, ErrTooMuch) {
		t.Errorf("got %v", err)
	}
	p.mustPID(t)
	<-first.ended
}

// A killed process may take long to end, as on a machine without memory. No work waits for it.
func TestChildThatDoesNotEnd(t *testing.T) {
	p := pool(t)
	p.Prepare()
	stuck := make(chan struct{})
	defer close(stuck)
	p.idle[0].ended = stuck
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := p.Do(ctx, endless, nil, nil, new(any)); !errors.Is(err, ErrTooMuch) {
		t.Errorf("got %v", err)
	}
	p.mustPID(t)
}
