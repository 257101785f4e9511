package browser

import (
	"context"
	"errors"

	"chela/internal/cdp"
	"chela/internal/chrome"
)

// A Host is what a [Browser] runs in, and the way to its DevTools protocol.
// There is one kind: a Chromium that we have launched, which is driven through
// a pipe (on Windows through a loopback port) and ends with us. A browser on
// another machine, one that the user has started, and an extension in it will
// be others. They have no process of ours, so nothing outside of this type asks
// for one, and what status shows of a host goes through [Browser.Describe].
//
// It is a struct because there is one kind. With the second it becomes an
// interface with these methods: it is passed by value, and has no exported
// fields, so its callers stay as they are.
type Host struct {
	process *chrome.Process
	about   Description
}

// A Description is what there is to know of a host. A field that does not apply
// to its kind is empty.
type Description struct {
	PID          int               // process id of the browser
	Executable   chrome.Executable // its program
	UserDataDir  string            // absolute path
	Headless     bool              // it has no windows
	WebSocketURL string            // of its DevTools endpoint; empty: it is driven through a pipe
	Port         int               // debugging port that it has opened for other programs; 0: none
}

// Launch starts a Chromium. Ctx limits the start only. The host belongs to the
// caller until [Start] is given it. Errors are those of [chrome.Launch].
func Launch(ctx context.Context, o chrome.Options) (Host, error) {
	process, err := chrome.Launch(ctx, o)
	if err != nil {
		return Host{}, err
	}
	return Host{process, Description{
		PID: process.PID, Executable: o.Executable, UserDataDir: process.UserDataDir, Headless: o.Headless, WebSocketURL: process.WebSocketURL,
		Port: o.Port,
	}}, nil
}

// Group is the process group of the browser: all its processes are in it.
func (h Host) Group() int { return h.about.PID }

// describe returns what there is to know of the host, which does not change.
func (h Host) describe() Description { return h.about }

// connect opens the way to the browser's DevTools protocol. It is called once.
func (h Host) connect(ctx context.Context) (cdp.Transport, error) {
	if h.about.WebSocketURL == "" {
		return cdp.Pipe(h.process.Out, h.process.In), nil
	}
	return cdp.Dial(ctx, h.about.WebSocketURL, nil)
}

// ended is closed when the browser has ended and has left nothing running. Its
// connection may end before that, or stay open a moment longer: other processes
// that the browser started may hold the pipe.
func (h Host) ended() <-chan struct{} { return h.process.Exited() }

// endErr says how the browser ended: a [*chrome.ExitError]; nil until it has.
func (h Host) endErr() error { return h.process.ExitErr() }

// endedWell reports whether the browser has ended by itself and without a failure: then it
// has written its cookies to the disk.
func (h Host) endedWell() bool {
	end, ok := errors.AsType[*chrome.ExitError](h.endErr())
	return ok && end.State == "exit status 0"
}

// terminate ends the browser, by force if it does not obey, and waits until it
// has ended. The error is that of the force.
func (h Host) terminate(ctx context.Context) error { return h.process.Terminate(ctx) }
