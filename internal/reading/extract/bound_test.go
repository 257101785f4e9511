package extract

import (
	"strings"
	"testing"
)

// A page with more elements than are read is cut, and the result says so.
func TestBound(t *testing.T) {
	for _, test := range []struct {
		name, html string
		want       int // in bytes
		cut        bool
	}{
		{"few", "<p>1 < 2 <3 </p><B>", 19, false},
		{"as many as are read", strings.Repeat("<p>", maxTags), 3 * maxTags, false},
		{"one more", strings.Repeat("<p>", maxTags+1), 3 * maxTags, true},
		{"ends of elements", strings.Repeat("</p>", 2*maxTags), 8 * maxTags, false},
		{"many bytes", strings.Repeat("x", maxInput+1), maxInput, true},
	} {
		if got, cut := Bound(test.html); len(got) != test.want || cut != test.cut {
			t.Errorf("%s: %d bytes, %v; want %d, %v", test.name, len(got), cut, test.want, test.cut)
		}
	}
}
