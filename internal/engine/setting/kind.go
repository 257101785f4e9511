package setting

import "slices"

// A Kind is what a session is attached to.
type Kind int

const (
	Tab     Kind = iota // the tab itself, with the frames in its renderer process
	Frame               // a frame in another renderer process than its tab
	Worker              // a dedicated worker of a page
	Shared              // a shared or service worker, which several pages use
	Browser             // the browser itself
)

func (k Kind) in(kinds []Kind) bool { return slices.Contains(kinds, k) }

// These are kinds of targets that settings are sent to: those with documents, and those that run
// scripts.
var (
	documents = []Kind{Tab, Frame}
	scripts   = []Kind{Tab, Frame, Worker, Shared}
)
