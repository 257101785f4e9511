package call

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/wall/excerpt"
	"chela/internal/wall/guard"
)

// Explain returns the error that the caller sees for a failure of a lower package: with a text, a
// code and a hint. If input was sent before the failure, the error also says so, because a caller
// that repeats the act may do it twice. A failure that Explain does not know is returned as it is,
// and reaches the caller with the code internal.
//
// The lower packages return errors with types and values, and without advice. What a caller can do
// depends on the operation and on the texts of OpenClaw; see docs/openclaw.md. All texts and hints
// are in this package, so that one failure has the same text on each surface.
//
// An error may wrap several. Errors about the operation (worded) come before those that only say
// what ended the call (explainEnd), because they say more. Those about files (explainFile) come
// last: when the browser ends, its pipe fails with an error of a file, which says less.
func Explain(err error) error {
	if err == nil {
		return nil
	}
	e := worded(err)
	if e == nil {
		var isEnd bool
		if e, isEnd = errors.AsType[*op.Error](explainEnd(err)); !isEnd {
			e = explainFile(err)
		}
		if e == nil {
			return err
		}
	}
	marked := *e
	marked.Sent = e.Sent || errors.Is(err, page.ErrSent)
	marked.Message = op.PageText(excerpt.Of(string(e.Message), maxMessage))
	marked.Hint = excerpt.Of(e.Hint, maxHint)
	if marked.Sent && saysRepeat[e.Code] {
		marked.Hint = lookFirst
	}
	return &marked
}

// saysRepeat are the codes of errors whose hint is to call again. That is wrong after input was sent.
var saysRepeat = map[op.Code]bool{op.BrowserLost: true, op.TabCrashed: true, op.Stopping: true}

// The limits of how many characters a message and a hint may have. A message may quote what a script
// threw, and a hint what an endpoint answered.
const (
	maxMessage = 4096
	maxHint    = 1000
)

// lookFirst is the hint of an error after which nobody knows what the call has done.
const lookFirst = "take a snapshot to see what came of it before you act again"

// busy says why a page does not answer. All three keep its thread busy, and which of them does is not
// known.
const busy = "its script, layout or printing is busy"

// worded returns the explained error of a failure, which may be an [op.Error] already. It returns
// nil for a failure that says nothing about the operation, such as the end of the page, the browser
// or the time.
func worded(err error) *op.Error {
	if failed, ok := errors.AsType[*renderError](err); ok {
		return PrefixedError(failed.words, explainLook(failed.err))
	}
	if e, ok := errors.AsType[*op.Error](err); ok {
		return e
	}
	return cmp.Or(
		explainDisk(err), explainPlace(err), explainElement(err), explainScript(err), explainWait(err), explainPage(err),
		explainUpload(err), explainClipboard(err), explainRefusal(err), explainSetting(err), explainJournal(err), explainTab(err), explainLease(err),
		explainLimit(err), explainProfile(err), explainPortable(err), explainStart(err),
		explainCookies(err), explainPermission(err), explainStorage(err), explainParser(err), explainSecret(err),
	)
}

// explainDisk explains that the disk is full, which is the cause of whatever else failed. It returns
// nil for any other failure.
func explainDisk(err error) *op.Error {
	cause := err
	if failed, ok := errors.AsType[*profile.StartError](err); ok { // errors.Is does not look into it
		err, cause = failed, failed.Err
	}
	if !config.IsNoSpace(cause) {
		return nil
	}
	return op.Errorf(op.NoSpace, "the disk is full: %v", err).Hinted("free some space, then call again")
}

// explainFile explains that the system has refused to read or write a file, or a folder. The cause
// is mostly outside of chela, such as a disk that fails or can only be read. It returns nil for any
// other failure.
func explainFile(err error) *op.Error {
	_, ofPath := errors.AsType[*fs.PathError](err)
	_, ofLink := errors.AsType[*os.LinkError](err)
	if !ofPath && !ofLink || errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return op.Errorf(op.FileFailed, "%v", err).Hinted("the user can see to the file or folder that the message names, then call again")
}

