package server

import (
	"strings"
	"testing"
)

// However the bytes of requests are cut into pieces, the same is found.
func TestFraming(t *testing.T) {
	const fine = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	body := "POST / HTTP/1.1\r\nContent-Length: 46\r\n\r\n" + "\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1234\n"
	for _, test := range []struct {
		name, sent      string
		ambiguous, last bool
	}{
		{"none", "", false, false},
		{"requests", fine + fine + fine, false, false},
		{"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n" + fine, false, false},
		{"a body like a head", body + fine, false, false},
		{"two lengths", "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", true, true},
		{"two lengths later", fine + body + "GET / HTTP/1.1\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n" + fine, true, true},
		{"chunked", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", false, true},
		{"no length", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", false, true},
		{"too large a head", "GET / HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", maxHead/6+1), false, true},
	} {
		for _, size := range []int{1, 2, 3, 7, 100, 4096} {
			var f framing
			for at := 0; at < len(test.sent); at += size {
				f.see([]byte(test.sent[at:min(at+size, len(test.sent))]))
			}
			if f.ambiguous.Load() != test.ambiguous || f.last != test.last {
				t.Errorf("%s in pieces of %d: ambiguous %v, last %v", test.name, size, f.ambiguous.Load(), f.last)
			}
		}
	}
}
