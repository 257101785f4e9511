// Package engine is the storey that drives browsers.
//
// Package cdp speaks the DevTools protocol, and package chrome launches Chromium. Package extension
// drives tabs of a user's own browser through chela's extension in that browser. Package nativehost
// lets the extension pair with chela without the user's help. Package adminpolicy finds policies of
// the machine's administrator that stop the extension from working.
//
// Package page is one tab. Package observe writes what a tab does into its event log, and setting
// applies the tab's settings. Package inspect asks Chromium what a script cannot find out about a
// document, and transfer moves the content of files. Packages site (storage, clipboard) and capture
// (pictures) use a page. Package browser is one Chromium with its tabs, and profile starts and ends
// browsers.
//
// The storey imports reading, wall and base, and knows nothing of requests and answers. A reader
// may begin with page/turn.go, and then read page/pointer.go for a click.
package engine
