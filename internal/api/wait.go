package api

import (
	"context"
	"errors"
	"slices"
	"time"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// maxWait is the longest fixed wait, in milliseconds.
const maxWait = 30000

// A waitRequest waits for everything that it names, in the order of its fields, each as long as the
// deadline allows.
type waitRequest struct {
	call.Acting
	TimeMs    *int   `json:"timeMs,omitempty" min:"0" flag:"time,time-ms" doc:"milliseconds to wait first, at most 30000"`
	Text      string `json:"text,omitempty" doc:"until this text is shown"`
	TextGone  string `json:"textGone,omitempty" doc:"until this text is no longer shown"`
	Selector  string `json:"selector,omitempty" doc:"until an element that this CSS selector matches is visible"`
	URL       string `json:"url,omitempty" doc:"until the address is this, contains this, or fits this glob (** crosses slashes)"`
	LoadState string `json:"loadState,omitempty" flag:"load" enum:"load,domcontentloaded,networkidle" unknown:"Invalid --load value: {}" doc:"until the page has reached this state" tool:"+"`
	Fn        string `json:"fn,omitempty" script:"true" doc:"until this script returns a true value"`
}

// Check returns errors with OpenClaw's texts.
func (r waitRequest) Check() error {
	state := slices.Contains([]string{"", page.Loaded, page.DOMLoaded, page.NetworkIdle}, r.LoadState)
	switch {
	case r.conditions() == 0:
		return op.Errorf(op.ActInvalid, "wait requires at least one of: timeMs, text, textGone, selector, url, loadState, fn").
			Hinted("such as timeMs for a time, loadState for the page, or textGone")
	case r.TimeMs != nil && *r.TimeMs < 0:
		return op.Errorf(op.ActInvalid, "wait timeMs must be a non-negative integer.")
	case r.TimeMs != nil && *r.TimeMs > maxWait:
		return op.Errorf(op.ActInvalid, "wait timeMs exceeds maximum of %dms", maxWait)
	case !state:
		return op.Errorf(op.ActInvalid, "loadState must be load|domcontentloaded|networkidle")
	}
	return nil
}

// conditions counts what the request waits for.
func (r waitRequest) conditions() int {
	n := 0
	for _, given := range []bool{
		r.TimeMs != nil, r.Text != "", r.TextGone != "", r.Selector != "", r.URL != "", r.LoadState != "", r.Fn != "",
	} {
		if given {
			n++
		}
	}
	return n
}

// pause returns the time that the request waits in any case, before its conditions; 0 if it has
// none. Check has made sure that it is at most maxWait.
func (r waitRequest) pause() time.Duration {
	if r.TimeMs == nil {
		return 0
	}
	return time.Duration(*r.TimeMs) * time.Millisecond
}

// WaitTime returns what is added to the deadline: the fixed time that is waited first, and the time
// for the answer. So the conditions have all of timeoutMs.
func (r waitRequest) WaitTime() time.Duration { return r.Settle() + r.pause() + page.AnswerTime }

// Want lets the call run beside the acts of others: one of them may bring about what it waits for.
func (r waitRequest) Want() call.Want {
	w := r.Acting.Want()
	w.Beside = true
	return w
}

// wait waits for its conditions, one after the other, until the deadline of the call. When a later
// one is met, an earlier one may not hold any more: expect is for what has to hold at the same
// time. Errors are a [*page.WaitError] with the condition that was not met, and an error for a
// selector or script that cannot be read.
func wait(ctx context.Context, t *call.Turn, r waitRequest) (call.Done, error) {
	steps := []struct {
		asked bool
		what  string
		wait  func() error
	}{
		{r.TimeMs != nil, "a pause", func() error { return page.Pause(ctx, r.pause()) }},
		{r.Text != "", "a text", func() error { return t.Page.WaitText(ctx, r.Text, false) }},
		{r.TextGone != "", "a text to be gone", func() error { return t.Page.WaitText(ctx, r.TextGone, true) }},
		{r.Selector != "", "an element", func() error { return wrongInAct(t.Page.WaitSelector(ctx, r.Selector)) }},
		{r.URL != "", "an address", func() error { return t.Page.WaitURL(ctx, r.URL) }},
		{r.LoadState != "", "the page to load", func() error { return t.Page.WaitLoad(ctx, r.LoadState) }},
		{r.Fn != "", "a script", func() error { return t.Page.WaitFunction(ctx, r.Fn) }},
	}
	done := 0
	for _, step := range steps {
		if !step.asked {
			continue
		}
		op.Progress(ctx, done, r.conditions(), "waiting for "+step.what)
		if err := step.wait(); err != nil {
			return call.Done{}, err
		}
		done++
	}
	return call.Done{}, nil
}

// wrongInAct gives the error about a selector the code that OpenClaw uses for wrong arguments of
// acts. Other errors are returned as they are.
func wrongInAct(err error) error {
	wrong, ok := errors.AsType[*page.SelectorError](err)
	if !ok {
		return err
	}
	e := op.AsError(call.Explain(wrong))
	e.Code = op.ActInvalid
	return e
}
