package hosts

import (
	"net/netip"
	"slices"
	"strings"
)

// A Kind is the use of an IP address. [Public] is for the addresses of the internet. All others
// have a special use, and servers at them do not expect clients from outside.
type Kind string

const (
	Public      Kind = ""
	Unspecified Kind = "unspecified" // connections to such an address lead to this machine
	Loopback    Kind = "loopback"
	LinkLocal   Kind = "link-local"
	Metadata    Kind = "cloud metadata" // gives a machine in a cloud its credentials
	Private     Kind = "private"        // RFC 1918, and site-local of IPv6
	UniqueLocal Kind = "unique local"   // the private addresses of IPv6
	Shared      Kind = "shared"         // addresses that carriers use, and VPNs such as Tailscale
	Benchmark   Kind = "benchmark"      // RFC 2544; some proxies use them for names that they resolve themselves
	Multicast   Kind = "multicast"
	Reserved    Kind = "reserved"
)

// special are the addresses of special use, by the registries of IANA, and those at which clouds
// give out credentials. The first line with a prefix that contains an address gives its kind. Any
// other IPv6 address is public only if IANA has assigned it, or if it holds a public IPv4 address
// for NAT64.
var special = []struct {
	kind     Kind
	prefixes []netip.Prefix
}{
	// The metadata services of AWS, Google, Azure and others; then of Alibaba; Azure; AWS;
	// Google.
	{Metadata, prefixes("169.254.169.254/32 100.100.100.200/32 168.63.129.16/32 fd00:ec2::254/128 fd20:ce::254/128")},
	{Unspecified, prefixes("0.0.0.0/8 ::/128")},
	{Loopback, prefixes("127.0.0.0/8 ::1/128")},
	{LinkLocal, prefixes("169.254.0.0/16 fe80::/10")},
	{Private, prefixes("10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fec0::/10")},
	{UniqueLocal, prefixes("fc00::/7")},
	{Shared, prefixes("100.64.0.0/10")},
	{Benchmark, prefixes("198.18.0.0/15")},
	{Multicast, prefixes("224.0.0.0/4 ff00::/8")},
	// Protocols of the IETF, Teredo and ORCHID; then documentation; then AS112, AMT and 6to4;
	// then the last block of IPv4, with broadcast.
	{Reserved, prefixes("192.0.0.0/24 2001::/23")},
	{Reserved, prefixes("192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20")},
	{Reserved, prefixes("192.31.196.0/24 192.175.48.0/24 2620:4f:8000::/48 192.52.193.0/24 192.88.99.0/24 2002::/16")},
	{Reserved, prefixes("240.0.0.0/4")},
}

var (
	assigned   = netip.MustParsePrefix("2000::/3")     // the IPv6 addresses that IANA gives out
	nat64      = netip.MustParsePrefix("64:ff9b::/96") // IPv4 addresses, for machines that have only IPv6
	compatible = netip.MustParsePrefix("::/96")        // IPv4 addresses, in an early form
	sixToFour  = netip.MustParsePrefix("2002::/16")    // IPv6 in IPv4
	teredo     = netip.MustParsePrefix("2001::/32")    // IPv6 in UDP over IPv4
)

func prefixes(list string) (all []netip.Prefix) {
	for text := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// KindOf returns what an address is for. Gateways and tunnels may forward an IPv6 address to an
// IPv4 address that it contains. So an address without a use of its own has the kind of the IPv4
// address in it, unless that one is public.
func KindOf(addr netip.Addr) Kind {
	addr = addr.Unmap().WithZone("")
	kind := specialKind(addr)
	if kind != Public && kind != Reserved {
		return kind
	}
	for _, inner := range Embedded(addr) {
		if kind := specialKind(inner); kind != Public {
			return kind
		}
	}
	if !addr.Is4() && !assigned.Contains(addr) && !nat64.Contains(addr) {
		return Reserved
	}
	return kind
}

func specialKind(addr netip.Addr) Kind {
	for _, each := range special {
		if slices.ContainsFunc(each.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			return each.kind
		}
	}
	return Public
}

// Embedded returns the IPv4 addresses in an IPv6 address, to which gateways and tunnels forward its
// packets.
func Embedded(addr netip.Addr) []netip.Addr {
	if !addr.Is6() {
		return nil
	}
	b := addr.As16()
	last := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case nat64.Contains(addr), compatible.Contains(addr):
		return []netip.Addr{last}
	case sixToFour.Contains(addr):
		return []netip.Addr{netip.AddrFrom4([4]byte(b[2:6]))}
	case teredo.Contains(addr): // the address of the server, and the client's with all bits inverted
		return []netip.Addr{netip.AddrFrom4([4]byte(b[4:8])), netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})}
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return []netip.Addr{last}
	}
	return nil
}
