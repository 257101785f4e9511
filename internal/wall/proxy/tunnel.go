package proxy

import (
	"io"
	"net"
	"net/netip"
	"sync"
)

// A tunnel is a connection of the browser to a server, through the proxy.
type tunnel struct {
	client *net.TCPConn // nil: chela itself, see [Dialer]
	server net.Conn
	to     target
	addr   netip.AddrPort // address of the server; not valid if an upstream proxy has chosen it
}

// carry copies in both directions until the browser closes its end, or either fails. What the
// server does to its end reaches the browser in the same way. If the server closes it, the browser
// reads the end; if it resets it, the browser gets a reset. So requests fail as they would without
// a proxy.
func (t *tunnel) carry() {
	var received sync.WaitGroup
	received.Go(func() {
		if _, err := io.Copy(t.client, t.server); err != nil {
			t.abort()
			return
		}
		t.client.CloseWrite()
	})
	io.Copy(t.server, t.client)
	t.server.Close() // browsers never close only one direction of a connection
	received.Wait()
}

// abort ends the connection with a reset, in both directions.
func (t *tunnel) abort() {
	if t.client != nil {
		t.client.SetLinger(0)
		t.client.Close()
	}
	t.server.Close()
}
