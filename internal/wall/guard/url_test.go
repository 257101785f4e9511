package guard

import (
	"errors"
	"strings"
	"testing"
)

// The expected answers were compared with those of Chromium's URL parser or, where that is more
// lenient than the standard, with those of Node.
func TestAllowed(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"http://example.com", "http://example.com"},
		{"HTTPS://Example.com/A b?q#f", "https://Example.com/A b?q#f"},
		{"  http://a.com/ \n", "http://a.com/"},
		{"ht\ntp://a.com/\tx", "http://a.com/x"},
		{"http:example.com", "http://example.com"},
		{"http:/example.com/x", "http://example.com/x"},
		{`http:\\example.com\a`, `http://example.com\a`},
		{"http:///a.com", "http://a.com"},
		{"http://bücher.de/", "http://bücher.de/"},
		{"http://a_b.com/", "http://a_b.com/"},
		{"http://%41.com/", "http://%41.com/"},
		{"http://a*b,c;d=e/", "http://a*b,c;d=e/"},
		{"http://a./", "http://a./"},
		{"http://[::1]:80/", "http://[::1]:80/"},
		{"http://[::ffff:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"},
		{"http://127.0.0.1:18500/", "http://127.0.0.1:18500/"},
		{"http://127.1/", "http://127.1/"},
		{"http://0x7f.1", "http://0x7f.1"},
		{"http://0177.0.0.1", "http://0177.0.0.1"},
		{"http://2130706433/", "http://2130706433/"},
		{"http://a:/", "http://a:/"},
		{"http://a:0/", "http://a:0/"},
		{"http://@a.com/", "http://a.com/"},
		{"http://:@a.com/", "http://a.com/"},
		{"http://a.com/@x", "http://a.com/@x"},
		{"http://a.com?@", "http://a.com?@"},
		{`http://a\@b/`, `http://a\@b/`},
		{"about:blank", "about:blank"},
		{"ABOUT:blank", "about:blank"},
	}
	for _, test := range tests {
		if got, err := CheckURL(test.raw); got != test.want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", test.raw, got, err, test.want)
		}
	}
}

// manyLetters returns a text of n different letters.
func manyLetters(n int) string {
	letters := make([]rune, n)
	for i := range letters {
		letters[i] = '一' + rune(i%20_000)
	}
	return string(letters)
}

func TestBlocked(t *testing.T) {
	const credentials = "Navigation blocked: URL-embedded credentials are not supported for page navigation."
	tests := []struct{ raw, want string }{
		{"", "url is required"},
		{"  ", "url is required"},
		{"not a url", "Invalid URL: not a url"},
		{"127.0.0.1:18500/", "Invalid URL: 127.0.0.1:18500/"},
		{"/path", "Invalid URL: /path"},
		{"http://", "Invalid URL: http://"},
		{"http://?q", "Invalid URL: http://?q"},
		{"https:/", "Invalid URL: https:/"},
		{"http://[::1/", "Invalid URL: http://[::1/"},
		{"http://[fe80::1%25eth0]/", "Invalid URL: http://[fe80::1%25eth0]/"},
		{"http://a b/", "Invalid URL: http://a b/"},
		{"http://a%20b/", "Invalid URL: http://a%20b/"},
		{"http://xn--/", "Invalid URL: http://xn--/"},
		{"http://xn--a/", "Invalid URL: http://xn--a/"},
		{"http://" + strings.Repeat("a", 64) + ".com/", "Invalid URL: http://aaa"},
		{"http://" + strings.Repeat("a.", 150) + "com/", "Invalid URL: http://a.a"},
		{"http://" + strings.Repeat("ü", 5000), "Invalid URL: http://üüü"},
		{"http://" + manyLetters(50_000) + "/", "Invalid URL: http://一"}, // this took half a minute in an earlier version
		{"http://a:99999/", "Invalid URL: http://a:99999/"},
		{"http://a:80a/", "Invalid URL: http://a:80a/"},
		{"http://a:+80/", "Invalid URL: http://a:+80/"},
		{"http://a<b/", "Invalid URL: http://a<b/"},
		{"http://a%2fb/", "Invalid URL: http://a%2fb/"},
		{"http://a%00b/", "Invalid URL: http://a%00b/"},
		{"http://a%zz/", "Invalid URL: http://a%zz/"},
		{"http://1.2.3.256/", "Invalid URL: http://1.2.3.256/"},
		{"http://4294967296/", "Invalid URL: http://4294967296/"},
		{"http://1.2.3.4.5/", "Invalid URL: http://1.2.3.4.5/"},
		{"http://09.1/", "Invalid URL: http://09.1/"},
		{"http://a.0x/", "Invalid URL: http://a.0x/"},
		{"http://u:p@a<b/", credentials},
		{"http://@a<b/", "Invalid URL: [redacted credential-bearing URL]"},
		{"http://u@a.com", credentials},
		{"http://u:p@a.com/", credentials},
		{"http://a.com@b.com@c.com/", credentials},
		{"localhost:8080", `Navigation blocked: unsupported protocol "localhost:"`},
		{"file:///etc/passwd", `Navigation blocked: unsupported protocol "file:"`},
		{"javascript:alert(1)", `Navigation blocked: unsupported protocol "javascript:"`},
		{"java\nscript:alert(1)", `Navigation blocked: unsupported protocol "javascript:"`},
		{"\x01data:text/html,x", `Navigation blocked: unsupported protocol "data:"`},
		{"view-source:http://a.com", `Navigation blocked: unsupported protocol "view-source:"`},
		{"chrome://version", `Navigation blocked: unsupported protocol "chrome:"`},
		{"about:srcdoc", `Navigation blocked: unsupported protocol "about:"`},
		{"about:blank#x", `Navigation blocked: unsupported protocol "about:"`},
	}
	for _, test := range tests {
		got, err := CheckURL(test.raw)
		if err != nil && len(err.Error()) > 2100 {
			t.Errorf("%d bytes about %.50s", len(err.Error()), test.raw)
		}
		var b *BlockedURL
		if !errors.As(err, &b) || !strings.HasPrefix(b.Message, test.want) {
			t.Errorf("%q: got %q, %v; want %s", test.raw, got, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "u:p") {
			t.Errorf("%q: the message has the password: %v", test.raw, err)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	f.Add("http://a@b:80/?x#y")
	f.Add("http://[::1]/")
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := CheckURL(raw)
		if err != nil {
			return
		}
		if again, err := CheckURL(once); err != nil || again != once {
			t.Errorf("%q became %q, and that %q, %v", raw, once, again, err)
		}
	})
}

func TestHostOf(t *testing.T) {
	tests := []struct {
		url, host string
		port      uint16
	}{
		{"http://example.com", "example.com", 80}, {"https://example.com/a:1", "example.com", 443},
		{"ws://a:81/?@b", "a", 81}, {"wss://[::1]/", "::1", 443},
		{"http://user:pw@127.1:8080/", "127.0.0.1", 8080}, {`http:\\a\b`, "a", 80}, {"http://a:/", "a", 80},
		{"about:blank", "", 0}, {"data:,x", "", 0},
		{"chrome-error://chromewebdata/", "", 0}, {"file:///x", "", 0}, {"", "", 0}, {"http://", "", 0},
	}
	for _, test := range tests {
		h, port, ok := HostOf(test.url)
		if ok != (test.host != "") || ok && (h.String() != test.host || port != test.port) {
			t.Errorf("%s: got %s %d, %v; want %s %d", test.url, h, port, ok, test.host, test.port)
		}
	}
}
