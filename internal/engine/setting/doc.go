// Package setting has what pages are set to: viewport, device, locale, network and the like, and what becomes of
// requests (routes, headers, logins, the judge of the network policy). It knows sessions and nothing of tabs.
//
// [Settings] are plain data. [Applied] are settings in force in the sessions of a page: it sends them to each session
// before the target runs, and decides on the requests that Chromium has paused for them. It has no lock: the page that
// owns it holds its own. A [Target] is what has settings and is no page.
//
// A new setting is a field of [Common], and a row in parts (settings.go) with the commands that set it.
//
// Chromium pauses only requests that callers want to see changed, and those that a page needs
// itself. One list of patterns is made of the routes, of the origins with headers or a login, and
// of the rest (intercept.go). What becomes of a paused request is decided in decide.go.
package setting
