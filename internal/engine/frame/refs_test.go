package frame

import "testing"

func TestRefsOfDocuments(t *testing.T) {
	var r Refs
	r.AddWalk("a", "1", 3)
	r.AddWalk("a", "1", 5)
	r.Add(6, "1")
	r.AddWalk("b", "2", 8)
	r.AddWalk("a", "1", 10) // document a came back from the history
	for _, c := range []struct {
		n      int
		loader string
		want   bool
	}{
		{9, "1", false}, {10, "1", false},
		{1, "1", true}, {6, "1", true}, {7, "1", true},
		{9, "3", true}, // another document has come that was not walked yet
		{11, "1", false},
	} {
		if got := r.Replaced(c.n, c.loader); got != c.want {
			t.Errorf("e%d in a document of loader %s: replaced %v, want %v", c.n, c.loader, got, c.want)
		}
	}
	if r.Highest != 10 {
		t.Errorf("the highest is %d", r.Highest)
	}
}

func TestRefsForgetTheOldestDocuments(t *testing.T) {
	var r Refs
	for i := range maxRanges + 1 {
		r.AddWalk(string(rune('a'+i)), "1", i+1)
	}
	if len(r.ranges) != maxRanges || !r.Replaced(1, "1") || !r.Replaced(2, "1") || r.Replaced(maxRanges+1, "1") {
		t.Errorf("kept %d ranges", len(r.ranges))
	}
}

// A number that is given in a document before its first walk belongs to that document.
func TestRefsOfADocumentThatWasNotWalked(t *testing.T) {
	var r Refs
	r.Add(1, "1")
	r.AddWalk("a", "1", 3)
	r.Add(4, "2")
	for n, want := range map[int]bool{1: true, 3: true, 4: false} {
		if got := r.Replaced(n, "2"); got != want {
			t.Errorf("e%d before the walk: replaced %v, want %v", n, got, want)
		}
	}
	r.AddWalk("b", "2", 6)
	if r.Replaced(4, "2") || !r.Replaced(4, "3") || len(r.ranges) != 2 {
		t.Errorf("after the walk: %+v", r.ranges)
	}
}
