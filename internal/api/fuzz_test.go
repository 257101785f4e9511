package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"chela/internal/op"
)

// Whatever arguments an operation is given, it reads them or refuses them by an error with a code
// and a status of 4xx. Its deadline is within its limits.
func FuzzArguments(f *testing.F) {
	for i, body := range []string{
		`{}`, `{"targetId":"t1","ref":"e1","timeoutMs":"12"}`, `{"ref":12,"text":null,"slowly":"true","delayMs":-1}`,
		`{"actions":[{"kind":"click","ref":"e1"},{"kind":"batch","actions":[{"kind":"wait","timeMs":5}]}]}`,
		`{"fields":[{"ref":"e1","value":1.5}],"values":"a","index":1,"width":1e99,"height":{}}`,
		`{"cookie":{"name":"a","value":true,"expires":"1","sameSite":"lax"},"key":"a","value":[],"paper":"210x297mm"}`,
		`{"headers":{"a b":"c"},"url":"http://u:p@a","latitude":"91","abort":true,"cookies":[{"name":""}],"paths":["/etc/passwd"]}`,
	} {
		f.Add(uint16(i*31), []byte(body))
	}
	f.Fuzz(func(t *testing.T, row uint16, body []byte) {
		var args op.Args
		if json.Unmarshal(body, &args) != nil || args == nil {
			return
		}
		for _, o := range []*op.Op{Table().Ops[int(row)%len(Table().Ops)], actTable().Ops[int(row)%len(actTable().Ops)]} {
			_, err := o.Read(args)
			if err == nil {
				continue
			}
			var coded *op.Error
			if !errors.As(err, &coded) || coded.Code.Status()/100 != 4 || coded.Message == "" {
				t.Errorf("%s with %s: %v", o.Name(), body, err)
			}
		}
	})
}

// Headers that callers may give are one line each: what a server reads is what was given.
func FuzzHeaders(f *testing.F) {
	f.Add("X-A", "b")
	f.Add("X-A\r\nX-B", "c")
	f.Add("x", "y\r\nz: 1")
	f.Fuzz(func(t *testing.T, name, value string) {
		headers, err := parseHeaders(map[string]any{name: value}, true)
		if err != nil {
			if strings.TrimSpace(value) != "" && len(value) > 4 && !strings.Contains(name, value) && strings.Contains(err.Error(), value) {
				t.Errorf("the error has the value: %v", err)
			}
			return
		}
		var wire strings.Builder
		wire.WriteString("GET / HTTP/1.1\r\nHost: a\r\n" + name + ": " + *headers[name] + "\r\n\r\n")
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(wire.String())))
		if err != nil {
			return // refused, so a server cannot read it differently
		}
		got := len(r.Header)
		if r.Header.Get(name) != strings.Trim(value, " \t") || got > 1 {
			t.Errorf("%q: %q is read as %q", name, value, r.Header)
		}
	})
}

// A size of paper and its margins are lengths that a PDF can have.
func FuzzPaper(f *testing.F) {
	for _, text := range []string{"a4", "210x297mm", "8.5in x 11in", "1e9x1", ".x.", "0x0", "100px100px", " "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if w, h, err := paperSize(text); err == nil && !(0 < w && w <= maxPaper && 0 < h && h <= maxPaper) {
			t.Errorf("%q is %v by %v inches", text, w, h)
		}
		if sides, err := marginsOf(text); err == nil {
			for _, side := range sides {
				if !(side >= 0) {
					t.Errorf("%q: margin %v", text, sides)
				}
			}
		}
	})
}

// An index that a person gives begins at 1, and the one that a program uses at 0.
func FuzzIndex(f *testing.F) {
	f.Add("1")
	f.Add("-0")
	f.Add("9223372036854775808")
	f.Fuzz(func(t *testing.T, text string) {
		var i, same Index
		if i.UnmarshalText([]byte(text)) != nil {
			return
		}
		if i < 0 || same.UnmarshalText([]byte(i.String())) != nil || same != i {
			t.Errorf("%q is %d, then %d", text, i, same)
		}
	})
}
