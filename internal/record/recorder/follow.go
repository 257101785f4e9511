package recorder

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/wall/excerpt"
)

// maxEvents limits how many events of a tab are recorded between two calls on it, because a page can
// log without end.
const maxEvents = 20

// maxNoted limits how many requests of a tab are remembered, so that none is recorded twice.
const maxNoted = 500

// maxText limits the text of an event, in characters.
const maxText = 500

// A follower records what happens in the tabs of a browser. It listens to the journals of the tabs.
type follower struct {
	recorder *Recorder

	mu   sync.Mutex // guards the rest; listeners of journals take it, so no other function is called while it is held
	tabs map[*browser.Tab]*tabEvents
}

// tabEvents counts the events that were recorded of a tab.
type tabEvents struct {
	count int             // events since the last call
	noted map[string]bool // requests that were recorded, by id; at most maxNoted
}

// follow records the events of a browser's tabs until ctx or the browser ends.
func (f *follower) follow(ctx context.Context, b *browser.Browser) {
	b.FollowJournals(ctx, f.listener, func(tabs []*browser.Tab) {
		f.mu.Lock()
		defer f.mu.Unlock()
		maps.DeleteFunc(f.tabs, func(t *browser.Tab, _ *tabEvents) bool { return !slices.Contains(tabs, t) })
	})
}

// listener returns a listener that records the events of a tab.
func (f *follower) listener(t *browser.Tab) journal.Listener {
	f.mu.Lock()
	f.tabs[t] = &tabEvents{noted: map[string]bool{}}
	f.mu.Unlock()
	id := t.Info().ID
	return journal.Listener{
		Message: func(m journal.Message) {
			if journal.Rank(m.Type) >= journal.Rank("warning") {
				f.add(t, Event{Time: m.At, Tab: id, Kind: Console, Text: m.Type + ": " + m.Text, URL: m.Location.URL})
			}
		},
		Error: func(e journal.Error) {
			f.add(t, Event{Time: e.At, Tab: id, Kind: PageError, Text: cmp.Or(e.Name, "Error") + ": " + e.Message, URL: e.Location.URL})
		},
		Request: func(r journal.Request) {
			if failed := r.Failure != "" && !r.Canceled; (failed || r.Response.Status >= 400) && f.isNew(t, r.ID) {
				f.add(t, Event{Time: r.At, Tab: id, Kind: Request, Text: r.Method + " " + r.Failure, URL: r.URLWithoutSecrets(), Status: r.Response.Status})
			}
		},
	}
}

// isNew reports whether a request was not recorded yet, and notes it. The journal reports a request
// again whenever it knows more about it.
func (f *follower) isNew(t *browser.Tab, id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	events := f.tabs[t]
	if events == nil || events.noted[id] || events.count >= maxEvents {
		return false
	}
	if len(events.noted) == maxNoted {
		clear(events.noted)
	}
	events.noted[id] = true
	return true
}

// add records an event, unless there were too many since the last call.
func (f *follower) add(t *browser.Tab, e Event) {
	f.mu.Lock()
	events := f.tabs[t]
	full := events == nil || events.count >= maxEvents
	if !full {
		events.count++
	}
	f.mu.Unlock()
	if !full {
		e.Text, e.URL = excerpt.Of(journal.TextWithoutSecrets(e.Text), maxText), excerpt.Of(journal.WithoutURLSecrets(e.URL), maxText)
		f.recorder.AddEvent(e)
	}
}

// called must be called when a call on a tab begins. The number of events since the last call then
// counts from zero.
func (f *follower) called(t *browser.Tab) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if events := f.tabs[t]; events != nil {
		events.count = 0
	}
}
