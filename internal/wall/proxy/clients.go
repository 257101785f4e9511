package proxy

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// clients knows which processes may use the proxy: those of the browser. Otherwise another user of
// this machine could reach what only the browser may.
type clients struct {
	admitted chan struct{} // closed when group is set
	group    int

	mu   sync.Mutex // guards the rest
	last int        // pid of the process that made the last connection; 0: none
}

// mayConnect reports whether a connection comes from the browser. It waits until [Proxy.Admit] has
// named the browser's processes, or ctx ends.
func (c *clients) mayConnect(ctx context.Context, conn *net.TCPConn) bool {
	select {
	case <-c.admitted:
	case <-ctx.Done():
		return false
	}
	local, remote := conn.LocalAddr().(*net.TCPAddr).AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort()
	return c.owns(endpoints{of: plain(remote), with: plain(local)})
}

// endpoints are the two addresses of a connection to the proxy. The field of has the client's
// address, and the field with has the proxy's address.
type endpoints struct{ of, with netip.AddrPort }

func plain(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }
