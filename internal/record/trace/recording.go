package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"chela/internal/engine/har"
	"chela/internal/record/recorder"
	"chela/internal/wall/excerpt"
)

// A savedLine is a line of trace.trace that was read. It has all fields that a recording needs, of all
// types of lines.
type savedLine struct {
	Type string  `json:"type"`
	Time float64 `json:"time"`

	Version   int     `json:"version"` // only in the first line
	Wall      int64   `json:"wallTime"`
	Monotonic float64 `json:"monotonicTime"`
	Title     string  `json:"title"`

	Call   string                     `json:"callId"`
	Start  float64                    `json:"startTime"`
	End    float64                    `json:"endTime"`
	Method string                     `json:"method"`
	Params map[string]json.RawMessage `json:"params"`
	Page   string                     `json:"pageId"`
	Parent string                     `json:"parentId"`
	Point  point                      `json:"point"`
	Error  *failure                   `json:"error"`

	Kind     string       `json:"messageType"` // only in lines of console messages
	Text     string       `json:"text"`
	Message  string       `json:"message"`
	Location messagePlace `json:"location"`

	File      string  `json:"file"` // only in lines of pictures
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Timestamp float64 `json:"timestamp"`
}

// A savedRequest is a failed request of trace.network. At is when it ended, by the trace's clock.
type savedRequest struct {
	Page, Text, URL string
	Status          int
	At              float64
}

// readEvent adds a line of trace.trace to s.events. It leaves out lines that are not JSON, types that
// a recording does not need, and all lines beyond maxKept. Of a snapshot it keeps only the address.
func (s *Saved) readEvent(line []byte) {
	var of struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(line, &of) != nil {
		return
	}
	var l savedLine
	switch of.Type {
	case "frame-snapshot":
		var shot frameSnapshotHead
		if json.Unmarshal(line, &shot) != nil || !shot.Snapshot.Main || shot.Snapshot.Phase != "after" {
			return
		}
		l = savedLine{Type: of.Type, Call: shot.Snapshot.Call, Text: shortened(shot.Snapshot.URL)}
		line = []byte(l.Text)
	case "context-options", "before", "input", "log", "after", "event", "console", "screencast-frame":
		if json.Unmarshal(line, &l) != nil {
			return
		}
	default:
		return
	}
	if s.keep(len(line)) {
		s.events = append(s.events, l)
	}
}

// maxAddress limits an address that is kept, in UTF-16 code units.
const maxAddress = 4000

// shortened returns the part of an address that is kept.
func shortened(address string) string {
	first, _ := excerpt.FirstUnits(address, maxAddress)
	return first
}

// keep reports whether a line of n bytes can be kept, and counts it. To the n bytes it adds lineSize,
// about the size of a savedLine in memory.
func (s *Saved) keep(n int) bool {
	if s.kept += n + lineSize; s.kept > maxKept {
		s.cut = true
		return false
	}
	return true
}

const lineSize = 400

// A frameSnapshotHead is a frameSnapshot without its HTML.
type frameSnapshotHead struct {
	Snapshot struct {
		Call  string `json:"callId"`
		Phase string `json:"phase"`
		URL   string `json:"frameUrl"`
		Main  bool   `json:"isMainFrame"`
	} `json:"snapshot"`
}

// readRequest adds a request of trace.network to s.failed, if it failed or was answered with a status
// of 400 or more.
func (s *Saved) readRequest(line []byte) {
	var l struct {
		Snapshot har.Entry `json:"snapshot"`
	}
	if json.Unmarshal(line, &l) != nil {
		return
	}
	e := l.Snapshot
	if e.Response.Failure == "" && e.Response.Status < 400 {
		return
	}
	text := e.Request.Method
	if e.Response.Failure != "" {
		text += " " + e.Response.Failure
	}
	r := savedRequest{
		Page: e.Page, Text: shortened(text), URL: shortened(e.Request.URL),
		Status: e.Response.Status, At: e.Monotonic + e.Time,
	}
	if s.keep(len(r.Text) + len(r.URL)) {
		s.failed = append(s.failed, r)
	}
}

