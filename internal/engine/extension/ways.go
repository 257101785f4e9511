package extension

// otherWays lists commands that the extension's server carries out in its own way. Chromium does
// not accept them from an extension, or would do something else than for a browser without the
// extension. A table in docs/extension.md shows them, together with the refused commands.
var otherWays = map[string]string{
	"Browser.getVersion":         "says what the extension reports",
	"Browser.getWindowForTarget": "names the window, without its bounds",
	"Fetch":                      "gives a request to one session after the other, chela's own first",
	"Runtime.terminateExecution": "pauses the script, and ends it when it continues",
	"Target.activateTarget":      "puts the tab in front by `chrome.tabs`",
	"Target.attachToTarget":      "adds a session to the one that the debugger has",
	"Target.closeTarget":         "closes the tab by `chrome.tabs`",
	"Target.createTarget":        "opens a tab behind the person's, by `chrome.tabs`",
	"Target.setAutoAttach":       "announces the shared tabs; the first command for one attaches it",
}
