package browser

import (
	"slices"
	"testing"
)

// What would be left of a browser is written when it has changed, and not after
// the browser was closed or its memory taken.
func TestSaver(t *testing.T) {
	written := 0
	b := &Browser{saver: saver{write: func(Memory) { written++ }}}
	save := func(what string, want int) {
		t.Helper()
		written = 0
		if b.saver.save(b); written != want {
			t.Errorf("%s: written %d times, want %d", what, written, want)
		}
	}
	save("nothing yet", 0)
	b.tabs = *listed("t1=A@http://one/")
	save("a tab", 1)
	save("no change", 0)
	b.tabs.list[0].label = "mine"
	save("a label", 1)
	b.tabs = *listed("t1=A@http://one/ t2=B@http://two/")
	save("a second tab", 1)
	slices.Reverse(b.tabs.list)
	save("another order", 0)
	b.saver.saveOrder(b)
	if b.saver.saveOrder(b); written != 1 {
		t.Errorf("another order, later: written %d times, want once", written)
	}
	b.tabs.list[0].label = "mine"
	save("a label of a tab in another order", 1)
	b.tabs.list[0].label = ""
	save("none", 1)
	b.closed = true
	b.tabs.list[0].label = ""
	save("a change of a browser that was closed", 0)
	b.closed = false
	b.saver.stop()
	save("a change after its memory was taken", 0)
}
