package proxy

import (
	"context"
	"net/netip"
	"slices"
	"testing"

	"chela/internal/wall/guard"
)

// A judge refuses what a proxy would refuse. It answers at once if no name has to be resolved.
func TestJudge(t *testing.T) {
	var ports Ports
	ports.Add(18791)
	names := fixed(map[string]string{"public.example": "93.184.216.34", "rebind.example": "127.0.0.1", "mixed.example": "93.184.216.34 127.0.0.1"})
	allowing := guard.Rules{AllowedHostnames: []string{"localhost"}}
	strict := guard.Rules{DangerouslyAllowPrivateNetwork: new(false)}
	for _, test := range []struct {
		name   string
		rules  guard.Rules
		url    string
		atOnce bool
		rule   guard.Rule // the rule that refuses; "": the request may be sent
	}{
		{"this machine", guard.Rules{}, "http://127.1/x", false, guard.PrivateNetwork},
		{"a host that is allowed", allowing, "http://localhost:3000/", true, ""},
		{"a port of chela", allowing, "http://localhost:18791/", false, guard.OwnPort},
		{"a port of chela, by a name", private, "http://rebind.example:18791/", false, guard.OwnPort},
		{"a public address", guard.Rules{}, "https://93.184.216.34/", true, ""},
		{"a public name", guard.Rules{}, "https://public.example/", false, ""},
		{"a name that leads to this machine", guard.Rules{}, "https://rebind.example/", false, guard.PrivateNetwork},
		{"a name that leads there, too", guard.Rules{}, "https://mixed.example/", false, guard.PrivateNetwork},
		{"a name that nobody knows", guard.Rules{}, "https://none.example/", false, ""},
		{"no network", guard.Rules{}, "data:text/html,x", true, ""},
		{"a strict policy", strict, "https://93.184.216.34/", false, guard.Unenforced},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := NewJudge(Options{Policy: rules(t, test.rules), Ports: &ports, Lookup: names})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if got := p.Passes(test.url); got != test.atOnce {
				t.Errorf("passes at once: %v", got)
			}
			refused := p.Judge(test.url)
			if refused == nil && test.rule != "" || refused != nil && refused.Rule != test.rule {
				t.Errorf("got %v, want %q", refused, test.rule)
			}
			if failure := p.Failure(test.url); (failure != nil) != (refused != nil) {
				t.Errorf("it is noted as %v", failure)
			}
			if got, want := p.Passes(test.url), refused == nil && test.name != "a name that nobody knows"; got != want {
				t.Errorf("the second one passes at once: %v", got)
			}
			if refused != nil && (p.Allows(test.url) != nil) != (test.rule != guard.OwnPort) { // Allows does not check the ports of chela, where no page was loaded
				t.Errorf("it may be read: %v", p.Allows(test.url))
			}
		})
	}
}

// The rules for names are for the browsers that chela starts. Any other browser asks DNS.
func TestJudgeHasNoRulesForNames(t *testing.T) {
	p, err := NewJudge(Options{Names: "MAP public.example 127.0.0.1", Lookup: fixed(map[string]string{"public.example": "93.184.216.34"})})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if refused := p.Judge("https://public.example/"); refused != nil {
		t.Errorf("refused: %v", refused)
	}
}

// Only requests that could be refused are judged. Under a policy that allows everything, these are
// only requests to the ports of chela.
func TestJudged(t *testing.T) {
	var ports Ports
	for _, port := range []uint16{18791, 18790} {
		ports.Add(port)
	}
	for _, test := range []struct {
		rules guard.Rules
		want  []string
	}{
		{guard.Rules{}, []string{"http*"}},
		{private, []string{"http*://localhost*", "http*://*.localhost*", "http*://127.*", "http*://0.0.0.0*", "http*://[*", "http*:18790/*", "http*:18791/*"}},
		{guard.Rules{AllowPrivateNetwork: new(true), BlockedHostnames: []string{"a.example"}}, []string{"http*"}},
	} {
		p, err := NewJudge(Options{Policy: rules(t, test.rules), Ports: &ports})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.PatternsToJudge(); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q", test.rules, got)
		}
		p.Close()
	}
	if carries, err := Start(Options{}); err != nil || carries.PatternsToJudge() != nil || !carries.Passes("http://127.0.0.1/") {
		t.Error("what goes through a proxy is judged there", err)
	} else {
		carries.Close()
	}
	if nobody := (*Proxy)(nil); nobody.PatternsToJudge() != nil || !nobody.Passes("http://127.0.0.1/") || nobody.Judge("http://127.0.0.1/") != nil {
		t.Error("without a judge all is allowed")
	}
}

// An address that was refused is judged again when the policy has changed.
func TestJudgeAndLaterPolicy(t *testing.T) {
	policy := rules(t, guard.Rules{})()
	p, err := NewJudge(Options{Policy: func() *guard.Policy { return policy }, Lookup: func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const url = "https://lan.example/"
	if p.Judge(url) == nil || p.Failure(url) == nil {
		t.Fatal("it is not refused")
	}
	policy = rules(t, private)()
	if p.Judge(url) != nil || p.Failure(url) != nil || !p.Passes(url) || p.Allows(url) != nil {
		t.Error("it is still refused")
	}
	policy = rules(t, guard.Rules{})()
	if p.Passes(url) || p.Allows(url) == nil { // the last addresses of the name are still known
		t.Error("it passes")
	}
}

// A page whose server is forbidden now is not read, even after its next connection was refused. The
// same holds for a blob that it has made.
func TestForbiddenAfterAFailure(t *testing.T) {
	p := start(t, Options{Policy: rules(t, guard.Rules{})})
	const url = "http://wiki.example/"
	host, port, _ := guard.HostOf(url)
	p.outcomes.note(target{host, port}, outcome{server: netip.MustParseAddrPort("10.0.0.5:80")})
	p.outcomes.note(target{host, port}, outcome{err: &guard.Refused{Rule: guard.PrivateNetwork}})
	for _, shown := range []string{url, "blob:" + url + "1"} {
		if p.Allows(shown) == nil {
			t.Errorf("%s may be read", shown)
		}
	}
}

// Tabs of a browser that chela starts show no files. Tabs of the user's own browser may show files.
func TestFilesAreNotRead(t *testing.T) {
	p := start(t, Options{Policy: rules(t, private)})
	judge, err := NewJudge(Options{Policy: rules(t, private)})
	if err != nil {
		t.Fatal(err)
	}
	defer judge.Close()
	for _, url := range []string{"file:///etc/passwd", "FILE:/x", " fi\nle:x"} {
		if refused := p.Allows("http://localhost/", url); refused == nil || refused.Rule != guard.LocalFile {
			t.Errorf("%q: %v", url, refused)
		}
		if refused := judge.Allows(url); refused != nil {
			t.Errorf("%q of the user's: %v", url, refused)
		}
	}
}
