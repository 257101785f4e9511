package broker

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
)

// A session is one that a client has in the browser. Its id is Chromium's, which is random and the
// same on both sides. A message with the id of any other session is refused as unknown.
type session struct {
	*cdp.Session
	parent *session // nil: that of the client itself

	whole bool         // with the browser as a whole
	of    string       // target id of the tab, if it stands for a tab target, see tabtarget.go
	shows string       // target id of what it is attached to
	tab   *browser.Tab // of a page, a frame or a worker

	// The rest is of a session with the whole browser, and belongs to who holds client.updating.

	discover  filter // which targets it is told of; nil: none
	auto      filter // to which targets it is attached by itself; nil: to none
	announced map[string]browser.Target
	attached  map[string]string // ids of the sessions that were attached by themselves, by target ids

	paused map[string]string // addresses of the requests that are paused for it, by their ids; guarded by client.mu
}

// session returns the session of a message, or nil.
func (c *client) session(id string) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" {
		id = c.base
	}
	return c.sessions[id]
}

func (c *client) add(s *session) {
	s.announced, s.attached, s.paused = map[string]browser.Target{}, map[string]string{}, map[string]string{}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[s.ID] = s
}

// all returns the sessions for which a function is true.
func (c *client) all(which func(*session) bool) (list []*session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sessions {
		if which(s) {
			list = append(list, s)
		}
	}
	return list
}

// take passes an event on. It is called by the goroutine that reads from the browser.
func (c *client) take(ev cdp.Event) {
	s := c.session(ev.Session.ID)
	if s == nil {
		return // of a session that was detached
	}
	if attached, ok := cdp.Decode(ev, target.AttachedToTarget); ok {
		c.onAttached(s, ev, attached)
		return
	}
	if detached, ok := cdp.Decode(ev, target.DetachedFromTarget); ok {
		c.onDetached(s, string(detached.SessionID))
		return
	}
	if paused, ok := cdp.Decode(ev, fetch.RequestPaused); ok {
		c.notePaused(s, string(paused.RequestID), paused.Request.URL)
	}
	c.emit(s, ev.Method, ev.Params)
}

// emit sends an event. Those of a hidden session with the whole browser are left out: the client
// drives one tab only.
func (c *client) emit(s *session, method string, params []byte) {
	c.mu.Lock()
	base := c.base
	c.mu.Unlock()
	switch {
	case s.ID == base:
		c.send(eventFrame(method, "", params))
	case s.parent != nil:
		c.send(eventFrame(method, s.ID, params))
	}
}

// onAttached adds a session that was attached below another one. What is attached below the session
// of a tab is a frame or worker of that tab. Below a session with the whole browser, the broker
// alone attaches: a tab, or another session with the browser.
func (c *client) onAttached(parent *session, ev cdp.Event, attached target.EventAttachedToTarget) {
	id := string(attached.TargetInfo.TargetID)
	added := &session{Session: ev.Session.Child(string(attached.SessionID)), parent: parent, tab: parent.tab, shows: id}
	if added.Session == nil {
		return // it was attached twice
	}
	c.mu.Lock()
	if added.tab == nil && attached.TargetInfo.Type == "browser" {
		added.whole, added.of = c.tabTarget == "", c.tabTarget
	} else if added.tab == nil {
		added.tab = c.tabs[id]
	}
	c.mu.Unlock()
	if added.tab == nil && !added.whole && added.of == "" {
		return
	}
	c.add(added)
	if added.of == "" { // else updateTabTarget announces it
		c.emit(parent, ev.Method, ev.Params)
	}
}

// onDetached forgets a session that has ended, and those below it. The event always names the
// target: Playwright finds a page that has closed by it, and with the extension Chromium does not
// say it.
func (c *client) onDetached(parent *session, id string) {
	c.mu.Lock()
	gone, base := c.sessions[id], c.base
	if gone != nil {
		for each, s := range c.sessions {
			if s.under(gone) {
				delete(c.sessions, each)
			}
		}
	}
	c.mu.Unlock()
	switch {
	case gone == nil:
		return
	case gone.ID == base:
		c.end(errTabGone)
		return
	case gone.of != "":
		gone.shows = tabTargetID(gone.of)
	}
	c.emit(parent, target.DetachedFromTarget.Method, encode(map[string]string{"sessionId": id, "targetId": gone.shows}))
}

// under reports whether s is ancestor, or was attached below it.
func (s *session) under(ancestor *session) bool {
	for ; s != nil; s = s.parent {
		if s == ancestor {
			return true
		}
	}
	return false
}
