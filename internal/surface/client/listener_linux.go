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

// checkListener returns errStranger for a connection to a port of this machine on which a
// program of another user listens. While no server runs, anybody may take its port, and
// would get the secret and what is typed into pages. Programs of root are trusted, as are
// connections that lead elsewhere by the rules of the firewall, which root has set.
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

// listensStranger reads the kernel's table of sockets. The second and third columns are the
// addresses of a socket and of its peer, the fourth is its state, the eighth the user. It looks at
// two kinds of sockets, as either may be missing. The listening socket may have been closed after
// it has accepted our connection. Before it has accepted it, the socket at the other end has no
// user yet. Ports are compared and not addresses: who takes the same port of another address of
// this machine is no friend either.
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
