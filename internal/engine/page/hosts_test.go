package page_test

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"chela/internal/base/weburl"
	"chela/test/tab"
)

// Hosts to compare with Chromium: those that the guard once parsed differently, similar ones, and
// parts for random texts.
var (
	oddHosts = strings.Fields(`example.com EXAMPLE.com. a..b a_b %41.com ex%61mple.com 127.0.0.1 127.1 127.0.1 0x7f.1 0177.0.0.1 2130706433
		0x7f000001 017700000001 127.0.0.1. 127.0.0.1.. 1.2.3 0x.0x.0 0x %31%32%37.1 0X7F.0.0.1 00000177.1 256 1.256
		1.2.3.256 4294967295 4294967296 1.2.3.4.5 09 1.09 a.1 a.0x1 1.a 0x7g １２７.０.０.１ 127。0。0。1 127．0．0．1 ①②⑦.1
		ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc%61lhost local%C2%ADhost 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ²⁷.1 bücher.de BÜCHER.de faß.de xn--bcher-kva.de
		xn--a ☃.net 日本.jp א.com ٠.0.0.١ १.1 [::1] [::ffff:127.0.0.1] [::FFFF:7f00:1] [1:0:0::2] [::127.0.0.1]
		[64:ff9b::7f00:1] [fe80::1] [fe80::1%25eth0] [::1 ::1] [1.2.3.4] [::1.2.3] [1::2::3] [12345::]
		[0:0:0:0:0:0:0:1] [::ffff:0x7f.1] a%2fb a％2fb a%00 a%zz a|b a^b a<b -a a- a.-b *.a a*b a,b a;b=c ~a 1e3 0b1
		0o17 + 1+1 127.0.0.1%2e 127%2e1 %E3%80%82 a%E3%80%82b 1%E3%80%821 127.0.0.1%20 a%20b a%09b`)
	hostPieces = strings.Fields("0 1 7 00 010 0x 0x7f 255 256 127 65535 16777216 4294967295 08 a . . . .. 。 ． " +
		"１ ７ ⑦ ٣ %2e %31 %30 - _ e3 0X1F ß ſ K İ \u00ad \u200d \u2060")
	addressPieces = strings.Fields(": : :: 0 1 ffff FFFF 7f00 127.0.0.1 0.0.0.0 127.1 00 10000 fe80 %25 . 255")
	urlStarts     = strings.Split(`http:// https:// ws:// wss:// HTTP:// http: http:/ http:\ http:/// ht\ttp:// `+"\x01http:// http", " ")
	urlPieces     = append(strings.Fields(`/ \ ? # @ : :80 :443 :8080 :0 :65536 :080 u u:p@ u@ a.b 127.0.0.1 [::1] localhost %40 %3a %2f // .. & = http://c/`),
		"\t", "\n", " ", "\r", "\u00a0", "\u3000", "")
)

// The network policy parses hosts and URLs as Chromium does. If it mistook one host for another, or
// an address for a name, a page could bypass it. Each seed makes some thousand random texts: a
// message to Chromium for each text would take too long.
func FuzzHostsAreReadAsChromiumReadsThem(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		source := rand.New(rand.NewPCG(seed, 2))
		join := func(pieces []string, most int) string {
			var text strings.Builder
			for range 1 + source.IntN(most) {
				text.WriteString(pieces[source.IntN(len(pieces))])
			}
			return text.String()
		}
		var urls []string
		for _, host := range oddHosts {
			urls = append(urls, "http://"+host+"/")
		}
		for range 2000 {
			urls = append(urls, "http://"+join(hostPieces, 8)+"/", "https://["+join(addressPieces, 9)+"]/",
				urlStarts[source.IntN(len(urlStarts))]+join(urlPieces, 7))
		}
		compareWithChromium(t, urls)
	})
}

// compareWithChromium reports the URLs that the guard parses differently from Chromium.
func compareWithChromium(t *testing.T, urls []string) {
	list, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	type parts struct{ Protocol, Hostname, Port, Origin string }
	read := tab.Run[[]parts](tab.Borrow(t, "/form.html"),
		string(list)+`.map(text => { try { const {protocol, hostname, port, origin} = new URL(text); return {protocol, hostname, port, origin} } catch { return {} } })`)
	standard := map[string]string{"http:": "80", "https:": "443", "ws:": "80", "wss:": "443"}
	accepted := 0
	for i, url := range urls {
		theirs := read[i]
		if standard[theirs.Protocol] == "" {
			theirs = parts{} // the URL has no network host, or Chromium refuses it
		}
		server, ok := weburl.ServerOf(url)
		host, port := server.Host, server.Port
		switch {
		case theirs.Hostname != "" && !ok && !mayRefuse(url, theirs.Hostname):
			t.Errorf("%q: Chromium reads %q, and the guard refuses it", url, theirs.Hostname)
		case theirs.Hostname == "" && ok:
			t.Errorf("%q: Chromium refuses it, and the guard reads %q", url, host)
		case ok && host.String() != plainHost(theirs.Hostname):
			t.Errorf("%q: Chromium reads %q, and the guard %q", url, theirs.Hostname, host)
		case ok && strconv.Itoa(int(port)) != cmp.Or(theirs.Port, standard[theirs.Protocol]):
			t.Errorf("%q: Chromium reads port %q, and the guard %d", url, theirs.Port, port)
		case ok && server.Origin() != unescaped(theirs.Origin):
			t.Errorf("%q: Chromium reads origin %q, and chela %q", url, theirs.Origin, server.Origin())
		}
		if ok {
			accepted++
		}
	}
	if accepted < len(urls)/5 {
		t.Errorf("only %d of %d have a host", accepted, len(urls))
	}
}

// mayRefuse reports whether the guard may refuse a host that Chromium accepts. One case is a name
// that ends in several dots, which resolvers may read as an address. The other is an IPv6 address
// with an embedded IPv4 address that has leading zeros. Only Chromium accepts these, and reads them
// as octal.
func mayRefuse(url, hostname string) bool {
	return hostname == "." || strings.HasSuffix(hostname, "..") || strings.Contains(url, "[") && strings.Contains(url, ".")
}

// plainHost returns a host of Chromium in the guard's form. It has no brackets and no dots at the
// end. IPv4 addresses are written as such, and unusual characters are not escaped.
func plainHost(name string) string {
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return addr.Unmap().String()
	}
	return strings.TrimRight(unescaped(name), ".")
}

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
