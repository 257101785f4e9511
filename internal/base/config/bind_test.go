package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An error about who may reach the server names the line in the file, and says what to do.
func TestBind(t *testing.T) {
	const tls = `, tls: {cert: "c", key: "k"}`
	const wildcard = "whoever reaches it and has the token can use your browsers and their logins; name one address or one interface"
	for _, test := range []struct{ name, text, want string }{
		{"IPv4's wildcard", `{gateway: {bind: "0.0.0.0"` + tls + `}}`, wildcard},
		{"IPv6's", "{\ngateway: {\nbind: '::'" + tls + `}}`, "chela.json:3: gateway.bind is \"::\", which is all networks"},
		{"in brackets", `{gateway: {bind: "[::]"` + tls + `}}`, wildcard},
		{"in another form", `{gateway: {bind: "::ffff:0.0.0.0"` + tls + `}}`, wildcard},
		{"with a port", `{gateway: {bind: "0.0.0.0:1"` + tls + `}}`, wildcard},
		{"a star", `{gateway: {bind: "*"` + tls + `}}`, wildcard},
		{"OpenClaw's word", `{gateway: {bind: "lan"` + tls + `}}`, wildcard},
		{"another of them", `{gateway: {bind: "tailnet"` + tls + `}}`, "name the address or the interface itself"},
		{"many at once", `{gateway: {bind: "224.0.0.1"` + tls + `}}`, wildcard},
		{"an address with a port", `{gateway: {bind: "192.0.2.2:443"` + tls + `}}`, "want an address without a port"},
		{"no TLS", "{gateway: {\nbind: '192.0.2.2'}}", "chela.json:2: gateway.bind is \"192.0.2.2\", and gateway.tls.cert is not set: other machines call by https only; chela cert make"},
		{"no key", `{gateway: {bind: "192.0.2.2", tls: {cert: "c"}}}`, "gateway.tls.key is not set"},
		{"another loopback address", `{gateway: {bind: "127.0.0.2"}}`, "gateway.tls.cert is not set"},
		{"no secret", "{gateway: {bind: '192.0.2.2', auth: {\nmode: 'none'}" + tls + `}}`, "chela.json:2: gateway.auth.mode is none, and by gateway.bind other machines"},
		{"a URL as host", "{gateway: {hosts: ['a.test',\n'https://b.test']}}", `chela.json:2: gateway.hosts[1] is "https://b.test": want a name`},
		{"all hosts", `{gateway: {hosts: ["*"]}}`, `gateway.hosts[0] is "*"`},
		{"hosts below one", `{gateway: {hosts: ["*.a.test"]}}`, `gateway.hosts[0] is "*.a.test"`},
		{"no port", `{gateway: {hosts: ["a.test:x"]}}`, `gateway.hosts[0] is "a.test:x"`},
		{"no host", `{gateway: {hosts: [""]}}`, `gateway.hosts[0] is ""`},
		{"a server that is none", `{browser: {controlUrl: "ftp://a"}}`, "browser.controlUrl must be http(s) or ws(s), got: ftp"},

		{"one address", `{gateway: {bind: "192.0.2.2"` + tls + `}}`, ""},
		{"an interface", `{gateway: {bind: "eth0", auth: {mode: "token"}` + tls + `}}`, ""},
		{"loopback", `{gateway: {bind: "127.0.0.1"}}`, ""},
		{"hosts", `{gateway: {hosts: ["a.test", "A.test:443", "192.0.2.2", "[fd00::2]:443"]}}`, ""},
	} {
		_, err := load(t, test.text, Flags{})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

func TestHostNames(t *testing.T) {
	g := Gateway{Hosts: []string{"A.test", "b.test:443", "fd00::2", "[fd00::3]:443"}}
	want := []string{"a.test:18791", "b.test:443", "b.test", "[fd00::2]:18791", "[fd00::3]:443", "[fd00::3]"}
	if got := g.HostNames(18791); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Gateway{Hosts: []string{"a.test"}}).HostNames(443); !slices.Equal(got, []string{"a.test:443", "a.test"}) {
		t.Errorf("at the port of https: got %q", got)
	}
}

// When the server starts, it checks whether the machine has what gateway.bind names.
func TestOutside(t *testing.T) {
	const text = `{gateway: {bind: "BIND", tls: {cert: "c.pem", key: "~/k.pem"}}}`
	for bind, want := range map[string]string{
		"198.51.100.77": "chela.json:1: gateway.bind is \"198.51.100.77\": this machine does not have that address; it has",
		"nosuch0":       "has no interface of that name that has one and is up; it has",
		"lo":            "has no interface of that name",
	} {
		c, err := load(t, strings.Replace(text, "BIND", bind, 1), Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Outside(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", bind, err, want)
		}
	}
	c, err := load(t, strings.Replace(text, "BIND", "127.0.0.2", 1), Flags{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Outside()
	if err != nil || len(at.Addrs) != 1 || at.Addrs[0].String() != "127.0.0.2" {
		t.Errorf("got %v, %v", at, err)
	}
	home, _ := os.UserHomeDir()
	if files := c.CertificateFiles(); files.Cert != filepath.Join(filepath.Dir(c.File), "c.pem") || files.Key != filepath.Join(home, "k.pem") {
		t.Errorf("got %+v", files)
	}
	if !slices.Contains(c.Weakened(), "gateway.bind") {
		t.Errorf("weakened by %q", c.Weakened())
	}
	if c, err := load(t, `{gateway: {bind: "127.0.0.2", auth: {token: "short"}, tls: {cert: "c", key: "k"}}}`, Flags{}); err != nil || len(c.Warnings) != 1 ||
		!strings.Contains(c.Warnings[0], "the token has only 5 characters") {
		t.Errorf("a short token: %v, %q", err, c.Warnings)
	} else if urls := c.URLs(at); !slices.Equal(urls, []string{"https://127.0.0.2:18791"}) {
		t.Errorf("got %q", urls)
	}
	if c, err := load(t, `{gateway: {bind: "loopback", tls: {cert: "c"}}}`, Flags{}); err != nil || len(c.Weakened()) > 0 || len(c.Warnings) != 1 {
		t.Errorf("on loopback: %v, %q, %q", err, c.Weakened(), c.Warnings)
	} else if at, err := c.Outside(); at != nil || err != nil {
		t.Errorf("on loopback: %v, %v", at, err)
	}
}

// Control finds the server that the file names. A file that names none is not decoded.
func TestControl(t *testing.T) {
	for _, test := range []struct {
		name, text       string
		env              map[string]string
		url, token, fail string
	}{
		{"none", `{browser: {headless: true}}`, nil, "", "", ""},
		{"a file that is wrong elsewhere", `{browser: {headless: 1}}`, nil, "", "", ""},
		{"one", `{browser: {controlUrl: "https://a.test", controlToken: "t"}}`, nil, "https://a.test", "t", ""},
		{"a token in a variable", `{browser: {controlUrl: "https://a.test", controlToken: "env:A_TOKEN"}}`, map[string]string{"A_TOKEN": "e"}, "https://a.test", "e", ""},
		{"a variable that is not set", `{browser: {controlUrl: "https://a.test", controlToken: "env:A_TOKEN"}}`, nil, "https://a.test", "", "the variable A_TOKEN, which browser.controlToken names, is not set"},
	} {
		dir := t.TempDir()
		noEnvironment(t)
		write(t, filepath.Join(dir, "chela.json"), test.text)
		t.Setenv("A_TOKEN", test.env["A_TOKEN"])
		got, err := Flags{StateDir: dir}.Control()
		if err != nil || got.URL != test.url {
			t.Errorf("%s: got %+v, %v", test.name, got, err)
		}
		if got.URL == "" {
			continue
		}
		if token, err := got.Token(); token != test.token || (err != nil) != (test.fail != "") || err != nil && err.Error() != test.fail {
			t.Errorf("%s: token %q, %v", test.name, token, err)
		}
	}
	if _, err := (Flags{StateDir: t.TempDir(), File: "/nowhere.json"}).Control(); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A control URL of this machine gives the port at which the server of the state directory listens.
func TestControlOnThisMachine(t *testing.T) {
	for text, want := range map[string]int{
		`{browser: {controlUrl: "http://127.0.0.1:19555"}}`: 19555,
		`{browser: {controlUrl: "https://a.test:19555"}}`:   18791,
	} {
		c, err := load(t, text, Flags{})
		if err != nil || c.Port != want || c.Explicit != (want != 18791) {
			t.Errorf("%s: got %d, %v", text, c.Port, err)
		}
	}
	if value, err := (&Config{Browser: Browser{ControlToken: "secret"}}).Get("browser"); err != nil || value.(map[string]any)["controlToken"] != "(set)" {
		t.Errorf("got %v, %v", value, err)
	}
}
