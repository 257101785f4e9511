// Package page is one tab: its frames, refs, elements and input.
//
// One goroutine takes the events of all the tab's sessions in wire order and keeps the state. It
// never waits for a reply. All other code reads that state under a mutex and waits for it to
// change. Whatever touches the page does so within a turn, one at a time. A turn ends early when
// the page can no longer answer: a dialog opened, the renderer crashed, the tab was closed.
//
// Any function that takes a context may return more errors than its comment names. They say why the
// page or the context ended: [ErrCrashed], [ErrClosed], [cdp.ErrClosed] if the browser has gone, a
// [DialogOpen], ErrBusy at the deadline, or the cause of the context.
//
// An act takes three round trips (pointer.go). A script in the page waits until the element can be
// acted on (aim.go). Trusted input is sent. Then the guard reports where the input went (guard.go).
// The guard is a set of event listeners in every frame. It swallows input that would reach another
// element than the one that was meant; then the act starts again. The mouse wheel is guarded in the
// same way (scroll.go). Single mouse events are not guarded (mouse.go).
//
// An act waits until the navigations and downloads that it began have an outcome (act.go). For a
// snapshot after it, it also waits until the page is quiet (quiet.go). That is no change or scroll
// for 100 ms, no request and no transition. Requests are kept with the document that sent them, because Chromium
// reports no end for requests of a document that is gone (requests.go).
//
// Four packages below page do parts of its work. Package observe writes what a page does into its
// event log. Package setting has the settings of its sessions and requests. Package inspect asks
// Chromium about what no script can see in a document. Package transfer moves the content of files.
// Two packages above page use it: site has storage and the clipboard, and capture takes pictures
// and films. The files of page by topic:
//
//	the tab         page session events missed settings journal gone
//	a turn          turn control deadline busy dialog dialogs
//	its frames      frames owner
//	an address      navigate navigation destination history refresh unload cancel policy certificate asks
//	requests        requests downloads quiet
//	waiting         wait condition assert expect news
//	a snapshot      snapshot walk ref lastsnapshot shown delta aria
//	other readings  html fields document resources
//	pictures        screencast paint box highlight
//	an element      element selector subject reason aim guard input
//	the pointer     pointer mouse drag drop scroll slider
//	text and keys   edit keyboard held shortcut
//	forms           fill choose listbox upload secret
//	an act          act effects
//	scripts         evaluate completion
//
// state_test.go lists which file may touch which field of [Page].
package page
