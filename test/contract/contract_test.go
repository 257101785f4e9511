// Package contract tests OpenClaw compatibility, see docs/openclaw.md: the HTTP API gives callers
// the answers that they are used to. The tests call a real server with a real Chromium over HTTP,
// and use no other code of chela.
package contract

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/pages"
	tests "chela/test/service"
)

// shared is the server of the tests that need nothing special, mortal the server of those that kill
// its browser. The pages that they open come from site.
var (
	shared, mortal *service
	site           *httptest.Server
)

func TestMain(m *testing.M) {
	os.Exit(tests.Main(m, handler(), func(alive, killed *tests.Service, at *httptest.Server) {
		shared, mortal, site = &service{alive}, &service{killed}, at
	}))
}

// handler serves the pages of test/pages, a file, and a page that never ends.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/report.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=report.csv")
		io.WriteString(w, "a,b\n")
	})
	watchable(mux)
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) { // a page that never ends
		io.WriteString(w, "<title>Drip</title><h1>Begun</h1>"+strings.Repeat(" ", 2000))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	return mux
}

// page is the address of a page with this HTML.
func page(html string) string { return site.URL + pages.HTML(html) }

// A service is a server of chela. Its methods take bodies as JSON texts.
type service struct{ *tests.Service }

// own starts a server for one test.
func own(t *testing.T, settings string) *service {
	t.Helper()
	return &service{tests.Own(t, settings)}
}

// do sends a request such as "POST /act" with a body in JSON, or none.
func (s *service) do(t *testing.T, request, body string) tests.Answer {
	t.Helper()
	chromium.Skip(t)
	a, err := s.TryText(t.Context(), request, body)
	if err != nil {
		t.Fatalf("%s %s: %v", request, body, err)
	}
	return a
}

// ok does the same as do, for a request that must succeed.
func (s *service) ok(t *testing.T, request, body string) tests.Answer {
	t.Helper()
	a := s.do(t, request, body)
	if a.Status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", request, body, a.Status, a.Raw)
	}
	return a
}

// open opens a page in a tab for the time of the test, and returns its handle.
func (s *service) open(t *testing.T, address string) string {
	t.Helper()
	a := s.ok(t, "POST /tabs/open", fmt.Sprintf(`{"url": %q}`, address))
	tab := a.Text("tabId")
	t.Cleanup(func() { s.TryText(context.Background(), "DELETE /tabs/"+tab, "") })
	return tab
}

// borrow does the same as open, for tests that may find what other tests left in the tab; see
// [tests.Service.Borrow].
func (s *service) borrow(t *testing.T, address string) string {
	t.Helper()
	return s.Borrow(t, address).ID
}

// act does an act on a tab, that must succeed.
func (s *service) act(t *testing.T, tab, fields string) tests.Answer {
	t.Helper()
	return s.ok(t, "POST /act", s.body(tab, fields))
}

func (s *service) body(tab, fields string) string {
	return fmt.Sprintf(`{"targetId": %q, %s}`, tab, fields)
}

// eval runs a script in the tab and returns its result.
func (s *service) eval(t *testing.T, tab, script string) any {
	t.Helper()
	return s.act(t, tab, fmt.Sprintf(`"kind": "evaluate", "fn": %q`, script)).Get("result")
}

// ref returns the ref on the first line of a snapshot that contains a text.
func (s *service) ref(t *testing.T, tab, what string) string {
	t.Helper()
	return s.Tab(t, tab).Ref(what)
}

// freePort is a port on which nothing listens.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
