// Package transfer moves the content of files between this machine and the browser.
//
// That is what files are given to a browser on another machine, what a frame fetches from a server,
// and what Chromium has made. It goes in pieces, so that other calls do not wait for long.
package transfer
