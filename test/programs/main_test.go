// Package programs tests what other programs can do through the endpoints of sessions, and what
// they cannot do. It speaks the protocol itself; test/clients has Playwright, Puppeteer and
// chromedp.
package programs

import (
	"net/http/httptest"
	"os"
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
