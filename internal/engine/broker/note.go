package broker

import (
	"maps"
	"slices"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
)

// noted has the commands by which a program acts on a tab. They are recorded in the list of calls
// on that tab. The value lists the types of event that are recorded, such as mousePressed; nil:
// all.
var noted = map[string][]string{
	"Page.navigate":                 nil,
	"Page.navigateToHistoryEntry":   nil,
	"Page.reload":                   nil,
	"Page.setDocumentContent":       nil,
	"Input.dispatchMouseEvent":      {"mousePressed", "mouseWheel"},
	"Input.dispatchKeyEvent":        {"keyDown", "rawKeyDown"},
	"Input.dispatchTouchEvent":      {"touchStart"},
	"Input.dispatchDragEvent":       {"drop"},
	"Input.insertText":              nil,
	"Input.imeSetComposition":       nil,
	"Input.synthesizePinchGesture":  nil,
	"Input.synthesizeScrollGesture": nil,
	"Input.synthesizeTapGesture":    nil,
	"DOM.setFileInputFiles":         nil,
	"Runtime.evaluate":              nil,
	"Runtime.callFunctionOn":        nil,
	"Target.createTarget":           nil,
	"Target.closeTarget":            nil,
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

// note records a command in the list of calls on its tab.
func (c *client) note(tab *browser.Tab, r *request) {
	types, listed := noted[r.Method]
	if !listed {
		return
	}
	if types != nil {
		if p, err := read[typed](r); err != nil || !slices.Contains(types, p.Type) {
			return
		}
	}
	about, now := tab.Info(), time.Now()
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
