// Package observe writes what a page does into its journal: messages of the console, uncaught errors, requests with
// their answers, WebSockets and WebTransports. It changes nothing in a page, and knows nothing of tabs.
//
// An [Observer] takes the observations of all sessions of a tab, see [Class]: they may be dropped, and are counted
// then. Its mutex is its own: no lock of a page is held while it works. [Shared] does the same for a worker that is in no tab. Bodies
// stay in Chromium, see [Enable] and [Body].
//
// Shared workers are in no tab, and are recorded in each tab that shows their origin
// (sharedworker.go). A WebSocket is a request that ends when it is closed; its frames are counted
// (socket.go). Chromium reports nothing of WebRTC, of the manifests of payment methods, and of its
// own requests, such as that for a favicon.
package observe
