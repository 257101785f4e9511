// Package recorder records what callers do in the tabs of a profile. It has the calls, what
// followed from them, and a small picture of the tab after acts. It is always on unless the
// configuration says otherwise, and is bounded in number, age and size.
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
	URL     string                     `json:"url,omitempty"`     // what the tab showed at the end, without secrets
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
	Box  *Box   `json:"box,omitempty"` // where it was when it was acted on; nil if that is not known
}

// A Box is in CSS pixels of the tab's viewport.
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
	Text   string    `json:"text"`             // the message; a request's method and error; a dialog's type and message; a file's name; the handle of a new tab
	URL    string    `json:"url,omitempty"`    // where the message comes from, or what was requested, without secrets
	Status int       `json:"status,omitempty"` // HTTP status of a request; 0: none came
}

// A Recording is what was recorded in a profile, the oldest first.
type Recording struct {
	Entries []Entry
	Events  []Event
	Dropped int // entries that had to make room
}
