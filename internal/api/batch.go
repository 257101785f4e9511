package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A batchRequest is a list of actions for one tab. The batch has the turn of the tab until all are
// done.
type batchRequest struct {
	call.Acting
	Actions     actions `json:"actions" entered:"actions" doc:"what to do: a list of objects, each with a kind and its arguments. The kind is that of an act, or one of navigate, back, forward, reload, snapshot, find, expect, screenshot" tool:"[{kind: click, ref: e1}, ...]"`
	StopOnError *bool   `json:"stopOnError,omitempty" flag:"!continue" default:"true" doc:"stop at the first action that fails"`
}

// Check only refuses an empty list. The actions themselves were checked when the list was read: see
// actions.UnmarshalJSON.
func (r batchRequest) Check() error { return requires("actions are required", len(r.Actions) > 0) }

// WaitTime returns what is added to the deadline of the batch: the sum of the deadlines of its
// acts. If the caller gives a deadline for the whole batch, only the time to settle is added.
func (r batchRequest) WaitTime() time.Duration {
	sum := r.Settle()
	if r.TimeoutMs > 0 {
		return sum
	}
	for _, s := range r.Actions {
		sum += s.Budget
	}
	return sum
}

// stopsOnError reports whether the batch ends after an action that fails: it does unless the caller
// wants to go on. An action after a failed one was most likely meant for another state of the page.
func (r batchRequest) stopsOnError() bool { return r.StopOnError == nil || *r.StopOnError }

// batchResult is the outcome of a batch.
type batchResult struct {
	Results []outcome `json:"results" doc:"the result of each action, in order"`
	Aborted *aborted  `json:"aborted,omitempty" doc:"why the batch stopped early although no action failed" tool:"-"`

	of    int  // how many actions the batch has
	acted bool // see batchRun.acted
}

// aborted says why later actions are skipped. A navigation stops a batch even if nothing failed,
// since refs of the old document mean nothing in the next one.
type aborted struct {
	Reason  string      `json:"reason" doc:"navigation: refs are stale now; closed: the tab has gone; dialog: a dialog is open and must be answered first"`
	After   int         `json:"afterAction" doc:"number of the action after which the batch stopped, from 1; later actions that only read, or release a key or button, were still done"`
	URL     op.PageText `json:"url" doc:"where the page is now"`
	Skipped int         `json:"skipped" doc:"how many actions were not done"`
}

// firstFailed returns the index of the first action that failed, or -1.
func (b batchResult) firstFailed() int { return slices.IndexFunc(b.Results, outcome.failed) }

// Failure returns an error that lists the actions that failed, or nil. The call itself is a
// success, as in OpenClaw: HTTP 200, with the outcome of each action. Because of this error, the
// command line exits with 1 and the agent tool marks its result as an error. If only one action
// failed, the error has its code, else a general one. Its hint is about the action that failed first,
// and lists those that were done, before and after it: they must not be repeated.
func (b batchResult) Failure() error {
	first := b.firstFailed()
	if first < 0 {
		return nil
	}
	var all []string
	for i, o := range b.Results {
		if o.failed() {
			all = append(all, fmt.Sprintf("action %d: %s", i+1, o.Error))
		}
	}
	bad := b.Results[first]
	hint := string(bad.Hint)
	if len(all) > 1 {
		if bad.Code.HintQuotesPage() {
			hint = "" // only the code says that the hint quotes a page
		}
		bad.Code = op.ActFailed // several failures may differ in their codes, and a code may not be right for all
	}
	if done := b.done(); len(done) > 0 && hint != "" {
		hint += "; done: action " + strings.Join(done, ", ") + ", so leave out what was done"
	}
	return &op.Error{Code: bad.Code, Message: op.PageText("batch failed: " + strings.Join(all, "; ")), Hint: hint, Sent: bad.Sent}
}

