package pagejs_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"chela/test/long"
)

var adversaries = flag.Int("adversaries", 6, "how many pages TestCarryAdversary makes")

// renders is how often each of these pages renders itself again.
const renders = 100

// A page sorts, filters, pages and renames what it shows. It replaces all of its elements each time,
// or shows other things in them. It never gets a ref to mean another thing.
func TestCarryAdversary(t *testing.T) {
	long.Test(t)
	script, err := os.ReadFile("testdata/adversary.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, patch := range map[string]string{"new elements": "null", "the same elements": patch(t)} {
		t.Run(name, func(t *testing.T) {
			ratios := map[string][2]int{}
			for seed := range *adversaries {
				var is struct {
					Wrong  []string          `json:"wrong"`
					Ratios map[string][2]int `json:"ratios"`
				}
				show(t, "").eval(&is, fmt.Sprintf("(%s)(%d, %d, %s)", script, seed+1, renders, patch))
				for _, wrong := range is.Wrong {
					t.Errorf("seed %d: %s", seed+1, wrong)
				}
				for act, more := range is.Ratios {
					sum := ratios[act]
					ratios[act] = [2]int{sum[0] + more[0], sum[1] + more[1]}
				}
			}
			t.Logf("refs that stayed valid, and things that were still there: %v", ratios)
		})
	}
}
