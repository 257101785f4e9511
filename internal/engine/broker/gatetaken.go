package broker

import (
	"slices"
	"strings"
)

// looks has the commands for a tab that are allowed while a person has taken it over, by domain.
// Besides these, all commands are allowed that are in releases, or whose names begin with "get". Any
// other command may act in the page, navigate it, run a script, stop it, or change how it behaves. So
// a command that is in no list is refused.
//
// The listed commands read, subscribe to events, or have no effect because of their gates.
// Fetch.enable and Debugger.enable are not listed. The first one stops requests. After the second
// one, a debugger statement stops the page.
var looks = map[string]string{
	"Accessibility":       "enable disable queryAXTree",
	"Animation":           "enable disable",
	"Audits":              "enable disable checkContrast checkFormsIssues",
	"Browser":             "setDockTile setDownloadBehavior setWindowBounds",
	"CSS":                 "enable disable collectClassNames resolveValues takeComputedStyleUpdates takeCoverageDelta",
	"Console":             "enable disable",
	"DOM":                 "enable disable collectClassNamesFromSubtree describeNode discardSearchResults performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll requestChildNodes requestNode resolveNode",
	"DOMSnapshot":         "enable disable captureSnapshot",
	"DOMStorage":          "enable disable",
	"Fetch":               "takeResponseBodyAsStream",
	"IO":                  "close read resolveBlob",
	"Inspector":           "enable disable",
	"LayerTree":           "enable disable compositingReasons",
	"Log":                 "enable disable startViolationsReport stopViolationsReport",
	"Media":               "enable disable",
	"Network":             "enable disable searchInResponseBody streamResourceContent",
	"Overlay":             "enable disable",
	"Page":                "enable disable bringToFront captureScreenshot captureSnapshot printToPDF searchInResource setDownloadBehavior setLifecycleEventsEnabled startScreencast stopScreencast",
	"Performance":         "enable disable",
	"PerformanceTimeline": "enable",
	"Preload":             "enable disable",
	"Profiler":            "enable disable",
	"Runtime":             "enable disable releaseObject releaseObjectGroup",
	"Security":            "enable disable",
	"Target":              "setDiscoverTargets",
	"WebAudio":            "enable disable",
}

// releases has the commands that release what a program holds, by domain. That is a request that it has
// intercepted, a page that its debugger has stopped, or the next frame of a recording. They are allowed
// while a person has the tab or has stopped all agents, and on a page that the network policy forbids.
// Without them, the page would hang, or later the recording.
var releases = map[string]string{
	"Debugger": "disable resume",
	"Fetch":    "disable continueRequest continueResponse continueWithAuth failRequest fulfillRequest",
	"Page":     "screencastFrameAck",
	"Runtime":  "runIfWaitingForDebugger",
	"Target":   "detachFromTarget",
}

// answers has those releases that give the page or the site an answer of the program. They are recorded.
var answers = map[string]string{"Fetch": "continueWithAuth fulfillRequest"}

// changes has the parameters by which some releases change what they release. With any of them, such a
// release is recorded.
var changes = map[string]replacement{
	"Fetch.continueRequest":  {"headers": nil, "method": nil, "postData": nil, "url": nil},
	"Fetch.continueResponse": {"binaryResponseHeaders": nil, "responseCode": nil, "responseHeaders": nil, "responsePhrase": nil},
}

// release removes the changes from a release while nothing of the page may be passed on. The program
// then does not know the headers and the body. Clients build changed headers from those that they know,
// and so would remove the page's own.
func (cmd *command) release() {
	if changed := changes[cmd.Method]; changed != nil && cmd.page().Withheld() != nil {
		cmd.Params = replace(cmd.Params, changed)
	}
}

// untaken returns an error if a person keeps the command from the tab. If the person has stopped
// all agents, that is [page.ErrStopped], also for a command that reads. If a person has only taken
// the tab over, a command that may touch it gets a [*page.TakenError]. Commands that release what
// the program holds always pass, and those that end its input.
func (cmd *command) untaken() error {
	if lists(releases, cmd.Method) || cmd.endsInput() {
		return nil
	}
	if err := cmd.browser.CheckStopped(); err != nil {
		return err
	}
	if cmd.onlyLooks() {
		return nil
	}
	return cmd.session.tab.CheckTaken()
}

// endsInput reports whether the command ends an input, such as the drag of a slider. Otherwise the page
// would go on with what the program has begun while the person works there. The person may
// have begun the input: that is not known here. The extension also passes these after a stop, see endsInput in
// debuggee.js.
func (cmd *command) endsInput() bool {
	if !strings.HasPrefix(cmd.Method, "Input.") {
		return false
	}
	p, err := read[struct {
		Type    string `json:"type"`
		Enabled bool   `json:"enabled"`
	}](cmd.request)
	switch cmd.Method {
	case "Input.cancelDragging":
		return true
	case "Input.setInterceptDrags":
		return err == nil && !p.Enabled
	}
	return err == nil && slices.Contains([]string{"mouseReleased", "keyUp", "touchEnd", "touchCancel", "dragCancel"}, p.Type)
}

// onlyLooks reports whether the command is one of those that are allowed, see looks. So is
// Target.setAutoAttach, unless Chromium would stop the frames and workers that it attaches.
func (r *request) onlyLooks() bool {
	if r.Method == "Target.setAutoAttach" {
		p, err := read[struct {
			Stop bool `json:"waitForDebuggerOnStart"`
		}](r)
		return err == nil && !p.Stop
	}
	_, name, _ := strings.Cut(r.Method, ".")
	return strings.HasPrefix(name, "get") || lists(looks, r.Method)
}

// checkTaken returns a [*page.TakenError] if a person has taken over one of the session's tabs.
func (c *client) checkTaken() error {
	for _, t := range c.as.Targets() {
		if err := t.Tab.CheckTaken(); err != nil {
			return err
		}
	}
	return nil
}
