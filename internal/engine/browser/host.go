package browser

import (
	"context"
	"runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// A Host is where a [Browser] runs, and the way to its DevTools protocol. There are two kinds.
// [Launch] starts a Chromium that ends with chela. [Connect] only connects to a browser that
// somebody else has started. Only the first kind has a process of chela's, so nothing outside this
// package asks a host for its process. [Browser.Describe] returns what other packages may know of a
// host.
//
// What chela does with a browser depends on who has started it, see [Description.Own]. It leaves
// the browser of somebody else as it is. Tabs that were there stay, and none is restored from an
// earlier connection. No cookie is copied or set, no spare tab is kept, and files are sent over the
// protocol. At the end only the connection is closed.
type Host interface {
	// Describe returns what is known of the host. It does not change.
	Describe() Description

	// connect opens the way to the browser's DevTools protocol. It is called once.
	connect(ctx context.Context) (cdp.Transport, error)

	// ended returns a channel. It is closed when the browser has ended with all its processes, or
	// after terminate. The connection may end before that, or stay open a moment longer: other
	// processes that the browser started may hold the pipe.
	ended() <-chan struct{}

	// failure is called when the connection was lost while the browser starts. It waits until the
	// cause is known, and returns it. If there is no better error, it returns the given one.
	failure(err error) error

	// exitedCleanly reports whether the browser has ended by itself and without a failure. It has
	// then written its cookies to disk.
	exitedCleanly() bool

	// terminate ends the host and waits until it has ended. A browser that chela has started is
	// killed if it does not end, and the error comes from the kill. For any other browser only the
	// connection ends.
	terminate(ctx context.Context) error
}

// A Description is what is known of a host. A field that does not apply to this kind of host is
// empty.
type Description struct {
	Own bool // chela has started the browser, and ends it; the browser can read the files of this machine
	// Shared says that the browser's user also works with it. Tabs are then attached only when
	// a call uses them, and downloads stay in the user's folder.
	Shared        bool
	Grouped       bool              // the browser's user shares single tabs with sessions, by tab groups; see shared.go
	Paired        string            // id of the browser's key, if it is paired by the extension; not known before it is connected
	Local         bool              // the browser is on this machine and can read its files
	PID           int               // process id of the browser, and of the group that all its processes are in
	Executable    chrome.Executable // the browser's program
	UserDataDir   string            // absolute path
	Headless      bool              // the browser has no windows; for a browser that chela has not started, not known before it is connected
	HeadlessShell bool              // the browser is Chromium's headless shell; not known before it is connected either
	WebSocketURL  string            // URL of the browser's DevTools endpoint, without secrets; "": chela drives the browser through a pipe
	Port          int               // debugging port that the browser has opened for other programs; 0: none
}

// Remote reports whether the browser cannot read files of this machine, because it is on another
// one.
func (d Description) Remote() bool { return !d.Own && !d.Local }

// MiddleButtonPastes reports whether the middle button of the mouse may paste what the user has
// selected in any program. That is so on Linux, and the system of another machine is not known. In a
// browser that chela has started, the button does not paste.
func (d Description) MiddleButtonPastes() bool {
	return d.Remote() || !d.Own && runtime.GOOS == "linux"
}
