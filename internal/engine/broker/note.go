package broker

import (
	"maps"
	"slices"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
)

// unnoted has the commands that are not recorded in the list of calls on a tab, by domain. Besides these,
// none is recorded that is in releases, or that only looks (see looks), unless it is in alsoNoted. So a
// command that chela learns to pass is recorded.
//
// The listed commands emulate a device, or prepare what the program does later.
var unnoted = map[string]string{
	"Emulation": "clearDeviceMetricsOverride setAutomationOverride setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmulatedMedia " +
		"setFocusEmulationEnabled setLocaleOverride setScrollbarsHidden setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride",
	"Fetch":   "enable",
	"Input":   "cancelDragging setInterceptDrags",
	"Network": "setAttachDebugStack setCacheDisabled setUserAgentOverride",
	"Page":    "createIsolatedWorld setInterceptFileChooserDialog setPrerenderingAllowed",
	"Runtime": "addBinding awaitPromise globalLexicalScopeNames setAsyncCallStackDepth",
	"Target":  "setAutoAttach",
}

// alsoNoted has the commands that return what the page shows or keeps, or answer a request for it.
var alsoNoted = map[string]string{
	"Accessibility": "getFullAXTree getRootAXNode queryAXTree",
	"DOM":           "getDocument getFlattenedDocument getOuterHTML",
	"DOMSnapshot":   "captureSnapshot getSnapshot",
	"DOMStorage":    "getDOMStorageItems",
	"Fetch":         "fulfillRequest getResponseBody",
	"Network":       "getAllCookies getCookies getRequestPostData getResponseBody",
	"Page":          "captureScreenshot captureSnapshot getAnnotatedPageContent getResourceContent printToPDF startScreencast",
	"Storage":       "getCookies",
}

// acts lists the types of event that are recorded of some commands for input. Others end an input, or
// move the mouse.
var acts = map[string][]string{
	"Input.dispatchMouseEvent":         {"mousePressed", "mouseWheel"},
	"Input.emulateTouchFromMouseEvent": {"mousePressed", "mouseWheel"},
	"Input.dispatchKeyEvent":           {"keyDown", "rawKeyDown"},
	"Input.dispatchTouchEvent":         {"touchStart"},
	"Input.dispatchDragEvent":          {"drop"},
}

// isNoted reports whether a command is recorded in the list of calls on its tab.
func (r *request) isNoted() bool {
	switch types := acts[r.Method]; {
	case types != nil:
		p, err := read[typed](r)
		return err == nil && slices.Contains(types, p.Type)
	case lists(alsoNoted, r.Method):
		return true
	}
	return !r.onlyLooks() && !lists(releases, r.Method) && !lists(unnoted, r.Method)
}

// noteTime is the time in which a command is recorded only once for each tab. Programs send an
// event for each key, and many scripts for one click.
const noteTime = 10 * time.Second

// typed is the parameter by which some commands say what they do, such as mousePressed.
type typed struct {
	Type string `json:"type"`
}

// A lastNote is a tab and a command that was recorded for it.
type lastNote struct{ tab, method string }

// note records a command in the list of calls on its tab; nil: the command is about no tab.
func (c *client) note(tab *browser.Tab, r *request) {
	if !r.isNoted() {
		return
	}
	var about browser.Info
	if tab != nil {
		about = tab.Info()
	}
	now := time.Now()
	last := lastNote{about.ID, r.Method}
	c.mu.Lock()
	recent := now.Sub(c.notes[last]) < noteTime
	if !recent {
		maps.DeleteFunc(c.notes, func(_ lastNote, at time.Time) bool { return now.Sub(at) >= noteTime })
		c.notes[last] = now
	}
	c.mu.Unlock()
	if recent {
		return
	}
	c.Note(journal.TabCall{At: now, Session: c.endpoint.Session, Caller: "program", Operation: r.Method, Tab: about.ID, Site: sitedata.OriginOf(about.URL)})
}
