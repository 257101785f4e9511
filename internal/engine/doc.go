// Package engine is the storey that drives browsers.
//
// From below: cdp speaks the DevTools protocol, chrome launches Chromium, page is one tab, browser one Chromium with its
// tabs, and profile says which browsers run. It imports reading, wall and base, and knows no requests and no answers.
// Where to begin: page/turn.go, and then page/pointer.go for a click.
package engine