// explainEnd explains what ended a call before it was done. It returns any other failure as it is.
//
// The order matters, because one error may wrap others. ErrCrashedAgain comes together with
// ErrCrashed. A call on a busy page, or on a tab that other calls have occupied, ends by its
// deadline. So these causes come before the deadline, which is reported only if nothing else is
// known.
func explainEnd(err error) error {
	load, failed := errors.AsType[*page.LoadError](err)
	forbidden, blocked := errors.AsType[*guard.Refused](err)
	person, taken := errors.AsType[*page.TakenError](err)
	switch {
	case failed:
		return notLoaded(load)
	case blocked:
		return refused(forbidden)
	case errors.Is(err, browser.ErrCrashedAgain):
		return op.Errorf(op.TabCrashed, "the tab crashed again when its page was opened anew").
			Hinted("navigate it elsewhere or close it: this page may crash each time")
	case errors.Is(err, page.ErrCrashed):
		return op.Errorf(op.TabCrashed, "the tab crashed").Hinted("the next call opens it again; refs are stale")
	case errors.Is(err, page.ErrFrameCrashed):
		return op.Errorf(op.PageFailed, "%v", page.ErrFrameCrashed).Hinted("reload the page; until then its other frames can be used")
	case errors.Is(err, page.ErrStuck):
		return op.Errorf(op.TabCrashed, "%v", page.ErrStuck).Hinted("the next call opens the page again; refs are stale")
	case errors.Is(err, page.ErrStopped):
		return stopped()
	case taken:
		return takenError(person)
	case errors.Is(err, page.ErrReplaced) && errors.Is(err, page.ErrSent):
		return op.Errorf(op.PageFailed, "the page went elsewhere during the call, which had done a part").
			Hinted(lookFirst)
	case errors.Is(err, page.ErrReplaced):
		return op.Errorf(op.PageFailed, "the page went elsewhere during the call").Hinted("try again: another page is there now")
	case errors.Is(err, page.ErrUnattached):
		return op.Errorf(op.PageFailed, "the debugger was detached from the tab during the call").Hinted("the next call attaches it anew, if it can be; take a snapshot first")
	case errors.Is(err, page.ErrClosed):
		return op.Errorf(op.TabClosed, "the tab was closed").Hinted("list the tabs")
	case errors.Is(err, cdp.ErrSilent) && !errors.Is(err, cdp.ErrWebSocketEnded):
		return op.Errorf(op.BrowserLost, "the browser did not answer any more, and has been ended").
			Hinted("call again: it is started anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrSilent):
		return op.Errorf(op.BrowserLost, "the browser does not answer: nothing came by the connection to it any more, which has been ended").
			Hinted("call again: the connection is made anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrWebSocketEnded):
		return op.Errorf(op.BrowserLost, "the connection to the browser ended during the call").
			Hinted("call again: it is made anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrClosed):
		return op.Errorf(op.BrowserLost, "the browser ended during the call").
			Hinted("call again: it is started anew; take a new snapshot before acting")
	case errors.Is(err, cdp.ErrUnconfirmed):
		e := op.Errorf(op.BrowserLost, "the connection to the browser's extension was lost during the call, which may have been done").
			Hinted(lookFirst)
		e.Sent = true
		return e
	case errors.Is(err, page.ErrSent):
		e := op.Errorf(op.PageBusy, "the page took the input, but did not answer in time: %s", busy).
			Hinted(lookFirst)
		e.Sent = true
		return e
	case errors.Is(err, page.ErrEnded):
		e := op.Errorf(op.PageBusy, "a script that kept a tab of the same site busy was ended, and the call's own script with it").
			Hinted("take a snapshot to see what came of the call, and try again")
		e.Sent = true
		return e
	case errors.Is(err, page.ErrBusy):
		return op.Errorf(op.PageBusy, "the page did not answer in time: %s", busy).
			Hinted("wait and try again, or navigate away; if it stays busy even then, close the tab")
	case errors.Is(err, capture.ErrUnpainted):
		return op.Errorf(op.Deadline, "not done in time: %v", capture.ErrUnpainted).
			Hinted("try again with a larger timeoutMs; if that fails as well, the browser hangs: stop ends it, and the next call starts another")
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
