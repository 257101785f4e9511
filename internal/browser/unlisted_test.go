package browser

import "testing"

// A tab without an opener may be one that we asked for until all commands have
// their answers; then those that nobody asked for are listed.
func TestUnlisted(t *testing.T) {
	known := map[string]*Tab{}
	all := tabs("t1@about:blank t2@ t3@about:blank t4@a", known)
	u := unlisted{}
	if u.admit(all[0]) {
		t.Error("admitted, though none was asked for")
	}
	u.pending = 2
	for i, want := range []bool{true, true, true, false} {
		if got := u.admit(all[i]); got != want {
			t.Errorf("%s is admitted: %v", all[i].ID, got)
		}
	}
	known["t1"].requested = true
	if got := ids(u.answered()); got != "" {
		t.Errorf("listed too early: %s", got)
	}
	known["t3"].requested = true
	if got := ids(u.answered()); got != "t2" || ids(u.list) != "t1 t3" {
		t.Errorf("to be listed %s, left %s", got, ids(u.list))
	}
	u.spare = known["t1"]
	if u.drop(known["t1"]); u.spare != nil || ids(u.list) != "t3" {
		t.Errorf("dropped, but spare %v, left %s", u.spare, ids(u.list))
	}
}
