// Package around tests what happens around actions: dialogs, files, new tabs, batches and the
// effects that an act reports. Package recovery tests what is left when a renderer or the browser
// dies, package watched what looks at the work.
//
// Tests with a server of their own run beside each other, after the others. Those that look at files
// or logs of the whole process run alone.
package around

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// shared is the server of the tests that leave its browser alive, mortal the server of the others.
// The pages that they open come from site.
var (
	shared, mortal *service.Service
	site           *httptest.Server
)

// When a test sends a value to trickle, the server sends the second half of /trickle. When a test
// sends one to gate, the server answers a request for /gate.
var trickle, gate = make(chan struct{}), make(chan struct{})

type args = service.Args

func TestMain(m *testing.M) {
	os.Exit(service.Main(m, handler(), func(alive, killed *service.Service, at *httptest.Server) {
		shared, mortal, site = alive, killed, at
	}))
}

// handler serves the pages of test/pages, and files.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/file", file)
	asked := false
	mux.HandleFunc("/once", func(w http.ResponseWriter, _ *http.Request) { // answers the first request only
		if asked {
			panic(http.ErrAbortHandler)
		}
		asked = true
		io.WriteString(w, "<button>Once</button>")
	})
	orders := 0
	mux.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) { // counts the forms that were sent
		if r.Method == http.MethodPost {
			orders++
		}
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "<button>%d orders</button>", orders)
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { // redirects to ?to= after ?ms=
		ms, _ := strconv.Atoi(r.FormValue("ms"))
		time.Sleep(time.Duration(ms) * time.Millisecond)
		http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	})
	mux.HandleFunc("/gate", func(_ http.ResponseWriter, r *http.Request) { // answers when the test opens it
		await(r, gate)
	})
	// The second half comes when the test asks for it.
	mux.HandleFunc("/trickle", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=trickle.bin")
		w.Header().Set("Content-Length", "2000000")
		io.CopyN(w, endless('x'), 1_000_000)
		http.NewResponseController(w).Flush()
		await(r, trickle)
		io.CopyN(w, endless('x'), 1_000_000)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=broken.bin")
		w.Header().Set("Content-Length", "1000000")
		io.CopyN(w, endless('x'), 100_000)
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	return mux
}

// await returns when a value comes from told, or when the request has ended.
func await(r *http.Request, told <-chan struct{}) {
	select {
	case <-told:
	case <-r.Context().Done():
	}
}

// file sends the number of bytes in ?bytes= under the name in ?name=.
func file(w http.ResponseWriter, r *http.Request) {
	size, _ := strconv.Atoi(r.FormValue("bytes"))
	w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(r.FormValue("name")))
	w.Header().Set("Content-Length", strconv.Itoa(size))
	io.CopyN(w, endless('x'), int64(size))
}

// endless is an endless reader of one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// html is the address of a page with this content.
func html(content ...string) string {
	return site.URL + pages.HTML(strings.Join(content, ""))
}

// fileAt is the address of a file.
func fileAt(name string, size int) string {
	return fmt.Sprintf("%s/file?name=%s&bytes=%d", site.URL, url.QueryEscape(name), size)
}