// Recording converts the trace to a recording, with the pictures of its film. A trace has neither the
// roles and names of elements nor the length of answers, so these are missing. The box of an element
// is a point: where the call used the mouse.
func (s *Saved) Recording() recorder.Recording {
	c := &conversion{first: s.events[0], tabs: map[string]string{}, calls: map[string]*recordedCall{}, films: map[string][]savedLine{}}
	for _, l := range s.events {
		c.begin(l)
	}
	for _, l := range s.events {
		c.add(l)
	}
	c.illustrateAll()
	slices.SortStableFunc(c.order, func(a, b *recordedCall) int { return cmp.Compare(a.end, b.end) })
	for _, call := range c.order {
		c.out.Entries = append(c.out.Entries, call.entry)
	}
	for _, r := range s.failed {
		c.event(r.At, r.Page, recorder.Event{Kind: recorder.Request, Text: r.Text, URL: r.URL, Status: r.Status})
	}
	c.addOpenedTabs()
	slices.SortStableFunc(c.out.Events, func(a, b recorder.Event) int { return a.Time.Compare(b.Time) })
	return c.out
}

// A conversion makes a recording from the lines of a trace.
type conversion struct {
	first  savedLine
	out    recorder.Recording
	tabs   map[string]string // handle (t1, t2) for each page id
	opened []savedLine       // the event lines about opened pages
	calls  map[string]*recordedCall
	order  []*recordedCall
	films  map[string][]savedLine // pictures of each page
}

// A recordedCall is a call whose entry is being made. Its times are by the trace's clock.
type recordedCall struct {
	entry      recorder.Entry
	page       string
	start, end float64
}

// begin handles only the lines with which calls and pages begin. They must be handled before all
// other lines: in the trace, the snapshots of a call come before the line with which the call
// begins.
func (c *conversion) begin(l savedLine) {
	switch {
	case l.Type == "before" && c.calls[l.Call] == nil:
		c.beginCall(l)
	case l.Type == "event" && l.Method == "page":
		l.Page = text(l.Params["pageId"])
		c.tab(l.Page)
		c.opened = append(c.opened, l)
	}
}

// beginCall begins the entry of a call.
func (c *conversion) beginCall(l savedLine) {
	call := &recordedCall{page: l.Page, start: l.Start, end: l.Start}
	call.entry = recorder.Entry{
		ID: l.Call, Time: c.at(l.Start), Tab: c.tab(l.Page), Op: l.Method, Title: l.Title, Args: l.Params, Part: l.Parent != "",
	}
	for _, name := range RefParams {
		if ref := text(l.Params[name]); ref != "" && call.entry.Element == nil {
			call.entry.Element = &recorder.Element{Ref: ref}
		}
	}
	c.calls[l.Call] = call
	c.order = append(c.order, call)
}

// add handles all lines except those with which calls and pages begin, see the method begin.
func (c *conversion) add(l savedLine) {
	switch call := c.calls[l.Call]; {
	case l.Type == "console" && (l.Kind == "error" || l.Kind == "warning"):
		c.event(l.Time, l.Page, recorder.Event{Kind: recorder.Console, Text: l.Text, URL: l.Location.URL})
	case l.Type == "event" && l.Method == "pageError":
		c.pageError(l)
	case l.Type == "screencast-frame" && l.Width > 0 && l.Height > 0:
		c.films[l.Page] = append(c.films[l.Page], l)
	case call != nil:
		call.add(l)
	}
}

// add adds a line about the call to its entry.
func (call *recordedCall) add(l savedLine) {
	e := &call.entry
	switch l.Type {
	case "input":
		if e.Element == nil {
			e.Element = &recorder.Element{}
		}
		e.Element.Box = &recorder.Box{X: l.Point.X, Y: l.Point.Y}
	case "log":
		if effect, ok := strings.CutPrefix(l.Message, "began: "); ok {
			e.Effects = append(e.Effects, effect)
		} else if caller, ok := strings.CutPrefix(l.Message, "called by "); ok {
			e.Caller = caller
		}
	case "frame-snapshot":
		e.URL = l.Text
	case "after":
		call.end = max(l.End, call.start)
		e.Ms = int64(min(call.end-call.start, maxTime.Seconds()*1000))
		if l.Error != nil {
			e.Error = l.Error.Message
		}
	}
}

