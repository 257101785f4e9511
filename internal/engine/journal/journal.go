// Package journal has the event log of a tab: messages on the console, uncaught errors of scripts,
// requests on the network.
//
// A journal belongs to a tab and outlives its pages, so it also has events from before a navigation
// or a crash. It is bounded, since a page can log without end. The oldest entries make room for new
// ones, and are counted. The package knows nothing of browsers: package observe writes the entries.
// Lists, HAR files and traces are made from them.
//
// Where requests are shown, cookies, authorization and all values whose name says that they are
// secret are replaced, unless the caller asks for them (secrets.go).
package journal

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// These limit how many entries of each kind a journal keeps, and how large all are together.
const (
	maxMessages = 500
	maxErrors   = 200
	maxRequests = 500
	maxBytes    = 2 << 20 // size of all entries, as their size methods estimate it
)

// A Journal is the event log of one tab. Use [New].
type Journal struct {
	mu          sync.Mutex // guards the rest
	movedTo     *Journal   // the journal that has the entries after Append; nil: this one
	messages    list[Message, *Message]
	errors      list[Error, *Error]
	requests    list[Request, *Request]
	lastRequest int // number in the newest id of a request
	listeners   map[*Listener]struct{}
	drops       *Drops // the server's counts of dropped entries
}

// Drops counts the events and entries that the journals of a server have dropped. Its zero value is
// ready to use.
type Drops struct {
	Events  atomic.Int64 // events that came faster than they were recorded
	Entries atomic.Int64 // entries that made room for newer ones
}

// New returns an empty journal. What the journal drops is also counted in the parameter drops,
// which may be nil.
func New(drops *Drops) *Journal {
	if drops == nil {
		drops = new(Drops)
	}
	return &Journal{
		messages:  list[Message, *Message]{max: maxMessages, drops: drops},
		errors:    list[Error, *Error]{max: maxErrors, drops: drops},
		requests:  list[Request, *Request]{max: maxRequests, drops: drops},
		listeners: map[*Listener]struct{}{},
		drops:     drops,
	}
}

// lock returns the journal that now has the entries of j, locked.
func (j *Journal) lock() *Journal {
	for {
		j.mu.Lock()
		next := j.movedTo
		if next == nil {
			return j
		}
		j.mu.Unlock()
		j = next
	}
}

// A Listener gets a copy of each entry as it is recorded. Any of its functions may be nil. The
// goroutine that observes the tab calls them in the order of the entries. So they must not wait,
// and must not take a lock that is held while a journal or page is called.
type Listener struct {
	Message func(Message)
	Error   func(Error)
	Request func(Request) // called when a request was sent, and whenever more is known about it
}

// Listen calls the functions of l for later entries, until stop is called. It also reports changes
// of requests that are under way now.
func (j *Journal) Listen(l Listener) (stop func()) {
	j = j.lock()
	defer j.mu.Unlock()
	key := &l
	j.listeners[key] = struct{}{}
	return func() {
		j := j.lock()
		defer j.mu.Unlock()
		delete(j.listeners, key)
	}
}

// AddMessage records a message, and passes a copy to the listeners.
func (j *Journal) AddMessage(m Message) {
	m.shorten()
	j = j.lock()
	j.messages.add(&m)
	j.limitLocked()
	listeners, now := j.listenersLocked(), m
	j.mu.Unlock()
	for _, l := range listeners {
		if l.Message != nil {
			l.Message(now)
		}
	}
}

// AddError records an error, and passes a copy to the listeners.
func (j *Journal) AddError(e Error) {
	e.shorten()
	j = j.lock()
	j.errors.add(&e)
	j.limitLocked()
	listeners, now := j.listenersLocked(), e
	j.mu.Unlock()
	for _, l := range listeners {
		if l.Error != nil {
			l.Error(now)
		}
	}
}

// AddRequest records a request that was sent, and gives it its id. When more is known about it,
// [Journal.ChangeRequest] records that.
func (j *Journal) AddRequest(r Request) *Request {
	r.shorten()
	added := &r
	j = j.lock()
	j.numberLocked(added)
	j.requests.add(added)
	j.finishChangeLocked(added)
	return added
}

// numberLocked gives a request the next id.
func (j *Journal) numberLocked(r *Request) {
	j.lastRequest++
	r.ID = fmt.Sprintf("r%d", j.lastRequest)
}

