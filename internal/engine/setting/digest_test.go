package setting

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
)

// The examples come from RFC 7616, section 3.9.1, and RFC 2617, section 3.5.
func TestDigest(t *testing.T) {
	mufasa := Credentials{Username: "Mufasa", Password: "Circle of Life"}
	const nonce, opaque, own = `7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v`, `FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS`, "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
	rfc := func(algorithm string) string {
		return `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=` + algorithm + `, nonce="` + nonce + `", opaque="` + opaque + `"`
	}
	for _, s := range []struct {
		name, header, cnonce string
		login                Credentials
		address              string
		want                 []string
	}{
		{"MD5", rfc("MD5"), own, mufasa, "http://www.example.org/dir/index.html#part",
			[]string{`uri="/dir/index.html"`, `response="8ca523f5e9506fed4657c9700eebdbec"`, "algorithm=MD5", "qop=auth", "nc=00000001", `opaque="` + opaque + `"`}},
		{"SHA-256", rfc("SHA-256"), own, mufasa, "http://www.example.org/dir/index.html",
			[]string{`response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"`, "algorithm=SHA-256"}},
		{"the first of several", `Basic realm="x, \"y\"", ` + rfc("MD5") + `, Negotiate`, own, mufasa, "http://www.example.org/dir/index.html",
			[]string{`response="8ca523f5e9506fed4657c9700eebdbec"`}},
		{"basic", `Negotiate, Basic realm="x=\"y\", Digest"`, "", Credentials{Username: "Aladdin", Password: "open sesame"}, "http://a.test/",
			[]string{"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}},
		{"an unknown algorithm", `Digest realm="x", nonce="n", algorithm=SHA-512-256`, "", mufasa, "", nil},
		{"only auth-int", `Digest realm="x", nonce="n", qop="auth-int"`, "", mufasa, "", nil},
		{"no scheme that we know", "Negotiate, NTLM", "", mufasa, "", nil},
		{"nothing", "", "", mufasa, "", nil},
	} {
		asked := challengeIn([]*fetch.HeaderEntry{{Name: "www-authenticate", Value: s.header}})
		if asked == nil {
			if s.want != nil {
				t.Errorf("%s: not understood", s.name)
			}
			continue
		}
		if asked.digest != nil {
			asked.digest.random = func() string { return s.cnonce }
		}
		got := asked.answer(s.login, "GET", s.address)
		for _, part := range s.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %s, want %s", s.name, got, part)
			}
		}
		if s.want == nil {
			t.Errorf("%s: %s", s.name, got)
		}
	}
}

func TestDigestCounts(t *testing.T) {
	d := digestOf(map[string]string{"nonce": "n", "qop": "auth", "algorithm": "MD5-sess"})
	d.answer(Credentials{}, "GET", "http://a.test")
	if got := d.answer(Credentials{}, "GET", "http://a.test?q"); !strings.Contains(got, "nc=00000002") || !strings.Contains(got, `uri="?q"`) {
		t.Error(got)
	}
}
