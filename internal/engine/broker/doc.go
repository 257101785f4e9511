// Package broker lets other programs, such as Playwright, Puppeteer and chromedp, drive tabs of
// chela's sessions by the DevTools protocol. They connect to the endpoint of a session. It looks
// like a browser that has only the tabs of the session.
//
// A program is a client of the broker, and the broker uses the one connection that chela has with
// the browser. For each client it attaches a session to the browser itself
// ([browser.Browser.Lend]), and below it one session to each tab. So Chromium keeps the clients
// apart. Each has domains, objects, scripts and overrides of its own, and chela's own sessions are
// not affected.
//
// Commands for the browser as a whole are answered here and not forwarded (whole.go). Commands for
// a tab must pass the gates of gates.go: the network policy, scripts, files, cookies, leases. A
// command that is in no table is refused. A session that Chromium attaches below a client's, for a
// frame or a worker, belongs to that client.
//
// No client delays another. The goroutine that reads from the browser only puts frames into the
// client's queue, which is limited in bytes. A client that does not read is disconnected. A client
// that sends many commands must wait for its own replies (window.go). No mutex is held while
// something is sent.
//
// Begin with [Broker] and client.go.
package broker
