package proxy

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"chela/internal/base/hosts"
	"chela/internal/wall/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start returns a proxy whose clients are this process.
func start(t *testing.T, o Options) *Proxy {
	t.Helper()
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	p.Admit(ownGroup())
	t.Cleanup(p.Close)
	return p
}

// rules returns a function that returns a policy, as the configuration has one.
func rules(t testing.TB, r guard.Rules) func() *guard.Policy {
	t.Helper()
	p, err := r.Policy()
	if err != nil {
		t.Fatal(err)
	}
	return func() *guard.Policy { return p }
}

var private = guard.Rules{DangerouslyAllowPrivateNetwork: new(true)}

// A canary is a server on a loopback address that nobody should reach.
type canary struct {
	*httptest.Server
	port     uint16
	contacts atomic.Int32 // connections, not only requests
}

func newCanary(t *testing.T) *canary {
	c := &canary{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "secret of ", r.Host)
	}))
	c.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			c.contacts.Add(1)
		}
	}
	c.Start()
	t.Cleanup(c.Close)
	c.port = c.Listener.Addr().(*net.TCPAddr).AddrPort().Port()
	return c
}

// connect asks the proxy for a connection to a host by its name, as Chromium does, and
// returns the proxy's answer.
func connect(t *testing.T, p *Proxy, host string, port uint16) (conn net.Conn, status byte) {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.Write([]byte{5, 1, 0})
	conn.Write(append([]byte{5, 1, 0, 3, byte(len(host))}, binary.BigEndian.AppendUint16([]byte(host), port)...))
	var answer [12]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		t.Fatal(err)
	}
	return conn, answer[3]
}

// get requests / of a host through the proxy.
func get(t *testing.T, p *Proxy, host string, port uint16) string {
	t.Helper()
	conn, status := connect(t, p, host, port)
	if status != succeeded {
		return "status " + strconv.Itoa(int(status))
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host)
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(answer), "\r\n\r\n")
	return body
}

// fixed returns a resolver that knows only the names in a list.
func fixed(names map[string]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, name string) (addrs []netip.Addr, err error) {
		for text := range strings.FieldsSeq(names[name]) {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		if addrs == nil {
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		return addrs, nil
	}
}

func TestPrivateAddressesAreNotReached(t *testing.T) {
	canary := newCanary(t)
	hosts := []string{
		"127.0.0.1", "localhost", "app.localhost", "LOCALHOST.", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0",
		"::1", "::", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]", "rebind.example", "mixed.example", "mapped.example",
	}
	names := fixed(map[string]string{
		"rebind.example": "127.0.0.1", "mixed.example": "127.0.0.1 93.184.216.34", "mapped.example": "::ffff:127.0.0.1",
	})

	// The same hosts are reached where the policy allows them.
	open := start(t, Options{Policy: rules(t, private), Lookup: names})
	for _, host := range hosts {
		if strings.Contains(host, "::1") || host == "::" {
			continue // nobody listens at these addresses
		}
		if got := get(t, open, host, canary.port); got != "secret of "+host {
			t.Errorf("%s with a policy that allows it: %q, %v", host, got, open.Failure(fmt.Sprintf("http://%s:%d/", host, canary.port)))
		}
	}
	before := canary.contacts.Load()
	wall := start(t, Options{Lookup: names})
	for _, host := range hosts {
		if got := get(t, wall, host, canary.port); got != "status 4" {
			t.Errorf("%s: %q", host, got)
		}
		inURL := host
		if strings.Contains(host, ":") && host[0] != '[' {
			inURL = "[" + host + "]"
		}
		refused, ok := wall.Failure(fmt.Sprintf("http://%s:%d/path", inURL, canary.port)).(*guard.Refused)
		if !ok || refused.Rule != guard.PrivateNetwork {
			t.Errorf("%s: the reason is %v", host, refused)
		}
	}
	if n := canary.contacts.Load() - before; n != 0 {
		t.Errorf("%d connections", n)
	}
}

// A name is resolved once: the judged address is the one that is connected to.
func TestRebinding(t *testing.T) {
	canary := newCanary(t)
	var asked atomic.Int32
	p := start(t, Options{
		Policy: rules(t, guard.Rules{AllowedHostnames: []string{"127.0.0.2"}}),
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
	})
	for range 3 {
		if got := get(t, p, "rebind.example", canary.port); got != "status 4" {
			t.Error(got)
		}
	}
	if asked.Load() != 1 || canary.contacts.Load() != 0 {
		t.Errorf("resolved %d times, %d connections", asked.Load(), canary.contacts.Load())
	}
}

