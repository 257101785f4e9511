package trace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// If the function put of Stop fails, the trace is not lost: Stop can be called again.
func TestStopAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trace")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := Start(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	for range 2 {
		if _, err := r.Stop(t.Context(), func(string) error { return full }); !errors.Is(err, ErrKept) || !errors.Is(err, full) {
			t.Errorf("the trace could not be put: %v", err)
		}
	}
	if _, err := r.Stop(t.Context(), func(path string) error { read(t, path); return nil }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("its folder is left")
	}
	if _, err := r.Stop(t.Context(), func(string) error { return nil }); err == nil || errors.Is(err, ErrKept) {
		t.Errorf("it was stopped once more: %v", err)
	}
}

// A call that stops a trace waits no longer than its deadline. A later call gets the trace.
func TestStopAtDeadline(t *testing.T) {
	r, err := Start(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	late := errors.New("late")
	ended, end := context.WithCancelCause(t.Context())
	end(late)
	r.mu.Lock() // the trace cannot end
	_, err = r.Stop(ended, func(string) error { return nil })
	r.mu.Unlock()
	if !errors.Is(err, ErrKept) || !errors.Is(err, late) {
		t.Errorf("at the deadline: %v", err)
	}
	if _, err := r.Stop(t.Context(), func(path string) error { read(t, path); return nil }); err != nil {
		t.Errorf("stopped again: %v", err)
	}
}
