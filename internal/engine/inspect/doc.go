// Package inspect asks Chromium what no script can find out about a document. These things are its
// event listeners, the content of closed shadow roots, and what custom elements set through
// ElementInternals.
//
// The page script records the elements about which it needs to know this. Package inspect gives
// Chromium's answers to the page script, which keeps them for the life of the document. Package
// page decides when to ask (page/walk.go).
package inspect