// settled is how long a page may take to show what a call did, in milliseconds.
const settled = 500

// illustrateAll gives each call its picture. It goes from the last call to the first, to know for each
// call when the next one changes the page.
func (c *conversion) illustrateAll() {
	for _, film := range c.films {
		slices.SortStableFunc(film, func(a, b savedLine) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	}
	slices.SortStableFunc(c.order, func(a, b *recordedCall) int { return cmp.Compare(a.start, b.start) })
	next := map[string]float64{} // when the next call begins that changes a page
	for _, call := range slices.Backward(c.order) {
		begin, known := next[call.page]
		if !known {
			begin = math.Inf(1)
		}
		c.illustrate(call, begin)
		if e := call.entry; len(e.Effects) > 0 || e.Element != nil && e.Element.Box != nil {
			next[call.page] = call.start
		}
	}
}

// illustrate gives a call the picture that shows its tab afterwards. Chromium makes a picture only
// when a page changes. So illustrate takes the last picture of a period. The period ends 500 ms
// (settled) after the call, or when the next call begins to change the tab (next).
func (c *conversion) illustrate(call *recordedCall, next float64) {
	film, until := c.films[call.page], min(call.end+settled, max(next, call.end))
	n := sort.Search(len(film), func(i int) bool { return film[i].Timestamp > until })
	if n == 0 {
		return
	}
	l := film[n-1]
	call.entry.Picture = &recorder.Picture{File: l.File, Time: c.at(l.Timestamp), Width: l.Width, Height: l.Height}
}

// pageError adds an error that no script has caught.
func (c *conversion) pageError(l savedLine) {
	var value errorValue
	var place errorPlace
	json.Unmarshal(l.Params["error"], &value) // what is missing stays empty
	json.Unmarshal(l.Params["location"], &place)
	message := strings.TrimPrefix(fmt.Sprintf("%s: %s", value.Error.Name, value.Error.Message), ": ")
	c.event(l.Time, l.Page, recorder.Event{Kind: recorder.PageError, Text: message, URL: place.URL})
}

// maxAtOnce is how many calls that opened tabs at the same time are told apart.
const maxAtOnce = 10

// addOpenedTabs adds an event for each tab that was opened during a call with the effect newTab. Of
// several calls, the one that began last has opened it. A trace may have many calls and tabs, so only
// few calls are compared with each tab.
func (c *conversion) addOpenedTabs() {
	openers := slices.DeleteFunc(slices.Clone(c.order), func(call *recordedCall) bool { return !slices.Contains(call.entry.Effects, recorder.NewTab) })
	slices.SortStableFunc(openers, func(a, b *recordedCall) int { return cmp.Compare(a.start, b.start) })
	for _, l := range c.opened {
		later := sort.Search(len(openers), func(i int) bool { return openers[i].start > l.Time })
		for _, call := range slices.Backward(openers[max(0, later-maxAtOnce):later]) {
			if l.Time <= call.end+settled {
				c.event(l.Time, call.page, recorder.Event{Kind: recorder.NewTab, Text: c.tab(l.Page)})
				break
			}
		}
	}
}

// event adds an event of a page.
func (c *conversion) event(at float64, page string, e recorder.Event) {
	e.Time, e.Tab = c.at(at), c.tab(page)
	c.out.Events = append(c.out.Events, e)
}

// tab returns the handle of a page. A trace has no handles, so the pages are numbered.
func (c *conversion) tab(page string) string {
	if c.tabs[page] == "" {
		c.tabs[page] = fmt.Sprintf("t%d", len(c.tabs)+1)
	}
	return c.tabs[page]
}

// at converts a moment of the trace's clock to a time. If the moment is far outside of the trace,
// it returns the time at which the trace began.
func (c *conversion) at(moment float64) time.Time {
	ms := moment - c.first.Monotonic
	if math.IsNaN(ms) || math.Abs(ms) > 1e12 {
		ms = 0
	}
	return time.UnixMilli(c.first.Wall).Add(time.Duration(ms * float64(time.Millisecond)))
}

// text returns the value of a JSON string, and "" for any other JSON.
func text(raw json.RawMessage) (value string) {
	json.Unmarshal(raw, &value) // stays empty
	return value
}
