package proxy

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// ownGroup is the process group of the tests.
func ownGroup() int { return syscall.Getpgrp() }

// The proxy does not answer another process, even of the same user.
func TestStrangersAreNotServed(t *testing.T) {
	canary := newCanary(t)
	p := start(t, Options{Policy: rules(t, private)})
	script := fmt.Sprintf(`exec 3<>/dev/tcp/127.0.0.1/%d; printf '\5\1\0\5\1\0\1\177\0\0\1\%o\%o' >&3; head -c 12 <&3 | od -An -tx1`,
		p.Addr().Port(), canary.port>>8, canary.port&255)
	ask := func(own bool) string {
		cmd := exec.Command("bash", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !own}
		out, err := cmd.Output()
		if err != nil && own {
			t.Error(err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := ask(false); got != "" || canary.contacts.Load() != 0 {
		t.Errorf("a process of another group got %q", got)
	}
	if got := ask(true); !strings.HasPrefix(got, "05 00 05 00") {
		t.Errorf("a process of the group got %q", got)
	}
}

// Both ways to find a socket find the same socket. If there is none, neither finds any.
func TestSockets(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := endpoints{of: plain(client.LocalAddr().(*net.TCPAddr).AddrPort()), with: plain(client.RemoteAddr().(*net.TCPAddr).AddrPort())}
	asked, err := askSocket(e)
	if err != nil {
		t.Error(err)
	}
	if found, err := searchSocket(e); found != asked || err != nil || found == 0 {
		t.Errorf("asked: %d, searched: %d, %v", asked, found, err)
	}
	e.of = plain(listener.Addr().(*net.TCPAddr).AddrPort())
	if inode, err := socketInode(e); err == nil {
		t.Errorf("a socket that is not there: %d", inode)
	}
}

func BenchmarkOwns(b *testing.B) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	c := clients{group: syscall.Getpgrp()}
	e := endpoints{of: plain(client.LocalAddr().(*net.TCPAddr).AddrPort()), with: plain(client.RemoteAddr().(*net.TCPAddr).AddrPort())}
	for b.Loop() {
		if !c.owns(e) {
			b.Fatal("it is ours")
		}
	}
}
