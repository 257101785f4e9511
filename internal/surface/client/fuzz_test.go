package client

import "testing"

// A client connects to the host that its URL names, and without TLS only on this machine.
func FuzzParseOrigin(f *testing.F) {
	for _, text := range []string{"http://127.0.0.1:18791", "wss://example.com/", "HTTP://[::1]:1", "http://127.0.0.1.example.com", "http://localhost@evil.example", "http://a\\@127.0.0.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseOrigin(text)
		if err != nil {
			return
		}
		if again, err := ParseOrigin(o.String()); err != nil || again != o {
			t.Errorf("%q is %q, and that %q, %v", text, o, again, err)
		}
		if o.Scheme != "https" && !o.Loopback() || o.Port < 0 || o.Port > 65535 {
			t.Errorf("%q is %q", text, o)
		}
	})
}
