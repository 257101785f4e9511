package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chela/internal/cdp"
	"chela/internal/op"
	"chela/internal/page"
)

type batchRequest struct {
	acting
	Actions     actions `json:"actions" doc:"the acts: a list of objects, each with kind and arguments" tool:"[{kind, ...}]"`
	StopOnError *bool   `json:"stopOnError,omitempty" flag:"!continue" default:"true" doc:"stop at the first act that fails"`
}

func (r batchRequest) Check() error { return requires("actions are required", len(r.Actions) > 0) }

// Linger is the time that the acts have together, each with its own deadline. A
// deadline for the whole batch takes its place.
func (r batchRequest) Linger() time.Duration {
	sum := r.settle()
	if r.TimeoutMs > 0 {
		return sum
	}
	for _, s := range r.Actions {
		sum += s.Budget
	}
	return sum
}

func (r batchRequest) stopsOnError() bool { return r.StopOnError == nil || *r.StopOnError }

// batchResult is what became of a batch.
type batchResult struct {
	Results []outcome `json:"results" doc:"what became of each act, in order"`
	Aborted *aborted  `json:"aborted,omitempty" doc:"why the batch stopped before its end, though no act failed"`

	of int // how many acts there are
}

type outcome struct {
	OK        bool            `json:"ok" doc:"it was done"`
	Error     op.Foreign      `json:"error,omitempty" doc:"why it was not" tool:"-"`
	Code      op.Code         `json:"code,omitempty" doc:"sort of the error"`
	Hint      string          `json:"hint,omitempty" doc:"what to do next" tool:"-"`
	Details   map[string]any  `json:"details,omitempty" doc:"of the error"`
	Sent      bool            `json:"sent,omitempty" doc:"its input was sent to the page, but not confirmed"`
	Navigated bool            `json:"navigated,omitempty" doc:"the page went elsewhere"`
	URL       op.Foreign      `json:"url,omitempty" doc:"where to"`
	Result    json.RawMessage `json:"result,omitempty" doc:"what a script answered"`
	Results   json.RawMessage `json:"results,omitempty" doc:"of a batch in the batch: what became of each of its acts"`
	Aborted   *aborted        `json:"aborted,omitempty" doc:"of a batch in the batch: why it stopped before its end"`
	Ignored   []string        `json:"ignored,omitempty" doc:"fields that the act does not know"`
}

type aborted struct {
	Reason  string     `json:"reason" doc:"navigation: refs are stale now; closed: the tab has gone; dialog: it must be answered first"`
	After   int        `json:"afterAction" doc:"the last act that was done, from 1"`
	URL     op.Foreign `json:"url" doc:"where the page is now"`
	Skipped int        `json:"skipped" doc:"how many acts were not done"`
}

// failedOutcome is the outcome of an act that ended with an error.
func failedOutcome(ctx context.Context, err error) outcome {
	e := op.AsError(explain(ctx, err))
	return outcome{Error: e.Message, Code: e.Code, Hint: e.Hint, Details: e.Details, Sent: e.Sent}
}

// outcomeOf is the outcome of an act, by its answer. A batch in the batch has
// failed when one of its acts has.
func outcomeOf(answer json.RawMessage) outcome {
	var o outcome
	var nested batchResult
	json.Unmarshal(answer, &o) // it has the fields that the act answers
	json.Unmarshal(answer, &nested)
	o.OK = true
	if i := nested.firstFailed(); i >= 0 {
		bad := nested.Results[i]
		o.OK, o.Error, o.Code, o.Hint, o.Sent = false, bad.Error, bad.Code, bad.Hint, bad.Sent
	}
	return o
}

// firstFailed is the place of the first act that failed, or -1.
func (b batchResult) firstFailed() int {
	return slices.IndexFunc(b.Results, func(o outcome) bool { return !o.OK })
}

// Failure says which acts failed.
func (b batchResult) Failure() error {
	first := b.firstFailed()
	if first < 0 {
		return nil
	}
	var all []string
	for i, o := range b.Results {
		if !o.OK {
			all = append(all, fmt.Sprintf("action %d: %s", i+1, o.Error))
		}
	}
	bad := b.Results[first]
	if len(all) > 1 {
		bad.Code = op.ActFailed // they may differ, and one may quote the page
	}
	return &op.Error{Code: bad.Code, Message: op.Foreign("batch failed: " + strings.Join(all, "; ")), Hint: bad.Hint, Sent: bad.Sent}
}

// Text is what was done, and why the rest was not.
func (b batchResult) Text() string {
	all := []string{fmt.Sprintf("batch ran %d action(s)", len(b.Results))}
	for i, o := range b.Results {
		if o.Result != nil {
			all = append(all, fmt.Sprintf("action %d: %s", i+1, o.Result))
		}
	}
	if a := b.Aborted; a != nil {
		all = append(all, fmt.Sprintf("Batch stopped after action %d: %s; %d action(s) skipped. %s", a.After, stops[a.Reason].why, a.Skipped, stops[a.Reason].next))
	}
	return lines(all...)
}

