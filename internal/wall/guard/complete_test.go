package guard

import (
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	const same = "" // the address is returned unchanged
	tests := []struct {
		raw, want string
		orHTTP    bool
	}{
		{"example.com", "https://example.com", true},
		{" Example.COM/a b?q=1#f\n", "https://Example.COM/a b?q=1#f", true},
		{"example.com.", "https://example.com.", true},
		{"example.com?q", "https://example.com?q", true},
		{`example.com\a`, `https://example.com\a`, true},
		{"a_b.example.com", "https://a_b.example.com", true},
		{"bücher.de", "https://bücher.de", true},
		{"xn--bcher-kva.de/x", "https://xn--bcher-kva.de/x", true},
		{"例え.テスト:8080/x", "https://例え.テスト:8080/x", true},
		{"//example.com/x", "https://example.com/x", true},
		{"example.com/a@b", "https://example.com/a@b", true},
		{"example.com/?u=http://a.com", "https://example.com/?u=http://a.com", true},
		{"example.com/a:b", "https://example.com/a:b", true},

		{"example.com:8080/path", "https://example.com:8080/path", true},
		{"example.com:443", "https://example.com:443", false},
		{"example.com:80/x", "http://example.com:80/x", false},
		{"devbox:3000", "https://devbox:3000", true},
		{"devbox:80", "http://devbox:80", false},

		{"localhost", "http://localhost", false},
		{"localhost:3000", "http://localhost:3000", false},
		{"LOCALHOST:3000/x?y", "http://LOCALHOST:3000/x?y", false},
		{"localhost./", "http://localhost./", false},
		{"app.localhost:8080", "http://app.localhost:8080", false},
		{"127.0.0.1:18500/", "http://127.0.0.1:18500/", false},
		{"192.168.0.1", "http://192.168.0.1", false},
		{"[::1]:8080", "http://[::1]:8080", false},
		{"[::1]", "http://[::1]", false},
		{"[2001:db8::1]/x", "http://[2001:db8::1]/x", false},
		{"//localhost:1/", "http://localhost:1/", false},
		{"localhost:443", "http://localhost:443", false},
		{"localhost.example.com", "https://localhost.example.com", true},

		{"https://example.com", same, false},
		{"HTTP://example.com", same, false},
		{"http:example.com", same, false},
		{"https:8080", same, false},
		{"about:blank", same, false},
		{"file:///etc/passwd", same, false},
		{"file:1", same, false},
		{"0.\xff", same, false},
		{"javascript:1", same, false},
		{"javascript:alert(1)", same, false},
		{"java\nscript:1", same, false},
		{"data:text/html,x", same, false},
		{"data:1", same, false},
		{"tel:110", same, false},
		{"mailto:a@example.com", same, false},
		{"view-source:example.com", same, false},
		{"ftp://example.com", same, false},
		{"custom:thing", same, false},
		{"localhost:", same, false},

		{"", same, false},
		{"foo bar", same, false},
		{"not a url.com", same, false},
		{"not-a-url", same, false},
		{"foo/bar.html", same, false},
		{"user@example.com", same, false},
		{"user:secret@example.com", same, false},
		{"example.com:80a", same, false},
		{"example.com:99999", same, false},
		{"example..com", same, false},
		{".example.com", same, false},
		{"/path", same, false},
		{"./page.html", same, false},
		{"../page.html", same, false},
		{"?q", same, false},
		{"#f", same, false},
		{"//", same, false},
		{"12", same, false},
		{"3.5", same, false},
		{"1.2.3.256", same, false},
		{"::1", same, false},
		{"[::1", same, false},
		{"[fe80::1%25eth0]", same, false},
		{"%41.com", same, false},
		{"a,b.com", same, false},
		{"bü cher.de", same, false},
	}
	for _, test := range tests {
		want := test.want
		if want == same {
			want = test.raw
		}
		if got, orHTTP := Complete(test.raw); got != want || orHTTP != test.orHTTP {
			t.Errorf("%q: got %q, %v; want %q, %v", test.raw, got, orHTTP, want, test.orHTTP)
		}
	}
}

// A completed address can be opened, and leads to the host that was written.
func FuzzComplete(f *testing.F) {
	f.Add("example.com:8080/path")
	f.Add("[::1]:80")
	f.Fuzz(func(t *testing.T, raw string) {
		address, orHTTP := Complete(raw)
		if address == raw {
			return
		}
		url, err := CheckURL(address)
		if err != nil || !strings.Contains(raw, "@") && url != address {
			t.Errorf("%q became %q, which is %q, %v", raw, address, url, err)
		}
		if again, _ := Complete(address); again != address || orHTTP && !strings.HasPrefix(address, "https://") {
			t.Errorf("%q became %q, and that %q", raw, address, again)
		}
	})
}
