package browser

import (
	"context"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A Host is what a [Browser] runs in, and the way to its DevTools protocol. There are two kinds.
// [Launch] starts a Chromium that ends with chela. [Connect] only connects to one that somebody
// else has started. Only the first has a process of ours, so nothing outside this package asks for
// one. What status shows of a host comes from [Browser.Describe].
//
// What chela does with a browser depends on whose it is, see [Description.Own]. It leaves a browser
// of somebody else as it is. Tabs that were there stay, and none is restored from an earlier
// connection. No cookie is copied or set, no spare tab is kept, and files go as bytes. At the end
// only the connection is closed.
type Host interface {
	// Describe returns what there is to know of the host. It does not change.
	Describe() Description

	// connect opens the way to the browser's DevTools protocol. It is called once.
	connect(ctx context.Context) (cdp.Transport, error)

	// ended is closed when the browser has ended and has left nothing running, or after terminate.
	// The connection may end before that, or stay open a moment longer: other processes that the
	// browser started may hold the pipe.
	ended() <-chan struct{}

	// failure is called when the connection was lost at the start. It returns why the browser is
	// not there, or the given error if no more is known. It waits for that.
	failure(err error) error

	// exitedCleanly reports whether the browser has ended by itself and without a failure: then it
	// has written its cookies to the disk.
	exitedCleanly() bool

	// terminate ends the host and waits for that. It kills a browser of ours that does not obey,
	// and the error comes from the kill. For any other browser it only ends the connection.
	terminate(ctx context.Context) error
}

// A Description is what is known of a host. A field that does not apply to its kind is empty.
type Description struct {
	Own          bool              // chela has started it, and ends it; it can read our files
	Shared       bool              // its user works with it: tabs are attached only when a call uses them, and downloads stay in the user's folder
	Grouped      bool              // its user shares single tabs, each with one session or with all, by groups of tabs; see shared.go
	Local        bool              // it is on this machine and reads our files, as our own browsers do
	PID          int               // process id of the browser, and of the group that all its processes are in
	Executable   chrome.Executable // its program
	UserDataDir  string            // absolute path
	Headless     bool              // it has no windows; for a browser that is not our own this is known once it is connected
	WebSocketURL string            // of its DevTools endpoint, without secrets; empty: it is driven through a pipe
	Port         int               // debugging port that it has opened for other programs; 0: none
}

// Remote reports whether the browser is on another machine, and cannot read our files.
func (d Description) Remote() bool { return !d.Own && !d.Local }
