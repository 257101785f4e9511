package around

import (
	"strings"
	"testing"

	"chela/test/long"
)

// A page whose elements are nested very deep is read. Chromium's parser nests at most 512 elements.
func TestNestedDeep(t *testing.T) {
	long.Test(t)
	address := html(`<title>Deep</title><p>Above</p>`, strings.Repeat("<div>", 3000), "Below")
	tab := shared.Open(t, address)
	for request, fields := range map[string]args{
		"GET /snapshot": {}, "GET /text": {}, "POST /extract": {}, "POST /find": {"text": "Below"}, "POST /screenshot": {},
		"POST /act": {"kind": "evaluate", "fn": "document.title"},
	} {
		if a := tab.Do(request, fields); a.Status != 200 {
			t.Errorf("%s: %d %.300s", request, a.Status, a.Raw)
		}
	}
	for _, request := range []string{"POST /read", "POST /extract"} {
		if a := shared.Do(t, request, args{"url": address, "render": "never"}); a.Status != 200 || !strings.Contains(a.Raw, "Above") {
			t.Errorf("%s: %d %.300s", request, a.Status, a.Raw)
		}
	}
}
