// Package site reads and writes, through a page, what the browser keeps for an origin:
// localStorage, sessionStorage and databases. It also reads and writes the clipboard.
//
// A [Site] is accessed through a document of its origin. That may be a document that a tab shows
// ([Of]). It may also be an empty document in a page without a site ([Open]); to load it, no
// request leaves the browser. Package site uses only methods of [page.Page].
package site
