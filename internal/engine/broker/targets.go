package broker

import (
	"context"
	"crypto/rand"
	"slices"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/browser"
)

// The target events that a client gets are made from chela's list of tabs. Chromium's events about
// the whole browser are never used, since they also report the tabs of other sessions.

// targetInfo describes a target as the protocol does. Clients use the fields attached and
// browserContextId.
type targetInfo struct {
	ID       string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Attached bool   `json:"attached"`
	Access   bool   `json:"canAccessOpener"`
	Opener   string `json:"openerId,omitempty"`
	Context  string `json:"browserContextId,omitempty"`
}

// browserTarget stands for the browser itself. Its id is made up.
var browserTarget = targetInfo{ID: rand.Text(), Type: "browser", Attached: true}

// infosOf returns the two targets that a client sees for a tab: the page, and the tab target, to
// which Puppeteer attaches.
func infosOf(t browser.Target) (page, tab targetInfo) {
	page = targetInfo{ID: t.ID, Type: "page", Title: t.Title, URL: t.URL, Attached: true, Opener: t.Opener, Context: t.Context}
	tab = page
	tab.ID, tab.Type, tab.Opener = tabTargetID(t.ID), "tab", ""
	return page, tab
}

// list lists the targets that a filter chooses.
func (f filter) list(tabs []browser.Target) []targetInfo {
	list := []targetInfo{}
	if f.has("browser") {
		list = append(list, browserTarget)
	}
	for _, t := range tabs {
		page, tab := infosOf(t)
		for _, info := range []targetInfo{tab, page} {
			if f.has(info.Type) {
				list = append(list, info)
			}
		}
	}
	return list
}

// update reports to the client which tabs have come, changed and gone. It attaches the tabs that
// the client wants attached, and detaches those that do not belong to its session any more. When it
// returns, the events of all changes before the call are in the queue. The error is the cause of
// ctx.
func (c *client) update(ctx context.Context) error {
	if err := c.updating.Lock(ctx); err != nil {
		return err
	}
	defer c.updating.Unlock()
	tabs := c.as.Targets()
	c.detachOthers(ctx, tabs)
	for _, s := range c.all(func(s *session) bool { return s.tab == nil }) {
		s.announce(c, tabs)
		if s.auto != nil {
			c.attachAll(ctx, s, s.within(tabs))
		}
	}
	return nil
}

// within returns the tabs that can be attached below the session. For a session with the browser,
// these are all tabs. A session that stands for a tab target has only that tab.
func (s *session) within(tabs []browser.Target) []browser.Target {
	if s.whole {
		return tabs
	}
	i := slices.IndexFunc(tabs, func(t browser.Target) bool { return t.ID == s.of })
	if i < 0 {
		return nil
	}
	return tabs[i : i+1]
}

// announce sends target events for the changes since the last call, if the session has asked for
// them.
func (s *session) announce(c *client, tabs []browser.Target) {
	if s.discover == nil {
		return
	}
	now := map[string]browser.Target{}
	for _, t := range tabs {
		now[t.ID] = t
		before, known := s.announced[t.ID]
		if known && before == t {
			continue
		}
		method := "Target.targetCreated"
		if known {
			method = "Target.targetInfoChanged"
		}
		for _, info := range s.discover.list([]browser.Target{t}) {
			if info.Type != browserTarget.Type {
				c.emit(s, method, encode(map[string]any{"targetInfo": info}))
			}
		}
	}
	for id, t := range s.announced {
		if _, still := now[id]; still {
			continue
		}
		for _, info := range s.discover.list([]browser.Target{t}) {
			if info.Type != browserTarget.Type {
				c.emit(s, "Target.targetDestroyed", encode(map[string]any{"targetId": info.ID}))
			}
		}
	}
	s.announced = now
}

// attachAll attaches the session to the tabs that its filter chooses. A tab whose page has crashed
// is not attached until a call names it. The same holds for a person's tab that no call has used,
// unless the person shares single tabs, and so has shared this one. If the session of a tab has
// ended, but the client has not ended it, the tab is attached again.
func (c *client) attachAll(ctx context.Context, s *session, tabs []browser.Target) {
	now := map[string]string{}
	for _, t := range tabs {
		id := s.attached[t.ID]
		switch {
		case id == letGo || id != "" && c.session(id) != nil:
		case t.Lost, t.Unused && !c.browser.Describe().Grouped:
		case s.auto.has("page"):
			id, _ = c.attach(ctx, s, t) // "": the tab is gone, or cannot be used now
		case s.auto.has("tab"):
			id, _ = c.attachTabTarget(ctx, s, t)
		}
		if id != "" {
			now[t.ID] = id
		}
	}
	s.attached = now
}

// letGo stands in session.attached for the session id of a tab from which the client itself has
// detached.
const letGo = "let go"

// attach attaches the client to a tab below one of its sessions with the browser, and returns the
// id of the new session. Chela's own session with the tab was attached before the client's. So
// chela sees requests after the client has changed them, and applies the network policy to the
// result.
func (c *client) attach(ctx context.Context, s *session, t browser.Target) (string, error) {
	if t.Unused || t.Lost {
		if _, err := t.Tab.Revive(ctx); err != nil {
			return "", err
		}
		t.ID = t.Tab.Page().ID
	}
	c.mu.Lock()
	c.tabs[t.ID] = t.Tab
	c.mu.Unlock()
	raw, err := call(ctx, s.Session, "Target.attachToTarget", map[string]any{"targetId": t.ID, "flatten": true})
	if err != nil {
		return "", err
	}
	var res struct {
		ID string `json:"sessionId"`
	}
	err = json.Unmarshal(raw, &res, lenient)
	return res.ID, err
}

// detachOthers ends the client's sessions with tabs that it may no longer use. Another session has
// leased the tab, or the lease of the client's own session has ended. Sessions with closed tabs
// have ended by themselves.
func (c *client) detachOthers(ctx context.Context, tabs []browser.Target) {
	mine, open := map[*browser.Tab]bool{}, map[string]bool{}
	for _, t := range tabs {
		mine[t.Tab], open[tabTargetID(t.ID)] = true, true
	}
	gone := c.all(func(s *session) bool {
		return s.tab != nil && s.parent.tab == nil && !mine[s.tab] || s.of != "" && !open[tabTargetID(s.of)]
	})
	for _, s := range gone {
		call(ctx, s.parent.Session, "Target.detachFromTarget", map[string]string{"sessionId": s.ID}) // an error is ignored: the session may have ended by itself
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, tab := range c.tabs {
		if !mine[tab] {
			delete(c.tabs, id)
		}
	}
}

// target returns the tab of the session with a target id.
func (c *client) target(id string) (browser.Target, error) {
	for _, t := range c.as.Targets() {
		if id != "" && (t.ID == id || tabTargetID(t.ID) == id) {
			return t, nil
		}
	}
	return browser.Target{}, &failure{invalidParams, "No target with given id found"}
}

// beginWithTab attaches the client to the only tab that it drives.
func (c *client) beginWithTab(ctx context.Context, targetID string) error {
	t, err := c.target(targetID)
	if err != nil {
		return err
	}
	root := c.session("")
	c.setBase(none) // no events of the browser's session are sent while the tab is attached
	id, err := c.attach(ctx, root, t)
	c.setBase(id)
	return err
}

// none is an id that no session has.
const none = " "

func (c *client) setBase(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = id
}
