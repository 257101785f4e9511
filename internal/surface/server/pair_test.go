package server

import (
	"strings"
	"testing"

	"chela/internal/op"
)

// Only programs of the user get a key for an extension. Having the token is not enough.
func TestKeysAreForTheUnixSocket(t *testing.T) {
	var asked []string
	r := start(t, func(o *Options) {
		o.Pair = func(name string) (string, string, error) {
			asked = append(asked, name)
			if name == "" {
				return "", "", op.Errorf(op.Invalid, "a browser has a name")
			}
			return "the id", "the key", nil
		}
	})
	const path, local = "POST /extension/key HTTP/1.1\nHost: HOST\n", "POST /extension/key HTTP/1.1\nHost: chela\n"
	for _, test := range []struct{ name, network, request, want string }{
		{"the token", "tcp", path + auth + body(`{"name":"Chromium"}`), `"code":"forbidden"`},
		{"nothing", "tcp", path + body(`{"name":"Chromium"}`), `"code":"unauthorized"`},
		{"the socket", "unix", local + body(`{"name":"Chromium"}`), `{"key":"the key","keyId":"the id"}`},
		{"a page on the socket", "unix", local + "Origin: http://evil.example\n" + body(`{"name":"Chromium"}`), `"code":"forbidden"`},
		{"no name", "unix", local + "Content-Length: 0\n\n", `name must be the browser's`},
		{"a number", "unix", local + body(`{"name":1}`), `name must be the browser's`},
		{"a wrong name", "unix", local + body(`{"name":""}`), `a browser has a name`},
		{"no JSON", "unix", local + body(`{"name"`), `"code":"invalid`},
	} {
		if _, got := r.send(t, test.network, test.request); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	if got := strings.Join(asked, ","); got != "Chromium," {
		t.Errorf("asked for %q", got)
	}
}
