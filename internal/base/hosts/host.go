// Package hosts reads the hosts of URLs and settings as browsers do, and says what addresses are
// for. What may be opened is decided in package guard.
package hosts

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// A Host says where a connection leads: a name, or an IP address. Two hosts that lead to the same
// place are equal, however they were written. Names are in lower case, in ASCII and without dots at
// the end. An IPv4 address that is written as an IPv6 address is an IPv4 address.
type Host struct {
	name string
	addr netip.Addr // the zero Addr if the host is a name
}

// Parse reads a host in every form that browsers accept in a URL, and also an IPv6 address without
// its brackets. Nothing else turns a text into an address for the network policy. A second parser
// that read some form differently would let a page around the policy.
func Parse(text string) (h Host, ok bool) {
	if strings.Contains(text, ":") && !strings.HasPrefix(text, "[") {
		text = "[" + text + "]"
	}
	return InURL(text)
}

// OfAddr returns the Host for an address.
func OfAddr(addr netip.Addr) Host { return Host{addr: addr.Unmap()} }

// Addr returns the IP address, if the host is one; ok is false if the host is a name.
func (h Host) Addr() (addr netip.Addr, ok bool) { return h.addr, h.addr.IsValid() }

// String returns the name, or the address without brackets.
func (h Host) String() string {
	if h.addr.IsValid() {
		return h.addr.String()
	}
	return h.name
}

// MayExist reports whether a host can have this name. Chromium accepts names that the standard
// forbids, and then finds no address for them.
func (h Host) MayExist() bool {
	if h.addr.IsValid() {
		return true
	}
	wrong := func(label string) bool { return len(label) > 63 || label == "xn--" || strings.Contains(label, " ") }
	if len(h.name) > 253 || slices.ContainsFunc(strings.Split(h.name, "."), wrong) {
		return false
	}
	_, err := unicodeNames.ToUnicode(h.name)
	return err == nil
}

// IsPlain reports whether a name has only characters that names of hosts in use have. Browsers
// accept others. Characters beyond ASCII may be part of an internationalized name, except spaces and
// controls.
func IsPlain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		if r < unicode.MaxASCII {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
		}
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
}

// IsLocalhost reports whether browsers take the host for this machine without asking
// any DNS server: localhost and the names below it.
func (h Host) IsLocalhost() bool {
	return h.name == "localhost" || h.name == "localhost.localdomain" || strings.HasSuffix(h.name, ".localhost")
}

// IsLoopback reports whether the host in a setting of the user is this machine: localhost, or
// a loopback address as it is usually written. It is not a part of the policy for pages.
func IsLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// IsUnspecified reports whether a host in a setting stands for all addresses of a machine, such as
// 0.0.0.0. A server can listen there, but no client can connect to it.
func IsUnspecified(host string) bool {
	h, ok := Parse(host)
	addr, literal := h.Addr()
	return ok && literal && addr.Unmap().IsUnspecified()
}

// unicodeNames converts a name beyond ASCII as Chromium does, which is more lenient than
// the rules for registering names. The conversion also turns digits and dots of other
// scripts into those of ASCII: １２７．０．０．１ is an address.
var unicodeNames = idna.New(
	idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(),
	idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(false),
)

// maxUnicode is the longest name beyond ASCII that is converted, in bytes. The time of a conversion
// grows with the square of the length, and no real host has so long a name.
const maxUnicode = 4096

// InURL reads a host of a URL, with IPv6 addresses in brackets, by the WHATWG URL standard. If
// browsers refuse a URL with this host, ok is false.
func InURL(text string) (h Host, ok bool) {
	h, _, ok = Canonical(text)
	return h, ok
}

// Canonical reads a host as InURL does. It also returns the text that browsers make of it, which
// stands in location.hostname: a name keeps the dots at its end.
func Canonical(text string) (h Host, hostname string, ok bool) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		ok = strings.HasSuffix(inner, "]") && err == nil && addr.Is6() && addr.Zone() == ""
		return Host{addr: addr.Unmap()}, inBrackets(addr), ok
	}
	name, err := url.PathUnescape(text)
	if err != nil {
		return Host{}, "", false
	}
	if !IsASCII(name) {
		if len(name) > maxUnicode {
			return Host{}, "", false
		}
		if name, err = unicodeNames.ToASCII(name); err != nil {
			return Host{}, "", false
		}
	}
	if name == "" || strings.ContainsFunc(name, forbiddenInHost) {
		return Host{}, "", false
	}
	name = strings.ToLower(name)
	// A resolver takes 127.1.. for an address, and browsers take it for a name, so it is refused.
	trimmed := strings.TrimRight(name, ".")
	labels := strings.Split(trimmed, ".")
	if IsNumber(labels[len(labels)-1]) {
		addr, ok := parseIPv4(labels)
		return Host{addr: addr}, addr.String(), ok && !strings.HasSuffix(name, "..")
	}
	return Host{name: trimmed}, name, trimmed != ""
}

// inBrackets returns an IPv6 address as browsers write it in a URL. Unlike package netip, they write
// an IPv4 address within it in hexadecimal digits.
func inBrackets(addr netip.Addr) string {
	if addr.Is4In6() {
		b := addr.As16()
		return fmt.Sprintf("[::ffff:%x:%x]", binary.BigEndian.Uint16(b[12:]), binary.BigEndian.Uint16(b[14:]))
	}
	return "[" + addr.String() + "]"
}

// IsASCII reports whether a text has only ASCII characters.
func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f })
}

func forbiddenInHost(r rune) bool {
	return r < ' ' || r == 0x7f || strings.ContainsRune(`#/:<>?@[\]^|%`, r)
}

// IsNumber reports whether a host that ends with this label has to be an IPv4 address.
func IsNumber(label string) bool {
	if label != "" && strings.Trim(label, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(strings.ToLower(label), "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == ""
}

// parseIPv4 reads an IPv4 address in one of the forms that browsers accept. It is one to four
// numbers in base 8, 10 or 16. The last number gives all remaining bytes (127.1 is 127.0.0.1).
func parseIPv4(labels []string) (addr netip.Addr, ok bool) {
	if len(labels) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, label := range labels {
		limit, rest := uint64(1)<<8, 3-i // rest: how many bytes follow this one
		if i == len(labels)-1 {
			limit, rest = 1<<(8*(5-len(labels))), 0
		}
		n, ok := parseNumber(label)
		if !ok || n >= limit {
			return netip.Addr{}, false
		}
		value |= n << (8 * rest)
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// parseNumber parses a number in base 16 (0x1f), 8 (037) or 10.
func parseNumber(label string) (uint64, bool) {
	label = strings.ToLower(label)
	base := 10
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		label, base = "0"+hex, 16
	} else if len(label) > 1 && label[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(label, base, 64)
	return n, err == nil
}
