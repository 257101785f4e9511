// Package broker lets other programs drive tabs of chela's sessions by the DevTools protocol:
// Playwright, Puppeteer, chromedp. They connect to an endpoint of their session, and find there what
// looks like a browser of their own. It has the tabs of the session, and nothing else.
//
// A program is a client of the broker, and the broker is a client of the one connection that chela
// has with the browser. For each client it attaches a session to the browser itself
// ([browser.Browser.Lend]), and below that one to each tab. So Chromium keeps the clients apart: each
// has domains, objects, scripts and overrides of its own, and chela's own sessions notice nothing.
//
// Commands for the browser as a whole are answered here and not forwarded (whole.go). Commands for a
// tab pass the gates of gates.go: the network policy, scripts, files, cookies, leases. What no table
// names is refused. A session that Chromium attaches below a client's, for a frame or a worker,
// belongs to that client.
//
// Nothing that a client does delays another. The goroutine that reads from the browser only puts
// frames into the client's queue, which has a bound in bytes. A client that does not read is
// dropped. One that floods waits for its own answers (window.go). No mutex is held while something
// is sent.
//
// Begin with [Broker] and client.go.
package broker
