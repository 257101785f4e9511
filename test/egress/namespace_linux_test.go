// Package egress tries, in a network of its own, whether a browser reaches addresses that are
// not allowed. It needs root and the command ip, takes minutes, and is run by `make egress`.
package egress

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// These variables say whether the tests are to run, and whether this process is in the separate
// network already.
const (
	wanted = "CHELA_TEST_EGRESS"
	inside = "CHELA_TEST_NAMESPACE"
)

// These are the addresses in the network. All belong to this machine.
const (
	public   = "93.184.216.34"
	resolver = "9.9.9.9"
)

// pageHost is the server of the page.
const pageHost = "page.site.example"

// special are the addresses that the standard policy forbids to every page.
var special = []string{
	"127.0.0.1", "127.8.9.10", "0.0.0.0", "169.254.169.254", "169.254.1.1", "100.100.100.200", "100.64.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1",
	"192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "240.0.0.1", "168.63.129.16",
	"::1", "fd00::1", "fd00:ec2::254", "fec0::1", "2001:db8::1", "64:ff9b::a00:1", "2002:a00:1::1", "::ffff:10.0.0.1", "::10.0.0.1", "fe80::1", "100::1",
}

// names has the answers of the name server. If a name has several lists, the first answers the
// first question, and the last all later ones.
var names = map[string][][]string{
	pageHost + ".":    {{public}},
	"other.example.":  {{public}},
	"lan.example.":    {{"10.0.0.1"}},
	"v6.example.":     {{"fd00::1"}},
	"mixed.example.":  {{public, "192.168.1.1"}},
	"rebind.example.": {{public}, {"127.0.0.1"}},
}

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(wanted) == "":
		return
	case os.Getenv(inside) == "":
		os.Exit(enter())
	}
	if err := build(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// enter runs the tests in a separate network, with a separate file of name servers.
func enter() int {
	if os.Getuid() != 0 {
		fmt.Println("skipped: a network of its own needs root")
		return 0
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Run(); err != nil {
		return 1
	}
	return 0
}

// build gives the network its addresses and its name server.
func build() error {
	run := func(args ...string) error {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", args, err, out)
		}
		return nil
	}
	if err := run("ip", "link", "set", "lo", "up"); err != nil {
		return err
	}
	for _, text := range append([]string{public, resolver}, special...) {
		addr := netip.MustParseAddr(text)
		if addr.IsLoopback() || addr.IsUnspecified() || addr.Is4In6() {
			continue
		}
		args := []string{"ip", "address", "add", text, "dev", "lo"}
		if addr.Is6() {
			args = append(args, "nodad")
		}
		if err := run(args...); err != nil {
			fmt.Println(err) // not every kernel knows all these settings
		}
	}
	for _, family := range []string{"-4", "-6"} {
		if err := run("ip", family, "route", "add", "default", "dev", "lo"); err != nil {
			return err
		}
	}
	servers := filepath.Join(os.TempDir(), fmt.Sprintf("resolv-%d.conf", os.Getpid()))
	if err := os.WriteFile(servers, []byte("nameserver "+resolver+"\n"), 0o644); err != nil {
		return err
	}
	defer os.Remove(servers)
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := unix.Mount(servers, "/etc/resolv.conf", "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return serveNames()
}

// asked are the names that were asked for.
var asked struct {
	sync.Mutex
	names map[string]int
}

func serveNames() error {
	asked.names = map[string]int{}
	conn, err := net.ListenPacket("udp", resolver+":53")
	if err != nil {
		return err
	}
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer, err := answerNames(buffer[:n]); err == nil {
				conn.WriteTo(answer, from)
			}
		}
	}()
	return nil
}

func answerNames(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		return nil, fmt.Errorf("no question: %w", err)
	}
	q := m.Questions[0]
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	lists := names[q.Name.String()]
	asked.Lock()
	nth := asked.names[q.Name.String()] / 2 // each look-up asks for both kinds of addresses
	asked.names[q.Name.String()]++
	asked.Unlock()
	if lists == nil {
		m.RCode = dnsmessage.RCodeNameError
		return m.Pack()
	}
	for _, text := range lists[min(nth, len(lists)-1)] {
		addr := netip.MustParseAddr(text)
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	return m.Pack()
}
