package attack

import (
	"context"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// unreadable are the ways whose connections do not show the name of the way in readable form. The
// server recognizes each of them by a port of its own, for connections and for datagrams.
var unreadable = []string{"preconnect", "fetch-tls", "websocket-tls", "transport", "stun", "turn", "turn-tcp", "turn-tls", "fedcm", "payment", "auction"}

// A testServer is a server that notes what reaches it.
type testServer struct {
	on     string            // the address to listen on, with port 0
	port   uint16            // port of the HTTP server; datagrams to it are also recorded
	ports  map[string]uint16 // a port of its own for each way in unreadable
	server http.Server
	ends   []io.Closer

	mu        sync.Mutex      // guards the rest
	reached   map[string]bool // the ways by which the server was reached
	conns     int
	datagrams int
	changed   chan struct{} // closed at the next change
}

// newTestServer returns a server that listens on an address, whose port is 0. The error comes from
// listening. After an error, all listeners are closed.
func newTestServer(on string) (v *testServer, err error) {
	v = &testServer{on: on, ports: map[string]uint16{}, reached: map[string]bool{}, changed: make(chan struct{})}
	defer func() {
		if err != nil {
			v.close()
			v = nil
		}
	}()
	listener, err := v.listen("")
	if err != nil {
		return v, err
	}
	v.port = portOf(listener.Addr())
	v.server = http.Server{
		Handler: http.HandlerFunc(v.serve), ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: readTime,
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				v.note("", 1, 0)
			}
		},
	}
	go v.server.Serve(listener)
	for _, way := range unreadable {
		listener, err := v.listen(way)
		if err != nil {
			return v, err
		}
		v.ports[way] = portOf(listener.Addr())
		go v.accept(listener, way)
	}
	return v, nil
}

// listen listens for connections, and for datagrams on the same port. If another program has the
// datagram port, it tries another one.
func (v *testServer) listen(way string) (net.Listener, error) {
	for range 10 {
		listener, err := net.Listen("tcp", v.on)
		if err != nil {
			return nil, err
		}
		packets, err := net.ListenPacket("udp", listener.Addr().String())
		if err != nil {
			listener.Close()
			continue
		}
		v.ends = append(v.ends, listener, packets)
		go v.receive(packets, way)
		return listener, nil
	}
	return nil, errors.New("found no port that is free for connections and datagrams")
}

func portOf(addr net.Addr) uint16 { return addr.(*net.TCPAddr).AddrPort().Port() }

// serve notes that a request has come by a way (a kind of request), which the path names. Every
// page may read the answer.
func (v *testServer) serve(w http.ResponseWriter, r *http.Request) {
	v.note(strings.Trim(r.URL.Path, "/"), 0, 0)
	w.Header().Set("Access-Control-Allow-Origin", "*")
}

func (v *testServer) accept(listener net.Listener, way string) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		v.note(way, 1, 0)
		conn.Close()
	}
}

func (v *testServer) receive(packets net.PacketConn, way string) {
	for {
		if _, _, err := packets.ReadFrom(make([]byte, 1)); err != nil {
			return
		}
		v.note(way, 0, 1)
	}
}

// note records that the server was reached by a way, with this many new connections and datagrams.
// If way is "", the way is not known yet.
func (v *testServer) note(way string, conns, datagrams int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if way != "" {
		v.reached[way] = true
	}
	v.conns += conns
	v.datagrams += datagrams
	close(v.changed)
	v.changed = make(chan struct{})
}

// await waits until the server has received a request by each of these ways, or until ctx ends.
func (v *testServer) await(ctx context.Context, ways []string) {
	for {
		v.mu.Lock()
		missing := slices.ContainsFunc(ways, func(way string) bool { return !v.reached[way] })
		changed := v.changed
		v.mu.Unlock()
		if !missing {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (v *testServer) wasReachedBy(way string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.reached[way]
}

func (v *testServer) connections() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.conns
}

func (v *testServer) packets() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.datagrams
}

func (v *testServer) close() {
	if v == nil {
		return
	}
	v.server.Close()
	for _, each := range v.ends {
		each.Close()
	}
}

// allPorts lists the ports that the server listens on, the http port first.
func (v *testServer) allPorts() []uint16 {
	return slices.AppendSeq([]uint16{v.port}, maps.Values(v.ports))
}
