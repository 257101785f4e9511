// Package transfer moves the content of files between this machine and the browser.
//
// It sends files to a browser on another machine, fetches files from a server through a frame, and
// reads files that Chromium has made. The content goes in pieces, so that other calls do not wait
// for long.
package transfer
