package chaos

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// growth is how many bytes the server may have grown by after all operations.
const growth = 16 << 20

// After many operations the server needs as much memory as before.
func TestSoak(t *testing.T) {
	long.Test(t)
	s, pages := service.Own(t, ""), newSite(t)
	w := &worker{T: t, service: s, site: pages, rand: random(0), page: "soak", honest: peaceful}
	w.open()
	warmUp := *ops / 5
	var before int
	for w.done < *ops {
		if before == 0 && w.done >= warmUp {
			before = resident(t)
		}
		w.step()
		if w.rand.IntN(20) == 0 { // sometimes the tab is closed and a new one opened
			w.service.OK(t, "DELETE /tabs/"+w.tab, nil)
			w.open()
		}
		if t.Failed() {
			return
		}
	}
	after := resident(t)
	t.Logf("%d calls: %.1f MB after %d, %.1f MB at the end", w.done, float64(before)/(1<<20), warmUp, float64(after)/(1<<20))
	if after-before > growth {
		t.Errorf("grown by %.1f MB", float64(after-before)/(1<<20))
	}
}

// resident is the memory that this process, and so the server, has from the system.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var total, pages int
	fmt.Fscan(bytes.NewReader(raw), &total, &pages)
	return pages * os.Getpagesize()
}
