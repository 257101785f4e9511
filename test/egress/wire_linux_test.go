package egress

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A wire is all that is sent in the network: the beginnings of connections, and datagrams.
type wire struct {
	sync.Mutex
	sent map[string]int // number of packets by protocol and destination
}

// watchWire begins to watch.
func watchWire(t *testing.T) *wire {
	t.Helper()
	all := int(binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL)))
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM, all)
	if err != nil {
		t.Fatal(err)
	}
	unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 64<<20)
	w := &wire{sent: map[string]int{}}
	go func() {
		packet := make([]byte, 128)
		for {
			n, from, err := unix.Recvfrom(fd, packet, 0)
			if err != nil {
				return
			}
			if link, ok := from.(*unix.SockaddrLinklayer); !ok || link.Pkttype != unix.PACKET_OUTGOING {
				continue // packets of lo are seen twice: sent and received
			}
			if what := describe(packet[:n]); what != "" {
				w.Lock()
				w.sent[what]++
				w.Unlock()
			}
		}
	}()
	return w
}

// describe returns the protocol and the destination of a packet that begins a connection or belongs
// to none, and "" for any other packet.
func describe(p []byte) string {
	if len(p) < 40 {
		return ""
	}
	var to netip.Addr
	var protocol byte
	switch p[0] >> 4 {
	case 4:
		to, protocol = netip.AddrFrom4([4]byte(p[16:20])), p[9]
		p = p[int(p[0]&15)*4:]
	case 6:
		to, protocol = netip.AddrFrom16([16]byte(p[24:40])), p[6]
		p = p[40:]
	default:
		return ""
	}
	const syn, ack = 2, 16
	switch {
	case protocol == unix.IPPROTO_TCP && len(p) > 13 && p[13]&(syn|ack) == syn:
		return fmt.Sprint("tcp ", netip.AddrPortFrom(to, binary.BigEndian.Uint16(p[2:])))
	case protocol == unix.IPPROTO_UDP && len(p) > 3:
		return fmt.Sprint("udp ", netip.AddrPortFrom(to, binary.BigEndian.Uint16(p[2:])))
	case protocol != unix.IPPROTO_TCP && protocol != unix.IPPROTO_ICMP && protocol != unix.IPPROTO_ICMPV6:
		return fmt.Sprintf("protocol %d to %s", protocol, to)
	}
	return ""
}

// take returns what was sent since the last call, without what is allowed.
func (w *wire) take(allowed func(string) bool) map[string]int {
	w.Lock()
	defer w.Unlock()
	got := w.sent
	w.sent = map[string]int{}
	for what := range got {
		if allowed(what) {
			delete(got, what)
		}
	}
	return got
}
