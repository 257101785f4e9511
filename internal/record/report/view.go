package report

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"chela/internal/record/recorder"
)

// A view is a recording as the script of the report reads it. Calls are in the order in which they
// began, and are numbered from 1. The field files has the names of the pictures; shots refer to
// them by their index.
type view struct {
	Title   string  `json:"title"`
	Made    int64   `json:"made"` // times are in milliseconds since 1970
	Missing string  `json:"missing,omitempty"`
	Dropped int     `json:"dropped,omitempty"`
	Calls   []call  `json:"calls"`
	Early   []event `json:"early,omitempty"` // events before the first call in their tab

	files []string
}

// A call is an entry of the recording with its number, its pictures and its events.
type call struct {
	Number   int      `json:"number"`
	Time     int64    `json:"time"`
	Session  string   `json:"session,omitempty"`
	Caller   string   `json:"caller,omitempty"`
	Tab      string   `json:"tab"`
	Op       string   `json:"op"`
	Title    string   `json:"title"`
	Act      bool     `json:"act,omitempty"`
	Part     bool     `json:"part,omitempty"`     // an action of a batch
	Batch    int      `json:"batch,omitempty"`    // number of the batch that the call is a part of
	OpenedBy int      `json:"openedBy,omitempty"` // only for the first call in a tab: number of the call that opened the tab
	Args     []arg    `json:"args,omitempty"`
	Element  *element `json:"element,omitempty"`
	Effects  []string `json:"effects,omitempty"`
	URL      string   `json:"url,omitempty"`
	Error    string   `json:"error,omitempty"`
	Code     string   `json:"code,omitempty"`
	Ms       int64    `json:"ms"`
	Chars    int      `json:"chars,omitempty"`
	Before   *shot    `json:"before,omitempty"` // the tab before an act; nil: there is no picture
	After    *shot    `json:"after,omitempty"`  // the tab after the call; nil: there is no picture
	Events   []event  `json:"events,omitempty"`

	hasParts bool // the call is a batch whose actions are in the recording
}

// An arg is an argument of a call.
type arg struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// An element is the element that a call acted on.
type element struct {
	Ref  string        `json:"ref,omitempty"`
	Role string        `json:"role,omitempty"`
	Name string        `json:"name,omitempty"`
	Box  *recorder.Box `json:"box,omitempty"`
}

// A shot is a picture of a tab. Picture is its index in view.files. Width and height are the
// viewport's size in CSS pixels.
type shot struct {
	Picture int   `json:"picture"`
	Time    int64 `json:"time"`
	Width   int   `json:"width"`
	Height  int   `json:"height"`
	Earlier bool  `json:"earlier,omitempty"` // there was an act in the tab since the picture was taken
}

