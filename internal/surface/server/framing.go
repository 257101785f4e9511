package server

import (
	"bytes"
	"net/textproto"
	"strconv"
	"strings"
	"sync/atomic"
)

// framing checks the heads of requests (the request line and headers), and finds those that two
// programs could read differently. [net/http] accepts many of them. It accepts a line feed as the end
// of a line, and joins lines that are continued on the next. It ignores Content-Length beside
// Transfer-Encoding, repeated equal lengths, and Transfer-Encoding in HTTP/1.0.
//
// A proxy in front of this server may read such a head differently. Then bytes that one of the two
// reads as a part of the body are a new request for the other. So a caller could hide a request from
// the checks of the proxy, in the body of another request (request smuggling). A handler cannot notice
// it, since it sees only the result of net/http's parser. So framing checks the bytes before net/http
// gets them. The handler then refuses the request, see faultOf.
//
// framing keeps track of where each request begins, so that it checks only heads, even when several
// requests arrive in one piece. It does not check the bytes after a chunked body, because the server
// closes the connection after answering such a request.
type framing struct {
	head  []byte // the bytes of a head that has not arrived completely
	body  int64  // how many bytes of the present body are still missing
	last  bool   // further bytes are not checked: no request follows, or its beginning is not known
	heads int    // how many heads were complete

	wrong atomic.Pointer[wrongHead] // the first wrong head; nil: none so far. The handler reads it while more bytes arrive
}

// A wrongHead describes a head that is refused. The connection is closed after it.
type wrongHead struct {
	number int // number of the request on its connection, from 1
	why    string
}

// faultOf returns why the n-th request of the connection is refused; "" if it is not. Later requests
// may have arrived already.
func (f *framing) faultOf(n int) string {
	if wrong := f.wrong.Load(); wrong != nil && wrong.number == n {
		return wrong.why
	}
	return ""
}

// fault returns why the last request of the connection is refused, "" if it is not.
func (f *framing) fault() string {
	if wrong := f.wrong.Load(); wrong != nil {
		return wrong.why
	}
	return ""
}

// see checks bytes that have arrived. They may be a part of a head or of a body, or several
// requests. Only conn.Read calls see, and net/http makes one call of Read at a time. Only the field
// wrong is also read by another goroutine, so this field is atomic.
func (f *framing) see(b []byte) {
	for len(b) > 0 && !f.last {
		if f.body > 0 {
			n := min(f.body, int64(len(b)))
			f.body, b = f.body-n, b[n:]
			continue
		}
		// A head ends with \n\r\n or \n\n, which may be split between two reads. At most two bytes of
		// this end came with earlier reads, so the search begins two bytes before the new ones.
		seen := len(f.head)
		f.head = append(f.head, b...)
		end := endOfHead(f.head, max(0, seen-len("\n\r")))
		if end < 0 {
			f.last = len(f.head) > maxHead // net/http refuses such a head
			return
		}
		b = b[end-seen:]
		f.next(f.head[:end])
		f.head = f.head[:0]
	}
}

// endOfHead finds the empty line that ends a head. The search begins at an offset. endOfHead
// returns the offset behind the line, or -1. Lines may end with \n or \r\n, as for net/http; a head
// with a bare \n is refused later.
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

// next handles a complete head. It computes the length of the body that follows. If the request is
// refused, the connection will close. In this case, and if the beginning of the next request is not
// known, next sets f.last.
func (f *framing) next(head []byte) {
	f.heads++
	length, why := lengthOf(head)
	if why != "" {
		f.wrong.Store(&wrongHead{f.heads, why})
	}
	f.body, f.last = length, why != "" || length == chunked
}

// chunked is the result of lengthOf for a chunked body, whose length is not known.
const chunked = -1

// lengthOf returns the length of the body that follows a head, or why the head is refused.
func lengthOf(head []byte) (length int64, why string) {
	if why := malformed(head); why != "" {
		return 0, why
	}
	first, fields, _ := bytes.Cut(head, []byte("\r\n"))
	lengths := 0
	for line := range bytes.Lines(fields) {
		name, value, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		value = strings.Trim(value, " \t")
		switch textproto.CanonicalMIMEHeaderKey(name) {
		case "Content-Length":
			lengths++
			n, err := strconv.ParseUint(value, 10, 63)
			if err != nil {
				return 0, "Content-Length is not a number"
			}
			length = int64(n)
		case "Transfer-Encoding":
			lengths++
			if !strings.EqualFold(value, "chunked") || bytes.HasSuffix(first, []byte(" HTTP/1.0")) {
				return 0, "the only Transfer-Encoding is chunked, in HTTP/1.1"
			}
			length = chunked
		}
	}
	if lengths > 1 { // even if both are equal: no honest client sends two
		return 0, "the head gives the length of the body more than once"
	}
	return length, ""
}

// malformed returns what is wrong with the characters and the lines of a head; "" if
// nothing is. Whether each line has a name and a colon is checked by net/http.
func malformed(head []byte) string {
	for i, c := range head {
		switch {
		case c == '\r' && i+1 < len(head) && head[i+1] == '\n', c == '\t':
		case c == '\n' && (i == 0 || head[i-1] != '\r'), c == '\r':
			return "lines of the head must end with CR and LF"
		case c == '\n' && i+1 < len(head) && (head[i+1] == ' ' || head[i+1] == '\t'):
			return "a line of the head must not be continued on the next"
		case c != '\n' && (c < ' ' || c == 0x7f):
			return "there is a control character in the head"
		}
	}
	if bytes.HasPrefix(head, []byte("\r\n")) {
		return "there is an empty line before the request"
	}
	return ""
}
