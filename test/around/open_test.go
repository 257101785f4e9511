package around

import (
	"fmt"
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
