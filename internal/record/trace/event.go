package trace

import (
	"encoding/json"

	"chela/internal/engine/har"
)

// The lines of a trace are in version 9 of Playwright's format, which its viewer reads since
// release 1.63. Playwright's sources describe the format in packages/trace/src/trace.ts, and the
// format of DOM snapshots in snapshot.ts beside it. Times are milliseconds by the trace's own
// clock, see Recorder.at. Only wallTime and frameSwapWallTime count from 1970. In this file, a
// comment behind a field with the name Type, Origin or Class gives the field's value.
//
// A viewer converts older versions to its own, one step after the other, and refuses newer ones:
// see packages/isomorphic/trace/traceModernizer.ts. So the first line must have the true version of
// the lines. With a smaller number, the viewer would convert lines that need no conversion. A
// viewer ignores types of lines and names of fields that it does not know.

// Releases of the viewer that read this version differ in how they name some things, so both ways are
// written. For example, a snapshot has a name, and also the call and phase that identify it.

const formatVersion = 9

// A begun line is the first line of a trace. It tells the viewer the version of the lines that
// follow. The fields wallTime and monotonicTime are the same moment, the beginning of the trace, by
// both clocks.
type begun struct {
	Type      string  `json:"type"` // context-options
	Version   int     `json:"version"`
	Origin    string  `json:"origin"` // library
	Browser   string  `json:"browserName"`
	Channel   string  `json:"channel,omitempty"`
	Platform  string  `json:"platform"`
	Wall      int64   `json:"wallTime"`
	Monotonic float64 `json:"monotonicTime"`
	Title     string  `json:"title"`
	Options   options `json:"options"`
	Language  string  `json:"sdkLanguage"`
	Context   string  `json:"contextId"`
}

// options are the options of the browser context that the viewer shows.
type options struct {
	Viewport size `json:"viewport"`
}

// A size is in CSS pixels.
type size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// A before line is the beginning of a call. The viewer lists calls by their titles, in the order of
// their times. A call with a parentId is listed below the call with that id. In Playwright's own
// traces, class and method name a part of its API; here they are "chela" and the operation.
type before struct {
	Type     string                     `json:"type"` // before
	Call     string                     `json:"callId"`
	Start    float64                    `json:"startTime"`
	Title    string                     `json:"title"`
	Class    string                     `json:"class"`
	Method   string                     `json:"method"`
	Params   map[string]json.RawMessage `json:"params"`
	Page     string                     `json:"pageId,omitempty"`
	Parent   string                     `json:"parentId,omitempty"`
	Snapshot string                     `json:"beforeSnapshot,omitempty"`
}

// An input line says at which point a call used the mouse.
type input struct {
	Type  string `json:"type"` // input
	Call  string `json:"callId"`
	Point point  `json:"point"`
}

// A point is a position in the tab's viewport, in CSS pixels.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// A logged line is one line of the log of a call.
type logged struct {
	Type    string  `json:"type"` // log
	Call    string  `json:"callId"`
	Time    float64 `json:"time"`
	Message string  `json:"message"`
}

// An after line is the end of a call.
type after struct {
	Type     string          `json:"type"` // after
	Call     string          `json:"callId"`
	End      float64         `json:"endTime"`
	Snapshot string          `json:"afterSnapshot,omitempty"`
	Error    *failure        `json:"error,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
}

// A failure is the error of a call or of a page. Its name is the JavaScript class of the error.
type failure struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
}

// A happened line is an event of the browser: page, pageClosed or pageError, which differ in their
// params. The viewer shows it below the last call that began before it.
type happened struct {
	Type   string  `json:"type"` // event
	Time   float64 `json:"time"`
	Class  string  `json:"class"` // BrowserContext
	Method string  `json:"method"`
	Params any     `json:"params"`
	Page   string  `json:"pageId,omitempty"`
}

// A pageEvent has the params of an event about a tab.
type pageEvent struct {
	Page string `json:"pageId"`
}

// A pageError has the params of an uncaught error of a page.
type pageError struct {
	Error    errorValue `json:"error"`
	Location errorPlace `json:"location"`
}

// An errorValue is what a script has thrown, in the form of Playwright's SerializedError. For a value
// that is not an Error, that type has another field; chela writes an error without a name instead.
type errorValue struct {
	Error failure `json:"error"`
}

// An errorPlace counts lines and columns from 0. The format names these fields differently than in
// a messagePlace.
type errorPlace struct {
	URL    string `json:"url"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// A message line is one message of the console. For each call, the viewer counts the messages with
// the messageTypes warning and error.
type message struct {
	Type     string       `json:"type"` // console
	Time     float64      `json:"time"`
	Page     string       `json:"pageId,omitempty"`
	Kind     string       `json:"messageType"`
	Text     string       `json:"text"`
	Location messagePlace `json:"location"`
}

// A messagePlace counts lines and columns from 0.
type messagePlace struct {
	URL    string `json:"url"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
}

// A picture line is one picture of the filmstrip. Width and height are the viewport's size in CSS
// pixels; the picture itself may be smaller. For a snapshot the viewer shows the picture whose
// frameSwapWallTime is nearest to the snapshot's wallTime.
type picture struct {
	Type   string  `json:"type"` // screencast-frame
	Page   string  `json:"pageId"`
	File   string  `json:"file"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Time   float64 `json:"timestamp"`
	Wall   float64 `json:"frameSwapWallTime"`
}

// A frameSnapshot line is what one frame shows at a moment.
type frameSnapshot struct {
	Type     string   `json:"type"` // frame-snapshot
	Snapshot snapshot `json:"snapshot"`
}

// A snapshot is what a frame shows. The field Frame has the id by which the HTML of the parent
// frame names this one.
//
// Playwright writes the content of style sheets that scripts have changed into resourceOverrides.
// chela does not know these changes, so its list is empty. It must be a list, as the viewer fails on
// null. The viewer takes the files that a document names from requests that began before the
// timestamp.
type snapshot struct {
	Call      string          `json:"callId"`
	Phase     string          `json:"phase"` // before, after
	Name      string          `json:"snapshotName"`
	Page      string          `json:"pageId"`
	Frame     string          `json:"frameId"`
	URL       string          `json:"frameUrl"`
	Time      float64         `json:"timestamp"`
	Wall      int64           `json:"wallTime"`
	Took      float64         `json:"collectionTime"`
	Doctype   string          `json:"doctype,omitempty"`
	HTML      json.RawMessage `json:"html"`
	Overrides []struct{}      `json:"resourceOverrides"`
	Viewport  size            `json:"viewport"`
	Main      bool            `json:"isMainFrame"`
}

// A resourceSnapshot line is a request, as an entry of an HTTP Archive. These lines are in
// trace.network, in any order: the viewer sorts them by their _monotonicTime.
type resourceSnapshot struct {
	Type     string    `json:"type"` // resource-snapshot
	Snapshot har.Entry `json:"snapshot"`
}
