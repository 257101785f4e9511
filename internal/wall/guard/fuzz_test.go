package guard

import (
	"net/netip"
	"strings"
	"testing"

	"chela/internal/base/hosts"
)

// All functions read a URL in the same way. A URL that CheckURL lets pass has the host that HostOf
// finds, even when the URL is read again.
func FuzzOneReading(f *testing.F) {
	for _, raw := range []string{"http://a@b:80/?x#y", `http:\\127.1\@c`, "HTTP:/\t/[::1]", "https://１２７.1:443", "http:///a", "http://a:b@c/"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		url, err := CheckURL(raw)
		host, port, ok := HostOf(raw)
		if err != nil || url == Blank {
			return
		}
		again, samePort, sameOK := HostOf(url)
		if !ok || !sameOK || again != host || port != samePort {
			t.Errorf("%q leads to %s:%d, and %q, which it became, to %s:%d", raw, host, port, url, again, samePort)
		}
	})
}

// No rule widens another. A deny wins over an allow, and a narrower policy allows no more. An
// address that is neither exempt nor public stays refused unless all addresses are allowed.
func FuzzPolicy(f *testing.F) {
	f.Add("a.example", "*.example", "a.example", "10.0.0.1", uint8(0))
	f.Add("localhost", "", "", "127.0.0.1", uint8(1))
	f.Add("169.254.169.254", "*", "", "169.254.169.254", uint8(5))
	f.Fuzz(func(t *testing.T, allowed, only, blocked, text string, switches uint8) {
		rules := Rules{AllowedHostnames: []string{allowed}, AllowRFC2544: switches&2 != 0, AllowIPv6ULA: switches&4 != 0}
		if only != "" {
			rules.HostnameAllowlist = []string{only}
		}
		if switches&1 != 0 {
			rules.DangerouslyAllowPrivateNetwork = new(switches&8 != 0)
		}
		plain, err := rules.Policy()
		host, ok := hosts.Parse(text)
		if err != nil || !ok || text != strings.TrimSpace(text) || strings.HasPrefix(text, "*") {
			return // in a list, such a text means something else
		}
		addrs := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
		if addr, literal := host.Addr(); literal {
			addrs[0] = addr
		}
		allows := func(p *Policy) bool { return p.CheckHost(host) == nil && p.CheckAddrs(host, addrs) == nil }
		exact, _ := hosts.Parse(allowed)
		if allows(plain) && hosts.KindOf(addrs[0]) != hosts.Public && !plain.AllowsPrivate() && exact != host && switches&6 == 0 {
			t.Errorf("%+v allows %s", rules, host)
		}
		rules.BlockedHostnames = []string{text}
		if denied, err := rules.Policy(); err == nil && allows(denied) {
			t.Errorf("%+v allows %s, which is blocked", rules, host)
		}
		if narrow, err := plain.Narrow([]string{blocked}); err == nil && allows(narrow) && !allows(plain) {
			t.Errorf("%q widens %+v: %s", blocked, rules, host)
		}
	})
}

// The standard policy allows nothing but addresses of the internet, in whatever form
// they are written.
func FuzzHost(f *testing.F) {
	for _, text := range []string{"127.1", "0x7f.0.0.1", "[::ffff:10.0.0.1]", "１２７.1", "a.example", "%31.2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := hosts.Parse(text)
		if !ok {
			return
		}
		if again, ok := hosts.Parse(h.String()); !ok || again != h {
			t.Errorf("%q became %q, and that %q, %v", text, h, again, ok)
		}
		addr, literal := h.Addr()
		if refused := (&Policy{}).CheckHost(h); literal && (refused == nil) != (hosts.KindOf(addr) == hosts.Public) {
			t.Errorf("%q is %s, of kind %q: %v", text, addr, hosts.KindOf(addr), refused)
		}
	})
}

func FuzzPatterns(f *testing.F) {
	f.Add("*.example.com", "a.example.com")
	f.Fuzz(func(t *testing.T, entry, text string) {
		p, err := Rules{BlockedHostnames: []string{entry}}.Policy()
		h, ok := hosts.Parse(text)
		if err != nil || !ok {
			return
		}
		same, _ := hosts.Parse(strings.TrimSpace(entry))
		if refused := p.CheckHost(h); h == same && (refused == nil || refused.Rule != Blocked) {
			t.Errorf("%q blocks %q: %v", entry, text, refused)
		}
	})
}
