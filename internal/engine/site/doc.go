// Package site reads and writes, through a page, what the browser keeps for an origin:
// localStorage, sessionStorage and databases. It also reads and writes the clipboard.
//
// A [Site] is accessed through a document of its origin. That may be a document that a tab shows
// ([Of]), or an empty one in a page that no site uses ([Open]). For the empty document no request
// leaves the browser. All of that is done with what [page.Page] offers.
package site
