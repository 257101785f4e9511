package broker

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
)

// A session is a DevTools session of a client. Chromium has made its id, which is random, and the
// broker and the client use it unchanged. A message with any other session id is refused.
type session struct {
	*cdp.Session
	parent *session // nil: this is the client's first session, see [browser.Browser.Lend]

	whole bool         // the session is with the whole browser, not with one target
	of    string       // set if the session stands for a tab target (tabtarget.go): target id of the tab's page
	shows string       // target id of the target that the session is attached to
	tab   *browser.Tab // the tab of the session's page, frame or worker; nil if whole is true or of is set

	// The next four are for sessions without a tab. A goroutine that holds client.updating may use
	// them.

	discover  filter                    // the targets whose events the session gets; nil: none
	auto      filter                    // the targets to which the session is attached automatically; nil: none
	announced map[string]browser.Target // targets that the client knows by targetCreated, by target id
	attached  map[string]string         // ids of the automatically attached sessions, by target id

	paused pausedRequests // guarded by client.mu
}

// session returns the client's session with the id in a message, or nil.
func (c *client) session(id string) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" {
		id = c.base
	}
	return c.sessions[id]
}

func (c *client) add(s *session) {
	s.announced, s.attached = map[string]browser.Target{}, map[string]string{}
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

// take passes an event of the browser to the client. The goroutine that reads from the browser
// calls it.
func (c *client) take(ev cdp.Event) {
	s := c.session(ev.Session.ID)
	if s == nil {
		return // the session was detached
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
	c.pass(s, s.tab, ev)
}

// emit sends an event of a session to the client. If the client drives one tab only, its session
// with the whole browser is hidden, and the events of that session are dropped.
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

// onAttached adds a session that was attached below another one. Below the session of a tab, the
// new session is with a frame or worker of that tab. Below a session with the whole browser, the
// broker itself has attached it: to a tab, or to the browser once more.
func (c *client) onAttached(parent *session, ev cdp.Event, attached target.EventAttachedToTarget) {
	id := string(attached.TargetInfo.TargetID)
	added := &session{Session: ev.Session.Child(string(attached.SessionID)), parent: parent, tab: parent.tab, shows: id}
	if added.Session == nil {
		return // the session has ended already, or was not attached below parent
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
	if added.of == "" { // attachTabTarget announces a session that stands for a tab target
		c.pass(parent, added.tab, ev)
	}
}

// onDetached forgets a session that has ended, and those below it. The event for the client always
// names the target, because Playwright finds a closed page by it. Chromium does not name the target
// if chela's extension is in between.
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

// under reports whether s is the given session, or was attached somewhere below it.
func (s *session) under(ancestor *session) bool {
	for ; s != nil; s = s.parent {
		if s == ancestor {
			return true
		}
	}
	return false
}
