package frame

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

var (
	// ErrGone says that the document of a call was replaced, or that its frame was removed.
	ErrGone = errors.New("the document has gone")

	// ErrBusy says that a page did not answer before the deadline: its scripts, layout or printing
	// keep chela's script from running.
	ErrBusy = errors.New("the page does not answer")

	// ErrEnded says that Chromium ended chela's script, which may have run in part. This happens when
	// chela ends a script that keeps another tab busy. Tabs of one site may share a process, and
	// Chromium ends whatever runs there. An ErrEnded is also an ErrBusy.
	ErrEnded = fmt.Errorf("%w: its process ended a script", ErrBusy)

	// ErrCrashed says that the process of a tab crashed.
	ErrCrashed = errors.New("the tab crashed")

	// ErrFrameCrashed says that the process of a cross-site frame crashed. The rest of the tab can
	// still be used.
	ErrFrameCrashed = errors.New("a frame of the page crashed")
)

// Failure converts the error of a protocol command that was sent to the session of a page. It
// returns ErrBusy at the deadline of ctx, ErrGone if the document or its process has gone, and
// ErrEnded if Chromium ended a script. Otherwise it returns err: the cause of ctx, why the session
// ended, or a [*cdp.Error].
func Failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), err) {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return err
	}
	if e, ok := errors.AsType[*cdp.Error](err); ok && documentGone(e.Message) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	if e, ok := errors.AsType[*cdp.Error](err); ok && strings.Contains(e.Message, "Execution was terminated") {
		return fmt.Errorf("%w: %w", ErrEnded, err)
	}
	if errors.Is(err, cdp.ErrDetached) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// documentGone reports whether Chromium's message says that a script context, or an object in it,
// no longer exists. Chromium has no error code for that.
func documentGone(message string) bool {
	for _, sign := range []string{
		"context", "ContextId", "navigated or closed", "Not attached to an active page",
		"Promise was collected", "find object with given id",
	} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

// ExceptionText returns the text of a script's exception, with its stack if it was an Error.
func ExceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	if d.Exception != nil && len(d.Exception.Value) > 0 {
		return d.Text + " " + string(d.Exception.Value)
	}
	return d.Text
}
