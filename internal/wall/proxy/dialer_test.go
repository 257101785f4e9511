package proxy

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"chela/internal/wall/guard"
)

// newTestDialer returns a dialer for the time of the test.
func newTestDialer(t *testing.T, o Options, hosts ...string) *Dialer {
	t.Helper()
	d, err := NewDialer(o, hosts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// fetch requests / of a host through a dialer.
func fetch(t *testing.T, d *Dialer, host string, port uint16) (string, error) {
	t.Helper()
	transport := &http.Transport{DialContext: d.Dial, DisableKeepAlives: true}
	res, err := (&http.Client{Transport: transport}).Get("http://" + host + ":" + strconv.Itoa(int(port)) + "/")
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

// Chela itself connects only to addresses that browsers may connect to.
func TestDialer(t *testing.T) {
	canary := newCanary(t)
	var ports Ports
	names := fixed(map[string]string{
		"allowed.localhost": "127.0.0.1", "rebind.example": "127.0.0.1", "mixed.example": "93.184.216.34 127.0.0.1",
	})
	allowing := func(hosts ...string) func() *guard.Policy { return rules(t, guard.Rules{AllowedHostnames: hosts}) }
	for _, test := range []struct {
		name    string
		options Options
		hosts   []string // hosts that the session may open
		host    string
		rule    guard.Rule // the rule that refuses; "": the host is reached
	}{
		{"a host that is allowed", Options{Policy: allowing("localhost")}, nil, "localhost", ""},
		{"this machine", Options{}, nil, "127.0.0.1", guard.PrivateNetwork},
		{"this machine, written otherwise", Options{}, nil, "0x7f.1", guard.PrivateNetwork},
		{"this machine, embedded", Options{}, nil, "[::ffff:127.0.0.1]", guard.PrivateNetwork},
		{"a name that leads there", Options{}, nil, "rebind.example", guard.PrivateNetwork},
		{"a name that leads there, too", Options{}, nil, "mixed.example", guard.PrivateNetwork},
		{"a host of the session", Options{Policy: rules(t, private)}, []string{"localhost"}, "localhost", ""},
		{"another than those of the session", Options{Policy: rules(t, private)}, []string{"localhost"}, "127.0.0.1", guard.NotInSession},
		{"one that only the session allows", Options{}, []string{"localhost"}, "localhost", guard.PrivateNetwork},
		{"a proxy that nobody knows", Options{ByFlag: true}, nil, "localhost", guard.Routed},
		{"a port of chela", Options{Policy: rules(t, private), Ports: &ports}, nil, "localhost", guard.OwnPort},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.options.Ports != nil {
				defer ports.Add(canary.port)()
			}
			test.options.Lookup = names
			before := canary.contacts.Load()
			d := newTestDialer(t, test.options, test.hosts...)
			got, err := fetch(t, d, test.host, canary.port)
			refused, _ := errors.AsType[*guard.Refused](err)
			switch {
			case test.rule == "" && (err != nil || got == ""):
				t.Errorf("got %q, %v", got, err)
			case test.rule != "" && (refused == nil || refused.Rule != test.rule):
				t.Errorf("got %q, %v; want a refusal by %s", got, err, test.rule)
			case test.rule != "" && canary.contacts.Load() != before:
				t.Error("the server was connected to")
			}
		})
	}
	if _, err := NewDialer(Options{}, []string{"*"}); !errors.Is(err, guard.ErrNoHosts) {
		t.Errorf("a session without hosts: %v", err)
	}
}

// If the policy changes and forbids an address, the caller does not get the data that was read from
// it before.
func TestDialerAndLaterPolicy(t *testing.T) {
	canary := newCanary(t)
	var policy atomic.Pointer[guard.Policy]
	policy.Store(rules(t, private)())
	d := newTestDialer(t, Options{Policy: policy.Load})
	if got, err := fetch(t, d, "127.0.0.1", canary.port); err != nil || got == "" || d.Allowed() != nil {
		t.Fatalf("got %q, %v, %v", got, err, d.Allowed())
	}
	policy.Store(&guard.Policy{})
	refused, ok := d.Allowed().(*guard.Refused)
	if !ok || refused.Rule != guard.PrivateNetwork {
		t.Errorf("got %v", refused)
	}
}

// The dialer uses upstream proxies as browsers do, also those that do not allow tunnels.
func TestDialerUpstream(t *testing.T) {
	canary, office := newCanary(t), newOffice(t)
	names := fixed(map[string]string{"lan.example": "10.0.0.1", "example.com": "93.184.216.34"})
	for _, tunnels := range []bool{true, false} {
		office.noTunnels.Store(!tunnels)
		d := newTestDialer(t, Options{Upstream: office.upstream(t), Lookup: names})
		if got, err := fetch(t, d, "example.com", canary.port); err != nil || got != "secret of example.com:"+strconv.Itoa(int(canary.port)) {
			t.Errorf("tunnels %v: got %q, %v", tunnels, got, err)
		}
		for _, host := range []string{"lan.example", "localhost", "127.0.0.1"} {
			_, err := fetch(t, d, host, canary.port)
			if _, ok := errors.AsType[*guard.Refused](err); !ok {
				t.Errorf("tunnels %v, %s: got %v", tunnels, host, err)
			}
		}
	}
}
