package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chela/internal/cdp"
	"chela/internal/op"
	"chela/internal/page"
)

// Bounds of a batch.
const (
	maxActions = 100
	maxNesting = 5
)

type batchRequest struct {
	acting
	Actions     []json.RawMessage `json:"actions" doc:"the acts, each an object with its kind and arguments"`
	StopOnError *bool             `json:"stopOnError,omitempty" flag:"!continue" default:"true" doc:"stop at the first act that fails"`
}

func (r batchRequest) Check() error {
	if len(r.Actions) == 0 {
		return op.Errorf(op.ActInvalid, "actions are required")
	}
	_, err := r.steps(1)
	return err
}

// Linger is the time that the acts of the batch have together.
func (r batchRequest) Linger() (sum time.Duration) {
	steps, err := r.steps(1)
	if err != nil {
		return 0
	}
	for _, s := range steps {
		sum += s.op.Budget(s.args)
	}
	return r.settle() + sum
}

// A step is one act of a batch.
type step struct {
	op   *op.Op
	args op.Args
}

// steps reads the acts and checks the bounds of all that is in them.
func (r batchRequest) steps(depth int) ([]step, error) {
	if depth > maxNesting {
		return nil, op.Errorf(op.ActInvalid, "batch nesting exceeds maximum depth of %d", maxNesting)
	}
	steps, total := make([]step, len(r.Actions)), 0
	for i, raw := range r.Actions {
		s, inner, err := r.step(raw, depth)
		if err != nil {
			return nil, err
		}
		steps[i] = s
		if total += 1 + inner; total > maxActions {
			return nil, op.Errorf(op.ActInvalid, "batch exceeds maximum of %d actions", maxActions)
		}
	}
	return steps, nil
}

// step reads one act, and counts those inside it.
func (r batchRequest) step(raw json.RawMessage, depth int) (s step, inner int, err error) {
	var args op.Args
	if json.Unmarshal(raw, &args) != nil || args == nil {
		return s, 0, op.Errorf(op.ActInvalid, "batch actions must be objects")
	}
	if target := textOf(args["targetId"]); target != "" && target != r.TargetID {
		return s, 0, op.Errorf(op.ActTargetMismatch, "batched action targetId must match request targetId")
	}
	kind := textOf(args["kind"])
	o := actNamed(kind)
	if o == nil {
		return s, 0, op.Errorf(op.ActKindRequired, "kind is required").Hinted("no act is called %q", kind)
	}
	if kind == "batch" {
		var nested batchRequest
		if json.Unmarshal(raw, &nested) != nil {
			return s, 0, op.Errorf(op.ActInvalid, "batch requires actions")
		}
		nested.TargetID = r.TargetID
		steps, err := nested.steps(depth + 1)
		return step{o, args}, len(steps), err
	}
	return step{o, args}, 0, nil
}

// batchable are the rows of acts. A batch is one of them itself, so it can not
// name them where they are declared.
var batchable []*op.Op

func init() { batchable = slices.Concat(actRows, waitRows, []*op.Op{closing}) }

// closing is what closes the tab from within its turn.
var closing = op.Define("POST /act kind=close", "close", "Close the tab.", func(ctx context.Context, t *Turn, _ struct{ acting }) (Done, error) {
	return Done{}, t.tab.Close(ctx)
}, append(act, brief)...)

// actNamed returns the act of a kind, to be run within a turn.
func actNamed(kind string) *op.Op {
	for _, o := range batchable {
		if o.Routes[0].Value == kind {
			return o
		}
	}
	return nil
}

func textOf(raw json.RawMessage) string {
	var s string
	json.Unmarshal(raw, &s)
	return s
}

// Batched is what became of a batch.
type Batched struct {
	Results []outcome `json:"results" doc:"what became of each act, in order"`
	Aborted *aborted  `json:"aborted,omitempty" doc:"why the batch stopped before its end"`
}

// Text is what was done, and what was not.
func (b Batched) Text() string {
	done := 0
	var all []string
	for i, r := range b.Results {
		if r.OK {
			done++
		} else {
			all = append(all, fmt.Sprintf("act %d failed: %s", i+1, r.Error))
		}
	}
	if a := b.Aborted; a != nil {
		all = append(all, fmt.Sprintf("stopped after act %d (%s), %d not done", a.After, a.Reason, a.Skipped))
	}
	return lines(append([]string{fmt.Sprintf("did %d act(s)", done)}, all...)...)
}

type outcome struct {
	OK        bool       `json:"ok" doc:"it was done"`
	Error     op.Foreign `json:"error,omitempty" doc:"why it was not"`
	Code      op.Code    `json:"code,omitempty" doc:"sort of the error"`
	Navigated bool       `json:"navigated,omitempty" doc:"the page went elsewhere"`
	URL       op.Foreign `json:"url,omitempty" doc:"where to"`
}

type aborted struct {
	Reason  string     `json:"reason" doc:"navigation: refs are stale now; closed: the tab has gone"`
	After   int        `json:"afterAction" doc:"the last act that was done, from 1"`
	URL     op.Foreign `json:"url" doc:"where the page is now"`
	Skipped int        `json:"skipped" doc:"how many acts were not done"`
}

func batch(ctx context.Context, t *Turn, r batchRequest) (done Batched, err error) {
	steps, err := r.steps(1)
	if err != nil {
		return done, err
	}
	done.Results = []outcome{}
	for i, s := range steps {
		before := t.Visits()
		result, err := t.step(ctx, s)
		if err != nil {
			return done, err
		}
		if t.Visits() != before {
			result.Navigated, result.URL = true, op.Foreign(t.URL())
		}
		done.Results = append(done.Results, result)
		reason := ""
		switch {
		case errors.Is(t.Err(), page.ErrClosed):
			reason = "closed"
		case result.Navigated:
			reason = "navigation"
		}
		if reason != "" && i+1 < len(steps) {
			done.Aborted = &aborted{reason, i + 1, op.Foreign(t.URL()), len(steps) - i - 1}
		}
		if reason != "" || !result.OK && (r.StopOnError == nil || *r.StopOnError) {
			return done, nil
		}
	}
	return done, nil
}

// step does one act. An error is one that ends the batch.
func (t *Turn) step(ctx context.Context, s step) (outcome, error) {
	err := t.service.permit(s.op, s.args)
	if err == nil {
		_, err = s.op.Run(ctx, t, s.args)
	}
	if err == nil {
		return outcome{OK: true}, nil
	}
	if errors.Is(err, cdp.ErrClosed) || errors.Is(err, page.ErrCrashed) {
		return outcome{}, err
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, page.ErrClosed) {
		return outcome{}, cause
	}
	e := op.AsError(told(ctx, err))
	return outcome{Error: e.Message, Code: e.Code}, nil
}
