package browser

import (
	"context"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A Host is what a [Browser] runs in, and the way to its DevTools protocol. There are two kinds:
// a Chromium that chela has started and that ends with it ([Launch]), and one that somebody else has
// started, to which chela only connects ([Reach]). Only the first has a process of ours, so nothing
// outside of this package asks for one, and what status shows of a host goes through [Browser.Describe].
//
// What chela does with a browser depends on whose it is, see [Description.Own]. One that is not its own it
// leaves as it is: tabs that were there stay, none is restored from an earlier connection, no cookie
// is copied or set, no spare tab is kept, files go as bytes, and at the end only the connection is closed.
type Host interface {
	// Describe returns what there is to know of the host. It does not change.
	Describe() Description

	// connect opens the way to the browser's DevTools protocol. It is called once.
	connect(ctx context.Context) (cdp.Transport, error)

	// ended is closed when the browser has ended and has left nothing running, or
	// after terminate. The connection may end before that, or stay open a moment longer: other
	// processes that the browser started may hold the pipe.
	ended() <-chan struct{}

	// failure is why a browser to which the connection was lost at the start is not there, if more is
	// known of it than the error given. It waits for that.
	failure(err error) error

	// endedWell reports whether the browser has ended by itself and without a failure: then it
	// has written its cookies to the disk.
	endedWell() bool

	// terminate ends the host: a browser of ours by force if it does not obey, and of any other
	// nothing but the connection. It waits for that. The error is that of the force.
	terminate(ctx context.Context) error
}

// A Description is what there is to know of a host. A field that does not apply
// to its kind is empty.
type Description struct {
	Own          bool              // chela has started it, and ends it; it can read our files
	Shared       bool              // somebody works with it: tabs of theirs are attached only when a call uses them, and downloads stay theirs
	Here         bool              // it is on this machine, and reads our files; so does one of our own
	PID          int               // process id of the browser, and of the group that all its processes are in
	Executable   chrome.Executable // its program
	UserDataDir  string            // absolute path
	Headless     bool              // it has no windows; of one that is not our own it is known when it is connected
	WebSocketURL string            // of its DevTools endpoint, without secrets; empty: it is driven through a pipe
	Port         int               // debugging port that it has opened for other programs; 0: none
}

// Elsewhere reports whether the browser is on another machine, and cannot read our files.
func (d Description) Elsewhere() bool { return !d.Own && !d.Here }
