// Package chromium says how the tests run Chromium.
package chromium

import (
	"net/http/httptest"
	"os"
)

// Headless reports whether the tests run Chromium without windows. With CHELA_TEST_HEADED set, as
// `make headed` does, the same tests run with windows, on a display.
func Headless() bool { return os.Getenv("CHELA_TEST_HEADED") == "" }

// Names is the flag of a browser that knows two names beside localhost. At http-only.test a site
// answers by http, and nobody by https; named.test is this machine.
func Names(site *httptest.Server) string {
	return "--host-resolver-rules=MAP http-only.test:80 " + site.Listener.Addr().String() +
		",MAP http-only.test:443 127.0.0.1:1,MAP named.test 127.0.0.1"
}
