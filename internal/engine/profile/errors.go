package profile

import (
	"errors"
	"fmt"
)

// ErrClosed says that the profiles are being closed: no browser starts any more.
var ErrClosed = errors.New("the profiles are closed")

// ErrStarting says that a caller stopped waiting for a browser that is still starting. It is
// wrapped together with the cause of the caller's context.
var ErrStarting = errors.New("the browser is still starting")

// ErrStartStopped says that the profile was stopped before its browser had started.
var ErrStartStopped = errors.New("the browser was stopped while it was starting")

// ErrAllowing says that a caller stopped waiting while the browser still asks its user whether
// chela may drive it. It is wrapped together with the cause of the caller's context.
var ErrAllowing = errors.New("the user has not allowed the connection in the browser yet")

// An UnwrittenEndError says that the tabs of a session are closed, but that this could not be
// written.
type UnwrittenEndError struct {
	Session string
	Err     error // from the file system
}

func (e *UnwrittenEndError) Error() string {
	return fmt.Sprintf("the tabs of session %s are closed, but this could not be written, so the next server may open them again: %v", e.Session, e.Err)
}

func (e *UnwrittenEndError) Unwrap() error { return e.Err }

// unwrittenEnd returns err, which the file system returned at the end of a session, as an
// [*UnwrittenEndError], or nil.
func unwrittenEnd(session string, err error) error {
	if err == nil {
		return nil
	}
	return &UnwrittenEndError{session, err}
}

// An UnknownError says that there is no profile with this name.
type UnknownError struct {
	Name      string
	Available []string // the names that profiles have
}

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no profile %q", e.Name) }

// A NotAllowedError says that the configuration does not allow to start a browser.
type NotAllowedError struct {
	Profile    string
	File       string // path of the configuration file
	AttachOnly bool   // attachOnly forbids the start; otherwise browser.enabled does
}

func (e *NotAllowedError) Error() string {
	if e.AttachOnly {
		return "attachOnly is set in " + e.File
	}
	return "browser.enabled is false in " + e.File
}

// A WindowsError says that a call wanted to choose whether a browser has windows, but chela does
// not start that browser.
type WindowsError struct{ Profile string }

func (e *WindowsError) Error() string {
	return fmt.Sprintf("chela does not start the browser of profile %q", e.Profile)
}

// A RemoteError says that a profile has no data in the state directory that could be removed.
type RemoteError struct{ Profile string }

func (e *RemoteError) Error() string { return fmt.Sprintf("profile %q is remote", e.Profile) }

// A NoDisplayError says that a browser with windows was asked for where there is no display to show
// them.
type NoDisplayError struct {
	Profile string
	Source  string // the setting that asks for windows: request, env, profile or config
}

func (e *NoDisplayError) Error() string { return "there is no display for the windows of a browser" }

// A NoWindowsError says that a browser with windows was asked for, but its program is the headless
// shell.
type NoWindowsError struct {
	Profile    string
	Source     string // the setting that asks for windows: request, env, profile or config
	Executable string
}

func (e *NoWindowsError) Error() string {
	return e.Executable + " has no windows: it is the headless shell"
}

// A StartError says why a browser did not start. Err may be a [*chrome.LockedError] or
// [*chrome.ExitError]. It is not unwrapped: a closed connection or a deadline in it concerns the
// browser, not the call that made it start.
type StartError struct {
	Profile string
	Err     error
}

func (e *StartError) Error() string { return fmt.Sprintf("the browser did not start: %v", e.Err) }
