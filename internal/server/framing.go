package server

import (
	"bytes"
	"net/textproto"
	"strconv"
	"strings"
	"sync/atomic"
)

// framing watches the bytes that a client sends for a request whose head gives
// the length of its body more than once. [net/http] repairs such heads silently
// (it drops Content-Length beside Transfer-Encoding, and repeated equal lengths),
// which is how two servers come to disagree about where a request ends.
//
// It follows the requests of a connection, so that it looks at heads only, also
// when several requests arrive in one piece. What comes after a chunked body is
// not looked at: the server closes the connection after answering such a request.
type framing struct {
	head []byte // of the request whose head has not ended yet
	body int64  // bytes of the body that are still to come
	last bool   // no request follows, or it is not looked at

	ambiguous atomic.Bool // read while the next bytes arrive
}

// see looks at bytes that have arrived.
func (f *framing) see(b []byte) {
	for len(b) > 0 && !f.last {
		if f.body > 0 {
			n := min(f.body, int64(len(b)))
			f.body, b = f.body-n, b[n:]
			continue
		}
		seen := len(f.head)
		f.head = append(f.head, b...)
		end := endOfHead(f.head, max(0, seen-len("\n\r")))
		if end < 0 {
			f.last = len(f.head) > maxHead // net/http refuses it
			return
		}
		b = b[end-seen:]
		f.next(f.head[:end])
		f.head = f.head[:0]
	}
}

// endOfHead returns where the first empty line ends that begins after from, or
// -1. A head may come in many pieces, none of which is looked at twice.
func endOfHead(head []byte, from int) int {
	for {
		i := bytes.IndexByte(head[from:], '\n')
		if i < 0 {
			return -1
		}
		from += i + 1
		switch rest := head[from:]; {
		case bytes.HasPrefix(rest, []byte("\n")):
			return from + 1
		case bytes.HasPrefix(rest, []byte("\r\n")):
			return from + 2
		}
	}
}

// next learns from a head how long the body is that follows.
func (f *framing) next(head []byte) {
	var lengths []string
	chunked := false
	for line := range bytes.Lines(head) {
		name, value, _ := strings.Cut(string(line), ":")
		switch textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)) {
		case "Content-Length":
			lengths = append(lengths, strings.TrimSpace(value))
		case "Transfer-Encoding":
			lengths, chunked = append(lengths, ""), true
		}
	}
	switch {
	case len(lengths) > 1:
		f.ambiguous.Store(true)
		f.last = true
	case chunked:
		f.last = true
	case len(lengths) == 1:
		n, err := strconv.ParseInt(lengths[0], 10, 64)
		f.body, f.last = n, err != nil || n < 0 // net/http refuses the latter
	}
}
