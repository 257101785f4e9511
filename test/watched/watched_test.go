// Package watched tests what looks at work: the live view, the recorder with its reports, traces and
// videos. It tests how persons are asked and take over, and that nothing of it shows a secret.
package watched

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// shared is the server of the tests that leave its browser alive, mortal the server of the others.
// The pages that they open come from site.
var (
	shared, mortal *service.Service
	site           *httptest.Server
)

type args = service.Args

func TestMain(m *testing.M) {
	os.Exit(service.Main(m, pages.Handler(), func(alive, killed *service.Service, at *httptest.Server) {
		shared, mortal, site = alive, killed, at
	}))
}

// html is the address of a page with this content.
func html(content ...string) string {
	return site.URL + pages.HTML(strings.Join(content, ""))
}
