package setting

import "slices"

// A Kind is what a session is attached to.
type Kind int

const (
	Tab     Kind = iota // the tab itself, with the frames of its process
	Frame               // a frame in a process of its own
	Worker              // a worker
	Shared              // a worker that is in no page: a shared or a service worker
	Browser             // the browser itself
)

func (k Kind) in(kinds []Kind) bool { return slices.Contains(kinds, k) }

// These are kinds of targets that settings are sent to: those with documents, and those that run
// scripts.
var (
	documents = []Kind{Tab, Frame}
	scripts   = []Kind{Tab, Frame, Worker, Shared}
)
