// The folder client has a copy of this file, because the package there must not import other packages
// of chela. The target docs of the Makefile makes the copy.

package client

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// errStranger means that another user of this machine may be at the other end.
var errStranger = errors.New("the program that listens there belongs to another user")

// checkListener returns errStranger if a program of another user listens at the other end of a
// connection to this machine. While no server runs, anybody may listen on its port. Such a program
// would get the secret and what is typed into pages. Programs of root are trusted. So are
// connections that the rules of the firewall lead elsewhere, since root has set them.
func checkListener(conn net.Conn) error {
	port := func(a net.Addr) int { return a.(*net.TCPAddr).Port }
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // a socket for IPv6 may take connections of both
		table, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // this machine has no IPv6
		}
		if err != nil {
			return err
		}
		if listensStranger(table, port(conn.RemoteAddr()), port(conn.LocalAddr()), os.Getuid()) {
			return errStranger
		}
	}
	return nil
}

// listensStranger looks for sockets of other users in table, the kernel's table of TCP sockets. The
// parameter port is the server's port, and ours is the port of this process. The second and third
// columns are the addresses of a socket and of its peer. The fourth is its state, the eighth its
// user.
//
// It looks at the listening socket and at the accepted one, because either may be missing. The
// listening socket may have been closed after it has accepted the connection. Before that, the
// accepted socket has no user yet. Ports are compared and not addresses: a stranger may have taken
// the same port at another address of this machine.
func listensStranger(table []byte, port, ours, user int) bool {
	const listening = "0A"
	at, from := fmt.Appendf(nil, ":%04X", port), fmt.Appendf(nil, ":%04X", ours)
	for line := range bytes.Lines(table) {
		fields := bytes.Fields(line)
		if len(fields) < 8 || !bytes.HasSuffix(fields[1], at) || string(fields[3]) != listening && !bytes.HasSuffix(fields[2], from) {
			continue
		}
		if owner, err := strconv.Atoi(string(fields[7])); err != nil || owner != user && owner != 0 {
			return true
		}
	}
	return false
}
