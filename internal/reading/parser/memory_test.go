//go:build linux && !race

package parser

import (
	"cmp"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/base/child"
	"chela/internal/reading/fetch"
	"chela/test/long"
)

// maxResident is how many bytes of memory a child may have.
const maxResident = 150 << 20

var hostilePages = flag.Int("hostile", 0, "how many made up pages to read, instead of some that were found to be among the worst")

// No page makes a child process take more memory than it may have. This process takes next to none.
// The race detector takes memory of its own, so the test is not built with it. This command shows
// which pages are the worst:
//
//	go test ./internal/reading/parser -run Memory -hostile 1000 -v
func TestMemoryOfHostilePages(t *testing.T) {
	long.Test(t)
	p := parser(t)
	peak := watchChildren(t)
	seeds := worst[:4]
	if *hostilePages > 0 {
		seeds = nil
		for seed := range *hostilePages {
			seeds = append(seeds, uint64(seed))
		}
	}
	type figure struct {
		seed   uint64
		bytes  int
		memory int64
		time   time.Duration
		err    error
	}
	var figures []figure
	for _, seed := range seeds {
		begun, page := time.Now(), hostilePage(seed)
		_, err := p.read(t, 10*time.Second, fetch.HTML, page, Want{})
		if err != nil && !errors.Is(err, child.ErrTooMuch) {
			t.Error(err)
		}
		p.children.Close() // so that the next page has a child of its own
		p = parser(t)
		f := figure{seed, len(page), peak.Swap(0), time.Since(begun), err}
		if figures = append(figures, f); f.memory > maxResident {
			t.Errorf("seed %d: a child had %d MB", seed, f.memory>>20)
		}
	}
	slices.SortFunc(figures, func(a, b figure) int { return cmp.Compare(b.memory, a.memory) })
	for _, f := range figures[:min(len(figures), 40)] {
		t.Logf("seed %4d, %4d kB: %d MB, %4d ms, %v", f.seed, f.bytes>>10, f.memory>>20, f.time.Milliseconds(), f.err)
	}
}

// Pages of the maximum size, with much markup, are read as a whole.
func TestMemoryOfLargePages(t *testing.T) {
	long.Test(t)
	p := parser(t)
	peak := watchChildren(t)
	for name, part := range map[string]string{
		"text":    "<h2>Chapter</h2><p>The lobster lives in the sea, and it <a href=/a>walks</a> about at night, looking for what there is to eat.</p>",
		"records": "<tr><td>Lobster</td><td>10 legs</td><td>caught off the coast, late at night, and sold at the harbour, to whoever came first and had the money for it</td><td>2024-05-06</td></tr>",
	} {
		page := strings.Repeat(part, (fetch.MaxBody-100)/len(part))
		if name == "records" {
			page = "<table>" + page
		}
		r, err := p.read(t, time.Minute, fetch.HTML, page, Want{})
		if err != nil || r.Cut || r.Length < fetch.MaxBody/4 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if m := peak.Swap(0); m > maxResident {
			t.Errorf("%s: the child had %d MB", name, m>>20)
		}
	}
}

// watchChildren records the most memory that a child process of this process has had since peak was
// last reset.
func watchChildren(t *testing.T) (peak *atomic.Int64) {
	peak = new(atomic.Int64)
	done, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(done); <-ended })
	go func() {
		defer close(ended)
		for ticker := time.NewTicker(2 * time.Millisecond); ; <-ticker.C {
			select {
			case <-done:
				return
			default:
				peak.Store(max(peak.Load(), mostOfChildren()))
			}
		}
	}()
	return peak
}

func mostOfChildren() (most int64) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(pids)) {
			if line, _ := os.ReadFile("/proc/" + pid + "/cmdline"); !strings.HasPrefix(string(line), "chela-parses") {
				continue // the child is still a copy of this process
			}
			status, _ := os.ReadFile("/proc/" + pid + "/status")
			_, rest, _ := strings.Cut(string(status), "VmHWM:")
			kB, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			n, _ := strconv.ParseInt(kB, 10, 64)
			most = max(most, n<<10)
		}
	}
	return most
}
