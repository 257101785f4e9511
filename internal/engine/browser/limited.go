package browser

import "errors"

// A session may be limited to some hosts, see [Options]. The limit is kept outside the browser,
// since it applies to all browsers. In each of them, all that the session opens is in a browser
// context of its own, with its own proxy. The session sees no other tabs.

// ErrOpenedUnlimited says that a session was limited to some hosts after it had opened tabs without
// that limit.
var ErrOpenedUnlimited = errors.New("the session has opened what is not limited to its hosts")

// hostsOf returns the only hosts that a session may open; nil: it may open all.
func (b *Browser) hostsOf(session string) []string {
	if b.limits == nil {
		return nil
	}
	return b.limits(session)
}

// limited reports whether the session may open only some hosts.
func (s Session) limited() bool { return s.browser.hostsOf(s.key) != nil }

// seesLocked reports whether the session may see and use a tab. A session that is limited to some
// hosts sees only the tabs of its own browser context. In any other tab it would have the network
// access and the logins of others. This function alone decides what a session sees.
func (s Session) seesLocked(t *Tab) bool {
	return !s.limited() || t.context.isolated == s.key && t.context.hosts != nil
}

// tabsLocked returns the tabs that the session sees.
func (s Session) tabsLocked() *tabList {
	all := &s.browser.tabs
	if !s.limited() {
		return all
	}
	seen := tabList{last: all.last, uses: all.uses, swept: all.swept}
	for _, t := range all.list {
		if s.seesLocked(t) {
			seen.list = append(seen.list, t)
		}
	}
	return &seen
}

// TabsOf returns those tabs of an ended browser that a session may see. The next browser of the
// profile opens them again. A limited session (one that may open only some hosts) sees only the
// tabs of its own browser context.
func (m Memory) TabsOf(session string, limited bool) (tabs []Info) {
	for _, t := range m.Tabs {
		if !limited || t.Isolated == session {
			info := t.Info()
			info.Current = t.ID == m.Current[session]
			tabs = append(tabs, info)
		}
	}
	return tabs
}
