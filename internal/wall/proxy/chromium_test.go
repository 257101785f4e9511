package proxy

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	cdptarget "github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/wall/attack"
	"chela/internal/wall/guard"
	"chela/test/long"
)

// open runs a Chromium that opens a URL, until the test ends.
func open(t testing.TB, url, proxyURL string, flags ...string) (*cdp.Conn, *chrome.Process) {
	t.Helper()
	executable, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
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

// Without the proxy the page of package attack reaches everything. Otherwise the test with the
// proxy would prove nothing.
func TestNothingGetsPastTheProxy(t *testing.T) {
	long.Test(t)
	attackBy := func(t *testing.T, open func(url string)) (attack.Report, *attack.Site) {
		site, err := attack.Start(attack.Options{
			Open: "localhost", Closed: "127.0.0.1",
			Forms: []string{"2130706433", "0177.1", "0.0.0.0", "[::ffff:127.0.0.1]", "１２７.0.0.1", "lan.example", "rebind.example"},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(site.Close)
		open(site.URL)
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		r, err := site.Wait(ctx)
		if err != nil {
			t.Error(err)
		}
		return r, site
	}
	t.Run("without it", func(t *testing.T) {
		r, _ := attackBy(t, func(url string) {
			open(t, url, "", "--webrtc-ip-handling-policy=default", "--force-webrtc-ip-handling-policy=default",
				"--host-resolver-rules=MAP *.example 127.0.0.1")
		})
		for _, way := range r.Ways {
			if !way.Reached && !way.Optional {
				t.Errorf("%s has not reached the server: %+v", way.Text, way)
			}
		}
		if len(r.Ways) < 45 || r.Datagrams == 0 { // candidates come late on a busy machine, or not at all
			t.Errorf("%d ways, %d datagrams", len(r.Ways), r.Datagrams)
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
		var c *cdp.Conn
		r, site := attackBy(t, func(url string) {
			var process *chrome.Process
			c, process = open(t, url, p.URL())
			p.Admit(process.PID)
		})
		for _, way := range r.Ways {
			if way.Reached || !way.Optional && !way.Proven() {
				t.Errorf("%s: %+v", way.Text, way)
			}
		}
		if r.Connections != 0 || r.Datagrams != 0 || len(r.Candidates) != 0 {
			t.Errorf("%d connections, %d datagrams, candidates %q", r.Connections, r.Datagrams, r.Candidates)
		}
		closed := fmt.Sprintf("http://127.0.0.1:%d", site.ClosedPorts()[0])
		if refused, ok := p.Failure(closed).(*guard.Refused); !ok || refused.Rule != guard.PrivateNetwork {
			t.Errorf("the reason is %v", refused)
		}
		for _, server := range []string{"direct://", "http://127.0.0.1:PORT", "socks5://localhost:PORT", p.Addr().String()} {
			contextWithoutProxy(t, c, server)
		}
	})
}

// contextWithoutProxy tries to evade the proxy by a browser context that has another proxy.
// Programs that drive the browser by its debugging port can make such a context.
func contextWithoutProxy(t *testing.T, c *cdp.Conn, server string) {
	t.Helper()
	canary := newCanary(t)
	packets, err := net.ListenPacket("udp4", canary.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer packets.Close()
	server = strings.ReplaceAll(server, "PORT", strconv.Itoa(int(canary.port)))
	made, err := cdp.Call(t.Context(), c.Root(), cdptarget.CreateBrowserContext, cdptarget.CreateBrowserContextParams{ProxyServer: server})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := cdp.Call(t.Context(), c.Root(), cdptarget.CreateTarget, cdptarget.CreateTargetParams{URL: "about:blank", BrowserContextID: made.BrowserContextID})
	if err != nil {
		t.Fatal(err)
	}
	const script = `(async () => {
		await fetch('http://SERVER/', {mode: 'no-cors'}).catch(() => {});
		await Promise.all(['stun:SERVER', 'turn:SERVER?transport=udp', 'turn:SERVER?transport=tcp'].map(urls => new Promise(resolve => {
			const peer = new RTCPeerConnection({iceServers: [{urls, username: 'a', credential: 'b'}]});
			peer.onicecandidate = resolve;
			peer.createDataChannel('x');
			peer.createOffer().then(offer => peer.setLocalDescription(offer));
		})));
	})()`
	got, err := cdp.Call(t.Context(), attach(t, c, opened.TargetID), runtime.Evaluate,
		runtime.EvaluateParams{Expression: strings.ReplaceAll(script, "SERVER", canary.Listener.Addr().String()), AwaitPromise: new(true)})
	if err != nil || got.ExceptionDetails != nil {
		t.Fatal(err, got.ExceptionDetails)
	}
	packets.SetReadDeadline(time.Now())
	if _, _, err := packets.ReadFrom(make([]byte, 1)); err == nil || canary.contacts.Load() != 0 {
		t.Errorf("with the proxy %s: %d connections, datagrams: %t", server, canary.contacts.Load(), err == nil)
	}
}
