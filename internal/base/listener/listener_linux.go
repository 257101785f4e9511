package listener

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// ErrStranger means that a program of another user of this machine may be at the other end.
var ErrStranger = errors.New("the program that listens there belongs to another user")

// Check returns ErrStranger if a program of another user listens at the other end of a
// connection to this machine. While no server runs, any user may listen on its port. Such a program
// would get the secret and what is typed into pages. Programs of root are trusted. Connections that
// firewall rules redirect are also trusted, since root has made these rules.
func Check(conn net.Conn) error {
	port := func(a net.Addr) int { return a.(*net.TCPAddr).Port }
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // an IPv6 socket may also accept IPv4 connections
		table, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // this machine has no IPv6
		}
		if err != nil {
			return err
		}
		if listensStranger(table, port(conn.RemoteAddr()), port(conn.LocalAddr()), os.Getuid()) {
			return ErrStranger
		}
	}
	return nil
}

// listensStranger reports whether table, the kernel's table of TCP sockets, has a socket of another
// user at the server's port. The parameter ours is the port of this process's end of the connection.
// The second and third columns of the table are the addresses of a socket and of its peer. The fourth
// is its state, the eighth its user.
//
// It looks at the listening socket and at the socket of the accepted connection, because either may
// be missing. The listening socket may have been closed after the connection was accepted. And
// until the connection is accepted, its socket has no user. Only ports are compared, and not
// addresses: another user may listen on the same port at another address of this machine.
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
