package nativehost

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// frame returns a message with its length in front, as Chromium writes it.
func frame(text string) string {
	return string(binary.NativeEndian.AppendUint32(nil, uint32(len(text)))) + text
}

func TestReadRequest(t *testing.T) {
	for _, test := range []struct{ name, input, err string }{
		{"a request", frame(`{"kind": "pair", "v": 1, "name": "Chromium 156 on Linux"}`), ""},
		{"what follows it", frame(`{"kind": "pair", "v": 1, "name": "Chromium 156 on Linux"}`) + "more", ""},
		{"nothing", "", "EOF"},
		{"a part of the size", "\x01", "unexpected EOF"},
		{"a part of the message", frame(`{"kind": "pair"}`)[:9], "unexpected EOF"},
		{"an empty message", frame(""), "no JSON"},
		{"no JSON", frame("pair"), "no JSON"},
		{"another request", frame(`{"kind": "token", "v": 1}`), ErrRequest.Error()},
		{"a later version", frame(`{"kind": "pair", "v": 2}`), ErrRequest.Error()},
		{"too much", string(binary.NativeEndian.AppendUint32(nil, maxMessage+1)), "at most"},
		{"all that there is", "\xff\xff\xff\xff", "at most"},
	} {
		q, err := ReadRequest(strings.NewReader(test.input))
		switch {
		case test.err == "" && (err != nil || q.Name != "Chromium 156 on Linux"):
			t.Errorf("%s: %+v, %v", test.name, q, err)
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v, want %s", test.name, err, test.err)
		}
	}
	if _, err := ReadRequest(strings.NewReader(frame(`{}`))); !errors.Is(err, ErrRequest) {
		t.Errorf("an empty object: %v", err)
	}
}

func TestWriteAnswer(t *testing.T) {
	var out bytes.Buffer
	if err := WriteAnswer(&out, json.RawMessage(`{"key":"k"}`)); err != nil || out.String() != frame(`{"key":"k"}`) {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := WriteAnswer(&out, strings.Repeat("x", maxMessage)); err == nil || out.Len() > 0 {
		t.Errorf("too much: %d bytes, %v", out.Len(), err)
	}
}
