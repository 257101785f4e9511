package call

import (
	"errors"

	"chela/internal/engine/browser"
	"chela/internal/op"
	"chela/internal/wall/limits"
)

// explainTab explains why a tab could not be found or named, or why its download could not be
// waited for. It returns nil for any other failure. Most messages are OpenClaw's, and the hint has
// what they leave out.
func explainTab(err error) *op.Error {
	if none, ok := errors.AsType[*browser.NoTabError](err); ok {
		return noTab(none)
	}
	if many, ok := errors.AsType[*browser.AmbiguousTabError](err); ok {
		return op.Errorf(op.Conflict, "ambiguous browser tab reference").
			Hinted("%q fits %d tabs: use a tab id like %q", many.Name, many.Fits, many.First)
	}
	if label, ok := errors.AsType[*browser.LabelError](err); ok && label.LikeID {
		return op.Errorf(op.Invalid, "tab label %q looks like a tab id", label.Label).Hinted("choose a label that is not t and a number, or 32 hexadecimal digits")
	} else if ok {
		return op.Errorf(op.Invalid, "tab label must be 1-64 chars and use only letters, numbers, _, ., :, or -")
	}
	if errors.Is(err, browser.ErrSuperseded) {
		return op.Errorf(op.Conflict, "Download was superseded by another waiter")
	}
	return nil
}

// noTab says that no tab has this name. The texts are OpenClaw's. A bare number is most likely a
// place in the list of tabs, which only tab select takes. Places change with each use of a tab, so
// the number could mean another tab by the time of the call.
func noTab(e *browser.NoTabError) *op.Error {
	if e.IsNumber() {
		return op.NoTab(
			`tab not found: browser tab %q not found. Numeric values are not tab targets; `+
				`use a stable tab id like "t1", a label, or a raw targetId. `+
				`For positional selection, use "chela tab select %s".`, e.Name, e.Name).Hinted("list the tabs")
	}
	missing := op.NoTab(
		"tab not found: browser tab %q not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.", e.Name).
		Hinted("list the tabs")
	switch {
	case e.Swept:
		missing.Hinted("it was closed, as it was not used for long or its session had too many tabs: open its page again")
	case e.Opener != "":
		missing.Hinted("it was the current tab, and has closed: focus %s, which had opened it, or list the tabs", e.Opener)
	case e.Left != "":
		missing.Hinted("the current tab has gone: focus %s, another tab of the session, or list the tabs", e.Left)
	case e.Closed:
		missing.Hinted("it was closed, or its browser was stopped: list the tabs, or open its page again")
	case e.OtherTab != "":
		missing.Hinted("%s has this label in the session %s: name it by its id, or list the tabs", e.OtherTab, e.Owner)
	}
	return missing
}

// explainLease explains that another session has the tab. It returns nil for any other failure.
func explainLease(err error) *op.Error {
	leased, ok := errors.AsType[*browser.LeasedError](err)
	if !ok {
		return nil
	}
	e := op.Errorf(op.Conflict, "%v", leased).Hinted("use another tab, or try again after that")
	e.Details = map[string]any{"tabId": leased.Tab, "session": leased.Session, "leasedUntil": leased.Until}
	return e
}

// explainLimit explains errors about the limits of sessions. It returns nil for any other failure.
func explainLimit(err error) *op.Error {
	if errors.Is(err, browser.ErrUnlimited) {
		return op.Errorf(op.NotSupported, "%v", browser.ErrUnlimited).Hinted("use a profile whose browser chela starts")
	}
	if errors.Is(err, browser.ErrOpenedUnlimited) {
		return op.Errorf(op.Conflict, "the session is isolated already or has tabs, which may open all hosts that the policy allows").
			Hinted("a session is limited with the first tab that it opens")
	}
	if errors.Is(err, limits.ErrFull) {
		return op.Errorf(op.TooMany, "%v", limits.ErrFull).Hinted("chela sessions lists them; end those that are not needed, by chela session end NAME")
	}
	if errors.Is(err, browser.ErrTooManyIsolated) {
		return op.Errorf(op.TooMany, "%v", browser.ErrTooManyIsolated).
			Hinted("all have tabs or were used within a day; end those that are not needed, by chela session end NAME")
	}
	other, ok := errors.AsType[*limits.HostsError](err)
	if !ok {
		return nil
	}
	return op.Errorf(op.Conflict, "%v", other).Hinted("a limit stays until the user ends the session")
}
