// Package extension is the way to a browser by chela's extension in it, which people install to
// share some of their tabs.
//
// The extension dials the [Relay], so no page can and no port of the browser is open. It proves by a
// key of its own that it was paired (handshake.go, pairing.go). From then on the relay has a peer
// for that browser (peer.go). A peer outlives its connections: Chromium stops the worker of an
// extension at any time, and the attachments to tabs stay meanwhile.
//
// A [cdp.Transport] over a peer looks like the DevTools endpoint of a browser whose only tabs are
// those that are shared (transport.go). Commands for the whole browser are answered here, or
// refused (browser.go). A tab is attached by the first command for it, since Chromium then shows a bar
// to the person.
//
// Commands for a tab go to chrome.debugger, which has one session for it and one for each frame and
// worker below (debuggee.go). The transport makes any number of sessions from one, as Chromium's own
// endpoint has (session.go). Each gets the events of its domains (domains.go). What Chromium says only
// once is kept for later ones (contexts.go, lifecycle.go, children.go). Settings are merged
// (settings.go), and paused requests go from one to the next (fetch.go). handlers.go lists the commands
// and events that need this.
package extension
