package server

import (
	"bytes"
	"net/textproto"
)

// framing finds requests that tell their length twice. [net/http] repairs them
// silently, which is how two servers come to disagree about where a request ends.
type framing struct {
	head      []byte
	inHead    bool
	ambiguous bool
}

// begin expects the head of a request.
func (f *framing) begin() { *f = framing{head: f.head[:0], inHead: true} }

// see looks at what has arrived.
func (f *framing) see(b []byte) {
	if !f.inHead {
		return
	}
	f.head = append(f.head, b...)
	end := bytes.Index(f.head, []byte("\n\r\n"))
	if end < 0 {
		end = bytes.Index(f.head, []byte("\n\n"))
	}
	if end < 0 {
		f.inHead = len(f.head) <= headerBytes
		return
	}
	f.inHead = false
	f.ambiguous = lengths(f.head[:end]) > 1
}

// lengths counts the header fields that tell the length of the body.
func lengths(head []byte) (n int) {
	for line := range bytes.Lines(head) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch textproto.CanonicalMIMEHeaderKey(string(bytes.TrimSpace(name))) {
		case "Content-Length", "Transfer-Encoding":
			n++
		}
	}
	return n
}
