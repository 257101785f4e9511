package server

import (
	"strings"
	"testing"
)

// The same request is refused, into whatever pieces the bytes of the requests are cut.
func TestFraming(t *testing.T) {
	const fine = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	body := "POST / HTTP/1.1\r\nContent-Length: 46\r\n\r\n" + "\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1234\n"
	for _, test := range []struct {
		name, sent string
		wrong      int // the number of the request that is refused
		last       bool
	}{
		{"none", "", 0, false},
		{"requests", fine + fine + fine, 0, false},
		{"bare line feeds", fine + "GET / HTTP/1.1\nHost: a\n\n" + fine, 2, true},
		{"a body like a head", body + fine, 0, false},
		{"two lengths", "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 1, true},
		{"two lengths later", fine + body + "GET / HTTP/1.1\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n" + fine, 3, true},
		{"chunked", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 0, true},
		{"no length", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 1, true},
		{"continued", fine + "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 2, true},
		{"too large a head", "GET / HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", maxHead/6+1), 0, true},
	} {
		for _, size := range []int{1, 2, 3, 7, 100, 4096} {
			var f framing
			for at := 0; at < len(test.sent); at += size {
				f.see([]byte(test.sent[at:min(at+size, len(test.sent))]))
			}
			wrong := 0
			if w := f.wrong.Load(); w != nil {
				wrong = w.number
			}
			if wrong != test.wrong || f.last != test.last {
				t.Errorf("%s in pieces of %d: request %d is refused, last %v", test.name, size, wrong, f.last)
			}
		}
	}
}
