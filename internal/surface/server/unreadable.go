package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"

	"chela/internal/op"
)

// Write sends an answer. If net/http cannot read a request, it writes a line of plain text by itself,
// and closes the connection. Write replaces this line by an error in chela's form.
func (c *conn) Write(b []byte) (int, error) {
	if c.answering.Load() {
		return c.Conn.Write(b)
	}
	to, why := c.Conn, c.framing.fault()
	if c.plain.Load() {
		to, why = c.transport, "the address must begin with https here"
	}
	if _, err := to.Write(unreadable(b, why)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// unreadable returns the answer to a request that net/http could not read, in place of the given
// answer of net/http.
func unreadable(answer []byte, why string) []byte {
	e := op.Errorf(op.Invalid, "%s", cmp.Or(why, "the request is not HTTP/1.1"))
	if bytes.HasPrefix(answer, []byte("HTTP/1.1 431 ")) {
		e = op.Errorf(op.HeadTooLarge, "the address and headers are larger than %d bytes", headerBytes)
	}
	body, _ := json.Marshal(e) // cannot fail
	ours := http.Response{
		StatusCode: e.Code.Status(), ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Close: true,
	}
	contentType(ours.Header, "application/json; charset=utf-8")
	var b bytes.Buffer
	ours.Write(&b) // cannot fail
	return b.Bytes()
}
