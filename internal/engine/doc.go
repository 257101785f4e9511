// Package engine is the storey that drives browsers.
//
// From below: cdp speaks the DevTools protocol and chrome launches Chromium. Package extension
// reaches a person's browser by chela's extension in it. Package nativehost lets the extension pair
// with chela by itself, and adminpolicy finds policies of the machine that keep the extension from
// working. Package page is one tab. Package observe writes what a tab does into its event log, and
// setting has the tab's settings. Package inspect asks what no script can see in a document, and
// transfer moves the content of files. By way of a page, package site uses storage and the
// clipboard, and capture takes pictures. Package browser is one Chromium with its tabs, and profile
// says which browsers run. The storey imports reading, wall and base, and knows no requests and no
// answers. Where to begin: page/turn.go, and then page/pointer.go for a click.
package engine
