package hosts

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
)

func TestKindOf(t *testing.T) {
	tests := []struct {
		kind  Kind
		addrs string
	}{
		{Public, "1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0"},
		{Public, "192.0.1.1 198.17.255.255 198.20.0.0 223.255.255.255"},
		{Public, "2606:4700::1111 2001:200::1 2003::1 2a00:1450::1 64:ff9b::808:808 ::ffff:8.8.8.8"},
		{Unspecified, "0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0 64:ff9b::"},
		{Loopback, "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ::127.0.0.1 2001:0:7f00:1::1"},
		{Loopback, "2001:0:808:808::80ff:fffe 2606:4700::5efe:7f00:1 2606:4700::200:5efe:7f00:1"},
		{Private, "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 fec0::1 ::ffff:192.168.1.1"},
		{UniqueLocal, "fc00::1 fdff::1"},
		{LinkLocal, "169.254.0.1 fe80::1 febf::1 fe80::1%eth0 ::ffff:169.254.1.1"},
		{Metadata, "169.254.169.254 100.100.100.200 168.63.129.16 fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe"},
		{Shared, "100.64.0.0 100.127.255.255"},
		{Benchmark, "198.18.0.0 198.19.255.255"},
		{Multicast, "224.0.0.1 239.255.255.255 ff02::1"},
		{Reserved, "192.0.0.1 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255"},
		{Reserved, "2001:2::1 2001:20::1 2001:db8::1 2002:808:808:: 3fff::1 100::1 64:ff9b:1::1 5f00::1 4000::1 1::1 ::ffff:0:808:808"},
	}
	for _, test := range tests {
		for text := range strings.FieldsSeq(test.addrs) {
			if got := KindOf(netip.MustParseAddr(text)); got != test.kind {
				t.Errorf("%s: got %q, want %q", text, got, test.kind)
			}
		}
	}
	if got := KindOf(netip.Addr{}); got == Public {
		t.Error("no address is a public one")
	}
}

// The answers were compared with Chromium's own URL parser.
func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Example.COM", "example.com"}, {"example.com.", "example.com"}, {"a..b", "a..b"}, {"a_b", "a_b"}, {"%41.com", "a.com"},
		{"127.0.0.1", "127.0.0.1"}, {"127.1", "127.0.0.1"}, {"0x7f.1", "127.0.0.1"}, {"0177.0.0.1", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"127.0.0.1.", "127.0.0.1"}, {"1.2.3", "1.2.0.3"}, {"0x.0x.0", "0.0.0.0"}, {"%31%32%37.1", "127.0.0.1"}, {"0X7F000001", "127.0.0.1"},
		{"１２７.０.０.１", "127.0.0.1"}, {"127。0。0。1", "127.0.0.1"}, {"①②⑦.1", "127.0.0.1"},
		{"ⓛocalhost", "localhost"}, {"local\u00adhost", "localhost"},
		{"bücher.de", "xn--bcher-kva.de"}, {"BÜCHER.de", "xn--bcher-kva.de"}, {"faß.de", "xn--fa-hia.de"},
		{"[::1]", "::1"}, {"::1", "::1"}, {"[::ffff:1.2.3.4]", "1.2.3.4"}, {"[::FFFF:7f00:1]", "127.0.0.1"}, {"[1:0:0::2]", "1::2"},
		{"0..", ""}, {"127.0.0.1..", ""}, {"", ""}, {".", ""}, {"1.2.3.256", ""}, {"256", "0.0.1.0"}, {"4294967296", ""},
		{"1.2.3.4.5", ""}, {"09", ""}, {"a.1", ""}, {"a.0x1", ""},
		{"[::1", ""}, {"::1]", ""}, {"[fe80::1%25eth0]", ""}, {"[1.2.3.4]", ""},
		{"a b", "a b"}, {"a/b", ""}, {"a％2fb", ""}, {"a%00", ""}, {"a:80", ""},
	}
	for _, test := range tests {
		h, ok := Parse(test.text)
		if got := h.String(); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%q: got %q, %v; want %q", test.text, got, ok, test.want)
		}
	}
}

// An IPv6 address that contains an IPv4 address is exactly as private as the IPv4 address.
func FuzzKindOf(f *testing.F) {
	f.Add(uint32(0x7f000001))
	f.Add(uint32(0x08080808))
	f.Fuzz(func(t *testing.T, bits uint32) {
		four := binary.BigEndian.AppendUint32(nil, bits)
		kind := KindOf(netip.AddrFrom4([4]byte(four)))
		for _, prefix := range []string{"::ffff:0:0", "64:ff9b::", "2606:4700::5efe:0:0", "2002::"} {
			b := netip.MustParseAddr(prefix).As16()
			copy(b[12:], four)
			if prefix == "2002::" {
				copy(b[2:], four)
			}
			if got := KindOf(netip.AddrFrom16(b)); got != kind && !(kind == Public && got == Reserved && prefix == "2002::") {
				t.Errorf("%s is %q, and %s is %q", netip.AddrFrom4([4]byte(four)), kind, netip.AddrFrom16(b), got)
			}
		}
	})
}
