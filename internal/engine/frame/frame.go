// Package frame has the frames of a tab, the script contexts of their documents, and calls of the
// page script in them. The page script is chela's own script in each document (package pagejs).
//
// A [Tree] follows the protocol's events. It has the frames of the tab, with the process, the
// document and the load state of each. A [World] is a script context of one document. [Send] and
// [Call] run functions of the page script in it, with a deadline that is checked in the document
// itself.
//
// The package only waits for replies. The owner of a Tree handles the events, guards the Tree with
// a mutex, and wakes goroutines that wait for it to change.
package frame

import (
	"chela/internal/engine/cdp"
	"slices"
)

// Blank is the address of the empty document that every tab begins with.
const Blank = "about:blank"

// A Frame is a tab's main frame or an iframe. Its id stays the same when its document or process
// changes. The field Parent does not change once it is known. The mutex that guards the [Tree] also
// guards the other fields, and only methods of the Tree change them.
type Frame struct {
	ID     string
	Parent *Frame // nil for the main frame

	Session *cdp.Session // session with the process that the frame is in
	URL     string       // URL of the frame's document, with the fragment; "" before the first document
	Loader  string       // id of the navigation that brought the frame's document; "" for the first, empty one
	State   LoadState    // how far the document has loaded
	Idle    bool         // no request of the frame's document was under way for half a second (lifecycle event networkIdle)
	Crashed bool         // the frame's process has crashed, and no document has come since

	Unreachable string // the URL that could not be loaded, if Chromium shows an error page in its place
	Failure     string // Chromium's name of that error, such as net::ERR_CONNECTION_REFUSED; "" if unknown

	World     *World // the isolated world of the page script; nil while there is no document
	MainWorld *World // the world of the page's own scripts; nil while there is no document

	Refs Refs // refs of the elements in the frame's documents

	loaders     []string     // the newest values of Loader, the newest last; at most keptLoaders
	parentID    string       // id of the parent frame; Parent is nil until that frame is in the tree
	leftSession *cdp.Session // session of the process that the frame has left: late reports from it are ignored; nil: none
}

// LoadState says how far a document has loaded.
type LoadState int

const (
	Loading   LoadState = iota
	DOMLoaded           // the HTML was parsed completely (event DOMContentLoaded)
	Loaded              // images, styles and frames were also loaded (event load)
)

// Address returns the URL of the frame's document.
func (f *Frame) Address() string {
	if f.URL == "" {
		return Blank
	}
	return f.URL
}

// Showed reports whether one of the last documents of the frame came with this loader. Another
// document may have replaced it since.
func (f *Frame) Showed(loader string) bool {
	return slices.Contains(f.loaders, loader)
}

// within reports whether f is the given frame, or is inside it.
func (f *Frame) within(ancestor *Frame) bool {
	for ; f != nil; f = f.Parent {
		if f == ancestor {
			return true
		}
	}
	return false
}
