package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"chela/internal/op"
)

// parseObject either returns the fields that the decoder finds, nested within the limit, or an error
// with a code.
func FuzzBody(f *testing.F) {
	for _, body := range []string{`{"a":1}`, `{"a":{"b":[{}]}}`, `null`, `[]`, `{"a":"[[[\"{"}`, `{"a":1}{"b":2}`, `{"a":"\ud800"}`, strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		args, err := parseObject(body)
		if err != nil {
			if e, ok := errors.AsType[*op.Error](err); !ok || e.Code.Status()/100 != 4 {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		var want map[string]any
		if err := json.Unmarshal(body, &want); err != nil || len(want) != len(args) {
			t.Fatalf("%q: %d fields, the decoder says %d, %v", body, len(args), len(want), err)
		}
		if got := deepest(want); got > maxDepth {
			t.Errorf("%q is nested %d deep", body, got)
		}
	})
}

func deepest(value any) (most int) {
	switch value := value.(type) {
	case map[string]any:
		for _, each := range value {
			most = max(most, deepest(each))
		}
		return most + 1
	case []any:
		for _, each := range value {
			most = max(most, deepest(each))
		}
		return most + 1
	}
	return 0
}

// framing and net/http agree on where requests end. In bytes that framing accepts, net/http finds the
// same number of requests, in whatever pieces the bytes arrive.
func FuzzFraming(f *testing.F) {
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST / HTTP/1.1\nHost: a\nContent-Length: 3\n\nabcGET / HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: a\r\n Content-Length: 3\r\n\r\nabc",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: a\r\nX: \r\n\tContent-Length: 9\r\n\r\nabc",
	} {
		f.Add([]byte(text), 7)
	}
	f.Fuzz(func(t *testing.T, sent []byte, piece int) {
		var whole, pieces framing
		whole.see(sent)
		piece = 1 + (piece&0x7fffffff)%(len(sent)+1)
		for rest := sent; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
			pieces.see(rest[:min(piece, len(rest))])
		}
		if whole.fault() != pieces.fault() || whole.heads != pieces.heads || whole.body != pieces.body {
			t.Fatalf("in one piece %q, %d, %d; in pieces of %d %q, %d, %d", whole.fault(), whole.heads, whole.body, piece, pieces.fault(), pieces.heads, pieces.body)
		}
		passing := whole.heads
		if whole.fault() != "" {
			passing--
		}
		in := bufio.NewReader(bytes.NewReader(sent))
		for range passing {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			head := r.Header.Values("Content-Length")
			if len(head) > 1 || len(r.TransferEncoding) > 0 && len(head) > 0 {
				t.Fatalf("%q passes, with lengths %q and %q", sent, head, r.TransferEncoding)
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil || r.Close || len(r.TransferEncoding) > 0 {
				return
			}
		}
		if whole.last {
			return
		}
		if r, err := http.ReadRequest(in); err == nil {
			t.Fatalf("%q has a request %s %s more than the %d heads that were seen", sent, r.Method, r.RequestURI, whole.heads)
		}
	})
}