// stops are the reasons for which a batch ends before its last act.
var stops = map[string]struct{ why, next string }{
	"navigation": {"page navigated", "Take a fresh snapshot before continuing."},
	"closed":     {"the tab was closed", "List the tabs before continuing."},
	"dialog":     {"a dialog opened", "Answer it before continuing."},
}

// soFar adds to an error what the batch had done before it.
func (b batchResult) soFar(e *op.Error) {
	if len(b.Results) == 0 {
		return
	}
	done := 0
	for _, o := range b.Results {
		if o.OK {
			done++
		}
	}
	e.Message += op.Foreign(fmt.Sprintf(" (of %d acts, %d were sent and %d were done)", b.of, len(b.Results), done))
	e.Details = map[string]any{"results": b.Results, "sent": len(b.Results), "of": b.of}
	e.Hint = "take a snapshot to see what came of it, then do the acts that are left"
}

func batch(ctx context.Context, t *Turn, r batchRequest) (batchResult, error) {
	b := batchResult{Results: []outcome{}, of: len(r.Actions)}
	if err := t.concerns(r.Actions); err != nil {
		return b, err
	}
	for i, s := range r.Actions {
		op.Progress(ctx, i, b.of, fmt.Sprintf("action %d of %d: %s", i+1, b.of, s.Op.Name()))
		before := t.page.Visits()
		o, over := t.step(op.WithProgress(ctx, nil), s) // a batch in the batch would count its own actions
		if _, dialog := errors.AsType[*page.DialogOpen](over); dialog {
			b.abort("dialog", len(b.Results)+1, t.page.URL())
			return b, over
		}
		if t.page.Visits() != before {
			o.Navigated, o.URL = true, op.Foreign(t.page.URL())
		}
		b.Results = append(b.Results, o)
		switch {
		case over != nil:
			return b, over
		case errors.Is(t.page.Err(), page.ErrClosed):
			b.abort("closed", len(b.Results), t.page.URL())
			return b, nil
		case o.Navigated:
			b.abort("navigation", len(b.Results), t.page.URL())
			return b, nil
		case !o.OK && r.stopsOnError():
			return b, nil
		}
	}
	return b, nil
}

// abort says why the batch stopped, if acts were skipped by that: those behind
// the one that it stopped at, and in it, if it is a batch itself.
func (b *batchResult) abort(reason string, after int, url string) {
	skipped := b.of - after
	if n := len(b.Results); n > 0 && b.Results[n-1].Aborted != nil {
		skipped += b.Results[n-1].Aborted.Skipped
	}
	if skipped > 0 {
		b.Aborted = &aborted{reason, after, op.Foreign(url), skipped}
	}
}

// step does one act. An error is one that ends the batch.
func (t *Turn) step(ctx context.Context, s step) (outcome, error) {
	err := t.service.permit(s.Op, s.args)
	var answer json.RawMessage
	if err == nil {
		answer, err = s.Run(ctx, t)
	}
	if err != nil {
		return failedOutcome(ctx, err), endsBatch(ctx, err)
	}
	return outcomeOf(answer), nil
}

// endsBatch returns why no act can be done after one that ended with err, or
// nil. A page that an act has closed is no such reason: that act may have been
// meant to.
func endsBatch(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, page.ErrClosed) {
		return cause
	}
	for _, lost := range []error{cdp.ErrClosed, page.ErrCrashed} {
		if errors.Is(err, lost) {
			return lost
		}
	}
	return nil
}

// inBatch runs an act of a batch within the turn that the batch holds, with the
// act's own answer to a dialog.
func inBatch(ctx context.Context, t *Turn, _ *op.Op, req any, do work) (any, error) {
	defer t.answerAhead(req.(tabRequest).call().Dialog)()
	own, err := do(ctx, t)
	return own, soFar(ctx, own, err)
}

// concerns reports an act that names another tab than the batch's.
func (t *Turn) concerns(all actions) error {
	for _, s := range all {
		if on := s.Request().(tabRequest).call().On; !t.meant(on) {
			return op.Errorf(op.ActTargetMismatch, "batched action targetId must match request targetId").
				Hinted("the batch is on tab %s: name that one, or none, in its acts", t.tab.Info().ID)
		}
		if nested, ok := s.Request().(batchRequest); ok {
			if err := t.concerns(nested.Actions); err != nil {
				return err
			}
		}
	}
	return nil
}

// meant reports whether this turn's tab is the one that a request means. No
// name at all means it.
func (t *Turn) meant(on On) bool {
	if on.Profile != "" {
		_, b, err := t.service.running(on.InProfile)
		if err != nil || b != t.tab.Browser() {
			return false
		}
	}
	if on.TargetID == "" {
		return true
	}
	tab, err := t.tab.Browser().Find(on.TargetID)
	return err == nil && tab == t.tab
}
