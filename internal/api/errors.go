package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chela/internal/base/child"
	"chela/internal/base/config"
	"chela/internal/base/excerpt"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/wall/guard"
)

// explain gives a failure of the packages below its text, code and hint; that its input was sent is
// added to it. What is not known here is returned as it is, and reaches the caller as internal.
//
// The packages below return errors with types and values, and without advice. What a caller can do
// depends on the operation and on the texts of OpenClaw; see docs/openclaw.md. All these are here,
// so that one failure has the same text on each surface.
//
// An error may wrap several. What the call was for is looked at first (worded), then what ended it
// (explainEnd): the former says more. Whoever repeats an act whose input was sent may do it twice,
// so the error also says that.
func explain(err error) error {
	if err == nil {
		return nil
	}
	e := worded(err)
	if e == nil {
		var isEnd bool
		if e, isEnd = errors.AsType[*op.Error](explainEnd(err)); !isEnd {
			return err
		}
	}
	marked := *e
	marked.Sent = e.Sent || errors.Is(err, page.ErrSent)
	marked.Message = op.Foreign(excerpt.Of(string(e.Message), maxMessage))
	return &marked
}

// maxMessage is how many characters a message may have: it may quote what a script threw.
const maxMessage = 4096

// worded words a failure of what a call was for. An [op.Error] has its words
// already. Nil is any other failure: the end of the page, the browser or the time.
func worded(err error) *op.Error {
	if failed, ok := errors.AsType[*renderError](err); ok {
		return prefixedError(failed.words, explainLook(failed.err))
	}
	if e, ok := errors.AsType[*op.Error](err); ok {
		return e
	}
	return cmp.Or(
		explainElement(err), explainScript(err), explainWait(err), explainPage(err),
		explainUpload(err), explainClipboard(err), explainRefusal(err), explainSetting(err), explainJournal(err), explainTab(err), explainLease(err),
		explainLimit(err), explainProfile(err), explainStart(err),
		explainCookies(err), explainPermission(err), explainStorage(err), explainParser(err),
	)
}

