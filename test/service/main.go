package service

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"go.uber.org/goleak"

	"chela/test/chromium"
)

// Main runs the tests of a package and returns what their program exits with.
// They share a server of chela and a site with the pages of handler, which begin
// gets first. A goroutine that outlives them fails the tests.
func Main(m *testing.M, handler http.Handler, begin func(shared *Service, site *httptest.Server)) (code int) {
	site := httptest.NewServer(handler)
	dir := mustGet(os.MkdirTemp("", "chela-test-"))
	shared := Start(dir, withFlags(chromium.Names(site)))
	begin(shared, site)
	code = m.Run()
	shared.Close()
	site.CloseClientConnections()
	site.Close()
	must(os.RemoveAll(dir))
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