func TestAllowedHosts(t *testing.T) {
	canary := newCanary(t)
	p := start(t, Options{
		Policy: rules(t, guard.Rules{AllowedHostnames: []string{"localhost", "db.lan"}, BlockedHostnames: []string{"bad.localhost"}}),
		Lookup: fixed(map[string]string{"db.lan": "127.0.0.1", "lan.example": "127.0.0.1"}),
	})
	for host, want := range map[string]string{
		"localhost": "secret of localhost", "127.0.0.1": "status 4", "db.lan": "status 4",
		"bad.localhost": "status 4", "lan.example": "status 4", "none.example": "status 4",
	} {
		if got := get(t, p, host, canary.port); got != want {
			t.Errorf("%s: got %q, want %q", host, got, want)
		}
	}
	if err := p.Failure("http://none.example:" + strconv.Itoa(int(canary.port))); NetError(err) != "net::ERR_NAME_NOT_RESOLVED" {
		t.Errorf("a missing name: %v", err)
	}
	if err := p.Failure(canary.URL); NetError(err) != "net::ERR_BLOCKED_BY_ADMINISTRATOR" {
		t.Errorf("a blocked address: %v", err)
	}
	if err := p.Failure("http://localhost:" + strconv.Itoa(int(canary.port))); err != nil {
		t.Errorf("a host that was reached: %v", err)
	}
	canary.Close()
	get(t, p, "localhost", canary.port)
	if err := p.Failure("http://localhost:" + strconv.Itoa(int(canary.port))); NetError(err) != "net::ERR_CONNECTION_REFUSED" {
		t.Errorf("a port where nobody listens: %v", err)
	}
}

// No policy opens the ports of chela, by whatever address of this machine.
func TestOwnPorts(t *testing.T) {
	canary := newCanary(t)
	var ports Ports
	remove := ports.Add(canary.port)
	names := fixed(map[string]string{"own.example": "93.184.216.34 127.0.0.1"})
	p := start(t, Options{Policy: rules(t, private), Ports: &ports, Lookup: names})
	hosts := []string{"127.0.0.1", "localhost", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "own.example", "127.9.9.9"}
	own, _ := net.InterfaceAddrs()
	for _, addr := range own {
		hosts = append(hosts, addr.(*net.IPNet).IP.String())
	}
	for _, host := range hosts {
		for _, port := range []uint16{canary.port, p.Addr().Port()} {
			if _, status := connect(t, p, host, port); status != unreachable {
				t.Errorf("%s %d: status %d", host, port, status)
			}
		}
	}
	if n := canary.contacts.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	var refused *guard.Refused
	if err := p.Check(t.Context(), canary.URL); !errors.As(err, &refused) || refused.Rule != guard.OwnPort {
		t.Errorf("before it is opened: %v", err)
	}
	remove()
	if got := get(t, p, "127.0.0.1", canary.port); got != "secret of 127.0.0.1" {
		t.Errorf("when it is no port of ours any more: %q", got)
	}
}

