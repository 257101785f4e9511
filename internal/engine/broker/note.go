package broker

import (
	"maps"
	"slices"
	"strings"
	"time"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
)

// unnoted has the commands that are not recorded in the list of calls on a tab, by domain. No command
// that is named enable or disable is recorded either. All others are, also those that chela learns to
// pass later.
//
// The listed commands return nothing that the page shows, keeps or receives. They emulate a device,
// prepare what the program does later, or end what it has begun. Commands that only release something
// are in releases.
var unnoted = map[string]string{
	"Browser": "getVersion getWindowForTarget",
	"DOM":     "discardSearchResults getBoxModel getContentQuads getFrameOwner",
	"Emulation": "clearDeviceMetricsOverride setAutomationOverride setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmulatedMedia " +
		"setFocusEmulationEnabled setLocaleOverride setScrollbarsHidden setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride",
	"IO":      "close",
	"Input":   "cancelDragging setInterceptDrags",
	"Log":     "startViolationsReport stopViolationsReport",
	"Network": "setAttachDebugStack setCacheDisabled setUserAgentOverride",
	"Page": "createIsolatedWorld getFrameTree getLayoutMetrics setInterceptFileChooserDialog setLifecycleEventsEnabled " +
		"setPrerenderingAllowed stopScreencast",
	"Performance": "getMetrics",
	"Runtime":     "addBinding getHeapUsage getIsolateId releaseObject releaseObjectGroup setAsyncCallStackDepth",
	"Target":      "getTargetInfo setAutoAttach",
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
	if types := acts[r.Method]; types != nil {
		p, err := read[typed](r)
		return err == nil && slices.Contains(types, p.Type)
	}
	if changed := changes[r.Method]; changed != nil {
		params, _ := read[map[string]json.Value](r) // parse has read them as an object
		for name := range changed {
			if params[name] != nil {
				return true
			}
		}
		return false
	}
	_, name, _ := strings.Cut(r.Method, ".")
	released := lists(releases, r.Method) && !lists(answers, r.Method)
	return name != "enable" && name != "disable" && !lists(unnoted, r.Method) && !released
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

// note records a command in the list of calls on its tab; nil: the command is about no tab. It is
// called when nothing refuses the command any more, before the browser gets it. So it is recorded even
// if the program then disconnects. A gate that answers a command by itself calls it.
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
