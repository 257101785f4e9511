package recorder

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// Of returns the entries and events of one session and one tab, from a time on. An empty session,
// an empty tab and the zero time leave nothing out. An event belongs to the session of the call
// that has caused it (see Causes).
func (r Recording) Of(session, tab string, since time.Time) Recording {
	causes := r.Causes()
	part := Recording{Dropped: r.Dropped}
	for _, e := range r.Entries {
		if e.isOf(session) && (tab == "" || e.Tab == tab) && !e.Time.Before(since) {
			part.Entries = append(part.Entries, e)
		}
	}
	for i, e := range r.Events {
		caused := session == "" || causes[i] >= 0 && r.Entries[causes[i]].isOf(session)
		if caused && (tab == "" || e.Tab == tab) && !e.Time.Before(since) {
			part.Events = append(part.Events, e)
		}
	}
	return part
}

func (e Entry) isOf(session string) bool { return session == "" || e.Session == session }

// Causes returns, for each event, the index of the call that has caused it. That is the last call in
// the tab of the event that began before the event, or -1 if there is none. If a batch and its first
// action began at the same time, the action is the cause.
func (r Recording) Causes() []int {
	began := map[string][]int{} // indexes of the calls of each tab, in the order in which they began
	for i, e := range r.Entries {
		began[e.Tab] = append(began[e.Tab], i)
	}
	for _, calls := range began {
		slices.SortStableFunc(calls, func(a, b int) int { return r.Entries[a].compareBegin(r.Entries[b]) })
	}
	causes := make([]int, len(r.Events))
	for i, event := range r.Events {
		calls := began[event.Tab]
		later := sort.Search(len(calls), func(n int) bool { return r.Entries[calls[n]].Time.After(event.Time) })
		causes[i] = -1
		if later > 0 {
			causes[i] = calls[later-1]
		}
	}
	return causes
}

// compareBegin orders calls by their beginning. A batch comes before its actions, whose entries are
// written first.
func (e Entry) compareBegin(other Entry) int {
	return cmp.Or(e.Time.Compare(other.Time), cmp.Compare(order(e.Part), order(other.Part)))
}

func order(part bool) int {
	if part {
		return 1
	}
	return 0
}

// Begun returns the entries in the order in which their calls began, a batch before its actions.
func (r Recording) Begun() []Entry {
	entries := slices.Clone(r.Entries)
	slices.SortStableFunc(entries, Entry.compareBegin)
	return entries
}
