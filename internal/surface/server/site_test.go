//go:build unix

package server

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chela/internal/engine/chrome"
)

//go:embed testdata/site.html
var sitePage string

// A page in the user's own browser tries all ways in which pages can call the server. The requests reach
// the port, but the page reads nothing and changes nothing. That holds even if the page knows the
// token, and for each name of the server. A second server that allows everything shows that the page
// really sends these requests.
func TestPageOfAnotherSite(t *testing.T) {
	program, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t)
	var mu sync.Mutex
	tried := map[string]int{}
	canary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		tried[strings.TrimSpace(r.Method+" "+r.URL.Path+" "+cmp.Or(r.Header.Get("Upgrade"), r.Header.Get("Sec-Fetch-Dest")))]++
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Access-Control-Allow-Methods", "*")
	}))
	defer canary.Close()

	done := make(chan string, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, port, _ := net.SplitHostPort(r.addr)
		targets, _ := json.Marshal(map[string][]string{
			"server": {"http://" + r.addr, "http://localhost:" + port, "http://rebound.test:" + port}, "canary": {canary.URL},
		})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<script>const token = %q, targets = %s</script>%s", token, targets, sitePage)
	})
	mux.HandleFunc("POST /done", func(_ http.ResponseWriter, r *http.Request) {
		learned, _ := io.ReadAll(r.Body)
		done <- string(learned)
	})
	site := httptest.NewServer(mux)
	defer site.Close()

	browser := exec.Command(program.Path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-proxy-server",
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--autoplay-policy=no-user-gesture-required", "--user-data-dir="+t.TempDir(), site.URL)
	browser.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case learned := <-done:
		if learned != "{}" {
			t.Errorf("the page has learned %s", learned)
		}
	case <-time.After(time.Minute):
		t.Error("the page does not come to its end")
	}
	syscall.Kill(-browser.Process.Pid, syscall.SIGKILL)
	browser.Wait()
	if call := r.called(); call != "" {
		t.Errorf("it has called %s", call)
	}
	for _, way := range []string{
		"GET / empty", "POST /act empty", "OPTIONS /act empty", "PUT /act empty", "POST /act iframe", "GET / image", "GET /openapi.json script",
		"GET / style", "GET / video", "GET / object", "GET / iframe", "GET / websocket", "GET /downloads empty",
	} {
		if tried[way] == 0 {
			t.Errorf("it has not tried %s, but %v", way, tried)
		}
	}
}
