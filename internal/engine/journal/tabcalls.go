package journal

import (
	"slices"
	"sync"
	"time"
)

// maxTabCalls is how many calls one TabCalls keeps.
const maxTabCalls = 1000

// A TabCall is a record of a call on a tab.
type TabCall struct {
	At        time.Time // when the call began
	Took      time.Duration
	Session   string // key of the session that made the call; "": none
	Caller    string // the name that the caller gives itself
	Operation string // name of the operation; for a batch, with its actions
	Tab       string // handle of the tab
	Site      string // origin of the tab's document at the end of the call
	Failed    string // code of the error; "": the call succeeded
}

// TabCalls has the last calls on the tabs of a profile. They outlive the tabs and the browser, and
// end with the server. The zero value has none.
type TabCalls struct {
	mu      sync.Mutex // guards the rest
	entries []TabCall  // oldest first
	dropped int

	listeners map[*func(TabCall)]struct{}
}

// Add adds a call. If there are too many, it drops the oldest of the session that has the most. So no
// session can remove the calls of those that have fewer.
func (c *TabCalls) Add(call TabCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = append(c.entries, call)
	if len(c.entries) > maxTabCalls {
		oldest := c.oldestOfBusiestLocked()
		c.entries = slices.Delete(c.entries, oldest, oldest+1)
		c.dropped++
	}
	for listener := range c.listeners {
		(*listener)(call)
	}
}

// oldestOfBusiestLocked returns the index of the oldest call of the session that has the most calls.
func (c *TabCalls) oldestOfBusiestLocked() (oldest int) {
	counts := map[string]int{}
	for _, call := range c.entries {
		counts[call.Session]++
	}
	for i, call := range c.entries {
		if counts[call.Session] > counts[c.entries[oldest].Session] {
			oldest = i
		}
	}
	return oldest
}

// Listen calls the function listener for each later call, until stop is called. Add calls the
// listener while the mutex is held. So the listener must not wait for anything, nor call methods of
// c.
func (c *TabCalls) Listen(listener func(TabCall)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listeners == nil {
		c.listeners = map[*func(TabCall)]struct{}{}
	}
	c.listeners[&listener] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.listeners, &listener)
	}
}

// List returns the calls, oldest first, and how many earlier ones were dropped.
func (c *TabCalls) List() (list []TabCall, dropped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.entries), c.dropped
}
