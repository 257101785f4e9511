package frame

import "testing"

// A number whose document has gone is told from one whose element was removed.
func TestReplaced(t *testing.T) {
	var r Refs
	r.AddWalk("a", "L1", 3) // 1 to 3
	r.Add(4)
	r.AddWalk("a", "L1", 6) // 5 and 6
	for n := 1; n <= 6; n++ {
		if r.Replaced(n, "L1") || !r.Replaced(n, "L2") {
			t.Errorf("%d belongs to another loader than L1", n)
		}
	}
	r.AddWalk("b", "L2", 8) // 7 and 8
	r.AddWalk("a", "L1", 9) // the first document comes back, and has a new element
	for _, s := range []struct {
		n    int
		want bool
	}{{6, true}, {7, true}, {8, true}, {9, false}, {10, false}} {
		if got := r.Replaced(s.n, "L1"); got != s.want {
			t.Errorf("%d: replaced is %v, want %v", s.n, got, s.want)
		}
	}
	if r.Highest != 9 {
		t.Errorf("the highest is %d, want 9", r.Highest)
	}
}

// Numbers are never given again, also when a document says less than is known.
func TestHighestNeverFalls(t *testing.T) {
	var r Refs
	r.AddWalk("a", "L1", 7)
	r.AddWalk("b", "L2", 2)
	r.Add(5)
	if r.Highest != 7 {
		t.Errorf("the highest is %d, want 7", r.Highest)
	}
}

func TestRangesAreBounded(t *testing.T) {
	var r Refs
	for i := range 2 * maxRanges {
		r.AddWalk(string(rune('a'+i)), "L", i+1)
	}
	if len(r.ranges) != maxRanges || r.ranges[maxRanges-1].to != 2*maxRanges {
		t.Errorf("%d ranges, the last to %d", len(r.ranges), r.ranges[len(r.ranges)-1].to)
	}
	if r.Replaced(1, "L") {
		t.Error("a number is known of a document that was forgotten")
	}
}
