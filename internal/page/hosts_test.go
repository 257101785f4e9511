package page_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"chela/internal/guard"
	"chela/test/tab"
)

// The network policy reads hosts as Chromium does. If it took one for another host, or a
// name for what is an address, a page could get past it.
func TestHostsAreReadAsChromiumReadsThem(t *testing.T) {
	hosts := strings.Fields(`example.com EXAMPLE.com. a..b a_b %41.com ex%61mple.com 127.0.0.1 127.1 127.0.1 0x7f.1 0177.0.0.1 2130706433
		0x7f000001 017700000001 127.0.0.1. 127.0.0.1.. 1.2.3 0x.0x.0 0x %31%32%37.1 0X7F.0.0.1 00000177.1 256 1.256
		1.2.3.256 4294967295 4294967296 1.2.3.4.5 09 1.09 a.1 a.0x1 1.a 0x7g １２７.０.０.１ 127。0。0。1 127．0．0．1 ①②⑦.1
		ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc%61lhost local%C2%ADhost 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ²⁷.1 bücher.de BÜCHER.de faß.de xn--bcher-kva.de
		xn--a ☃.net 日本.jp א.com ٠.0.0.١ १.1 [::1] [::ffff:127.0.0.1] [::FFFF:7f00:1] [1:0:0::2] [::127.0.0.1]
		[64:ff9b::7f00:1] [fe80::1] [fe80::1%25eth0] [::1 ::1] [1.2.3.4] [::1.2.3] [1::2::3] [12345::]
		[0:0:0:0:0:0:0:1] [::ffff:0x7f.1] a%2fb a％2fb a%00 a%zz a|b a^b a<b -a a- a.-b *.a a*b a,b a;b=c ~a 1e3 0b1
		0o17 + 1+1 127.0.0.1%2e 127%2e1 %E3%80%82 a%E3%80%82b 1%E3%80%821 127.0.0.1%20 a%20b a%09b`)
	pieces := strings.Fields("0 1 7 00 010 0x 0x7f 255 256 127 65535 16777216 4294967295 08 a . . . .. 。 ． " +
		"１ ７ ⑦ ٣ %2e %31 %30 - _ e3 0X1F ß ſ K İ \u00ad \u200d \u2060")
	source := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var host strings.Builder
		for range 2 + source.IntN(7) {
			host.WriteString(pieces[source.IntN(len(pieces))])
		}
		hosts = append(hosts, host.String())
	}
	list, err := json.Marshal(hosts)
	if err != nil {
		t.Fatal(err)
	}
	in := tab.Borrow(t, "/form.html")
	read := tab.Run[[]string](in, string(list)+`.map(host => { try { return new URL('http://' + host + '/').hostname } catch { return '' } })`)
	accepted := 0
	for i, host := range hosts {
		if strings.Contains(host, ":") && host[0] != '[' {
			continue // the guard takes IPv6 addresses without brackets, which is no host of a URL
		}
		ours, ok := guard.ParseHost(host)
		switch {
		case read[i] != "" && !ok && read[i] != "." && !strings.HasSuffix(read[i], ".."): // of these it refuses some
			t.Errorf("%q: Chromium reads %q, and the guard refuses it", host, read[i])
		case read[i] == "" && ok:
			t.Errorf("%q: Chromium refuses it, and the guard reads %q", host, ours)
		case ok && ours.String() != plainHost(read[i]):
			t.Errorf("%q: Chromium reads %q, and the guard %q", host, read[i], ours)
		}
		if ok {
			accepted++
		}
	}
	if accepted < len(hosts)/5 {
		t.Errorf("only %d of %d are hosts", accepted, len(hosts))
	}
}

// plainHost is a host as Chromium writes it, as the guard does: without brackets and dots
// at the end, IPv4 addresses as such, and unusual characters not escaped.
func plainHost(name string) string {
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return addr.Unmap().String()
	}
	if text, err := url.PathUnescape(name); err == nil {
		name = text
	}
	return strings.TrimRight(name, ".")
}
