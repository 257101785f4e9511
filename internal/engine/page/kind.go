package page

import "slices"

// A targetKind is what a session is attached to.
type targetKind int

const (
	tabTarget     targetKind = iota // the tab itself, with the frames of its process
	frameTarget                     // a frame in a process of its own
	workerTarget                    // a worker
	sharedTarget                    // a worker that is in no page: a shared or a service worker
	browserTarget                   // the browser itself
)

func (k targetKind) in(kinds []targetKind) bool { return slices.Contains(kinds, k) }

// The kinds of targets that settings are sent to: those that have documents, and all
// that run scripts.
var (
	documents = []targetKind{tabTarget, frameTarget}
	scripts   = []targetKind{tabTarget, frameTarget, workerTarget, sharedTarget}
)
