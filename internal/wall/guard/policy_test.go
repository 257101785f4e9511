package guard

import (
	"encoding/json"
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/hosts"
)

// names has the addresses of the host names in the recorded matrix.
var names = map[string][]string{
	"example.com": {"93.184.216.34"}, "pub.example.com": {"93.184.216.34"}, "a.b.example.com": {"93.184.216.34"},
	"localhost": {"127.0.0.1"}, "evil.test": {"10.0.0.5"}, "mixed.test": {"93.184.216.34", "10.0.0.5"},
	"trusted.lan": {"192.168.1.50"}, "meta.trusted": {"169.254.169.254"}, "lo.trusted": {"127.0.0.1"}, "fake.test": {"198.18.0.5"},
}

var yes, no = new(true), new(false)

// matrix has the rules of each column of the recorded matrix.
var matrix = map[string]Rules{
	"undefined (no policy)":                {},
	"{} (default)":                         {},
	"dangerouslyAllowPrivateNetwork:false": {DangerouslyAllowPrivateNetwork: no},
	"dangerouslyAllowPrivateNetwork:true":  {DangerouslyAllowPrivateNetwork: yes},
	"allowedHostnames:[trusted.lan,meta.trusted,lo.trusted,localhost,*.example.com] (default strict)": {
		AllowedHostnames: []string{"trusted.lan", "meta.trusted", "lo.trusted", "localhost", "*.example.com"},
	},
	"false+allowedHostnames same": {
		DangerouslyAllowPrivateNetwork: no,
		AllowedHostnames:               []string{"trusted.lan", "meta.trusted", "lo.trusted", "localhost", "*.example.com"},
	},
	"hostnameAllowlist:[*.example.com] ": {HostnameAllowlist: []string{"*.example.com"}},
	strictExample: {
		DangerouslyAllowPrivateNetwork: no,
		HostnameAllowlist:              []string{"*.example.com", "example.com"}, AllowedHostnames: []string{"localhost"},
	},
	"true+hostnameAllowlist":     {DangerouslyAllowPrivateNetwork: yes, HostnameAllowlist: []string{"*.example.com"}},
	"true+blockedHostnames":      {DangerouslyAllowPrivateNetwork: yes, BlockedHostnames: []string{"evil.test", "*.example.com"}},
	"allowRfc2544BenchmarkRange": {AllowRFC2544: true},
}

// strictExample is the column for an example in OpenClaw's documentation. OpenClaw blocks all its
// addresses, because there its two lists exclude each other. In chela the example works as its
// documentation says.
const strictExample = "seed strict: false + hostnameAllowlist [*.example.com,example.com] + allowedHostnames [localhost]"

var allowedInExample = strings.Fields(
	"http://pub.example.com/ http://example.com/ http://a.b.example.com/ http://EXAMPLE.com./ http://localhost/")

