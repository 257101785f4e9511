package extension

// otherWays lists commands that have another effect with the extension than in Chromium. An
// extension may not send them to Chromium, or they would mean something else. With the refusals
// they become a table in docs/extension.md.
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
