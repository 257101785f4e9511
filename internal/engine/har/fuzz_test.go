package har

import (
	"net/http"
	"strings"
	"testing"
)

// setCookiesOf reads a header Set-Cookie as net/http does, if net/http accepts the header.
func FuzzSetCookie(f *testing.F) {
	for _, line := range []string{"a=b; Path=/; HttpOnly; SameSite=Lax", `a="b c"; Expires=Wed, 21 Oct 2026 07:28:00 GMT`, "a=b=c; secure; domain=.x.test", "=; Path", "a", "0 = b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\"\r\n") {
			return // net/http removes quotes
		}
		list := setCookiesOf(line)
		want, err := http.ParseSetCookie(line)
		if err != nil || strings.Contains(line, "\t") {
			return
		}
		if len(list) != 1 || list[0].Name != want.Name || list[0].Value != strings.TrimSpace(want.Value) || list[0].HTTPOnly != want.HttpOnly || list[0].Secure != want.Secure {
			t.Errorf("%q is %+v, net/http says %+v", line, list, want)
		}
	})
}
