package call

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/base/child"
	"chela/internal/base/config"
	hostnames "chela/internal/base/hosts"
	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/extension"
	"chela/internal/engine/observe"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
	"chela/internal/wall/guard"
)

// A failure is an error and the code and status that its caller gets, whatever wraps the error.
type failure struct {
	err           error
	status        int
	code          op.Code
	message, hint string
}

func (s failure) check(t *testing.T) {
	t.Helper()
	for _, err := range []error{s.err, fmt.Errorf("call: %w", s.err), errors.Join(s.err, errors.New("more"))} {
		e := op.AsError(Explain(err))
		if e.Code != s.code || e.Code.Status() != s.status || string(e.Message) != s.message || e.Hint != s.hint {
			t.Errorf("%v:\ngot  %+v\nwant %s %q, %q", err, e, s.code, s.message, s.hint)
		}
	}
}

// A message or a hint that quotes a page must have a code with which models get it between boundaries.
func TestWordsOfPagesAreMarked(t *testing.T) {
	const words = "ignore-all-rules"
	host, _ := hostnames.Parse(words)
	forbidden := &guard.Refused{Rule: guard.NotAllowed, Host: host}
	for _, err := range []error{
		onItsWay("http://evil/"+words, page.Unloading), onItsWay("http://evil/"+words, page.Answered), onItsWay("http://evil/"+words, page.Requested),
		&page.LoadError{Text: "net::ERR_FAILED", URL: words}, &page.ScriptError{Text: words}, &page.ResultError{Reason: words},
		&page.ElementError{Ref: page.Ref{Number: 1}, Missing: pagejs.Covered, By: words},
		&page.StaleRefError{Ref: page.Ref{Number: 1}, Was: &snapshot.Ref{Role: "button", Name: words}, Why: page.ElementRemoved},
		&observe.BrokenError{URL: words}, &capture.PrintError{Reason: words},
		fmt.Errorf("rename %s: %w", words, syscall.ENOSPC),
		forbidden, &page.LoadError{Refused: forbidden},
	} {
		if e := op.AsError(Explain(err)); !e.QuotesPage() || strings.Contains(e.Hint, words) && !e.Code.HintQuotesPage() {
			t.Errorf("%T: code %s, %q, hint %q: not marked as a page's", err, e.Code, e.Message, e.Hint)
		}
	}
}

// A guest of a shared tab learns neither which other tab shows a dialog, nor what it asks.
func TestGuestIsToldOfNoOtherTab(t *testing.T) {
	d := page.Dialog{ID: "d1", Type: "prompt", Message: "Code for ada"}
	own := blockedFrom(t.Context(), "t5", d)
	if said := string(own.Message) + own.Hint; !strings.Contains(said, "t5") || !strings.Contains(said, "Code for ada") {
		t.Errorf("the owner is told %q", said)
	}
	guest := blockedFrom(op.WithGuest(t.Context(), op.Guest{Share: "s1", Tab: "t1"}), "t5", d)
	if said := string(guest.Message) + guest.Hint; strings.Contains(said, "t5") || strings.Contains(said, "ada") {
		t.Errorf("a guest is told %q", said)
	}
}

// A hint has only a part of what an endpoint has answered: another program may have its port.
func TestHintsAreShort(t *testing.T) {
	words := strings.Repeat("x\n", 10_000)
	for _, err := range []error{&cdp.Error{Method: "M", Message: words}, errors.New(words)} {
		e := op.AsError(Explain(&profile.ReachError{Profile: "far", Remote: true, URL: "http://a.test", Err: err}))
		if len(e.Hint) > 2000 {
			t.Errorf("%T: the hint has %d bytes", err, len(e.Hint))
		}
	}
}

