package proxy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// owns reports whether the socket at the other end of a connection belongs to a process
// of the group. In Chromium all connections are made by one process, the network
// service, so the process of the last connection is asked first.
func (c *clients) owns(e endpoints) bool {
	inode, err := socketInode(e)
	if err != nil {
		slog.Warn("the proxy cannot find out whose connection it is", "error", err)
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != 0 && groupOf(c.last) == c.group && hasSocket(c.last, inode) {
		return true
	}
	for _, pid := range processes() {
		if groupOf(pid) == c.group && hasSocket(pid, inode) {
			c.last = pid
			return true
		}
	}
	return false
}

// socketInode returns the inode of the client's socket. By sock_diag(7), the kernel finds the
// socket by its addresses at once. A kernel without sock_diag, such as that of gVisor, has only the
// table of all sockets. To read this table takes 5 to 17 ms on a machine of 24 GB, as the kernel
// looks through its whole hash table. A page makes dozens of connections, so the table is only read
// if the kernel cannot be asked.
func socketInode(e endpoints) (inode uint32, err error) {
	inode, err = askSocket(e)
	if err != nil {
		inode, err = searchSocket(e)
	}
	return inode, err
}

var errNoSocket = errors.New("there is no such socket")

// Offsets and sizes of the messages of sock_diag(7): a header, then inet_diag_req_v2 or
// inet_diag_msg.
const (
	headerSize   = 16
	requestSize  = headerSize + 56
	answerSize   = headerSize + 72
	inodeAt      = headerSize + 68
	cookieAny    = ^uint64(0)
	allStates    = ^uint32(0)
	sourcePortAt = headerSize + 4
)

// askSocket asks the kernel about one socket by its addresses.
func askSocket(e endpoints) (inode uint32, err error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	if err := unix.Sendto(fd, socketRequest(e), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, err
	}
	var answer [4096]byte
	n, _, err := unix.Recvfrom(fd, answer[:], 0)
	if err != nil {
		return 0, err
	}
	if n < answerSize || binary.NativeEndian.Uint16(answer[4:]) != unix.SOCK_DIAG_BY_FAMILY ||
		!bytes.Equal(answer[sourcePortAt:sourcePortAt+4], ports(e)) {
		return 0, errNoSocket
	}
	return binary.NativeEndian.Uint32(answer[inodeAt:]), nil
}

func socketRequest(e endpoints) []byte {
	native, network := binary.NativeEndian, binary.BigEndian
	b := make([]byte, 0, requestSize)
	b = native.AppendUint32(b, requestSize)
	b = native.AppendUint16(b, unix.SOCK_DIAG_BY_FAMILY)
	b = native.AppendUint16(b, unix.NLM_F_REQUEST)
	b = native.AppendUint64(b, 0) // number and port of the message
	b = append(b, unix.AF_INET, unix.IPPROTO_TCP, 0, 0)
	b = native.AppendUint32(b, allStates)
	b = append(b, ports(e)...)
	of, with := e.of.Addr().As4(), e.with.Addr().As4()
	b = append(append(b, of[:]...), make([]byte, 12)...)
	b = append(append(b, with[:]...), make([]byte, 12)...)
	b = network.AppendUint32(b, 0) // any network interface
	return native.AppendUint64(b, cookieAny)
}

func ports(e endpoints) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, e.of.Port()), e.with.Port())
}

// searchSocket finds a socket in the kernel's table of all TCP sockets.
func searchSocket(e endpoints) (inode uint32, err error) {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return 0, err
	}
	of, with := inTable(e.of), inTable(e.with)
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 9 && fields[1] == of && fields[2] == with {
			n, err := strconv.ParseUint(fields[9], 10, 32)
			return uint32(n), err
		}
	}
	return 0, errNoSocket
}

// inTable writes an address as the kernel does in /proc/net/tcp: in hexadecimal. The four bytes of
// the IP address are written as one number, in the byte order of this machine.
func inTable(a netip.AddrPort) string {
	four := a.Addr().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(four[:]), a.Port())
}

// processes returns the ids of all processes that are visible in /proc.
func processes() (pids []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// groupOf returns the process group of a process, or -1.
func groupOf(pid int) int {
	group, err := unix.Getpgid(pid)
	if err != nil {
		return -1
	}
	return group
}

// hasSocket reports whether a process has a socket open.
func hasSocket(pid int, inode uint32) bool {
	dir, err := os.Open(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	want := fmt.Sprintf("socket:[%d]", inode)
	var link [64]byte
	for _, name := range names {
		n, err := unix.Readlinkat(int(dir.Fd()), name, link[:])
		if err == nil && string(link[:n]) == want {
			return true
		}
	}
	return false
}
