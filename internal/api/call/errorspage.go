package call

import (
	"errors"
	"fmt"
	"strings"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/cdp"
	"chela/internal/engine/device"
	"chela/internal/engine/observe"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/engine/urls"
	"chela/internal/op"
)

// explainScript explains why a script of the caller failed. It returns nil for any other failure.
// The texts for a script that threw, or that met its deadline, begin like those of OpenClaw.
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
			Hinted("the script ran, so look at the page before you run it again; return plain values, not objects of the page")
	}
	switch {
	case errors.Is(err, page.ErrScriptTimeout):
		return op.Errorf(op.Deadline, "evaluate timed out").Hinted("look at the page before you run it again: the script may have done a part, and what it does after an await may still come; make it shorter, or give it more time with timeoutMs")
	case errors.Is(err, page.ErrScriptReplaced):
		return op.Errorf(op.ScriptFailed, "the page was replaced while the script ran").Hinted("take a snapshot to see where it is now")
	}
	return nil
}

// explainWait explains why a wait ended without what it waited for. It returns nil for any other
// failure. A busy page has a code and hint of its own, since a snapshot of it would not succeed
// either.
func explainWait(err error) *op.Error {
	e, ok := errors.AsType[*page.WaitError](err)
	switch {
	case !ok:
		return nil
	case e.Busy:
		return op.Errorf(op.PageBusy, "Timed out waiting for %s: the page does not answer.", awaited(e.Awaited)).
			Hinted("wait and try again, or navigate away or close the tab: that ends the page's script")
	}
	if e.Unopened {
		return op.Errorf(op.Deadline, "Timed out waiting for %s: it is not seen, but %s.", awaited(e.Awaited), page.Unopened).
			Hinted("take a snapshot to see what the page shows; if the page keeps changing, wait for something that appears")
	}
	late := op.Errorf(op.Deadline, "Timed out waiting for %s.", awaited(e.Awaited))
	if e.For == page.ForURL && urls.HasSingleStar(e.Value) {
		return late.Hinted(singleStar)
	}
	return late.Hinted("take a snapshot to see what the page shows, or wait longer with timeoutMs")
}

// singleStar is the hint for a pattern of an address that may have fitted nothing because of its *.
const singleStar = "a single * stands for no slash: use **, or a part of the address without stars"

// awaited describes what a wait waits for, as the end of a sentence.
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

// explainPage explains failures about a page, such as that there is none to go back to, or no dialog
// to answer. It returns nil for any other failure. The messages about dialogs and large pictures are
// OpenClaw's.
func explainPage(err error) *op.Error {
	if none, ok := errors.AsType[*page.NoDialogError](err); ok {
		return op.Errorf(op.NotFound, "Dialog %q is not pending.", none.ID).Hinted("list the dialogs")
	}
	if errors.Is(err, page.ErrNoHistory) {
		return op.Errorf(op.Conflict, "the tab's history has no such page").Hinted("navigate to an address instead")
	}
	if errors.Is(err, page.ErrPosted) {
		e := op.Errorf(op.Conflict, "the page is the answer to a form, and a reload would send the form again").
			Hinted("navigate to its address, which sends no form, or reload with resend")
		e.Reason = "sends_form_again"
		return e
	}
	if errors.Is(err, page.ErrSeveralDialogs) {
		return op.Errorf(op.Conflict, "Multiple dialogs are pending; pass dialogId.")
	}
	if large, ok := errors.AsType[*capture.PictureTooLarge](err); ok {
		return op.Errorf(op.PageFailed, "Browser screenshot could not be reduced below 5MB (got %.2fMB)", float64(large.Bytes)/(1<<20))
	}
	if huge, ok := errors.AsType[*page.HugeTreeError](err); ok {
		return op.Errorf(op.TooComplex, "%v", huge).Hinted("take a snapshot of format ai: it reads pages of any size")
	}
	if large, ok := errors.AsType[*cdp.LargeError](err); ok {
		return op.Errorf(op.TooComplex, "the page is too large: the browser's answer to %s has %d MB", large.Method, large.Bytes>>20).
			Hinted("the page, or one before it in this tab, has for example very long addresses or classes: open another address in a new tab")
	}
	if unsearched, ok := errors.AsType[*page.UnsearchedError](err); ok {
		return op.Errorf(op.PageFailed, "%v", unsearched).Hinted("try again with a larger timeoutMs, take a snapshot of another format, or set hidden to show")
	}
	if refused, ok := errors.AsType[*capture.PrintError](err); ok && refused.TooFewPages() {
		return op.Errorf(op.Invalid, "pageRanges names a page that the document does not have").Hinted("leave it out to print all pages")
	} else if ok {
		return op.Errorf(op.PageFailed, "the page could not be printed: %s", refused.Reason).
			Hinted("try again, or take a screenshot of the whole page")
	}
	if errors.Is(err, capture.ErrNoPrinting) {
		return op.Errorf(op.NotSupported, "this browser does not save pages as PDF").
			Hinted("start the browser headless, or take a screenshot of the whole page")
	}
	return nil
}

