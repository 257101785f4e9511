package cdp

import proto "github.com/chromedp/cdproto/cdp"

// These commands and events are chela's own, in addition to Chromium's protocol. Only the transport
// to chela's extension has them: it reaches the browser of a person who shares tabs. The person
// shares each tab with one session of chela or with all sessions. The browser remembers that
// session even after the server ends.

// A SharedTab is what the browser remembers of a shared tab.
type SharedTab struct {
	TargetID string `json:"targetId"`
	Session  string `json:"session"`          // key of the session that the tab is shared with; "": all
	Opened   bool   `json:"opened,omitempty"` // a session has opened the tab; otherwise the tab is the person's own
	Handle   string `json:"handle"`           // the name by which callers know the tab; "": it has none yet
	Label    string `json:"label"`
	Refs     int    `json:"refs"`   // no ref of the tab has a higher number
	Frames   int    `json:"frames"` // no ref of the tab names a frame with a higher number
}

var (
	// TabShared reports a shared tab before it is attached, and when the person has shared it with
	// another session.
	TabShared = proto.Event[SharedTab]{Method: "Chela.tabShared"}

	// KeepTab makes the browser remember a [SharedTab], and show by a tab group which session the
	// tab belongs to.
	KeepTab = proto.Command[SharedTab, proto.Empty]{Method: "Chela.keepTab"}

	// ReturnTab gives a tab back to the person, who does not share it any more.
	ReturnTab = proto.Command[SharedTab, proto.Empty]{Method: "Chela.returnTab"}

	// EventsMissed reports that events of a tab and of its child sessions may be missing. The
	// service worker of chela's extension, which passes events on, was ended and started again.
	EventsMissed = proto.Event[proto.Empty]{Method: "Chela.eventsMissed"}

	// PersonStopped reports that the person has stopped all agents, or lets them go on.
	PersonStopped = proto.Event[Stopping]{Method: "Chela.stopped"}

	// Flash marks an area of the page, to show the person where an agent acts. The reply comes at
	// once. While an earlier area is still marked, the command does nothing.
	Flash = proto.Command[FlashParams, proto.Empty]{Method: "Chela.flash"}
)

// Stopping says whether the person has stopped all agents.
type Stopping struct {
	Stopped bool `json:"stopped"`
}

// FlashParams is an area of the tab's viewport, in CSS pixels.
type FlashParams struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}