// ChangeRequest changes a request, even one that the journal has dropped. The function change must
// replace lists in the request, such as its headers, and not change them: copies share them.
func (j *Journal) ChangeRequest(r *Request, change func(*Request)) {
	j = j.lock()
	change(r)
	r.shorten()
	j.requests.resize(r)
	j.finishChangeLocked(r)
}

// finishChangeLocked ends a change of a request: it unlocks mu, and calls the listeners.
func (j *Journal) finishChangeLocked(r *Request) {
	j.limitLocked()
	listeners, now := j.listenersLocked(), *r
	j.mu.Unlock()
	for _, l := range listeners {
		if l.Request != nil {
			l.Request(now)
		}
	}
}

func (j *Journal) listenersLocked() []*Listener {
	if len(j.listeners) == 0 {
		return nil
	}
	return slices.Collect(maps.Keys(j.listeners))
}

// limitLocked drops entries until all together have at most maxBytes. It drops the oldest of the
// kind that takes most, so that large requests do not displace the few messages.
func (j *Journal) limitLocked() {
	for j.messages.bytes+j.errors.bytes+j.requests.bytes > maxBytes {
		switch most := max(j.messages.bytes, j.errors.bytes, j.requests.bytes); most {
		case j.requests.bytes:
			j.requests.dropOldest()
		case j.messages.bytes:
			j.messages.dropOldest()
		default:
			j.errors.dropOldest()
		}
	}
}

// Lost counts entries of each kind that could not be recorded, because events came too fast.
type Lost struct{ Messages, Errors, Requests int }

// AddLost adds lost entries to those that are counted as dropped.
func (j *Journal) AddLost(lost Lost) {
	j = j.lock()
	defer j.mu.Unlock()
	j.drops.Events.Add(int64(lost.Messages + lost.Errors + lost.Requests))
	j.addLostLocked(lost)
}

func (j *Journal) addLostLocked(lost Lost) {
	j.messages.dropped += lost.Messages
	j.errors.dropped += lost.Errors
	j.requests.dropped += lost.Requests
}

// Messages returns the messages, oldest first, and how many earlier ones were dropped or lost.
func (j *Journal) Messages() (list []Message, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.messages.copy(), j.messages.dropped
}

// Errors returns the errors, oldest first, and how many earlier ones were dropped or lost.
func (j *Journal) Errors() (list []Error, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.errors.copy(), j.errors.dropped
}

// Requests returns the requests, oldest first, and how many earlier ones were dropped or lost. They
// contain their secrets, see [Request.WithoutSecrets].
func (j *Journal) Requests() (list []Request, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.requests.copy(), j.requests.dropped
}

// TakeErrors returns what Errors returns, and empties the list. The count of dropped errors begins
// again at 0.
func (j *Journal) TakeErrors() (list []Error, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.errors.take()
}

// TakeRequests returns what Requests returns, and empties the list. Requests under way are also
// removed, and do not appear again when they end. Ids of later requests continue the numbering.
func (j *Journal) TakeRequests() (list []Request, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.requests.take()
}

// Request finds a request by its id.
func (j *Journal) Request(id string) (Request, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range j.requests.entries {
		if r.ID == id {
			return *r, true
		}
	}
	return Request{}, false
}

// Append moves the entries and listeners of another journal to j, after those of j. What is added
// to the other journal later also goes to j. Requests get new ids, and the links between them are
// changed accordingly. A link to a dropped request is removed: its id may belong to another request
// of j.
func (j *Journal) Append(other *Journal) {
	other.mu.Lock()
	messages, errors, requests, listeners := other.messages, other.errors, other.requests, other.listeners
	other.messages.entries, other.errors.entries, other.requests.entries, other.listeners = nil, nil, nil, nil
	other.movedTo = j
	other.mu.Unlock()

	j = j.lock()
	defer j.mu.Unlock()
	j.addLostLocked(Lost{messages.dropped, errors.dropped, requests.dropped})
	for _, m := range messages.entries {
		j.messages.add(m)
	}
	for _, e := range errors.entries {
		j.errors.add(e)
	}
	renamed := map[string]string{}
	for _, r := range requests.entries {
		before := r.ID
		j.numberLocked(r)
		renamed[before] = r.ID
	}
	for _, r := range requests.entries {
		r.RedirectedFrom, r.RedirectedTo = renamed[r.RedirectedFrom], renamed[r.RedirectedTo]
		j.requests.add(r)
	}
	maps.Copy(j.listeners, listeners)
	j.limitLocked()
}