func TestCheck(t *testing.T) {
	p := start(t, Options{Lookup: fixed(map[string]string{"lan.example": "10.0.0.1", "example.com": "93.184.216.34"})})
	for url, want := range map[string]bool{
		"http://lan.example/": true, "ws://localhost": true, "https://[fd00::1]/x": true, "http://169.254.169.254/latest/": true,
		"https://example.com/": false, "http://none.example/": false, "about:blank": false, "data:,x": false,
		"chrome-error://chromewebdata/": false,
	} {
		if err := p.Check(t.Context(), url); (err != nil) != want {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// Connections that a new policy does not allow end, and those that it allows stay.
func TestPolicyChanges(t *testing.T) {
	canary := newCanary(t)
	var policy atomic.Pointer[guard.Policy]
	policy.Store(rules(t, private)())
	p := start(t, Options{Policy: policy.Load})
	stays, _ := connect(t, p, "localhost", canary.port)
	ends, _ := connect(t, p, "127.0.0.1", canary.port)
	policy.Store(rules(t, guard.Rules{AllowedHostnames: []string{"localhost"}})())
	if _, status := connect(t, p, "127.0.0.1", canary.port); status != unreachable {
		t.Errorf("a new connection: status %d", status)
	}
	if _, err := ends.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a connection that is not allowed now: %v", err)
	}
	fmt.Fprint(stays, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	if answer, err := io.ReadAll(stays); err != nil || !strings.Contains(string(answer), "secret") {
		t.Errorf("a connection that is allowed: %q, %v", answer, err)
	}
}

// If a server ends or resets a connection, the client learns of it.
func TestEndsOfConnections(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := start(t, Options{Policy: rules(t, private)})
	open := func() (client net.Conn, server *net.TCPConn) {
		client, status := connect(t, p, "127.0.0.1", uint16(listener.Addr().(*net.TCPAddr).Port))
		conn, err := listener.Accept()
		if err != nil || status != succeeded {
			t.Fatal(err, status)
		}
		return client, conn.(*net.TCPConn)
	}
	client, server := open()
	server.Write([]byte("all"))
	server.Close()
	if got, err := io.ReadAll(client); err != nil || string(got) != "all" {
		t.Errorf("after a close: %q, %v", got, err)
	}
	client, server = open()
	server.SetLinger(0)
	server.Close()
	if _, err := io.ReadAll(client); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("after a reset: %v", err)
	}
	client, server = open()
	client.Write([]byte("sent"))
	client.Close()
	if got, err := io.ReadAll(server); err != nil || string(got) != "sent" {
		t.Errorf("after the client's close: %q, %v", got, err)
	}
	server.Close()
	client, server = open()
	p.Close()
	if _, err := client.Read(make([]byte, 1)); err == nil {
		t.Error("a connection outlives the proxy")
	}
	server.Close()
}

func TestClosedBeforeAdmitted(t *testing.T) {
	p, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	p.Close()
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a connection was served")
	}
}

func TestNameRules(t *testing.T) {
	canary := newCanary(t)
	at := canary.Listener.Addr().String()
	p := start(t, Options{
		Policy: rules(t, private), Lookup: fixed(map[string]string{"kept.test": "127.0.0.1"}),
		Names: "MAP kept.test 192.0.2.1, map a.test:80 " + at + ",MAP *.sub.test [::ffff:127.0.0.1] , EXCLUDE kept.test, MAP gone.* ~NOTFOUND",
	})
	for _, test := range []struct {
		host string
		port uint16
		want string
	}{
		{"a.test", 80, "secret of a.test"}, {"x.y.sub.test", canary.port, "secret of x.y.sub.test"},
		{"kept.test", canary.port, "secret of kept.test"},
		{"a.test", canary.port, "status 4"}, {"gone.test", canary.port, "status 4"},
	} {
		if got := get(t, p, test.host, test.port); got != test.want {
			t.Errorf("%s:%d: got %q, want %q", test.host, test.port, got, test.want)
		}
	}
	// The policy judges the address that the name is mapped to.
	wall := start(t, Options{Names: "MAP * 127.0.0.1"})
	if got := get(t, wall, "example.com", canary.port); got != "status 4" {
		t.Errorf("a name mapped to loopback: %q", got)
	}
	for _, wrong := range []string{"MAP a", "MAP a b c", "EXCLUDE a b", "MAP a 1.2.3.256", "MAP a:x b", "MAP [ b", "FORGET a"} {
		if _, err := Start(Options{Names: wrong}); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// If a name has addresses where nobody answers, the other addresses are tried nevertheless.
func TestSeveralAddresses(t *testing.T) {
	canary := newCanary(t)
	silent, err := net.Listen("tcp", "127.0.0.3:"+strconv.Itoa(int(canary.port)))
	if err != nil {
		t.Skip(err)
	}
	silent.Close()
	p := start(t, Options{Policy: rules(t, private), Lookup: fixed(map[string]string{"many.example": "127.0.0.3 ::1 127.0.0.1"})})
	if got := get(t, p, "many.example", canary.port); got != "secret of many.example" {
		t.Error(got)
	}
}

// Whatever a client sends, the result is a host to connect to, or an error.
func FuzzHandshake(f *testing.F) {
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x03\x09localhost\x00\x50"))
	f.Add([]byte("\x05\x02\x00\x02\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50"))
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x7f\x00\x00\x01\x00\x50rest"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		in := bytes.NewReader(sent)
		var out bytes.Buffer
		to, err := readTarget(struct {
			io.Reader
			io.Writer
		}{in, &out})
		if err != nil {
			return
		}
		if again, ok := hosts.Parse(to.host.String()); !ok || again != to.host || out.String() != "\x05\x00" {
			t.Errorf("%q: %v, answered %q", sent, to, out.String())
		}
	})
}

func FuzzNameRules(f *testing.F) {
	f.Add("MAP *.test 127.0.0.1, EXCLUDE b.test", "a.test")
	f.Fuzz(func(t *testing.T, list, host string) {
		h, ok := hosts.Parse(host)
		rules, err := parseNameRules(list)
		if !ok || err != nil {
			return
		}
		if to, err := applyNameRules(rules, target{h, 80}); err == nil {
			if _, ok := hosts.Parse(to.host.String()); !ok {
				t.Errorf("%q: %q became %q", list, host, to.host)
			}
		}
	})
}
