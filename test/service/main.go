package service

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"chela/internal/engine/extension"
	"chela/internal/reading/parser"
	"chela/test/chromium"
)

// Main runs the tests of a package, and returns the exit code of their program. The tests share two
// servers of chela, and a site with the pages of handler. They must leave the browser of the first
// server alive, and may kill the browser of the second. Before the tests run, the function begin
// gets the servers and the site. A goroutine that outlives the tests makes them fail.
func Main(m *testing.M, handler http.Handler, begin func(shared, mortal *Service, site *httptest.Server)) (code int) {
	chromium.PreferShell()
	parser.RunIfChild() // the server starts this program again to read documents, as chela does
	site := httptest.NewServer(handler)
	shared, mortal := startShared(site), startShared(site)
	end := func() {}
	if chromium.Elsewhere() {
		shared.Close()
		shared, end = startElsewhere(site)
	}
	if chromium.Sharing() {
		shared.Close()
		shared, end = startSharing(site)
	}
	begin(shared, mortal, site)
	code = m.Run()
	servers := append(withDashboard, shared, mortal)
	for _, s := range servers {
		s.Close()
	}
	end()
	for _, s := range servers {
		must(os.RemoveAll(s.Dir))
	}
	site.CloseClientConnections()
	site.Close()
	// After a DNS query was cancelled, the goroutine of the standard library's resolver goes on
	// until the reply comes or times out.
	resolver := goleak.IgnoreAnyFunction("net.(*Resolver).tryOneName")
	asking := goleak.IgnoreAnyFunction("net.(*Resolver).goLookupIPCNAMEOrder")
	if err := goleak.Find(resolver, asking); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// startElsewhere starts a browser, and a server that uses this browser. The function end ends only
// the browser.
func startElsewhere(site *httptest.Server) (s *Service, end func()) {
	dir := mustGet(os.MkdirTemp("", "chela-test-"))
	url, endBrowser, err := chromium.StartElsewhere(mustGet(os.MkdirTemp(dir, "browser-")), chromium.Names(site))
	must(err)
	return Start(dir, fmt.Sprintf(`{browser: {cdpUrl: %q, attachOnly: true}}`, url)), endBrowser
}

// startSharing starts a person's browser, and a server for tabs that the person shares. The
// function end ends only the browser.
func startSharing(site *httptest.Server) (s *Service, end func()) {
	dir, port := mustGet(os.MkdirTemp("", "chela-test-")), mustGet(chromium.UnusedPort())
	key := mustGet(extension.New(extension.Options{Dir: filepath.Join(dir, "extension")}).Grant("Chromium of a test"))
	s = Start(dir, fmt.Sprintf(`{gateway: {relayPort: %d}, browser: {defaultProfile: "chrome"}}`, port))
	return s, mustGet(chromium.StartSharing(filepath.Join(dir, "person"), port, key, chromium.Names(site))).Close
}

// startShared starts a server, whose browser starts with the first call for it.
func startShared(site *httptest.Server) *Service {
	return Start(mustGet(os.MkdirTemp("", "chela-test-")), withFlags(chromium.Names(site)))
}
