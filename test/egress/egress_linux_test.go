package egress

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/wall/attack"
	"chela/test/service"
)

// A page of the internet tries each of these hosts in every way that it has. What is seen on
// the wire are its own server, the name server, and the ports of chela itself.
func TestEgress(t *testing.T) {
	w := watchWire(t)
	hosts := slices.Clone(special)
	for name := range names {
		if name != pageHost+"." && name != "other.example." {
			hosts = append(hosts, strings.TrimSuffix(name, "."))
		}
	}
	for _, each := range []struct {
		name, policy string
		hosts        []string
		open         bool // the hosts are reached, which shows that the attacks work
	}{
		{"all is allowed", `{dangerouslyAllowPrivateNetwork: true}`, []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "fd00::1", "lan.example"}, true},
		{"no policy", `null`, hosts, false},
		{"strict", `{dangerouslyAllowPrivateNetwork: false, allowedHostnames: ["page.site.example"]}`, []string{"127.0.0.1", "10.0.0.1", "fd00::1", "lan.example", "other.example"}, false},
		{"a list", `{dangerouslyAllowPrivateNetwork: true, hostnameAllowlist: ["page.site.example"]}`, []string{"10.0.0.1", "169.254.169.254", "lan.example", public}, false},
		{"a list of blocked hosts", `{dangerouslyAllowPrivateNetwork: true, blockedHostnames: ["10.0.0.1", "*.example.com", "lan.example"]}`, []string{"10.0.0.1", "lan.example"}, false},
	} {
		t.Run(each.name, func(t *testing.T) {
			s := start(t, each.policy)
			s.OK(t, "POST /start", nil)
			own := ownPorts(t, s)
			for _, host := range each.hosts {
				t.Run(host, func(t *testing.T) { tryHost(t, s, w, own, host, each.open) })
			}
		})
	}
}

// tryHost has the page try a host, which must be reached if open is true, and must not be reached
// otherwise.
func tryHost(t *testing.T, s *service.Service, w *wire, own map[string]bool, host string, open bool) {
	r := attackOn(t, s, host)
	reached := 0
	elsewhere := host == "rebind.example" // the name has a public address at first, and the server is also there
	for _, way := range r.Ways {
		if way.Reached {
			reached++
			if !open && !elsewhere {
				t.Errorf("reached by %s", way.Text)
			}
		}
		if !way.Optional && !way.Open {
			t.Errorf("%s was not tried", way.Text)
		}
	}
	sent := w.take(func(to string) bool {
		return own[to] || strings.HasPrefix(to, "tcp "+public+":") || strings.HasPrefix(to, "udp "+resolver+":")
	})
	switch {
	case open && reached < 40:
		t.Errorf("reached by %d ways only", reached)
	case !open && (len(sent) > 0 || r.Connections > 0 && !elsewhere || r.Datagrams > 0 || len(r.Candidates) > 0):
		t.Errorf("sent %v, %d connections, %d datagrams, candidates %q", sent, r.Connections, r.Datagrams, r.Candidates)
	}
}

// start starts a server with a network policy.
func start(t *testing.T, policy string) *service.Service {
	t.Helper()
	const secure = "--unsafely-treat-insecure-origin-as-secure=*.site.example"
	s := service.Start(t.TempDir(), fmt.Sprintf(`{browser: {noSandbox: true, headless: true, extraArgs: [%q], ssrfPolicy: %s}}`, secure, policy))
	os.Unsetenv(config.AllowPrivateNetwork)
	t.Cleanup(s.Close)
	return s
}

// ownPorts returns the ports of chela that may be seen on the wire: its control port, and the proxy
// of the browser.
func ownPorts(t *testing.T, s *service.Service) map[string]bool {
	t.Helper()
	pid := s.OK(t, "GET /", nil).Text("pid")
	line, err := os.ReadFile("/proc/" + pid + "/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	proxy := regexp.MustCompile(`--proxy-server=socks5://[^:]+(:\d+)`).FindSubmatch(line)
	if proxy == nil {
		t.Fatalf("no proxy: %q", line)
	}
	return map[string]bool{"tcp " + strings.TrimPrefix(s.URL, "http://"): true, "tcp 127.0.0.1" + string(proxy[1]): true}
}

// attackOn has the page try a host.
func attackOn(t *testing.T, s *service.Service, host string) attack.Report {
	t.Helper()
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		host = "[" + host + "]"
	}
	site, err := attack.Start(attack.Options{Open: pageHost, Closed: host, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	s.OK(t, "POST /tabs/open", service.Args{"url": site.URL})
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	r, err := site.Wait(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, each := range s.OK(t, "GET /tabs", nil).Get("tabs").([]any) { // the popups are also tabs
		s.OK(t, fmt.Sprint("DELETE /tabs/", each.(map[string]any)["targetId"]), nil)
	}
	return r
}
