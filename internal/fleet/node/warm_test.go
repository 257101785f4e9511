package node

import (
	"slices"
	"testing"
)

// No tabs are kept ready while memory is short. When enough is free, they are kept ready again.
func TestWarming(t *testing.T) {
	var w warming
	var kept []int
	want, free, known := 0, 0.5, true
	o := Warm{Want: func() int { return want }, Keep: func(n int) { kept = append(kept, n) }, Free: func() (float64, bool) { return free, known }}
	for _, step := range []struct {
		want  int
		free  float64
		known bool
		kept  []int
	}{
		{0, 0.5, true, nil},
		{2, 0.5, true, []int{2}},
		{2, 0.15, true, nil},
		{2, 0.05, true, []int{0}},
		{2, 0.15, true, nil},
		{3, 0.25, true, []int{3}},
		{3, 0, false, nil},
		{0, 0.5, true, []int{0}},
	} {
		kept = nil
		want, free, known = step.want, step.free, step.known
		if w.adjust(o); !slices.Equal(kept, step.kept) {
			t.Errorf("with %v of the memory, wanting %d: kept %v, want %v", step.free, step.want, kept, step.kept)
		}
	}
	new(warming).adjust(Warm{})
}
