package broker

import (
	"context"
	"crypto/rand"
	"slices"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/browser"
)

// What a client is told of targets comes from chela's list of tabs. Chromium's events about the
// whole browser are never used: they tell of the tabs of all.

// targetInfo describes a target as the protocol does. Clients look at attached, and at whether
// there is a browser context.
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

// infosOf are the targets that a tab has for a client: its page, and what Puppeteer attaches.
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

// update tells the client of tabs that have come, changed and gone. It attaches those that the
// client wants attached, and detaches those that are not its session's any more. When it returns,
// all that has changed before it was called is in the queue. The error is the cause of ctx.
func (c *client) update(ctx context.Context) error {
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
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

// lock waits until the caller alone tells the client of tabs, and attaches it. The error is the
// cause of ctx.
func (c *client) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case c.updating <- struct{}{}:
		return func() { <-c.updating }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// within returns those of the tabs that can be attached below the session: all, or the one that it
// stands for.
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

// announce sends what has changed since the last time, if the session is told of targets.
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

// attachAll attaches the tabs that the session is to be attached to and is not. A tab whose page has
// crashed waits for a call that names it. So does a tab of a person that nobody has used, unless
// the person has shared each. A tab is attached anew if its session has ended otherwise than by the
// client, as when the extension was away.
func (c *client) attachAll(ctx context.Context, s *session, tabs []browser.Target) {
	now := map[string]string{}
	for _, t := range tabs {
		id := s.attached[t.ID]
		switch {
		case id == letGo || id != "" && c.session(id) != nil:
		case t.Lost, t.Unused && !c.Offered:
		case s.auto.has("page"):
			id, _ = c.attach(ctx, s, t) // "": it has gone, or cannot be used now
		case s.auto.has("tab"):
			id, _ = c.attachTabTarget(ctx, s, t)
		}
		if id != "" {
			now[t.ID] = id
		}
	}
	s.attached = now
}

// letGo stands for the session of a tab that the client itself has ended.
const letGo = "let go"

// attach attaches the client to a tab below one of its sessions with the browser, and returns the
// id of the new session. Chela is attached before. So its own session of the tab is nearest to the
// network: its judge decides after the client has changed a request.
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

// detachOthers ends the sessions with tabs that are not the session's any more: another one has
// leased them, or a lease has ended. Tabs that have closed have detached themselves.
func (c *client) detachOthers(ctx context.Context, tabs []browser.Target) {
	mine, open := map[*browser.Tab]bool{}, map[string]bool{}
	for _, t := range tabs {
		mine[t.Tab], open[tabTargetID(t.ID)] = true, true
	}
	gone := c.all(func(s *session) bool {
		return s.tab != nil && s.parent.tab == nil && !mine[s.tab] || s.of != "" && !open[tabTargetID(s.of)]
	})
	for _, s := range gone {
		call(ctx, s.parent.Session, "Target.detachFromTarget", map[string]string{"sessionId": s.ID}) // it may have gone by itself
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, tab := range c.tabs {
		if !mine[tab] {
			delete(c.tabs, id)
		}
	}
}

// target finds a tab of the session by a target id.
func (c *client) target(id string) (browser.Target, error) {
	for _, t := range c.as.Targets() {
		if id != "" && (t.ID == id || tabTargetID(t.ID) == id) {
			return t, nil
		}
	}
	return browser.Target{}, &failure{invalidParams, "No target with given id found"}
}

// beginWithTab attaches the client to the one tab that it drives.
func (c *client) beginWithTab(targetID string) error {
	t, err := c.target(targetID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, waitTime)
	defer cancel()
	root := c.session("")
	c.setBase(none) // the client hears nothing of the session with the browser
	id, err := c.attach(ctx, root, t)
	c.setBase(id)
	return err
}

// none is the id of no session.
const none = " "

func (c *client) setBase(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = id
}
