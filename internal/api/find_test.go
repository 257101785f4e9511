package api

import "testing"

// A search says that it has not read all of the page, even if something matches.
func TestSearchOfAPart(t *testing.T) {
	const note = "[1 frame was not read]"
	for _, s := range []struct {
		found findResult
		want  string
	}{
		{findResult{Unread: note}, "nothing found in what was read " + note},
		{findResult{Unread: note, Total: 1, Matches: []foundLine{{Line: "- link"}}}, "a part of the page was not searched: " + note + "\n- link"},
	} {
		if got := s.found.Text(); got != s.want {
			t.Errorf("got %q, want %q", got, s.want)
		}
	}
}
