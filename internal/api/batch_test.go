package api

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// Acts that a batch skips are counted, also in a batch within it. A batch that stops at its last
// act has skipped none, and did not stop early.
func TestSkippedActs(t *testing.T) {
	done, nested := outcome{OK: true}, outcome{OK: true, Aborted: &aborted{Skipped: 2}}
	for _, s := range []struct {
		name    string
		of      int
		results []outcome
		after   int
		want    int // 0: the batch did not stop early
	}{
		{"at the first of three", 3, []outcome{done}, 1, 2},
		{"at the last", 2, []outcome{done, done}, 2, 0},
		{"at a batch", 3, []outcome{nested}, 1, 4},
		{"at a batch that is the last", 1, []outcome{nested}, 1, 2},
		{"after a batch that was done", 2, []outcome{done, done}, 2, 0},
		{"at an act that has no result yet", 3, []outcome{done}, 2, 1},
	} {
		b := batchResult{Results: s.results, of: s.of}
		b.abort("navigation", s.after, "http://a/")
		got := 0
		if a := b.Aborted; a != nil {
			got = a.Skipped
			if a.Reason != "navigation" || a.After != s.after || a.URL != "http://a/" {
				t.Errorf("%s: got %+v", s.name, a)
			}
		}
		if got != s.want {
			t.Errorf("%s: %d skipped, want %d", s.name, got, s.want)
		}
	}
}

// The text of a batch names fields that had no effect. A model reads the text, and not the results.
func TestBatchNamesIgnoredFields(t *testing.T) {
	b := batchResult{Results: []outcome{{OK: true}, {OK: true, Ignored: []string{"reff", "x"}}}}
	if got, want := b.Text(), "batch ran 2 action(s)\naction 2: ignored: reff, x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The error of a batch says how many of its acts were sent and done before.
func TestBatchSoFar(t *testing.T) {
	e := op.Errorf(op.TabCrashed, "the tab crashed").Hinted("a hint")
	batchResult{of: 3}.SoFar(e)
	if e.Message != "the tab crashed" || e.Hint != "a hint" || e.Details != nil {
		t.Errorf("before the first act: got %+v", e)
	}
	batchResult{of: 3, Results: []outcome{{OK: true}, {Error: "the tab crashed"}}}.SoFar(e)
	if want := "the tab crashed (of 3 acts, 2 were sent and 1 were done)"; string(e.Message) != want {
		t.Errorf("got %q, want %q", e.Message, want)
	}
	if e.Details["sent"] != 2 || e.Details["of"] != 3 || e.Hint == "a hint" {
		t.Errorf("got %+v", e)
	}
}

func TestFillSoFar(t *testing.T) {
	e := op.Errorf(op.StaleRef, "gone")
	fillResult{of: 3}.SoFar(e)
	if e.Message != "gone" || e.Details != nil {
		t.Errorf("before the first field: got %+v", e)
	}
	fillResult{Filled: 2, of: 3}.SoFar(e)
	if want := "gone (2 of 3 fields were filled before)"; string(e.Message) != want || e.Details["filled"] != 2 {
		t.Errorf("got %+v, want %q", e, want)
	}
	e = op.Errorf(op.StaleRef, "gone")
	fillResult{Filled: 2, of: 3, Differ: []differingField{{Ref: "e1"}}}.SoFar(e)
	if want := "gone (2 of 3 fields were filled before; ref e1 is empty now: the page has emptied it)"; string(e.Message) != want {
		t.Errorf("got %q, want %q", e.Message, want)
	}
}

// The failures of an act after which a batch does not try the acts that follow.
func TestWhatEndsABatch(t *testing.T) {
	ended := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		return ctx
	}
	failed := errors.New("failed")
	dialog := &page.DialogOpen{Dialog: page.Dialog{ID: "d1"}}
	for _, s := range []struct {
		name string
		ctx  context.Context
		err  error
		want error
	}{
		{"one of the act", t.Context(), failed, nil},
		{"its own deadline", t.Context(), context.DeadlineExceeded, nil},
		{"the deadline of the batch", ended(op.ErrDeadline), failed, op.ErrDeadline},
		{"a dialog", ended(dialog), failed, dialog},
		{"the tab was closed", ended(page.ErrClosed), failed, nil},
		{"the renderer crashed", t.Context(), fmt.Errorf("click: %w", page.ErrCrashed), page.ErrCrashed},
		{"the browser has gone", t.Context(), fmt.Errorf("click: %w", cdp.ErrClosed), cdp.ErrClosed},
	} {
		if got := endsBatch(s.ctx, s.err); !errors.Is(got, s.want) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
}
