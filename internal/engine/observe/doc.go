// Package observe writes what a page does into its event log (package journal). It records console
// messages, uncaught errors, requests with their responses, WebSockets and WebTransports. It
// changes nothing in a page, and knows only protocol sessions.
//
// An [Observer] handles the observed events of all sessions of a tab, see [Class]. Such events may
// be dropped, and are then counted. The observer has its own mutex: no lock of a page is held while
// it works. [Shared] does the same for a worker that is in no tab. Bodies stay in Chromium, see
// [Enable] and [Body].
//
// Shared workers are in no tab. They are recorded in each tab that shows their origin
// (sharedworker.go). A WebSocket is a request that ends when it is closed; its frames are counted
// (socket.go). Chromium reports nothing about WebRTC and the manifests of payment methods. It does
// not report its own requests either, such as the one for a favicon.
package observe
