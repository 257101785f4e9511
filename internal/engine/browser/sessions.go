package browser

import (
	"maps"
	"slices"
	"time"

	"chela/internal/engine/page"
)

// A SessionInfo describes a session that uses a browser.
type SessionInfo struct {
	Key      string
	Tabs     []string  // handles of the session's tabs
	Current  string    // handle of the tab that it has used last
	Used     time.Time // last time that the session used the browser; zero: not known
	Isolated bool      // the session has cookies and storage of its own
}

// Sessions lists the sessions with a key that use the browser, in the order of their keys.
func (b *Browser) Sessions() []SessionInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list sessionList
	for _, t := range b.tabs.list {
		list.tab(t.owner, t.ID)
	}
	for key, u := range b.tabs.uses {
		info := list.of(key)
		if info == nil {
			continue
		}
		if info.Isolated = u.context != nil; u.current != "" {
			info.Current, info.Used = u.current, u.last
		}
	}
	return list.sorted()
}

// Sessions lists the sessions whose tabs the next browser opens again.
func (m Memory) Sessions() []SessionInfo {
	var list sessionList
	for _, t := range m.Tabs {
		list.tab(t.Owner, t.ID)
	}
	for key, current := range m.Current {
		if info := list.of(key); info != nil {
			info.Current, info.Used = current, m.Used[key]
		}
	}
	for _, key := range m.Isolated {
		list.of(key).Isolated = true
	}
	return list.sorted()
}

// A sessionList collects the entries of a list of sessions.
type sessionList map[string]*SessionInfo

// sessionList.of returns the entry of a session; nil for calls without a key, which are not listed.
func (l *sessionList) of(key string) *SessionInfo {
	if key == "" {
		return nil
	}
	if *l == nil {
		*l = sessionList{}
	}
	if (*l)[key] == nil {
		(*l)[key] = &SessionInfo{Key: key, Tabs: []string{}}
	}
	return (*l)[key]
}

func (l *sessionList) tab(owner, id string) {
	if info := l.of(owner); info != nil {
		info.Tabs = append(info.Tabs, id)
	}
}

func (l sessionList) sorted() (all []SessionInfo) {
	for _, key := range slices.Sorted(maps.Keys(l)) {
		all = append(all, *l[key])
	}
	return all
}

// A tabFate is what happens to a tab when a session ends.
type tabFate int

const (
	notOwned     tabFate = iota // the tab does not belong to the session
	passedOn                    // the session that has leased the tab becomes its owner
	keptByPerson                // a person has taken over the tab, so it stays, and the session goes on
	givenBack                   // the tab is the user's, who gets it back
	toClose
)

// afterSession returns what happens to the tab when a session ends. A tab of an isolated session is
// not passed on, since its browser context ends. If a person keeps the tab, the error is a
// [*page.TakenError].
func (s SavedTab) afterSession(key string, now time.Time) (tabFate, error) {
	lease := s.Lease.at(now)
	switch {
	case s.Owner != key || s.Unowned:
		return notOwned, nil
	case lease != (Lease{}) && lease.Session != key && s.Isolated != key:
		return passedOn, nil
	}
	if taken := s.takenOver().Check(); taken != nil {
		return keptByPerson, taken
	}
	if s.OfUser {
		return givenBack, nil
	}
	return toClose, nil
}

// End returns a copy of the memory that lacks the records of a session that has ended. It also
// returns how many tabs of the session were closed. It does to a memory what [Session.End] does in
// a running browser. So a tab that a person has taken over stays, the session goes on, and the error
// is a [*page.TakenError].
func (m Memory) End(session string) (rest Memory, closed int, taken error) {
	rest = m
	rest.Tabs = nil
	now := time.Now()
	for _, t := range m.Tabs {
		switch fate, err := t.afterSession(session, now); fate {
		case passedOn:
			t.Owner = t.Lease.Session
			if slices.ContainsFunc(m.Tabs, func(other SavedTab) bool { return other.Owner == t.Owner && other.Label == t.Label }) {
				t.Label = "" // see tabList.own
			}
		case keptByPerson:
			taken = err
		case givenBack:
			continue
		case toClose:
			closed++
			continue
		}
		if t.Lease.Session == session {
			t.Lease = Lease{}
		}
		rest.Tabs = append(rest.Tabs, t)
	}
	if taken != nil {
		return rest, closed, taken
	}
	rest.Current = maps.Clone(m.Current)
	delete(rest.Current, session)
	rest.Used = maps.Clone(m.Used)
	delete(rest.Used, session)
	rest.Isolated = slices.DeleteFunc(slices.Clone(m.Isolated), func(key string) bool { return key == session })
	rest.Settings.DropFirst(session)
	return rest, closed, nil
}

// Without returns a copy of the memory that lacks a session, even tabs that a person has taken over.
func (m Memory) Without(session string) Memory {
	m.Tabs = slices.Clone(m.Tabs)
	for i := range m.Tabs {
		if t := &m.Tabs[i]; t.Owner == session {
			t.Person, t.Control = page.TakeOver{}, nil
		}
	}
	m, _, _ = m.End(session)
	return m
}

// TabOwners returns how many tabs each session owns, by session key. The key "" stands for tabs
// without a session.
func (b *Browser) TabOwners() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	owners := map[string]int{}
	for _, t := range b.tabs.list {
		if !t.unowned && !t.ofUser {
			owners[t.owner]++
		}
	}
	return owners
}
