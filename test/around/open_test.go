package around

import (
	"fmt"
	"strings"
	"testing"
)

// The answer of open has the title of the page. Until the title has arrived, Chromium reports the
// address in its place.
func TestTitleOfAnOpenedPage(t *testing.T) {
	for i := range 5 {
		want := fmt.Sprintf("Page %d", i)
		a := shared.OK(t, "POST /tabs/open", args{"url": html("<title>", want, "</title><p>text")})
		shared.OK(t, "DELETE /tabs/"+a.Text("tabId"), nil)
		a.Has(t, "title", want)
	}
}

// A page that does not load in time leaves no tab, and the error does not advise to look at it.
func TestOpenThatTakesTooLong(t *testing.T) {
	late := shared.Do(t, "POST /tabs/open", args{"url": site.URL + "/gate", "timeoutMs": 700})
	late.Fails(t, 504, "deadline", "/gate did not load in time")
	if hint := late.Text("hint"); !strings.Contains(hint, "the tab was closed again") {
		t.Errorf("the hint is %q", hint)
	}
}
