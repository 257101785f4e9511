package cdp

import proto "github.com/chromedp/cdproto/cdp"

// These commands and events of chela's own come beside Chromium's protocol. Only the transport to
// the browser of a person who shares tabs has them. The person shares each tab with one session or
// with all. The browser remembers that, so that it outlives the server.

// A SharedTab is what the browser remembers of a shared tab.
type SharedTab struct {
	TargetID string `json:"targetId"`
	Session  string `json:"session"`          // key of the one that it is shared with; "": all
	Opened   bool   `json:"opened,omitempty"` // by a session: else it is the person's own
	Handle   string `json:"handle"`           // which callers know it by; "": none yet
	Label    string `json:"label"`
	Refs     int    `json:"refs"`   // no ref of the tab has a higher number
	Frames   int    `json:"frames"` // and no number of a frame in a ref is higher
}

var (
	// TabShared reports a shared tab before it is attached, and when the person has shared it with
	// another session.
	TabShared = proto.Event[SharedTab]{Method: "Chela.tabShared"}

	// KeepTab has the browser remember a tab in this way, and show by a group whose it is.
	KeepTab = proto.Command[SharedTab, proto.Empty]{Method: "Chela.keepTab"}

	// ReturnTab gives a tab back to the person, who does not share it any more.
	ReturnTab = proto.Command[SharedTab, proto.Empty]{Method: "Chela.returnTab"}

	// EventsMissed reports that events of a tab may be missing, and events of its child sessions. The
	// browser's extension, which passes them on, was ended and started again.
	EventsMissed = proto.Event[proto.Empty]{Method: "Chela.eventsMissed"}

	// PersonStopped reports that the person has stopped all agents, or has them go on.
	PersonStopped = proto.Event[Stopping]{Method: "Chela.stopped"}

	// Flash shows the person where an agent acts. It is answered at once, and dropped if the browser
	// is busy with another one.
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
