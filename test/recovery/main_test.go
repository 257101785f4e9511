// Package recovery tests what is left when a page misbehaves, or when a renderer, the browser or the
// server hangs or dies. It also tests what calls answer then.
package recovery

import (
	"net/http"
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
	os.Exit(service.Main(m, handler(), func(alive, killed *service.Service, at *httptest.Server) {
		shared, mortal, site = alive, killed, at
	}))
}

// handler serves the pages of test/pages, and those that misbehave.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	badSites(mux)
	return mux
}

// html is the address of a page with this content.
func html(content ...string) string {
	return site.URL + pages.HTML(strings.Join(content, ""))
}
