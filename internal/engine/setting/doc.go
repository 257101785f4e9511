// Package setting has the settings of pages: viewport, device, locale, network and the like. It
// also decides what happens to requests (routes, headers, logins, the judge of the network policy).
// It knows sessions, but not tabs.
//
// [Settings] are plain data. [Applied] sends them to the sessions of a page, to each before its
// target runs. It also decides on the requests that Chromium has paused for them. It has no lock:
// the page that owns it holds its own. A [Target] has settings but is not a page.
//
// A new setting is a field of [Common], and a row in parts (settings.go) with the commands that set
// it.
//
// Chromium pauses only the requests that callers want to change or that a page needs itself. One
// list of patterns combines the routes, the origins with headers or a login, and the rest
// (intercept.go). What happens to a paused request is decided in decide.go.
package setting
