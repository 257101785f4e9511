// Package recorder records what callers do in the tabs of a profile. It keeps their calls, the events
// that these cause, and a small picture of the tab after acts. It records unless the configuration
// says otherwise. A recording is bounded in number, age and size.
package recorder

import (
	"encoding/json"
	"time"
)

// An Entry is one call in a tab.
type Entry struct {
	ID      string                     `json:"id"`                // unique in its profile, in the order in which calls ended
	Time    time.Time                  `json:"time"`              // when the call came
	Session string                     `json:"session,omitempty"` // key of the session; "": none
	Caller  string                     `json:"caller,omitempty"`  // the name that the caller gives itself
	Tab     string                     `json:"tab"`               // handle of the tab (t1)
	Op      string                     `json:"op"`                // name of the operation (click)
	Title   string                     `json:"title"`             // the operation with its main arguments (click e12)
	Part    bool                       `json:"part,omitempty"`    // the call is an action of a batch, whose own entry follows
	Args    map[string]json.RawMessage `json:"args,omitempty"`    // arguments without secrets; long ones are cut
	Element *Element                   `json:"element,omitempty"`
	Effects []string                   `json:"effects,omitempty"` // what an act began: changed, navigated, dialog, download, newTab, fileChooser, request
	URL     string                     `json:"url,omitempty"`     // address of the tab after the call, without secrets
	Error   string                     `json:"error,omitempty"`   // text of the error; "": the call succeeded
	Code    string                     `json:"code,omitempty"`    // code of the error
	Ms      int64                      `json:"ms"`                // how long the call took, in milliseconds
	Chars   int                        `json:"chars"`             // characters of the answer
	Picture *Picture                   `json:"picture,omitempty"` // the tab after the call
}

// An Element is the element that a call acted on.
type Element struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
	Box  *Box   `json:"box,omitempty"` // position when the call acted on it; nil if that is not known
}

// A Box is the position and size of an element, in CSS pixels of the tab's viewport.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// A Picture shows the viewport of a tab.
type Picture struct {
	File   string    `json:"file"` // name of the JPEG file in the folder of the recorder
	Time   time.Time `json:"time"`
	Width  int       `json:"width"` // size of the viewport, in CSS pixels; the picture itself is smaller
	Height int       `json:"height"`
}

// The kinds of events.
const (
	Console   = "console"  // a message on the console, of level warning or error
	PageError = "error"    // an error that no script has caught
	Request   = "request"  // a request that failed, or was answered with a status of 400 or more
	Dialog    = "dialog"   // a dialog opened
	Download  = "download" // a download began
	NewTab    = "newTab"   // the page opened a tab
)

// An Event is something that happened in a tab. All its texts are words of the page.
type Event struct {
	Time   time.Time `json:"time"`
	Tab    string    `json:"tab"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"`             // a message or error; a request's method and error; a dialog's type and message; a download's file name; a new tab's handle
	URL    string    `json:"url,omitempty"`    // the script that a message comes from, or the address of a request, without secrets
	Status int       `json:"status,omitempty"` // HTTP status of a request; 0: there was no response
}

// A Recording is what was recorded in a profile. Entries are in the order in which calls ended.
type Recording struct {
	Entries []Entry
	Events  []Event
	Dropped int // number of entries that were removed because of the limits, or never written
}
