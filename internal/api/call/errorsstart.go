package call

import (
	"errors"
	"strings"
	"time"

	"chela/internal/base/child"
	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// explainStart explains why a browser was not found or not started. It returns nil for any other
// failure. The message for a profile is OpenClaw's.
func explainStart(err error) *op.Error {
	if unknown, ok := errors.AsType[*profile.UnknownError](err); ok {
		return op.Errorf(op.NotFound, "Profile %q not found. Available profiles: %s", unknown.Name, strings.Join(unknown.Available, ", ")).
			Hinted("leave the profile out to use the default one")
	}
	if errors.Is(err, profile.ErrClosed) {
		return op.Errorf(op.Stopping, "the server is shutting down")
	}
	if errors.Is(err, profile.ErrStartStopped) {
		return op.Errorf(op.Conflict, "%v", profile.ErrStartStopped).Hinted("call again to start it")
	}
	if forbidden, ok := errors.AsType[*profile.NotAllowedError](err); ok {
		return notAllowed(forbidden)
	}
	if newer, ok := errors.AsType[*config.NewerError](err); ok {
		return op.Errorf(op.Conflict, "%v", newer).Hinted("%s", newer.Hint())
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
		// The code and the hint come from the last failure, since that is what must be fixed.
		last := op.AsError(Explain(repeated.Last))
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
	if shell, ok := errors.AsType[*profile.NoWindowsError](err); ok {
		return op.Errorf(op.Conflict, "a browser with windows was asked for, but %v", shell).
			Hinted("start it headless, or choose another browser: chela install --channel chromium")
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

// noBrowser lists where a browser was looked for, in the message and in the details.
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

// notStarted explains why a start failed. Three reasons have their own hints. Another browser uses
// the directory of the profile, the limit of open files is low, or TMPDIR does not fit.
func notStarted(failed *profile.StartError) *op.Error {
	if locked, ok := errors.AsType[*chrome.LockedError](failed.Err); ok {
		return op.Errorf(op.Conflict, "Cannot start browser profile %q: %v", failed.Profile, locked).
			Hinted("close that browser, or run: chela doctor --fix")
	}
	e := op.Errorf(op.BrowserFailed, "%v", failed).Hinted("run: chela doctor")
	ended, _ := errors.AsType[*chrome.ExitError](failed.Err)
	switch {
	case ended == nil:
	case ended.LacksFiles():
		e.Hinted("the server and its browser may open too few files: raise the limit (ulimit -n, or LimitNOFILE of the service), and start the server again")
	case ended.LacksTemp():
		e.Hinted("the browser makes a socket in the folder for temporary files: set TMPDIR to one that exists and has a short path, and start the server again")
	}
	return e
}

// explainParser explains why a document was not read. It returns nil for any other failure.
func explainParser(err error) *op.Error {
	switch {
	case errors.Is(err, child.ErrTooMuch):
		return op.Errorf(op.TooComplex, "the document is too complex: %v to read it", child.ErrTooMuch).
			Hinted("give it more time with timeoutMs, select a part of the page, or take a snapshot of it in a tab")
	case errors.Is(err, child.ErrNotBegun):
		return op.Errorf(op.Deadline, "not done in time: %v", child.ErrNotBegun).
			Hinted("the machine is busy: try again, with a larger timeoutMs")
	case errors.Is(err, child.ErrClosed):
		return op.Errorf(op.Stopping, "the server is shutting down")
	}
	return nil
}
