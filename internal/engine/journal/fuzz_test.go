package journal

import (
	"strings"
	"testing"
)

// WithoutSecrets shows no secret, wherever it stands in a header or address.
func FuzzSecrets(f *testing.F) {
	f.Add("a=%; b=c", "/")
	f.Add("Bearer %", "x@")
	f.Add("% ; Path=/\n%=1", "?q=@")
	f.Fuzz(func(t *testing.T, form, tail string) {
		const secret = "hunter2-0123456789"
		if strings.ContainsAny(tail, "\r\n") {
			return
		}
		value := strings.ReplaceAll(form, "%", secret)
		r := Request{
			URL:     "https://user:" + secret + "@a.test/" + tail,
			Headers: Headers{{"authorization", secret + form}, {"Cookie", "a=" + value}, {"PROXY-Authorization", "Basic " + value}},
		}
		r.Response.Headers = Headers{{"Set-Cookie", "a=" + secret + "; Path=/"}}
		shown := r.WithoutSecrets()
		if strings.Contains(shown.URL, secret) || strings.Contains(shown.Response.Headers[0].Value, secret) {
			t.Errorf("%+v", shown)
		}
		if got := shown.Headers[2].Value; strings.Contains(got, secret) {
			t.Errorf("%q is shown as %q", r.Headers[2].Value, got)
		}
		if got := shown.Headers[0].Value; strings.Contains(got, secret) && strings.Contains(form, " ") == false {
			t.Errorf("%q is shown as %q", r.Headers[0].Value, got)
		}
		if got := shown.Headers[1].Value; strings.Contains(got, secret) && !strings.Contains(value, secret+"=") && !strings.Contains(form, "=") {
			t.Errorf("%q is shown as %q", r.Headers[1].Value, got)
		}
		if len(r.Headers) != len(shown.Headers) || r.Headers[1].Value != "a="+value {
			t.Error("the request itself was changed")
		}
	})
}
