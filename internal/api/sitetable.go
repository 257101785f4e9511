package api

import "chela/internal/op"

// stateRows returns the operations on the data that the browser stores for sites. Cookies and
// storage hold the user's logins, and permissions guard the user, so agents do not get these
// operations. The author of a page could otherwise have an agent read the data out, or grant what
// the user would not. The operations are functions of a [call.Service], because they need no page
// that a tab shows, and no turn.
func stateRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /cookies", "cookies", "List the cookies of the browser.", cookies, op.Confined, op.NotForAgents, op.Untrusted,
			op.AlsoCalled("cookie-list"), op.Example("--domain example.com")),
		op.Define("POST /cookies/set", "cookies set {name?} {value?}",
			"Set a cookie, or the cookies of a request that was copied from a browser as cURL.",
			setCookie, op.Confined, op.NotForAgents, op.AlsoCalled("cookie-set"), op.Example("session abc123 --url https://example.com")),
		op.Define("POST /cookies/set-many", "cookies set-many", "Set several cookies.", setCookies, op.Confined, op.NotForAgents,
			op.Example(`--cookies '[{"name": "a", "value": "1", "url": "https://example.com"}]'`)),
		op.Define("POST /cookies/clear", "cookies clear", "Remove the cookies of the browser, or those of one name, domain or path.",
			clearCookies, op.Confined, op.NotForAgents, op.AlsoCalled("cookie-clear"), op.Example("--domain example.com")),
		op.Define("GET /state", "state save {out}",
			"Save cookies, localStorage, IndexedDB and the sessionStorage of open tabs to a file, in the form of Playwright's storage state.",
			saveState, op.Confined, op.NotForAgents, op.Limit(60*s, 1*s, 300*s), op.AlsoCalled("state-save"), op.Example("login.json")),
		op.Define("POST /state", "state load {file?}",
			"Load a state that chela or Playwright has saved. The state's cookies are added to the browser's; its storage replaces that of the same origins.",
			loadState, op.Confined, op.NotForAgents, op.Limit(60*s, 1*s, 300*s), op.AlsoCalled("state-load"), op.Example("login.json")),
		op.Define("POST /permissions/grant", "permissions grant {origin} {permissions...}",
			"Grant an origin permissions, such as the use of geolocation or the camera.",
			grant, op.Confined, op.NotForAgents, op.Limit(5*s, 1*s, 120*s), op.Example("https://example.com geolocation notifications")),
	}
}

// storageRows returns the operations on localStorage and sessionStorage. Agents do not get them,
// for the same reason as those of stateRows. The function onStorage runs them, in a turn of the tab
// or in a hidden page.
func storageRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /storage/{area}", "storage {area} get {key?}", "Read localStorage or sessionStorage.",
			storageGet, op.NotForAgents, op.Untrusted, op.Example("theme")),
		op.Define("POST /storage/{area}/set", "storage {area} set {key} {value}", "Set a key of localStorage or sessionStorage.",
			storageSet, op.NotForAgents, op.Says("{area}Storage set: {arg.key}"), op.Example("theme dark")),
		op.Define("POST /storage/{area}/clear", "storage {area} clear {key?}", "Empty localStorage or sessionStorage, or remove one key.",
			storageClear, op.NotForAgents, op.Says("{area}Storage cleared[: {arg.key}]"), op.Example("--origin https://example.com")),
	}
}
