package proxy

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdptarget "github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/chrome"
	"chela/internal/guard"
)

//go:embed testdata/attack.html
var attackPage string

// A victim is a server of another program, on a loopback address: over TCP, and over UDP
// on the same port.
type victim struct {
	addr string // host and port
	sync.Mutex
	reached
}

// What has reached a victim.
type reached struct {
	paths     []string // that were asked for
	conns     int
	datagrams int
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	v := &victim{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.Lock()
		defer v.Unlock()
		v.paths = append(v.paths, strings.Trim(r.URL.Path, "/"))
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	server.Config.ErrorLog = nil
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			v.Lock()
			defer v.Unlock()
			v.conns++
		}
	}
	v.addr = server.Listener.Addr().String()
	packets, err := net.ListenPacket("udp", v.addr)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			if _, _, err := packets.ReadFrom(make([]byte, 1500)); err != nil {
				return
			}
			v.Lock()
			v.datagrams++
			v.Unlock()
		}
	}()
	server.Start()
	t.Cleanup(func() { packets.Close(); server.CloseClientConnections(); server.Close() })
	return v
}

// attacker is the server of the page; done receives what it has found out about this machine.
func attacker(t *testing.T, v *victim) (site *httptest.Server, done chan string) {
	done = make(chan string, 1)
	mux := http.NewServeMux()
	serve := func(path, mime, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mime)
			w.Header().Set("Link", fmt.Sprintf("<http://%s/link-header>; rel=preload; as=image", v.addr))
			w.Header().Set("Content-Security-Policy-Report-Only", fmt.Sprintf("img-src 'none'; report-uri http://%s/csp-report", v.addr))
			io.WriteString(w, strings.ReplaceAll(body, "CANARY", v.addr))
		})
	}
	serve("/{$}", "text/html", attackPage)
	const inWorker = `fetch('http://CANARY/' + location.search.slice(1), {mode: 'no-cors'}).catch(() => {})`
	serve("/worker.js", "text/javascript", inWorker+`.then(() => self.postMessage ? postMessage(1) : 0);
		onconnect = event => `+inWorker+`.then(() => event.ports[0].postMessage(1))`)
	serve("/service.js", "text/javascript", `oninstall = event => event.waitUntil(`+inWorker+`)`)
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.RawQuery, http.StatusFound) })
	mux.HandleFunc("POST /done", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		done <- string(body)
	})
	site = httptest.NewServer(mux)
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	return site, done
}

// open runs a Chromium that opens a URL, until the test ends.
func open(t testing.TB, url, proxyURL string, flags ...string) (*cdp.Conn, *chrome.Process) {
	t.Helper()
	executable, err := chrome.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp("", "proxy-test-")
	if err != nil {
		t.Fatal(err)
	}
	process, err := chrome.Launch(t.Context(), chrome.Options{
		Executable: executable, UserDataDir: dir, LockHeld: true, Headless: true, NoSandbox: os.Getuid() == 0, Proxy: proxyURL, ExtraArgs: flags,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := cdp.NewConn(cdp.Pipe(process.Out, process.In), cdp.Options{Class: func(string) cdp.Class { return 0 }})
	t.Cleanup(func() {
		c.Close()
		process.Terminate(context.Background())
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if _, err := cdp.Call(t.Context(), c.Root(), cdptarget.CreateTarget, cdptarget.CreateTargetParams{URL: url}); err != nil {
		t.Fatal(err)
	}
	return c, process
}

func TestNothingGetsPastTheProxy(t *testing.T) {
	run := func(t *testing.T, open func(url string)) (v *victim, got reached, candidates string) {
		v = newVictim(t)
		site, done := attacker(t, v)
		open(strings.Replace(site.URL, "127.0.0.1", "localhost", 1))
		select {
		case candidates = <-done:
		case <-time.After(40 * time.Second):
			t.Error("the page has not come to its end")
		}
		v.Lock()
		defer v.Unlock()
		got = v.reached
		got.paths = slices.Sorted(slices.Values(v.paths))
		return v, got, candidates
	}
	// Without the proxy the same page gets everywhere, or the test would show nothing.
	t.Run("without it", func(t *testing.T) {
		_, got, candidates := run(t, func(url string) {
			open(t, url, "", "--webrtc-ip-handling-policy=default", "--force-webrtc-ip-handling-policy=default",
				"--host-resolver-rules=MAP *.example 127.0.0.1")
		})
		t.Logf("%d connections, %d datagrams, candidates %q, paths %q", got.conns, got.datagrams, candidates, got.paths)
		if len(got.paths) < 35 || got.conns == 0 || got.datagrams == 0 {
			t.Errorf("the page reached only %q, with %d datagrams", got.paths, got.datagrams)
		}
	})
	t.Run("with it", func(t *testing.T) {
		asked := map[string]int{}
		var mu sync.Mutex
		policy, err := guard.Rules{AllowedHostnames: []string{"localhost"}}.Policy()
		if err != nil {
			t.Fatal(err)
		}
		p, err := Start(Options{
			Policy: func() *guard.Policy { return policy },
			Lookup: func(_ context.Context, name string) ([]netip.Addr, error) {
				mu.Lock()
				defer mu.Unlock()
				if asked[name]++; name == "rebind.example" && asked[name] == 1 {
					return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
				}
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		v, got, candidates := run(t, func(url string) {
			_, process := open(t, url, p.URL())
			p.Admit(process.PID)
		})
		if got.conns != 0 || got.datagrams != 0 || candidates != "" {
			t.Errorf("%d connections, %d datagrams, candidates %q, paths %q", got.conns, got.datagrams, candidates, got.paths)
		}
		if refused, ok := p.Failure("http://" + v.addr).(*guard.Refused); !ok || refused.Rule != guard.PrivateNetwork {
			t.Errorf("the reason is %v", refused)
		}
	})
}
