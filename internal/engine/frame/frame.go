// Package frame is the frames of a tab, the script contexts of their documents, and calls of the
// page script into those.
//
// A [Tree] follows the protocol's events. It knows which frames there are, the process of each,
// what each shows, and how far that has loaded. A [World] is a script context of one document.
// [Send] and [Call] run functions of the page script in it, with a deadline that the document
// itself keeps.
//
// The package waits for nothing but replies. Whoever owns a Tree handles the events, guards it with
// a mutex, and wakes those who wait for it to change.
package frame

import (
	"chela/internal/engine/cdp"
	"slices"
)

// Blank is the address of the empty document that every tab begins with.
const Blank = "about:blank"

// A Frame is a tab's main frame or an iframe. It is known by its id, which stays when its document
// or its process changes. ID and Parent, once it is known, never change; the rest is guarded as its
// [Tree] is, and only the Tree's methods change it.
type Frame struct {
	ID     string
	Parent *Frame // nil for the main frame

	Session *cdp.Session // of the process that it is in
	URL     string       // of its document, with the fragment; "" before the first
	Loader  string       // id of the navigation that brought its document; "" for the first, empty one
	State   LoadState    // of its document
	Idle    bool         // no request of its document was under way for half a second (lifecycle event networkIdle)
	Crashed bool         // its process has crashed, and no other document has come

	World     *World // in which the page script runs; nil while there is no document
	MainWorld *World // in which the page's own scripts run; likewise

	Refs Refs // of the elements in its documents

	loaders     []string     // the last ones, the newest last
	parentID    string       // id of Parent, which is nil until it is known
	leftSession *cdp.Session // of the process that the frame has left: that process may still report worlds, late if it is busy; nil: none
}

// LoadState says how far a document has loaded.
type LoadState int

const (
	Loading   LoadState = iota
	DOMLoaded           // its HTML was parsed completely: DOMContentLoaded
	Loaded              // so was what it needs: load
)

// Address returns the URL of the frame's document.
func (f *Frame) Address() string {
	if f.URL == "" {
		return Blank
	}
	return f.URL
}

// Showed reports whether one of the last documents of the frame came with a loader. Another
// document may have replaced it already.
func (f *Frame) Showed(loader string) bool {
	return slices.Contains(f.loaders, loader)
}

// within reports whether f is ancestor or below it.
func (f *Frame) within(ancestor *Frame) bool {
	for ; f != nil; f = f.Parent {
		if f == ancestor {
			return true
		}
	}
	return false
}
