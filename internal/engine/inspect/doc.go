// Package inspect asks Chromium about a document what no script in it can see.
//
// These are event listeners, the content of closed shadow roots, and what custom elements set
// through ElementInternals. The page script records for which elements it needs them. It is given
// Chromium's answers, and keeps them for the life of the document. Package page decides when to ask
// (page/walk.go).
package inspect
