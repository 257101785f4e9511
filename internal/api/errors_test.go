package api

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"chela/internal/browser"
	"chela/internal/cdp"
	"chela/internal/chrome"
	"chela/internal/op"
	"chela/internal/page"
	"chela/internal/profile"
)

// What keeps a tab or a browser from being found, named or started reads the
// same, whatever wraps it.
func TestFailuresOfTabsAndBrowsersInWords(t *testing.T) {
	ended := &chrome.ExitError{State: "exit status 1", Stderr: "no memory"}
	for _, s := range []struct {
		err           error
		status        int
		code          op.Code
		message, hint string
	}{
		{&browser.NoTabError{Name: "a"}, 404, op.NotFound, `tab not found: browser tab "a" not found. Use action=tabs and pass suggestedTargetId, tabId, label, or raw targetId.`, "list the tabs"},
		{&browser.NoTabError{Name: "2"}, 404, op.NotFound, `tab not found: browser tab "2" not found. Numeric values are not tab targets; use a stable tab id like "t1", a label, or a raw targetId. ` +
			`For positional selection, use "chela tab select 2".`, "list the tabs"},
		{&browser.AmbiguousTabError{Name: "a", Fits: 2, First: "t1"}, 409, op.Conflict, "ambiguous browser tab reference", `"a" fits 2 tabs: use a tab id like "t1"`},
		{&browser.LabelError{Label: "a b"}, 400, op.Invalid, "tab label must be 1-64 chars and use only letters, numbers, _, ., :, or -", ""},
		{&browser.LabelError{Label: "t1", LikeID: true}, 400, op.Invalid, `tab label "t1" looks like a tab id`, "choose a label that is not t and a number"},
		{browser.ErrSuperseded, 409, op.Conflict, "Download was superseded by another waiter", ""},
		{&profile.UnknownError{Name: "a"}, 404, op.NotFound, `Profile "a" not found. Available profiles: chela`, "leave the profile out to use chela"},
		{errors.Join(browser.ErrCrashedAgain, page.ErrCrashed), 502, op.TabCrashed, "the tab crashed again when its page was opened anew", "navigate it elsewhere or close it: this page may crash each time"},
		{fmt.Errorf("%w: %w", profile.ErrStarting, op.ErrDeadline), 504, op.Deadline, "not done in time: the browser is still starting",
			"call again: it goes on starting, and the next call waits for it or finds it running"},
		{profile.ErrClosed, 503, op.Stopping, "the server is shutting down", ""},
		{&profile.NotAllowedError{File: "f"}, 409, op.Conflict, "Browser control is disabled. Set browser.enabled=true in f.", ""},
		{&profile.NotAllowedError{Profile: "chela", File: "f", AttachOnly: true}, 409, op.Conflict, `Browser attachOnly is enabled and profile "chela" is not running.`,
			"set browser.attachOnly to false in f to have one started; a browser that runs already cannot be attached to"},
		{&profile.StartError{Err: ended}, 503, op.BrowserFailed, "the browser did not start: browser ended (exit status 1): no memory", "run: chela doctor"},
		{&profile.StartError{Err: cdp.ErrClosed}, 503, op.BrowserFailed, "the browser did not start: " + cdp.ErrClosed.Error(), "run: chela doctor"},
		{&profile.StartError{Err: &chrome.LockedError{Dir: "d", Host: "h", PID: 7}}, 409, op.Conflict, "Cannot start browser profile: user data directory d is in use by process 7 on h",
			"close that browser, or use another state directory"},
		{&profile.RepeatedError{Count: 3, Last: &profile.StartError{Err: ended}, Wait: 4200 * time.Millisecond}, 503, op.BrowserFailed,
			"the browser failed to start 3 times in a row; last: the browser did not start: browser ended (exit status 1): no memory", "run: chela doctor; the next try is possible in 4s"},
		{&chrome.NotFoundError{Places: []string{"x"}}, 503, op.NoBrowser, "no Chromium, Chrome, Brave or Edge found; searched x", "run: chela install"},
		{&chrome.NotFoundError{Places: []string{"x"}, Configured: true}, 503, op.NoBrowser, "browser.executablePath not found: x", "correct browser.executablePath, or remove it to have one found"},
		{&profile.NoDisplayError{Profile: "chela", Source: "env"}, 409, op.Conflict, "a browser with windows was asked for, but there is no display (DISPLAY and WAYLAND_DISPLAY are not set)",
			"start it headless, or under a display such as Xvfb"},
	} {
		for _, err := range []error{s.err, fmt.Errorf("call: %w", s.err), errors.Join(s.err, errors.New("more"))} {
			e := op.AsError(explain(t.Context(), err))
			if e.Code != s.code || e.Code.Status() != s.status || string(e.Message) != s.message || e.Hint != s.hint {
				t.Errorf("%v:\ngot  %+v\nwant %s %q, %q", err, e, s.code, s.message, s.hint)
			}
		}
	}
	none := op.AsError(explain(t.Context(), &profile.NoDisplayError{Profile: "chela", Source: "env"}))
	details := map[string]any{"profile": "chela", "requestedHeadless": false, "headlessSource": "env", "displayPresent": false}
	if none.Reason != "no_display_for_headed_profile" || !reflect.DeepEqual(none.Details, details) {
		t.Errorf("without a display: %+v", none)
	}
}
