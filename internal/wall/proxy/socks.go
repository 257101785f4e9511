package proxy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"chela/internal/base/hosts"
)

// The parts of SOCKS 5 (RFC 1928) that browsers use: no authentication, and CONNECT.
const (
	socksVersion = 5
	noAuth       = 0
	connectTo    = 1

	addressIPv4 = 1
	addressName = 3
	addressIPv6 = 4

	succeeded   = 0
	unreachable = 4 // Chromium makes ERR_SOCKS_CONNECTION_FAILED of it, as of all failures
)

var errProtocol = errors.New("not a client of SOCKS 5 that wants to connect")

// readTarget reads the handshake of a client, up to the request that reply answers. It returns the
// host and port that the client wants to connect to. It reads no byte beyond the handshake. Errors
// are errProtocol, or come from the connection.
func readTarget(client io.ReadWriter) (target, error) {
	var head [4]byte
	if _, err := io.ReadFull(client, head[:2]); err != nil {
		return target{}, err
	}
	methods := make([]byte, head[1])
	if head[0] != socksVersion || len(methods) == 0 {
		return target{}, errProtocol
	}
	if _, err := io.ReadFull(client, methods); err != nil {
		return target{}, err
	}
	if _, err := client.Write([]byte{socksVersion, noAuth}); err != nil {
		return target{}, err
	}
	if _, err := io.ReadFull(client, head[:]); err != nil {
		return target{}, err
	}
	if head[0] != socksVersion || head[1] != connectTo {
		return target{}, errProtocol
	}
	host, err := readHost(client, head[3])
	if err != nil {
		return target{}, err
	}
	var port [2]byte
	_, err = io.ReadFull(client, port[:])
	return target{host, binary.BigEndian.Uint16(port[:])}, err
}

// readHost reads an address of one of the three types. Chromium sends all hosts as
// names, IP addresses included.
func readHost(from io.Reader, kind byte) (hosts.Host, error) {
	length := [1]byte{4}
	switch kind {
	case addressIPv4:
	case addressIPv6:
		length[0] = 16
	case addressName:
		if _, err := io.ReadFull(from, length[:]); err != nil {
			return hosts.Host{}, err
		}
	default:
		return hosts.Host{}, errProtocol
	}
	bytes := make([]byte, length[0])
	if _, err := io.ReadFull(from, bytes); err != nil {
		return hosts.Host{}, err
	}
	text := string(bytes)
	if kind != addressName {
		addr, _ := netip.AddrFromSlice(bytes) // the address has 4 or 16 bytes
		text = addr.String()
	}
	host, ok := hosts.Parse(text)
	if !ok {
		return hosts.Host{}, fmt.Errorf("%w: the host is %q", errProtocol, text)
	}
	return host, nil
}

// reply answers the request of a client to connect. SOCKS sends an address in this answer; browsers
// need none, so it is 0.
func reply(client io.Writer, status byte) error {
	_, err := client.Write([]byte{socksVersion, status, 0, addressIPv4, 0, 0, 0, 0, 0, 0})
	return err
}