// explainUpload explains why a page did not get files. It returns nil for any other failure. The
// messages that begin with a capital are OpenClaw's.
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
	case errors.Is(err, page.ErrRemote):
		return op.Errorf(op.NotSupported, "a browser elsewhere is sent the content of files, which can only be given to a file input, and not as a folder").
			Hinted("give the files to the page's file input with upload")
	case errors.Is(err, browser.ErrDownloadsUnreported):
		return op.Errorf(op.NotSupported, "the browser of this profile does not report downloads").
			Hinted("use a profile whose browser chela starts, or read the file with response or evaluate")
	}
	return nil
}

// explainJournal explains why a request, or the body of its answer, cannot be shown. It returns nil
// for any other failure.
func explainJournal(err error) *op.Error {
	if large, ok := errors.AsType[*observe.LargeBodyError](err); ok {
		return op.Errorf(op.BodyGone, "the body has %d bytes, and the browser keeps bodies of at most %d", large.Bytes, large.Most)
	}
	if errors.Is(err, observe.ErrBodyGone) {
		return op.Errorf(op.BodyGone, "the browser does not keep this body any more").
			Hinted("wait for it, without past, and have the page load it again")
	}
	if none, ok := errors.AsType[*observe.NoResponseError](err); ok {
		const text = "Response not found for url pattern %q. Run 'chela requests' to inspect recent network activity."
		e := op.Errorf(op.Deadline, text, none.Pattern)
		if none.Begun != "" {
			return e.Hinted("an answer that fits has begun, and did not end: wait longer with timeoutMs")
		}
		if urls.HasSingleStar(none.Pattern) {
			return e.Hinted(singleStar)
		}
		return e.Hinted("wait for the answer before you do what brings it, or with past take one that has come")
	}
	if broken, ok := errors.AsType[*observe.BrokenError](err); ok {
		return op.Errorf(op.PageFailed, "the answer from %s broke off: %s", broken.URL, broken.Failure)
	}
	return nil
}

// explainSetting explains that a setting is refused. It returns nil for any other failure. The
// messages are OpenClaw's.
func explainSetting(err error) *op.Error {
	if unknown, ok := errors.AsType[*device.UnknownError](err); ok {
		e := op.Errorf(op.Invalid, "Error: Unknown device %q.", unknown.Name).Hinted("such as iPhone 14, Pixel 7 or Desktop Chrome")
		if len(unknown.Near) > 0 {
			e.Hinted("did you mean %s?", strings.Join(unknown.Near, ", "))
		}
		return e
	}
	refused, ok := errors.AsType[*setting.RefusedError](err)
	if !ok {
		return nil
	}
	switch refused.Setting {
	case "Timezone":
		return op.Errorf(op.Invalid, "Error: Invalid timezone ID: %s", refused.Value).Hinted("give an IANA name, such as Europe/Berlin")
	case "Locale":
		return op.Errorf(op.Invalid, "Error: cdpSession.send: Protocol error (Emulation.setLocaleOverride): Invalid locale name").
			Hinted("give a language tag, such as de-DE")
	}
	// This quotes Chromium, since its other reasons to refuse a setting are not known.
	return op.Errorf(op.Invalid, "%s cannot be set: %s", refused.Setting, refused.Err.Message)
}