// done lists the numbers of the actions that were done, from 1.
func (b batchResult) done() (numbers []string) {
	for i, o := range b.Results {
		if o.OK {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	return numbers
}

// Text lists what was done, and says why the rest was not.
func (b batchResult) Text() string {
	all, failed := []string{""}, 0
	for i, o := range b.Results {
		if o.failed() {
			failed++
		}
		if text := words.Lines(o.text(), o.ignoredText()); strings.Contains(text, "\n") {
			all = append(all, fmt.Sprintf("action %d:\n%s", i+1, text))
		} else if text != "" {
			all = append(all, fmt.Sprintf("action %d: %s", i+1, text))
		}
	}
	all[0] = fmt.Sprintf("batch ran %d action(s)", b.ran(0))
	if failed > 0 {
		all[0] += fmt.Sprintf(", %d failed", failed)
	}
	if a := b.Aborted; a != nil {
		why := stopOf(a.Reason)
		all = append(all, fmt.Sprintf("Batch stopped after action %d: %s; %d action(s) skipped. %s", a.After, why.why, a.Skipped, why.next))
	}
	return words.Lines(all...)
}

// Terminal is Text. With this method the command line prints it beside a failure: what actions
// have read before that must not be lost.
func (b batchResult) Terminal() string { return b.Text() }

// Note says why actions were left out, with OpenClaw's text.
func (b batchResult) Note() string {
	if b.Aborted == nil {
		return ""
	}
	why := stopOf(b.Aborted.Reason)
	return fmt.Sprintf("Batch aborted after action %d because %s; %d remaining action(s) skipped. %s",
		b.Aborted.After, why.because, b.Aborted.Skipped, why.advice)
}

// ran counts the actions that were begun, without those before the given index.
func (b batchResult) ran(from int) (n int) {
	for _, o := range b.Results[min(from, len(b.Results)):] {
		if !o.Skipped {
			n++
		}
	}
	return n
}

// A batchStop is a reason for a batch to end before its last act. It has words for the command line
// and words for a model.
type batchStop struct{ why, next, because, advice string }

func stopOf(reason string) batchStop {
	switch reason {
	case "navigation":
		return batchStop{"page navigated", "Take a fresh snapshot before continuing.", "the page navigated", "Earlier refs are stale."}
	case "closed":
		return batchStop{"the tab was closed", "List the tabs before continuing.",
			"the page or browser context closed", "Take a new snapshot before continuing."}
	case "dialog":
		return batchStop{"a dialog opened", "Answer it before continuing.", "a dialog opened", "Answer it before continuing."}
	}
	return batchStop{}
}

// SoFar adds to an error what the batch had done before it.
func (b batchResult) SoFar(e *op.Error) {
	if len(b.Results) == 0 {
		return
	}
	e.Message += op.PageText(fmt.Sprintf(" (of %d acts, %d were sent and %d were done)", b.of, b.ran(0), len(b.done())))
	e.Details = map[string]any{"results": b.Results, "sent": b.ran(0), "of": b.of}
	e.Sent = e.Sent || b.acted
	e.Hint = "take a snapshot to see what came of it, then do the acts that are left"
}

// batch does the actions of the request in order. A navigation that an act causes makes all refs
// stale, so later acts are skipped. Later readings are still done, as they show where the
// navigation led. Keys and buttons are still released, or they would stay down. A navigation that is
// an action of the batch is expected, and ends nothing.
//
// The batch holds one turn for all of its actions, so that no other call comes between them. Its
// effects are observed once, at the end. It ends early when an action failed, unless stopOnError is
// false. It also ends, with the reason in Aborted, when
//
//   - the page navigated during an act, also within its document (pushState): refs of the caller
//     may then name other elements than it has seen;
//   - the tab was closed;
//   - a dialog opened: no input reaches the page before it is answered.
//
// An error is returned for what ends the whole call: the deadline, a crash, the loss of the
// browser. The result is returned with the error, because it says what was done before. An agent
// that knew only the error might repeat the batch, and so do these actions twice. A failure of one
// action is not returned as an error: it is the outcome of that action.
func batch(ctx context.Context, t *call.Turn, r batchRequest) (batchResult, error) {
	run := batchRun{turn: t, perAction: call.EfficientChars}
	if r.MaxChars != nil {
		run.perAction = *r.MaxChars
	}
	done, err := run.batch(ctx, r)
	return done, cmp.Or(err, run.dialog)
}

// A batchRun is the state that a batch shares with the batches inside it while they run.
type batchRun struct {
	turn      *call.Turn
	perAction int   // how many characters the result of an action may have; 0 means no limit
	navigated bool  // an act has led to another document
	acted     bool  // input or a script of an act was sent to the page, so the batch must not simply be repeated
	dialog    error // the [page.DialogOpen] that has ended the batch
}

// batch does the actions of the request, or of a batch within it.
func (run *batchRun) batch(ctx context.Context, r batchRequest) (batchResult, error) {
	t, b := run.turn, batchResult{Results: []outcome{}, of: len(r.Actions)}
	if err := checkTabs(ctx, t, r.Actions); err != nil {
		return b, err
	}
	t.Hide(r.Seeing)
	last := b.of // how many actions come before the first act that is skipped
	for i, s := range r.Actions {
		if i >= last && !s.loose {
			continue
		}
		op.Progress(ctx, i, b.of, fmt.Sprintf("action %d of %d: %s", i+1, b.of, s.Op.Name()))
		o, over := run.step(op.WithProgress(ctx, nil), s) // without progress reports: a batch in this batch would count its own actions
		b.acted = run.acted
		if _, dialog := errors.AsType[*page.DialogOpen](over); dialog { // it was there before the action was done
			run.dialog = over
			b.abort("dialog", i, t.Page.URL())
			return b, nil
		}
		b.add(i, o)
		switch {
		case over != nil:
			return b, over
		case run.dialog != nil:
			b.abort("dialog", i+1, t.Page.URL())
			return b, nil
		case errors.Is(t.Page.Err(), page.ErrClosed):
			b.abort("closed", i+1, t.Page.URL())
			return b, nil
		case run.navigated && i < last:
			last = i + 1
		}
		if o.failed() && r.stopsOnError() {
			break
		}
	}
	if run.navigated {
		b.abort("navigation", last, t.Page.URL())
	}
	return b, nil
}

// add adds the outcome of the action at index i. It first adds outcomes for the skipped actions
// before i, so that each outcome stands in the place of its action.
func (b *batchResult) add(i int, o outcome) {
	for len(b.Results) < i {
		b.Results = append(b.Results, outcome{Skipped: true})
	}
	b.Results = append(b.Results, o)
}

// abort notes why the batch stopped, if that made it skip actions. It counts the actions after the
// stop. The parameter after is the place of the action at the stop, counted from 1. If that action
// is itself a batch, the rest of that batch counts as well. If no action was skipped, the field
// Aborted is left out, as in OpenClaw.
func (b *batchResult) abort(reason string, after int, url string) {
	skipped := b.of - after - b.ran(after)
	if 0 < after && after <= len(b.Results) && b.Results[after-1].Aborted != nil {
		skipped += b.Results[after-1].Aborted.Skipped
	}
	if skipped > 0 {
		b.Aborted = &aborted{reason, after, words.Shown(url), skipped}
	}
}

// step does one action. It returns an error only if that ends the whole batch; a failure of this
// action alone is in its outcome. The counter Visits tells whether the page has navigated during
// the action, whatever caused the navigation.
func (run *batchRun) step(ctx context.Context, s step) (o outcome, over error) {
	t := run.turn
	visits := t.Page.Visits()
	answer, err := run.result(ctx, s)
	if err == nil {
		err = t.Refused(ctx)
	} else {
		t.ForgetRefusal()
	}
	if err != nil {
		o, over = failedOutcome(err), endsBatch(ctx, err)
	} else {
		o = outcomeOf(s.Op, answer, run.perAction)
	}
	_, batch := s.Request().(batchRequest) // a batch inside this one has set run.acted and run.navigated itself
	run.acted = run.acted || !batch && s.Op.Touches(s.args) && (o.OK || o.Sent)
	if s.goes {
		t.Arrived()
	}
	if t.Page.Visits() != visits {
		o.Navigated, o.URL = true, words.Shown(t.Page.URL())
		run.navigated = run.navigated || !s.goes && !batch
	}
	return o, over
}

// result does one action and returns its own answer. The permission to run scripts is checked here
// again, because the check of the call is about the batch and not about its actions.
func (run *batchRun) result(ctx context.Context, s step) (json.RawMessage, error) {
	if err := run.turn.Service.Allow(ctx, s.Op, s.args); err != nil {
		return nil, err
	}
	s, err := s.within(run.perAction)
	if err != nil {
		return nil, err
	}
	return call.RunPart(ctx, s.Call, s.args, run)
}

// endsBatch returns the error that ends the whole batch after an act ended with err; nil if the
// batch can go on. A closed page is no reason to end the batch, since the act may have been meant
// to close it.
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

// inBatch runs an act of a batch within the turn that the batch holds. If the act has an answer to
// a dialog, that answer is prepared for the time of the act. Acts outside of a batch run by
// call.OnTab, which finds the tab, waits for its turn and describes the tab in the answer. The
// batch does all this once for all of its acts. If a dialog ends an act that had sent its input, the
// act has opened the dialog, and was done: the batch ends after it.
func inBatch(ctx context.Context, run *batchRun, _ *op.Op, req any, do call.Work) (own any, err error) {
	defer run.turn.AnswerAhead(req.(call.TabRequest).Want().Dialog)()
	if nested, ok := req.(batchRequest); ok {
		own, err = run.batch(ctx, nested)
	} else {
		own, err = do(ctx, run.turn)
	}
	if dialog, ok := errors.AsType[*page.DialogOpen](context.Cause(ctx)); ok && errors.Is(err, page.ErrSent) {
		run.dialog, err = dialog, nil
	}
	if s, ok := own.(shortened); ok {
		own = s.short()
	}
	return own, call.SoFar(own, err)
}

// checkTabs reports an act that names another tab than the batch's. It looks at all acts, also in
// batches within the batch, before the first is done: acts on a wrong tab could not be undone.
func checkTabs(ctx context.Context, t *call.Turn, all actions) error {
	for _, s := range all {
		if on := s.Request().(call.TabRequest).Want().On; !isMeant(ctx, t, on) {
			return op.Errorf(op.ActTargetMismatch, "batched action targetId must match request targetId").
				Hinted("the batch is on tab %s: name that one, or none, in its acts", t.Tab.Info().ID)
		}
		if nested, ok := s.Request().(batchRequest); ok {
			if err := checkTabs(ctx, t, nested.Actions); err != nil {
				return err
			}
		}
	}
	return nil
}

// isMeant reports whether a request is about the tab of this turn. A request that names no tab is
// also about the tab of this turn. Names are resolved to tabs, and the tabs are compared, because a
// tab has several names: a handle, a label, target ids.
func isMeant(ctx context.Context, t *call.Turn, on call.On) bool {
	if on.Profile != "" {
		_, b, err := t.Service.Running(on.InProfile)
		if err != nil || b != t.Tab.Browser() {
			return false
		}
	}
	if on.TargetID == "" {
		return true
	}
	tab, err := call.Session(ctx, t.Tab.Browser()).Find(on.TargetID)
	return err == nil && tab == t.Tab
}
