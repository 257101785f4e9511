package recorder

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// at returns a time some milliseconds after noon.
func at(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }

// Entries are in the order in which their calls ended, so the actions of a batch come before it.
var recorded = Recording{
	Entries: []Entry{
		{ID: "open", Time: at(0), Tab: "t1", Session: "a"},
		{ID: "part1", Time: at(100), Tab: "t1", Session: "a", Part: true},
		{ID: "part2", Time: at(200), Tab: "t1", Session: "a", Part: true},
		{ID: "batch", Time: at(100), Tab: "t1", Session: "a"},
		{ID: "other", Time: at(150), Tab: "t2", Session: "b"},
		{ID: "last", Time: at(900), Tab: "t1", Session: "b"},
	},
	Events: []Event{
		{Time: at(-10), Tab: "t1", Text: "before all"},
		{Time: at(0), Tab: "t1", Text: "of open"},
		{Time: at(100), Tab: "t1", Text: "of part1"},
		{Time: at(250), Tab: "t1", Text: "of part2"},
		{Time: at(250), Tab: "t2", Text: "of other"},
		{Time: at(950), Tab: "t1", Text: "of last"},
		{Time: at(950), Tab: "t3", Text: "of nobody"},
	},
	Dropped: 3,
}

func TestCauses(t *testing.T) {
	var got []string
	for i, cause := range recorded.Causes() {
		id := "none"
		if cause >= 0 {
			id = recorded.Entries[cause].ID
		}
		got = append(got, recorded.Events[i].Text+" → "+id)
	}
	want := []string{"before all → none", "of open → open", "of part1 → part1", "of part2 → part2", "of other → other", "of last → last", "of nobody → none"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBegun(t *testing.T) {
	var got []string
	for _, e := range recorded.Begun() {
		got = append(got, e.ID)
	}
	if want := []string{"open", "batch", "part1", "other", "part2", "last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPartsOfARecording(t *testing.T) {
	for _, c := range []struct {
		name            string
		session, tab    string
		since           time.Time
		entries, events []string
	}{
		{"all", "", "", time.Time{}, []string{"open", "part1", "part2", "batch", "other", "last"},
			[]string{"before all", "of open", "of part1", "of part2", "of other", "of last", "of nobody"}},
		{"a session", "b", "", time.Time{}, []string{"other", "last"}, []string{"of other", "of last"}},
		{"a tab", "", "t2", time.Time{}, []string{"other"}, []string{"of other"}},
		{"lately", "", "", at(150), []string{"part2", "other", "last"}, []string{"of part2", "of other", "of last", "of nobody"}},
		{"a session in a tab, lately", "b", "t1", at(150), []string{"last"}, []string{"of last"}},
		{"nobody", "c", "", time.Time{}, nil, nil},
	} {
		part := recorded.Of(c.session, c.tab, c.since)
		var entries, events []string
		for _, e := range part.Entries {
			entries = append(entries, e.ID)
		}
		for _, e := range part.Events {
			events = append(events, e.Text)
		}
		if !reflect.DeepEqual(entries, c.entries) || !reflect.DeepEqual(events, c.events) || part.Dropped != 3 {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, entries, events, c.entries, c.events)
		}
	}
}