// Each failure of what a call does with its page has its own code and message.
func TestFailuresOfPagesInWords(t *testing.T) {
	e1 := page.Ref{Number: 1}
	known := &snapshot.Ref{Role: "button", Name: "Save"}
	const (
		snapshotAgain = "take a new snapshot and use a ref from it"
		toWait        = "take a snapshot to see what the page shows, or wait longer with timeoutMs"
	)
	waitFor := func(what, value string) error { return &page.WaitError{Awaited: page.Awaited{For: what, Value: value}} }
	for _, s := range []failure{
		{&page.UnknownRefError{Ref: "e9"}, 404, op.UnknownRef, `Unknown ref "e9". Run a new snapshot and use a ref from that snapshot.`,
			"take a new snapshot"},
		{&page.StaleRefError{Ref: e1, Why: page.ElementRemoved}, 404, op.StaleRef, `Element "e1" is gone: the page has removed it.`,
			snapshotAgain},
		{&page.StaleRefError{Ref: e1, Was: known, Why: page.ElementRemoved}, 404, op.StaleRef,
			`Element "e1" (button "Save") is gone: the page has removed it.`, snapshotAgain},
		{&page.StaleRefError{Ref: e1, Why: page.ElementRemoved, Candidates: []page.Ref{{Number: 4}, {Number: 5}}}, 404, op.StaleRef,
			`Element "e1" is gone: the page has removed it.`, "elements that look like it are in the same place: e4, e5; take a new snapshot to tell them apart"},
		{&page.StaleRefError{Ref: e1, Why: page.ElementRemoved, Candidates: []page.Ref{{Number: 4}}}, 404, op.StaleRef,
			`Element "e1" is gone: the page has removed it.`, "use e4 if you mean it: it looks like this one and is in the same place; else take a new snapshot"},
		{&page.StaleRefError{Ref: e1, Why: page.ElementRemoved, Candidates: []page.Ref{{Number: 4}}, Moved: true}, 404, op.StaleRef,
			`Element "e1" is gone: the page has removed it.`,
			"use e4 if you mean it: no other element has this role and name now, but what is around it has changed; else take a new snapshot"},
		{&page.StaleRefError{Ref: e1, Why: page.ElementReused}, 404, op.StaleRef, `Element "e1" is gone: the page shows something else in its place.`, snapshotAgain},
		{&page.StaleRefError{Ref: e1, Why: page.DocumentReplaced, URL: "http://a/"}, 404, op.StaleRef,
			`Element "e1" is gone: the page it was on has been replaced by http://a/.`, snapshotAgain},
		{&page.StaleRefError{Ref: e1, Why: page.FrameRemoved}, 404, op.StaleRef, `Element "e1" is gone: its frame was removed from the page.`,
			snapshotAgain},
		{&page.StaleRefError{Ref: e1, Why: page.FrameCrashed}, 404, op.StaleRef, `Element "e1" is gone: its frame crashed.`, snapshotAgain},
		{page.ErrFrameCrashed, 502, op.PageFailed, "a frame of the page crashed", "reload the page; until then its other frames can be used"},
		{&page.SelectorError{Selector: "a["}, 400, op.Invalid, `"a[" is not a CSS selector`, ""},
		{&page.SelectorError{Selector: "a[", Reason: "no"}, 400, op.Invalid, `"a[" is not a CSS selector: no`, ""},
		{&page.NoMatchError{Selector: "a"}, 404, op.NotFound, `no element matches "a"`, "take a snapshot and use a ref"},
		{&page.NoMatchError{Selector: "a", Iframe: true}, 404, op.NotFound, `no iframe matches "a"`,
			"take a snapshot of the whole page to see its iframes"},
		{&page.OutsideError{X: 900, Y: 1.5, Width: 800, Height: 600}, 400, op.ActInvalid, "the point 900,1.5 is outside of the viewport",
			"the viewport is 800x600 pixels: scroll what you mean into view, or click it by its ref"},
		{&page.HeldError{Button: "right"}, 409, op.Conflict, "the right mouse button is held", "release it first: mouse up right"},
		{page.ErrNoFocus, 409, op.NoFocus, "nothing that takes text has the focus", "click into a field first, or type with its ref; press sends single keys to the page"},

		{&page.ScriptError{Text: "TypeError: no"}, 422, op.ScriptFailed, "Invalid evaluate function: TypeError: no",
			"the script threw: check it against the page"},
		{&page.ScriptError{Text: "SyntaxError: no", Syntax: true}, 422, op.ScriptFailed, "Invalid evaluate function: SyntaxError: no",
			"the script cannot be read: check its grammar"},
		{&page.ResultError{Reason: "a loop"}, 422, op.ScriptFailed, "the script's result cannot be given as JSON: a loop",
			"the script ran, so look at the page before you run it again; return plain values, not objects of the page"},
		{page.ErrBusy, 504, op.PageBusy, "the page did not answer in time: its script, layout or printing is busy",
			"wait and try again, or navigate away; if it stays busy even then, close the tab"},
		{page.ErrEnded, 504, op.PageBusy, "a script that kept a tab of the same site busy was ended, and the call's own script with it",
			"take a snapshot to see what came of the call, and try again"},
		{page.ErrScriptTimeout, 504, op.Deadline, "evaluate timed out", "look at the page before you run it again: the script may have done a part, and what it does after an await may still come; make it shorter, or give it more time with timeoutMs"},
		{page.ErrScriptReplaced, 422, op.ScriptFailed, "the page was replaced while the script ran", "take a snapshot to see where it is now"},

		{waitFor(page.ForText, "Hi"), 504, op.Deadline, `Timed out waiting for the text "Hi" to appear.`, toWait},
		{waitFor(page.ForNoText, "Hi"), 504, op.Deadline, `Timed out waiting for the text "Hi" to go away.`, toWait},
		{waitFor(page.ForSelector, "a"), 504, op.Deadline, `Timed out waiting for an element that matches "a" to be visible.`, toWait},
		{waitFor(page.ForURL, "**/a"), 504, op.Deadline, `Timed out waiting for the address to fit "**/a".`, toWait},
		{waitFor(page.ForURL, "*a*"), 504, op.Deadline, `Timed out waiting for the address to fit "*a*".`, "a single * stands for no slash: use **, or a part of the address without stars"},
		{&observe.NoResponseError{Pattern: "**/a*"}, 504, op.Deadline,
			`Response not found for url pattern "**/a*". Run 'chela requests' to inspect recent network activity.`, "a single * stands for no slash: use **, or a part of the address without stars"},
		{waitFor(page.ForLoad, page.Loaded), 504, op.Deadline, "Timed out waiting for the page to reach load.", toWait},
		{waitFor(page.ForFunction, ""), 504, op.Deadline, "Timed out waiting for the function to answer true.", toWait},
		{&page.WaitError{Awaited: page.Awaited{For: page.ForText, Value: "Hi"}, Busy: true}, 504, op.PageBusy,
			`Timed out waiting for the text "Hi" to appear: the page does not answer.`,
			"wait and try again, or navigate away or close the tab: that ends the page's script"},

		{&page.WaitError{Awaited: page.Awaited{For: page.ForNoText, Value: "Hi"}, Unopened: true}, 504, op.Deadline,
			`Timed out waiting for the text "Hi" to go away: it is not seen, but some elements may have content that was not read.`,
			"take a snapshot to see what the page shows; if the page keeps changing, wait for something that appears"},

		{&page.NoDialogError{ID: "d1"}, 404, op.NotFound, `Dialog "d1" is not pending.`, "list the dialogs"},
		{page.ErrPosted, 409, op.Conflict, "the page is the answer to a form, and a reload would send the form again",
			"navigate to its address, which sends no form, or reload with resend"},
		{page.ErrSeveralDialogs, 409, op.Conflict, "Multiple dialogs are pending; pass dialogId.", ""},
		{fmt.Errorf("read the history: %w", &cdp.LargeError{Method: "Page.getNavigationHistory", Bytes: 80 << 20}), 422, op.TooComplex,
			"the page is too large: the browser's answer to Page.getNavigationHistory has 80 MB",
			"the page, or one before it in this tab, has for example very long addresses or classes: open another address in a new tab"},
		{&page.HugeTreeError{Has: "more than 9 nodes"}, 422, op.TooComplex, "the page is too large for its accessibility tree: it has more than 9 nodes",
			"take a snapshot of format ai: it reads pages of any size"},
		{&page.UnsearchedError{Cut: "9 nodes read, the page has more"}, 502, op.PageFailed,
			"hidden text was not looked for in all of the page: 9 nodes read, the page has more",
			"try again with a larger timeoutMs, take a snapshot of another format, or set hidden to show"},
		{&capture.PrintError{Reason: "Printing failed"}, 502, op.PageFailed, "the page could not be printed: Printing failed",
			"try again, or take a screenshot of the whole page"},
		{&capture.PrintError{Reason: "Page range exceeds page count"}, 400, op.Invalid, "pageRanges names a page that the document does not have",
			"leave it out to print all pages"},
		{capture.ErrNoPrinting, 501, op.NotSupported, "this browser does not save pages as PDF",
			"start the browser headless, or take a screenshot of the whole page"},
		{&capture.PictureTooLarge{Bytes: 6 << 20}, 502, op.PageFailed, "Browser screenshot could not be reduced below 5MB (got 6.00MB)", ""},
		{page.ErrSuperseded, 409, op.Conflict, "File upload was superseded by another waiter", ""},
		{page.ErrNoChooser, 504, op.Deadline, "no file chooser asked for the files", ""},
		{page.ErrPicker, 501, op.NotSupported, "the page has opened a picker that takes no files from outside",
			"look for a file input and give its ref as inputRef"},
		{page.ErrOneFile, 422, op.ActFailed, "Non-multiple file input can only accept single file", ""},
		{page.ErrSameNames, 422, op.ActFailed, "a folder cannot have two files of one name", ""},
		{&page.ElementError{Ref: e1, Missing: pagejs.Choice, Which: "Red"}, 422, op.ActFailed,
			`Element "e1" belongs to a drop-down list, which is not a part of the page: no input reaches it. ` +
				`Select "Red" with this ref, or with that of the list.`,
			"use select instead of click"},
	} {
		s.check(t)
		sent := op.AsError(Explain(fmt.Errorf("%w: %w", page.ErrSent, s.err)))
		if !sent.Sent || sent.Code != s.code {
			t.Errorf("%v, after the input was sent: got %+v", s.err, sent)
		}
	}
}