func TestRecordedMatrix(t *testing.T) {
	text, err := os.ReadFile("testdata/ssrf-matrix.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]map[string]string
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	for column, rules := range matrix {
		policy, err := rules.Policy()
		if err != nil || len(recorded[column]) < 50 {
			t.Fatalf("%s: %v, %d rows", column, err, len(recorded[column]))
		}
		for raw, want := range recorded[column] {
			if column == strictExample && slices.Contains(allowedInExample, raw) {
				want = "ALLOW"
			}
			if got := open(policy, raw); !sameAnswer(got, want) {
				t.Errorf("%s: %s: got %q, want %q", column, raw, got, want)
			}
		}
	}
}

// open returns the answer of a policy to a URL, in the form that the matrix has.
func open(p *Policy, raw string) string {
	url, err := CheckURL(raw)
	if err != nil {
		return "InvalidBrowserNavigationUrl: " + err.Error()
	}
	if url == Blank {
		return "ALLOW"
	}
	h, _, ok := HostOf(url)
	if !ok {
		return "no host in " + url
	}
	refused := p.CheckHost(h)
	addrs, known := names[h.String()]
	if _, literal := h.Addr(); refused == nil && !literal && !known {
		return ": getaddrinfo ENOTFOUND " + h.String()
	}
	for _, addr := range addrs {
		if refused == nil {
			refused = p.CheckAddrs(h, []netip.Addr{netip.MustParseAddr(addr)})
		}
	}
	switch {
	case refused == nil:
		return "ALLOW"
	case refused.Rule == Unlisted:
		return "InvalidBrowserNavigationUrl: " + refused.Error()
	}
	return "SsrFBlocked: " + refused.Reason()
}

// sameAnswer reports whether an answer is the recorded one. For refusals by the policy it only
// checks that there is one, since callers never see their texts. The advice on credentials in a URL
// also differs.
func sameAnswer(got, want string) bool {
	if strings.HasPrefix(want, "SsrFBlocked: ") {
		return strings.HasPrefix(got, "SsrFBlocked: ")
	}
	until, _, _ := strings.Cut(want, " Set HTTP Basic auth")
	return strings.HasPrefix(got, until)
}

func TestRulesOfAnswers(t *testing.T) {
	policy := func(r Rules) *Policy {
		p, err := r.Policy()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	all := policy(Rules{DangerouslyAllowPrivateNetwork: yes, BlockedHostnames: []string{"b.example.com"}})
	session, err := all.Narrow([]string{"*.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	var (
		standard = &Policy{}
		lists    = policy(Rules{
			AllowedHostnames: []string{" LocalHost. ", "127.1", "db.lan", "169.254.169.254", "[fd00::1]", "bücher.example", "*"},
			BlockedHostnames: []string{"db.lan", "1.2.3.4", "*.bad.example", "Worse.Example"},
		})
		only = policy(Rules{HostnameAllowlist: []string{"example.com", "*.example.org"}})
		open = policy(Rules{DangerouslyAllowPrivateNetwork: yes, BlockedHostnames: []string{"10.0.0.1"}})
	)
	tests := []struct {
		about  string
		policy *Policy
		host   string
		addrs  string
		want   Rule
		hint   string
	}{
		{"the internet", standard, "example.com", "93.184.216.34 2606:4700::1111", "", ""},
		{"localhost", standard, "LOCALHOST", "", PrivateNetwork, "chela config set --add browser.ssrfPolicy.allowedHostnames localhost"},
		{"an address of the network", standard, "10.1", "", PrivateNetwork, "chela config set --add browser.ssrfPolicy.allowedHostnames 10.0.0.1"},
		{"metadata", standard, "0xa9fea9fe", "", PrivateNetwork, "no list of hosts opens it: there"},
		{"metadata by name", standard, "metadata.google.internal", "", PrivateNetwork, "no list of hosts opens it: there"},
		{"no address", standard, "0.0.0.0", "", PrivateNetwork, "opened at localhost"},
		{"a network of one cable", standard, "169.254.1.1", "", PrivateNetwork, "no list of hosts"},
		{"a name with words for a shell", standard, "$(halt).localhost", "", PrivateNetwork, `add "$(halt).localhost" to browser.ssrfPolicy.allowedHostnames`},
		{"a name for this machine", standard, "lo.example", "127.0.0.1", PrivateNetwork, "chela config set browser.ssrfPolicy.dangerouslyAllowPrivateNetwork true"},
		{"one address of two", standard, "mixed.example", "93.184.216.34 10.0.0.1", PrivateNetwork, "leads to a private address; the user can allow that for this name: chela config set --add browser.ssrfPolicy.allowedHostnames mixed.example"},
		{"IPv4 in IPv6", standard, "six.example", "::ffff:10.0.0.1", PrivateNetwork, ""},
		{"an address of an interface", standard, "zone.example", "fe80::1%eth0", PrivateNetwork, ""},
		{"allowed", lists, "localhost", "127.0.0.1 ::1", "", ""},
		{"allowed, but not there", lists, "localhost", "169.254.169.254", PrivateNetwork, ""},
		{"below what is allowed", lists, "app.localhost", "127.0.0.1", PrivateNetwork, "allowedHostnames app.localhost"},
		{"an address that is allowed", lists, "127.0.0.1", "", "", ""},
		{"the same in IPv6", lists, "::ffff:127.0.0.1", "", "", ""},
		{"metadata in the list of allowed", lists, "169.254.169.254", "", PrivateNetwork, ""},
		{"an IPv6 address", lists, "fd00::1", "", "", ""},
		{"a name beyond ASCII", lists, "xn--bcher-kva.example", "192.168.0.1", "", ""},
		{"deny wins", lists, "db.lan", "", Blocked, ""},
		{"a blocked address by a name", lists, "other.example", "1.2.3.4", Blocked, ""},
		{"a blocked address in IPv6", lists, "[::ffff:1.2.3.4]", "", Blocked, ""},
		{"a blocked address behind a gateway", lists, "other.example", "64:ff9b::102:304", Blocked, ""},
		{"the same without a name", lists, "[64:ff9b::102:304]", "", Blocked, ""},
		{"a blocked address in a tunnel", open, "lan.example", "2002:a00:1::", Blocked, ""},
		{"below what is blocked", lists, "a.b.bad.example", "", Blocked, ""},
		{"a wildcard is not its apex", lists, "bad.example", "93.184.216.34", "", ""},
		{"whole labels", lists, "notbad.example", "93.184.216.34", "", ""},
		{"dots at the end", lists, "worse.example..", "", Blocked, ""},
		{"of a list", only, "example.com.", "93.184.216.34", "", ""},
		{"of a list, private", only, "example.com", "10.0.0.1", PrivateNetwork, ""},
		{"not in the list", only, "www.example.com", "", NotAllowed, "chela config set --add browser.ssrfPolicy.hostnameAllowlist www.example.com"},
		{"not in the list, this machine", only, "localhost", "", NotAllowed, "chela config set --add browser.ssrfPolicy.allowedHostnames localhost"},
		{"not in the list, private address", only, "10.0.0.1", "", NotAllowed, "allowedHostnames"},
		{"all allowed", open, "localhost", "127.0.0.1 169.254.169.254 ::", "", ""},
		{"all allowed, but one", open, "lan.example", "10.0.0.1", Blocked, ""},
		{"a session", session, "a.example.com", "127.0.0.1", "", ""},
		{"a session elsewhere", session, "example.org", "", NotInSession, ""},
		{"a session and the policy", session, "b.example.com", "", Blocked, ""},
	}
	for _, test := range tests {
		h, ok := hosts.Parse(test.host)
		if !ok {
			t.Errorf("%s: %s is not a host", test.about, test.host)
			continue
		}
		refused := test.policy.CheckHost(h)
		var addrs []netip.Addr
		for text := range strings.FieldsSeq(test.addrs) {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		if refused == nil {
			refused = test.policy.CheckAddrs(h, addrs)
		}
		if refused == nil {
			refused = &Refused{}
		}
		if refused.Rule != test.want || !strings.Contains(refused.Hint(), test.hint) {
			t.Errorf("%s: got %q with the hint %q; want %q with %q", test.about, refused.Rule, refused.Hint(), test.want, test.hint)
		}
		if test.want != "" && !strings.HasPrefix(refused.Reason(), "policy "+string(test.want)) {
			t.Errorf("%s: the reason is %q", test.about, refused.Reason())
		}
	}
}

// Refusals do not say where a name leads.
func TestRefusalsTellNoAddresses(t *testing.T) {
	h, _ := hosts.Parse("intranet.example")
	refused := (&Policy{}).CheckAddrs(h, []netip.Addr{netip.MustParseAddr("10.9.8.7")})
	if all := refused.Error() + refused.Reason() + refused.Hint(); strings.Contains(all, "10.9") {
		t.Error(all)
	}
}

func TestWrongRules(t *testing.T) {
	wrong := []string{"http://example.com", "localhost:3000", "*.1.2.3.4", "*.*.com", "a*.com", "a/b", "10.0.0.0/8", "1.2.3.256", "*.:"}
	for _, entry := range wrong {
		for key, rules := range map[string]Rules{
			"allowedHostnames": {AllowedHostnames: []string{entry}}, "hostnameAllowlist": {HostnameAllowlist: []string{entry}},
			"blockedHostnames": {BlockedHostnames: []string{"ok.example", entry}},
		} {
			p, err := rules.Policy()
			wrong, ok := errors.AsType[*hosts.EntryError](err)
			if !ok || p != nil || wrong.Entry != entry || !strings.HasSuffix(wrong.Key, "."+key) || (wrong.Index == 1) != (key == "blockedHostnames") {
				t.Errorf("%s %q: got %v, %v", key, entry, p, err)
			}
		}
	}
	if _, err := new(Policy).Narrow([]string{"*"}); err != ErrNoHosts {
		t.Errorf("a session with no hosts: %v", err)
	}
	p, err := Rules{AllowPrivateNetwork: yes, DangerouslyAllowPrivateNetwork: no}.Policy()
	if err != nil || p.AllowsPrivate() || !p.IsStrict() {
		t.Errorf("the older name of a switch wins: %+v, %v", p, err)
	}
	if p, _ := (Rules{AllowPrivateNetwork: yes}).Policy(); !p.AllowsPrivate() {
		t.Error("the older name of a switch has no effect")
	}
}

func TestOtherProxies(t *testing.T) {
	strict, _ := Rules{DangerouslyAllowPrivateNetwork: no}.Policy()
	all, _ := Rules{DangerouslyAllowPrivateNetwork: yes}.Policy()
	for _, test := range []struct {
		policy  *Policy
		setting ProxySetting
		hint    string // "": the setting is not refused
	}{
		{&Policy{}, ProxyFlag, "give its address as browser.proxy"},
		{&Policy{}, ProxyKey, ""},
		{strict, ProxyFlag, "give its address as browser.proxy"},
		{strict, ProxyKey, "and not both"},
		{all, ProxyFlag, ""},
		{all, ProxyKey, ""},
	} {
		refused := test.policy.CheckRouted(test.setting)
		if refused != nil && (!strings.Contains(refused.Error(), "proxy-routed") || !strings.Contains(refused.Hint(), test.hint)) {
			t.Errorf("%s: %v: %s", test.setting, refused, refused.Hint())
		}
		if (refused == nil) != (test.hint == "") {
			t.Errorf("%+v, %s: %v", test.policy, test.setting, refused)
		}
	}
}

// The exception is for one host, but not for hosts below it, and not for its addresses.
func TestExcept(t *testing.T) {
	host := func(text string) hosts.Host { h, _ := hosts.Parse(text); return h }
	local := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	for _, rules := range []Rules{
		{}, {DangerouslyAllowPrivateNetwork: new(false)}, {HostnameAllowlist: []string{"example.com"}},
		{BlockedHostnames: []string{"*.localhost", "127.0.0.1"}},
	} {
		plain, err := rules.Policy()
		if err != nil {
			t.Fatal(err)
		}
		p := plain.Except(host("own.localhost"))
		if p.CheckHost(host("own.localhost")) != nil || p.CheckAddrs(host("OWN.localhost."), local) != nil {
			t.Errorf("%+v: no exception", rules)
		}
		for _, other := range []string{"localhost", "a.own.localhost", "127.0.0.1", "owns.localhost"} {
			if p.CheckHost(host(other)) == nil && p.CheckAddrs(host(other), local) == nil || plain.CheckHost(host("own.localhost")) == nil {
				t.Errorf("%+v: %s is allowed", rules, other)
			}
		}
	}
}
