// Package observe writes what a page does into its journal: messages of the console, uncaught errors, requests with
// their answers, WebSockets and WebTransports. It changes nothing in a page, and knows nothing of tabs.
//
// An [Observer] takes the observations of all sessions of a tab, see [Class]: they may be dropped, and are counted
// then. Its mutex is its own: no lock of a page is held while it works. [Shared] does the same for a worker that is in no tab. Bodies
// stay in Chromium, see [Enable] and [Body].
package observe