// An error about a tab that does not exist is distinct from others with the code not_found.
func TestNoTab(t *testing.T) {
	for _, err := range []error{&browser.NoTabError{Name: "a"}, &browser.NoTabError{Name: "2"}} {
		if e := op.AsError(Explain(err)); !e.IsNoTab() {
			t.Errorf("%v: got %+v", err, e)
		}
	}
}

// An error that keeps a tab or a browser from being found, named or started has the same message,
// whatever error wraps it.
func TestFailuresOfTabsAndBrowsersInWords(t *testing.T) {
	untrusted := &tls.CertificateVerificationError{UnverifiedCertificates: []*x509.Certificate{{}}, Err: x509.UnknownAuthorityError{}}
	ended := &chrome.ExitError{State: "exit status 1", Stderr: "no memory"}
	noFiles := &chrome.ExitError{State: "signal: aborted", Stderr: "[7:7:1128/075023.0:ERROR:dbus/bus.cc(5)] no bus\n" +
		"[7:8:1128/075023.1:FATAL:a.cc(7)] Check failed: . : Too many open files (24)\n[7:7:1128/075023.2:ERROR:x.cc(1)] more"}
	for _, s := range []failure{
		{&browser.NoTabError{Name: "a"}, 404, op.NotFound,
			`tab not found: browser tab "a" not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.`,
			"list the tabs"},
		{&browser.NoTabError{Name: "t2", Left: "t1", Closed: true}, 404, op.NotFound,
			`tab not found: browser tab "t2" not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.`,
			"the current tab has gone: focus t1, another tab of the session, or list the tabs"},
		{&browser.NoTabError{Name: "2"}, 404, op.NotFound,
			`tab not found: browser tab "2" not found. Numeric values are not tab targets; ` +
				`use a stable tab id like "t1", a label, or a raw targetId. ` +
				`For positional selection, use "chela tab select 2".`, "list the tabs"},
		{&browser.AmbiguousTabError{Name: "a", Fits: 2, First: "t1"}, 409, op.Conflict, "ambiguous browser tab reference",
			`"a" fits 2 tabs: use a tab id like "t1"`},
		{&browser.LabelError{Label: "a b"}, 400, op.Invalid, "tab label must be 1-64 chars and use only letters, numbers, _, ., :, or -", ""},
		{&browser.LabelError{Label: "t1", LikeID: true}, 400, op.Invalid, `tab label "t1" looks like a tab id`,
			"choose a label that is not t and a number, or 32 hexadecimal digits"},
		{browser.ErrSuperseded, 409, op.Conflict, "Download was superseded by another waiter", ""},
		{&profile.UnknownError{Name: "a", Available: []string{"chela", "user"}}, 404, op.NotFound, `Profile "a" not found. Available profiles: chela, user`,
			"leave the profile out to use the default one"},
		{errors.Join(browser.ErrCrashedAgain, page.ErrCrashed), 502, op.TabCrashed, "the tab crashed again when its page was opened anew",
			"navigate it elsewhere or close it: this page may crash each time"},
		{fmt.Errorf("%w: %w", profile.ErrStarting, op.ErrDeadline), 504, op.Deadline, "not done in time: the browser is still starting",
			"call again: it goes on starting, and the next call waits for it or finds it running"},
		{page.ErrStuck, 502, op.TabCrashed, page.ErrStuck.Error(), "the next call opens the page again; refs are stale"},
		{profile.ErrStartStopped, 409, op.Conflict, "the browser was stopped while it was starting", "call again to start it"},
		{profile.ErrClosed, 503, op.Stopping, "the server is shutting down", ""},
		{child.ErrClosed, 503, op.Stopping, "the server is shutting down", ""},
		{fmt.Errorf("read a document: %w", child.ErrTooMuch), 422, op.TooComplex, "the document is too complex: it takes too much time or memory to read it",
			"give it more time with timeoutMs, select a part of the page, or take a snapshot of it in a tab"},
		{fmt.Errorf("read a document: %w", child.ErrNotBegun), 504, op.Deadline, "not done in time: the process that reads documents has not begun",
			"the machine is busy: try again, with a larger timeoutMs"},
		{&profile.NotAllowedError{File: "f"}, 403, op.Disabled, "Browser control is disabled. Set browser.enabled=true in f.", "chela config set browser.enabled true"},
		{&profile.NotAllowedError{Profile: "chela", File: "f", AttachOnly: true}, 409, op.Conflict,
			`Browser attachOnly is enabled and profile "chela" is not running.`,
			"set attachOnly to false in f to have one started, or give the profile the cdpUrl of one that runs"},
		{&profile.StrictError{Profile: "far"}, 400, op.Blocked,
			`strict browser SSRF policy cannot be enforced in the browser of profile "far", which chela does not start`,
			"use a profile whose browser chela starts, or remove browser.ssrfPolicy.dangerouslyAllowPrivateNetwork: false"},
		{&profile.ReachError{Profile: "far", URL: "http://10.0.0.42:9222", Remote: true, Err: &endpoint.StatusError{Status: 401}}, 409, op.Conflict,
			`Remote CDP for profile "far" is not reachable at http://10.0.0.42:9222.`, "it refuses the name, password or token of cdpUrl: correct them"},
		{&profile.ReachError{Profile: "near", URL: "http://127.0.0.1:1", Err: endpoint.ErrNoWebSocket}, 409, op.Conflict,
			`Browser attachOnly is enabled and profile "near" is not running.`,
			"what answers at http://127.0.0.1:1 is no debugging port of a browser: correct cdpUrl"},
		{&profile.ReachError{Profile: "far", URL: "https://far.test", Remote: true, Err: untrusted}, 409, op.Conflict,
			`Remote CDP for profile "far" is not reachable at https://far.test.`, untrusted.Error() + "; if it is self-signed, set cdpFingerprint beside cdpUrl: " +
				"here it is " + certificate.Fingerprint(sha256.Sum256(nil)).String() + ", which has to be that of the certificate on the other machine"},
		{&profile.ReachError{Profile: "far", URL: "https://far.test", Remote: true, Err: &cdp.HandshakeError{Err: &certificate.PinError{}}}, 409, op.Conflict,
			`Remote CDP for profile "far" is not reachable at https://far.test.`, "the WebSocket could not be opened: " + (&certificate.PinError{}).Error() +
				": if the server has a new certificate, correct cdpFingerprint; else another program answers there"},
		{&profile.RepeatedError{Count: 1, Last: &profile.ReachError{Profile: "far", URL: "u", Remote: true, Err: cdp.ErrClosed}, Wait: 450 * time.Millisecond},
			409, op.Conflict, `Remote CDP for profile "far" is not reachable at u.`,
			"start the browser with --remote-debugging-port and see that u can be reached from here: " + cdp.ErrClosed.Error() + "; the next try is possible in 500ms"},
		{&profile.ReachError{Profile: "far", URL: "u", Err: &cdp.Error{Code: -32601, Method: "Target.setAutoAttach", Message: "no"}}, 409, op.Conflict,
			`Browser attachOnly is enabled and profile "far" is not running.`,
			"what answers at u does not let the tabs of a browser be driven (Target.setAutoAttach: \"no\"): give the URL of a whole browser"},
		{&cdp.Error{Code: -32000, Method: "Target.createTarget", Message: "Not allowed"}, 501, op.NotSupported,
			"the browser of this profile does not support it: its endpoint refuses Target.createTarget (Not allowed)", "use a profile whose browser chela starts"},
		{fmt.Errorf("%w: %w: %w", cdp.ErrClosed, cdp.ErrWebSocketEnded, io.EOF), 502, op.BrowserLost, "the connection to the browser ended during the call",
			"call again: it is made anew; take a new snapshot before acting"},
		{fmt.Errorf("%w: %w", cdp.ErrClosed, cdp.ErrSilent), 502, op.BrowserLost, "the browser did not answer any more, and has been ended",
			"call again: it is started anew; take a new snapshot before acting"},
		{fmt.Errorf("%w: %w: %w", cdp.ErrClosed, cdp.ErrWebSocketEnded, cdp.ErrSilent), 502, op.BrowserLost,
			"the browser does not answer: nothing came by the connection to it any more, which has been ended",
			"call again: the connection is made anew; take a new snapshot before acting"},
		{&cdp.Error{Code: cdp.Unconfirmed, Method: "Runtime.callFunctionOn"}, 502, op.BrowserLost,
			"the connection to the browser's extension was lost during the call, which may have been done",
			"take a snapshot to see what came of it before you act again"},
		{&cdp.Error{Code: cdp.Withheld, Message: cdp.Stopped}, 423, op.PersonInControl, "the person has stopped all agents in this browser",
			"wait until the person presses Go on in chela's extension"},
		{&cdp.Error{Code: cdp.Withheld, Message: "an internal page"}, 409, op.Conflict, "the tab cannot be used now: an internal page",
			"use another tab, or try again when the page has changed"},
		{&profile.ReachError{Profile: "chrome", Driver: profile.Extension, Err: extension.ErrAway}, 409, op.Conflict,
			`the tabs of profile "chrome" are not shared: the extension is not connected`,
			"start the browser that has the extension; chela extension list shows which are paired"},
		{&profile.ReachError{Profile: "user", Driver: profile.ExistingSession, Err: context.DeadlineExceeded}, 409, op.Conflict,
			`the user has not allowed the connection to the browser of profile "user" within 45 seconds`,
			"ask the user to allow it in the browser, and try again"},
		{&profile.ReachError{Err: endpoint.ErrOtherServer}, 400, op.Invalid, "browser endpoint blocked by policy",
			"the endpoint names a WebSocket on another host or port than its own; give the address of that as cdpUrl"},
		{&profile.StartError{Err: ended}, 503, op.BrowserFailed, "the browser did not start: browser ended (exit status 1): no memory",
			"run: chela doctor"},
		{&profile.StartError{Err: fmt.Errorf("write f: %w", config.NoSpace[0])}, 507, op.NoSpace, "the disk is full: the browser did not start: write f: " + config.NoSpace[0].Error(),
			"free some space, then call again"},
		{&profile.StartError{Err: fmt.Errorf("no answer: %w", noFiles)}, 503, op.BrowserFailed,
			"the browser did not start: no answer: browser ended (signal: aborted): [7:8:1128/075023.1:FATAL:a.cc(7)] Check failed: . : Too many open files (24)",
			"the server and its browser may open too few files: raise the limit (ulimit -n, or LimitNOFILE of the service), and start the server again"},
		{&profile.StartError{Err: &chrome.ExitError{State: "exit status 21", Stderr: "Failed to create socket directory."}}, 503, op.BrowserFailed,
			"the browser did not start: browser ended (exit status 21): Failed to create socket directory.",
			"the browser makes a socket in the folder for temporary files: set TMPDIR to one that exists and has a short path, and start the server again"},
		{&profile.StartError{Err: cdp.ErrClosed}, 503, op.BrowserFailed, "the browser did not start: " + cdp.ErrClosed.Error(),
			"run: chela doctor"},
		{&profile.StartError{Profile: "work", Err: &chrome.LockedError{Dir: "d", Host: "h", PID: 7}}, 409, op.Conflict,
			`Cannot start browser profile "work": user data directory d is in use by process 7 on h`,
			"close that browser, or run: chela doctor --fix"},
		{&profile.RepeatedError{Count: 3, Last: &profile.StartError{Err: ended}, Wait: 4200 * time.Millisecond}, 503, op.BrowserFailed,
			"the browser failed to start 3 times in a row; last: the browser did not start: browser ended (exit status 1): no memory",
			"run: chela doctor; the next try is possible in 4s"},
		{&chrome.NotFoundError{Places: []string{"x"}}, 503, op.NoBrowser, "no Chromium, Chrome, Brave or Edge found; searched x",
			"run: chela install"},
		{&chrome.NotFoundError{Places: []string{"x"}, Configured: true}, 503, op.NoBrowser, "browser.executablePath not found: x",
			"correct browser.executablePath, or remove it to have one found"},
		{&profile.NoDisplayError{Profile: "chela", Source: "env"}, 409, op.Conflict,
			"a browser with windows was asked for, but there is no display (DISPLAY and WAYLAND_DISPLAY are not set)",
			"start it headless, or under a display such as Xvfb"},
		{&profile.NoWindowsError{Profile: "chela", Source: "env", Executable: "/x/headless_shell"}, 409, op.Conflict,
			"a browser with windows was asked for, but /x/headless_shell has no windows: it is the headless shell",
			"start it headless, or choose another browser: chela install --channel chromium"},
	} {
		s.check(t)
	}
	none := op.AsError(Explain(&profile.NoDisplayError{Profile: "chela", Source: "env"}))
	details := map[string]any{"profile": "chela", "requestedHeadless": false, "headlessSource": "env", "displayPresent": false}
	if none.Reason != "no_display_for_headed_profile" || !reflect.DeepEqual(none.Details, details) {
		t.Errorf("without a display: %+v", none)
	}
}

// The caller of a reading has no page that it could reload.
func TestReadingOfACrashedFrame(t *testing.T) {
	e := op.AsError(ExplainRender(&renderError{"Failed: ", fmt.Errorf("read: %w", page.ErrFrameCrashed)}))
	if e.Code != op.PageFailed || e.Hint != "try again" {
		t.Errorf("got %+v", e)
	}
}
