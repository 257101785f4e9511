package page

import "testing"

// Frames may come while a page is read. Each is read, even if the others have taken all that was left.
func TestBudgetHasSomethingForEachFrame(t *testing.T) {
	b := &budget{outer: maxChars, inner: leastChars, left: maxChars}
	b.takeFirst(b.outer)
	for range 3 {
		if n := b.takeFirst(b.inner); n != leastChars {
			t.Errorf("a frame may have %d characters, want %d", n, leastChars)
		}
	}
	if n := b.take(maxChars); n != 0 {
		t.Errorf("%d more characters may be used, want none", n)
	}
}