// explainEnd words what ended a call before it was done; err itself is any other failure.
//
// The order matters, as one error may wrap others. A full disk is the cause of whatever else
// failed. ErrCrashedAgain comes together with ErrCrashed. A call on a busy page, or on a tab that
// other calls have occupied, ends by its deadline. So these causes come before the deadline, which
// is reported only if nothing else is known.
func explainEnd(err error) error {
	load, failed := errors.AsType[*page.LoadError](err)
	forbidden, blocked := errors.AsType[*guard.Refused](err)
	switch {
	case slices.ContainsFunc(noSpace, func(full error) bool { return errors.Is(err, full) }):
		return op.Errorf(op.NoSpace, "the disk is full: %v", err).Hinted("free some space, then call again")
	case failed:
		return notLoaded(load)
	case blocked:
		return refused(forbidden)
	case errors.Is(err, browser.ErrCrashedAgain):
		return op.Errorf(op.TabCrashed, "the tab crashed again when its page was opened anew").
			Hinted("navigate it elsewhere or close it: this page may crash each time")
	case errors.Is(err, page.ErrCrashed):
		return op.Errorf(op.TabCrashed, "the tab crashed").Hinted("the next call opens it again; refs are stale")
	case errors.Is(err, page.ErrReplaced):
		return op.Errorf(op.PageFailed, "the page went elsewhere during the call").Hinted("try again: another page is there now")
	case errors.Is(err, page.ErrClosed):
		return op.Errorf(op.TabClosed, "the tab was closed").Hinted("list the tabs")
	case errors.Is(err, cdp.ErrSilent):
		return op.Errorf(op.BrowserLost, "the browser does not answer: nothing came by the connection to it any more, which has been ended").
			Hinted("call again: the connection is made anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrLine):
		return op.Errorf(op.BrowserLost, "the connection to the browser ended during the call").
			Hinted("call again: it is made anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrClosed):
		return op.Errorf(op.BrowserLost, "the browser ended during the call").
			Hinted("call again: it is started anew; take a new snapshot before acting")
	case errors.Is(err, page.ErrSent):
		e := op.Errorf(op.PageBusy, "the page took the input, but did not answer in time: its script is busy").
			Hinted("take a snapshot to see what came of it before you act again")
		e.Sent = true
		return e
	case errors.Is(err, page.ErrBusy):
		return op.Errorf(op.PageBusy, "the page did not answer in time: its script is busy").
			Hinted("wait and try again, or navigate away or close the tab: that ends the script")
	case errors.Is(err, page.ErrOccupied):
		return op.Errorf(op.Deadline, "not done in time: other calls were at work on the tab until the deadline").
			Hinted("try again, with a larger timeoutMs if they take long")
	case errors.Is(err, context.Canceled):
		return op.Errorf(op.Canceled, "the call was canceled")
	case errors.Is(err, profile.ErrAllowing):
		return op.Errorf(op.Deadline, "not done in time: %v", profile.ErrAllowing).Hinted("ask the user to allow it there, and call again")
	case errors.Is(err, profile.ErrStarting):
		return op.Errorf(op.Deadline, "not done in time: the browser is still starting").
			Hinted("call again: it goes on starting, and the next call waits for it or finds it running")
	case errors.Is(err, op.ErrDeadline), errors.Is(err, context.DeadlineExceeded):
		return op.Errorf(op.Deadline, "not done in time").Hinted("try again with a larger timeoutMs")
	}
	return err
}

// explainScript words what came of a script of the caller; nil is any other failure. The first
// words of what a script threw, and those for its time, are OpenClaw's.
func explainScript(err error) *op.Error {
	if threw, ok := errors.AsType[*page.ScriptError](err); ok {
		hint := "the script threw: check it against the page"
		if threw.Syntax {
			hint = "the script cannot be read: check its grammar"
		}
		return op.Errorf(op.ScriptFailed, "Invalid evaluate function: %s", threw.Text).Hinted("%s", hint)
	}
	if result, ok := errors.AsType[*page.ResultError](err); ok {
		return op.Errorf(op.ScriptFailed, "the script's result cannot be given as JSON: %s", result.Reason).
			Hinted("return plain values, not objects of the page")
	}
	switch {
	case errors.Is(err, page.ErrScriptTimeout):
		return op.Errorf(op.Deadline, "evaluate timed out").Hinted("make the script shorter, or give it more time with timeoutMs")
	case errors.Is(err, page.ErrScriptReplaced):
		return op.Errorf(op.ScriptFailed, "the page was replaced while the script ran").Hinted("take a snapshot to see where it is now")
	}
	return nil
}

// explainWait words that what was waited for did not come; nil is any other failure. A busy page
// has a code and hint of its own, since a snapshot of it would not come either.
func explainWait(err error) *op.Error {
	e, ok := errors.AsType[*page.WaitError](err)
	switch {
	case !ok:
		return nil
	case e.Busy:
		return op.Errorf(op.PageBusy, "Timed out waiting for %s: the page does not answer.", awaited(e.Awaited)).
			Hinted("wait and try again, or navigate away or close the tab: that ends the page's script")
	}
	return op.Errorf(op.Deadline, "Timed out waiting for %s.", awaited(e.Awaited)).
		Hinted("take a snapshot to see what the page shows, or wait longer with timeoutMs")
}

// awaited is what a wait waits for, as the end of a sentence.
func awaited(a page.Awaited) string {
	switch a.For {
	case page.ForText:
		return fmt.Sprintf("the text %q to appear", a.Value)
	case page.ForNoText:
		return fmt.Sprintf("the text %q to go away", a.Value)
	case page.ForSelector:
		return fmt.Sprintf("an element that matches %q to be visible", a.Value)
	case page.ForURL:
		return fmt.Sprintf("the address to fit %q", a.Value)
	case page.ForLoad:
		return "the page to reach " + a.Value
	}
	return "the function to answer true"
}

// explainPage words what a page lacks: a page before it, a dialog to answer, a picture that fits or
// a PDF. It returns nil for any other failure. The messages about dialogs and large pictures are
// OpenClaw's.
func explainPage(err error) *op.Error {
	if none, ok := errors.AsType[*page.NoDialogError](err); ok {
		return op.Errorf(op.NotFound, "Dialog %q is not pending.", none.ID).Hinted("list the dialogs")
	}
	if errors.Is(err, page.ErrNoHistory) {
		return op.Errorf(op.Conflict, "the tab's history has no such page").Hinted("navigate to an address instead")
	}
	if errors.Is(err, page.ErrSeveralDialogs) {
		return op.Errorf(op.Conflict, "Multiple dialogs are pending; pass dialogId.")
	}
	if large, ok := errors.AsType[*page.PictureTooLarge](err); ok {
		return op.Errorf(op.PageFailed, "Browser screenshot could not be reduced below 5MB (got %.2fMB)", float64(large.Bytes)/(1<<20))
	}
	if refused, ok := errors.AsType[*page.PrintError](err); ok && refused.TooFewPages() {
		return op.Errorf(op.Invalid, "pageRanges names a page that the document does not have").Hinted("leave it out to print all pages")
	} else if ok {
		return op.Errorf(op.PageFailed, "the page could not be printed: %s", refused.Reason).
			Hinted("try again, or take a screenshot of the whole page")
	}
	if errors.Is(err, page.ErrNoPrinting) {
		return op.Errorf(op.NotSupported, "this browser does not save pages as PDF").
			Hinted("start the browser headless, or take a screenshot of the whole page")
	}
	return nil
}

// explainUpload words why a page did not get files; nil is any other failure. The messages that
// begin with a capital are OpenClaw's.
func explainUpload(err error) *op.Error {
	switch {
	case errors.Is(err, page.ErrSuperseded):
		return op.Errorf(op.Conflict, "File upload was superseded by another waiter")
	case errors.Is(err, page.ErrNoChooser):
		return op.Errorf(op.Deadline, "no file chooser asked for the files")
	case errors.Is(err, page.ErrPicker):
		return op.Errorf(op.NotSupported, "the page has opened a picker that takes no files from outside").
			Hinted("look for a file input and give its ref as inputRef")
	case errors.Is(err, page.ErrOneFile):
		return op.Errorf(op.ActFailed, "Non-multiple file input can only accept single file")
	case errors.Is(err, page.ErrSameNames):
		return op.Errorf(op.ActFailed, "a folder cannot have two files of one name")
	case errors.Is(err, page.ErrTooLarge):
		return op.Errorf(op.TooLarge, "Cannot transfer files larger than 50Mb to a browser not co-located with the server")
	case errors.Is(err, page.ErrElsewhere):
		return op.Errorf(op.NotSupported, "a browser elsewhere is sent the content of files, which can only be given to a file input, and not as a folder").
			Hinted("give the files to the page's file input with upload")
	case errors.Is(err, browser.ErrUnsaved):
		return op.Errorf(op.NotSupported, "the browser of this profile does not report downloads").
			Hinted("use a profile whose browser chela starts, or read the file with response or evaluate")
	}
	return nil
}

// explainTab words what kept a tab from being found or named, or its download from being waited
// for; nil is any other failure. Most messages are OpenClaw's, and what they leave out
// stands in the hint.
func explainTab(err error) *op.Error {
	if none, ok := errors.AsType[*browser.NoTabError](err); ok {
		return noTab(none)
	}
	if many, ok := errors.AsType[*browser.AmbiguousTabError](err); ok {
		return op.Errorf(op.Conflict, "ambiguous browser tab reference").
			Hinted("%q fits %d tabs: use a tab id like %q", many.Name, many.Fits, many.First)
	}
	if label, ok := errors.AsType[*browser.LabelError](err); ok && label.LikeID {
		return op.Errorf(op.Invalid, "tab label %q looks like a tab id", label.Label).Hinted("choose a label that is not t and a number")
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
		return op.Errorf(op.NotFound,
			`tab not found: browser tab %q not found. Numeric values are not tab targets; `+
				`use a stable tab id like "t1", a label, or a raw targetId. `+
				`For positional selection, use "chela tab select %s".`, e.Name, e.Name).Hinted("list the tabs")
	}
	missing := op.Errorf(op.NotFound,
		"tab not found: browser tab %q not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.", e.Name).
		Hinted("list the tabs")
	switch {
	case e.Swept:
		missing.Hinted("it was closed, as it was not used for long or its session had too many tabs: open its page again")
	case e.Elsewhere != "":
		missing.Hinted("%s has this label in the session %s: name it by its id, or list the tabs", e.Elsewhere, e.Owner)
	}
	return missing
}

// explainStart words what kept a browser from being found or started; nil is any other failure.
// The message for a profile is OpenClaw's.
func explainStart(err error) *op.Error {
	if unknown, ok := errors.AsType[*profile.UnknownError](err); ok {
		return op.Errorf(op.NotFound, "Profile %q not found. Available profiles: %s", unknown.Name, strings.Join(unknown.Available, ", ")).
			Hinted("leave the profile out to use the default one")
	}
	if errors.Is(err, profile.ErrClosed) {
		return op.Errorf(op.Stopping, "the server is shutting down")
	}
	if forbidden, ok := errors.AsType[*profile.NotAllowedError](err); ok {
		return notAllowed(forbidden)
	}
	if newer, ok := errors.AsType[*config.NewerError](err); ok {
		return op.Errorf(op.Conflict, "%v", newer).Hinted("%s", newer.Hint())
	}
	if unsupported, ok := errors.AsType[*profile.UnsupportedError](err); ok {
		return notDriven(unsupported)
	}
	if e := explainReach(err); e != nil {
		return e
	}
	if other, ok := errors.AsType[*profile.WindowsError](err); ok {
		return op.Errorf(op.Invalid, "Headless start override is only supported for locally launched chela profiles. "+
			"Profile %q is attach-only, remote, or existing-session.", other.Profile).Hinted("leave headless out")
	}
	if taken, ok := errors.AsType[*profile.PortError](err); ok {
		return op.Errorf(op.Conflict, "Port %d is in use for profile %q but not by chela.", taken.Port, taken.Profile).
			Hinted("end the program that has the port, or give the profile another cdpPort")
	}
	if repeated, ok := errors.AsType[*profile.RepeatedError](err); ok {
		// The code and the hint come from the last failure, as that is what has to be mended.
		last := op.AsError(explain(repeated.Last))
		if explainReach(repeated.Last) != nil {
			return last.Hinted("%s; the next try is possible in %s", last.Hint, repeated.Wait.Round(100*time.Millisecond))
		}
		return op.Errorf(last.Code, "the browser failed to start %d times in a row; last: %s", repeated.Count, last.Message).
			Hinted("%s; the next try is possible in %s", last.Hint, repeated.Wait.Round(time.Second))
	}
	if none, ok := errors.AsType[*chrome.NotFoundError](err); ok {
		return noBrowser(none)
	}
	if headed, ok := errors.AsType[*profile.NoDisplayError](err); ok {
		return noDisplay(headed)
	}
	if failed, ok := errors.AsType[*profile.StartError](err); ok {
		return notStarted(failed)
	}
	return nil
}

// notAllowed says which setting keeps the browser from being started, and in which file
// it stands. The messages are OpenClaw's.
func notAllowed(e *profile.NotAllowedError) *op.Error {
	if e.AttachOnly {
		return op.Errorf(op.Conflict, "Browser attachOnly is enabled and profile %q is not running.", e.Profile).
			Hinted("set attachOnly to false in %s to have one started, or give the profile the cdpUrl of one that runs", e.File)
	}
	return disabled(e.File)
}

// disabled says that browsers are switched off. The words are OpenClaw's.
func disabled(file string) *op.Error {
	return op.Errorf(op.Disabled, "Browser control is disabled. Set browser.enabled=true in %s.", file).
		Hinted("chela config set browser.enabled true")
}

// notDriven says of whose browser a profile is that chela does not connect to.
func notDriven(e *profile.UnsupportedError) *op.Error {
	return op.Errorf(op.NotSupported, "Profile %q is the browser that has the extension, which this version of chela cannot drive.", e.Profile).
		Hinted("use a profile whose browser chela starts, such as %s", profile.Default)
}

// noBrowser says where a browser was looked for, also as a list in details.
func noBrowser(missing *chrome.NotFoundError) *op.Error {
	e := op.Errorf(op.NoBrowser, "%v", missing).Hinted("run: chela install")
	e.Details = map[string]any{"searched": missing.Places}
	if missing.Configured {
		e.Hinted("correct browser.executablePath, or remove it to have one found")
	}
	return e
}

// noDisplay says that windows cannot be shown. Reason and details are OpenClaw's, for
// programs that decide by them; the source says which setting asked for windows.
func noDisplay(headed *profile.NoDisplayError) *op.Error {
	e := op.Errorf(op.Conflict, "a browser with windows was asked for, but there is no display (DISPLAY and WAYLAND_DISPLAY are not set)").
		Hinted("start it headless, or under a display such as Xvfb")
	e.Reason = "no_display_for_headed_profile"
	e.Details = map[string]any{
		"profile": headed.Profile, "requestedHeadless": false, "headlessSource": headed.Source, "displayPresent": false,
	}
	return e
}

// notStarted words a start that failed. One is no fault of the browser: that another one
// uses the directory of the profile, which the user can close.
func notStarted(failed *profile.StartError) *op.Error {
	if locked, ok := errors.AsType[*chrome.LockedError](failed.Err); ok {
		return op.Errorf(op.Conflict, "Cannot start browser profile %q: %v", failed.Profile, locked).
			Hinted("close that browser, or run: chela doctor --fix")
	}
	return op.Errorf(op.BrowserFailed, "%v", failed).Hinted("run: chela doctor")
}

// explainParser words why a document was not read; nil is any other failure.
func explainParser(err error) *op.Error {
	switch {
	case errors.Is(err, child.ErrTooMuch):
		return op.Errorf(op.TooComplex, "the document is too complex: %v to read it", child.ErrTooMuch).
			Hinted("give it more time with timeoutMs, select a part of the page, or open it in a tab and take a snapshot")
	case errors.Is(err, child.ErrClosed):
		return op.Errorf(op.Stopping, "the server is shutting down")
	}
	return nil
}
