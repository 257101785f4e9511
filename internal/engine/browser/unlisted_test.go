package browser

import (
	"testing"

	"chela/internal/engine/page"
)

// An empty page without an opener may result from a Target.createTarget command of chela in its
// browser context. This is known when all commands that were under way when the page came have been
// answered.
func TestCreations(t *testing.T) {
	own, other := new(BrowserContext), new(BrowserContext)
	first, second, elsewhere := &creation{own}, &creation{own}, &creation{other}
	u := unlisted{creations: []*creation{first, elsewhere}}
	may := u.creationsOf(openerClues{context: own, url: page.Blank})
	if len(may) != 1 || may[0] != first {
		t.Errorf("it may be of %v", may)
	}
	if got := u.creationsOf(openerClues{context: own, url: "http://a.test/"}); len(got) > 0 {
		t.Errorf("one with an address may be of %v", got)
	}
	u.creations = append(u.creations, second)
	if !u.underWay(may) {
		t.Error("it is decided too early")
	}
	if u.end(first); u.underWay(may) {
		t.Error("it waits for a command that came later, or of another browser context")
	}
}