// An event is something that happened in a tab.
type event struct {
	Time   int64  `json:"time"`
	Tab    string `json:"tab"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	URL    string `json:"url,omitempty"`
	Status int    `json:"status,omitempty"`
	First  int    `json:"first,omitempty"` // if the event opened a tab: number of the first call in that tab
}

// view makes the view of a report from its recording.
func (r Report) view() *view {
	sorted := recorder.Recording{Entries: r.Recording.Begun(), Events: r.Recording.Events}
	v := &view{Title: shown(r.Title, maxShort), Made: r.Made.UnixMilli(), Missing: shown(r.Missing, maxLong), Dropped: r.Recording.Dropped, Calls: []call{}}
	for i, e := range sorted.Entries {
		v.Calls = append(v.Calls, callOf(e, i+1))
		v.Calls[i].Act = r.IsAct != nil && r.IsAct(e.Op)
	}
	v.findBatches()
	if r.Picture != nil {
		v.addShots(sorted.Entries)
	}
	v.addEvents(sorted)
	return v
}

// callOf returns the call of an entry, still without its batch, its pictures and its events.
func callOf(e recorder.Entry, number int) call {
	c := call{
		Number: number, Time: e.Time.UnixMilli(), Session: shown(e.Session, maxShort), Caller: shown(e.Caller, maxShort), Tab: shown(e.Tab, maxShort),
		Op: shown(e.Op, maxShort), Title: shown(e.Title, maxTitle), Part: e.Part, Args: argsOf(e.Args), URL: shown(e.URL, maxLong),
		Error: shown(e.Error, maxLong), Code: shown(e.Code, maxShort), Ms: e.Ms, Chars: e.Chars,
	}
	c.Title = cmp.Or(c.Title, c.Op)
	for _, effect := range e.Effects {
		c.Effects = append(c.Effects, shown(effect, maxShort))
	}
	if el := e.Element; el != nil {
		c.Element = &element{Ref: shown(el.Ref, maxShort), Role: shown(el.Role, maxShort), Name: shown(el.Name, maxTitle), Box: el.Box}
	}
	return c
}

// addShots gives the calls their pictures. The picture before a call is the last one of its tab
// that was taken before the call began. It is shown for acts, and for calls on an element.
//
// The recorder does not take a picture after each call. If the tab has shown another address since
// the picture was taken, there is no picture before the call. If there was another act since, the
// picture is marked as an earlier one. The address of a batch is known only at its end, so the
// addresses of its actions are used instead.
func (v *view) addShots(entries []recorder.Entry) {
	numbers := map[string]int{}
	shotOf := func(p *recorder.Picture) *shot {
		number, known := numbers[p.File]
		if !known {
			number = len(v.files)
			numbers[p.File] = number
			v.files = append(v.files, p.File)
		}
		return &shot{Picture: number, Time: p.Time.UnixMilli(), Width: p.Width, Height: p.Height}
	}
	pictured, last := picturedOf(entries), map[string]tabState{}
	for i, e := range entries {
		c, tab := &v.Calls[i], last[e.Tab]
		if before := lastBefore(pictured[e.Tab], e.Time); before != nil && (c.Act || c.Element != nil) && pathOf(before.URL) == pathOf(tab.url) {
			c.Before = shotOf(before.Picture)
			c.Before.Earlier = tab.acted.After(before.Picture.Time)
		}
		if usable(e.Picture) {
			c.After = shotOf(e.Picture)
		}
		if e.URL != "" && !c.hasParts {
			tab.url = e.URL
		}
		if c.Act {
			tab.acted = e.Time
		}
		last[e.Tab] = tab
	}
}

// A tabState is what the calls so far say about a tab.
type tabState struct {
	url   string    // address of the tab after the last call that has one
	acted time.Time // when the last act began
}

// pathOf returns an address without its fragment, which most often names a place in the same page.
func pathOf(url string) string {
	path, _, _ := strings.Cut(url, "#")
	return path
}

// picturedOf returns, for each tab, the entries that have a picture, in the order of the pictures'
// times.
func picturedOf(entries []recorder.Entry) map[string][]recorder.Entry {
	pictured := map[string][]recorder.Entry{}
	for _, e := range entries {
		if usable(e.Picture) {
			pictured[e.Tab] = append(pictured[e.Tab], e)
		}
	}
	for _, list := range pictured {
		slices.SortStableFunc(list, func(a, b recorder.Entry) int { return a.Picture.Time.Compare(b.Picture.Time) })
	}
	return pictured
}

// usable reports whether there is a picture, with a size.
func usable(p *recorder.Picture) bool { return p != nil && p.Width > 0 && p.Height > 0 }

// lastBefore returns the last of the entries whose picture was taken at time t or before, or nil.
func lastBefore(pictured []recorder.Entry, t time.Time) *recorder.Entry {
	later := sort.Search(len(pictured), func(i int) bool { return pictured[i].Picture.Time.After(t) })
	if later == 0 {
		return nil
	}
	return &pictured[later-1]
}

// findBatches finds the batch of each action that is a part of one. The action has the same tab and
// session, and began while the batch was under way. A batch whose actions are recorded does not count
// as an act itself, as its actions do.
func (v *view) findBatches() {
	type place struct{ tab, session string }
	latest := map[place]*call{}
	for i := range v.Calls {
		c, at := &v.Calls[i], place{v.Calls[i].Tab, v.Calls[i].Session}
		batch := latest[at]
		switch {
		case !c.Part:
			if c.Op == "batch" {
				latest[at] = c
			}
		case batch != nil && c.Time <= batch.Time+batch.Ms:
			c.Batch = batch.Number
			batch.Act, batch.hasParts = false, true
		}
	}
}

// addEvents adds each event to the call that has caused it. It links an event about a new tab with the
// first call in that tab.
func (v *view) addEvents(r recorder.Recording) {
	first := map[string]*call{}
	for i := range v.Calls {
		if tab := v.Calls[i].Tab; first[tab] == nil {
			first[tab] = &v.Calls[i]
		}
	}
	for i, cause := range r.Causes() {
		e := eventOf(r.Events[i])
		to := first[e.Text]
		if e.Kind == recorder.NewTab && to != nil {
			e.First = to.Number
		}
		if cause < 0 {
			v.Early = append(v.Early, e)
			continue
		}
		c := &v.Calls[cause]
		c.Events = append(c.Events, e)
		if e.First > 0 && to.OpenedBy == 0 {
			to.OpenedBy = c.Number
		}
	}
}

func eventOf(e recorder.Event) event {
	return event{
		Time: e.Time.UnixMilli(), Tab: shown(e.Tab, maxShort), Kind: shown(e.Kind, maxShort),
		Text: shown(e.Text, maxLong), URL: shown(e.URL, maxLong), Status: e.Status,
	}
}
