package client

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"chela/internal/base/certificate"
	"chela/internal/op"
)

func TestListensStranger(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	const listens = "   0: 0100007F:4967 00000000:0000 0A 00000000:00000000 00:00000000 00000000  UID        0 11 1 0 100 0 0 10 0\n"
	const accepted = "   1: 0100007F:4967 0100007F:C350 01 00000000:00000000 00:00000000 00000000  UID        0 12 1 0 20 4 0 10 -1\n"
	const ours = "   2: 0100007F:C350 0100007F:4967 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 0 10 -1\n"
	of := func(line, user string) string { return strings.Replace(line, "UID", user, 1) }
	for _, test := range []struct {
		name, table string
		want        bool
	}{
		{"nobody", "", false},
		{"the user", of(listens, "1000") + of(accepted, "1000"), false},
		{"root", of(listens, "0") + of(accepted, "0"), false},
		{"another", of(listens, "1001") + of(accepted, "1001"), true},
		{"another, who has not accepted it yet", of(listens, "1001") + of(accepted, "0"), true},
		{"another, who listens no more", of(accepted, "1001"), true},
		{"another on another address", of(listens, "1000") + of(strings.Replace(listens, "0100007F", "00000000", 1), "1001"), true},
		{"another on another port", of(strings.Replace(listens, "4967", "4968", 1), "1001"), false},
		{"a connection of another", of(listens, "1000") + of(strings.Replace(accepted, "C350", "C351", 1), "1001"), false},
		{"another with IPv6", "   0: 00000000000000000000000000000000:4967 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 11 1 0\n", true},
		{"no number", of(listens, "x"), true},
	} {
		if got := listensStranger([]byte(head+test.table+ours), 0x4967, 0xC350, 1000); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}

// Nothing is sent to a program of another user that has taken the port of a server.
func TestNothingIsSentToStrangers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	listener := listenAs(t, 65534)
	received := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		all, _ := io.ReadAll(conn)
		received <- string(all)
	}()
	origin := Origin{"http", "127.0.0.1", listener.Addr().(*net.TCPAddr).Port}
	_, err := TCP(origin, Secret{Token: "secret"}, certificate.Fingerprint{}).Run(t.Context(), define("POST /act"), nil)
	if e := op.AsError(err); !strings.Contains(e.Error(), "belongs to another user") || errors.Is(err, ErrNoServer) {
		t.Errorf("got %v", err)
	}
	if got := <-received; got != "" {
		t.Errorf("it got %q", got)
	}
}

// listenAs listens on a port as another user. The kernel takes the user of a socket from the
// thread that makes it.
func listenAs(t *testing.T, user uintptr) net.Listener {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.RawSyscall(syscall.SYS_SETFSUID, user, 0, 0)
	defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}
