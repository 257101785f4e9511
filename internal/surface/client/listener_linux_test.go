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
