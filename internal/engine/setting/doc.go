// Package setting has the settings of pages: viewport, device, locale, network and the like. It
// also decides what happens to requests (routes, headers, logins, the check against the network
// policy). It knows sessions, but not tabs.
//
// [Settings] are plain data. [Applied] sends them to the sessions of a page, to each before its
// target runs. It also decides what happens to the requests of these sessions that Chromium has
// paused. It has no lock of its own: its methods are called with the lock of the page held. A
// [Target] applies settings to what is not a page: a browser or a shared worker.
//
// To add a setting, add a field to [Common], and a row to parts (settings.go) with the commands
// that set it.
//
// Chromium pauses only the requests that one list of patterns matches (intercept.go). They are
// requests that callers want to change, by routes, headers or logins, and requests that must be
// checked against the network policy. What happens to a paused request is decided in decide.go.
package setting
