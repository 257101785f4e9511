// Package extension connects chela to a browser through chela's extension. People install the
// extension to share some of their tabs.
//
// The extension connects to the [Relay]. No page can connect, and no port of the browser is open.
// The extension proves by a key of its own that it was paired (handshake.go, pairing.go). From then
// on the relay has a peer for that browser (peer.go). A peer outlives its connections: Chromium
// stops the worker of an extension at any time, and the tabs stay attached meanwhile.
//
// A [cdp.Transport] over a peer looks like the DevTools endpoint of a browser that has only the
// shared tabs (transport.go). Commands for the whole browser are answered here, or refused
// (browser.go). A tab is attached by the first command for it, since Chromium then shows a bar to
// the person.
//
// Commands for a tab go to chrome.debugger, which has one session for the tab and one for each
// frame and worker below it (debuggee.go). Chromium's own endpoint allows any number of sessions
// with a target, so the transport makes several from one (session.go). Each session gets the events
// of the domains that it has enabled (domains.go). Chromium reports some things only once; they are
// kept and reported to later sessions (contexts.go, lifecycle.go, children.go). The settings of
// several sessions are merged (settings.go). Paused requests go from one session to the next
// (fetch.go). handlers.go lists the commands and events that need this.
package extension
