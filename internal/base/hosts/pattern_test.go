package hosts

import "testing"

func TestIgnored(t *testing.T) {
	got := Ignored("allowed", []string{"a.example", " * ", "*."})
	if len(got) != 2 || got[0] != (EntryError{"allowed", 1, " * "}) || got[1].Index != 2 {
		t.Errorf("got %v", got)
	}
}
