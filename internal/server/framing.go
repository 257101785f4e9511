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
//
// With a proxy in front of this server that believes the other length, what one of
// them takes for the end of a body the other takes for a new request: a caller could
// put a request into the body of another, past the checks of the proxy (request
// smuggling). The handler cannot notice it, since it sees only the repaired head. So
// the bytes are looked at here, before net/http does, and [checkHead] refuses the
// request.
type framing struct {
	head []byte // of the request whose head has not ended yet
	body int64  // bytes of the body that are still to come
	last bool   // no request follows, or it is not looked at

	ambiguous atomic.Bool // read while the next bytes arrive
}

// see looks at bytes that have arrived. They may be a part of a head or of a body, or
// several requests. It runs in net/http's reads, which are not concurrent, so only
// the field ambiguous is atomic.
func (f *framing) see(b []byte) {
	for len(b) > 0 && !f.last {
		if f.body > 0 {
			n := min(f.body, int64(len(b)))
			f.body, b = f.body-n, b[n:]
			continue
		}
		// The empty line that ends a head may be split between two reads, such as
		// \r\n\r and \n: the search begins two bytes before the new ones.
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

// endOfHead returns where the first empty line ends that begins after from, or -1. A
// head may come in many pieces, none of which is looked at twice. Lines end with \n
// or \r\n: net/http accepts both.
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

// next reads from a head how long the body is that follows. It counts all headers
// that give a length: more than one make the request ambiguous, even if they agree,
// since no honest client sends two. It stops looking (last) where it cannot know
// where the next request begins, or where net/http refuses the request and closes the
// connection.
func (f *framing) next(head []byte) {
	var lengths []string
	chunked := false
	for line := range bytes.Lines(head) {
		name, value, _ := strings.Cut(string(line), ":")
		switch textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)) {
		case "Content-Length":
			lengths = append(lengths, strings.TrimSpace(value))
		case "Transfer-Encoding":
			// It counts as a length, so that it is an error beside Content-Length.
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
