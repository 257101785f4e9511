// Package site uses what the browser keeps for an origin (localStorage, sessionStorage, databases) and the clipboard,
// by way of a page.
//
// A [Site] is used by a document of its origin: one that a tab shows ([Of]), or an empty one in a page that no site
// uses ([Open]), for which no request leaves the browser. All of that is done with what [page.Page] offers.
package site
