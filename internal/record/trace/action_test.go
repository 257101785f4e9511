package trace

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/engine/page"
)

// record starts a trace in a folder of its own, without a browser.
func record(t *testing.T) *Recorder {
	t.Helper()
	r, err := Start(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Discard)
	return r
}

// lines returns the lines of trace.trace, and ends the trace.
func lines(t *testing.T, r *Recorder) (all string) {
	t.Helper()
	_, err := r.Stop(t.Context(), func(path string) error {
		all = read(t, path)["trace.trace"]
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A trace may be stopped while a batch begins its parts. Each part is written, like every call that
// is under way when the trace is stopped.
func TestPartsThatBeginAtTheEnd(t *testing.T) {
	const parts = 300
	r := record(t)
	whole := r.Begin(Call{Name: "batch"})
	whole.page = &page.Page{ID: "T1"}
	for range parts {
		begun := make(chan struct{})
		go func() {
			whole.Part(Call{Name: "click"})
			close(begun)
		}()
		for under := true; under; {
			r.endOpen()
			select {
			case <-begun:
				under = false
			default:
			}
		}
	}
	all := lines(t, r)
	for _, want := range []string{`"type":"before"`, `"type":"after"`} {
		if got := strings.Count(all, want); got != 1+parts {
			t.Errorf("%d lines have %s, want %d", got, want, 1+parts)
		}
	}
}

// The viewer fails on an after line if it has not read a before line of the call. So a call is left
// out if its before line does not fit into the rest of the trace, even if its after line does.
func TestCallsWithoutRoomForTheirBeginning(t *testing.T) {
	r := record(t)
	r.archive.written[resources] = maxBytes + maxBytes/10 - r.archive.written[calls] - 1000
	for _, title := range []string{strings.Repeat("long", 1000), "short"} {
		a := r.Begin(Call{Title: title})
		a.page = &page.Page{ID: "T1"}
		a.Log("a line")
		a.End(nil)
	}
	all := lines(t, r)
	for call, want := range map[int]int{1: 0, 2: 3} {
		if got := strings.Count(all, fmt.Sprintf(`"callId":"call@%d"`, call)); got != want {
			t.Errorf("call %d has %d lines, want %d:\n%s", call, got, want, all)
		}
	}
}
