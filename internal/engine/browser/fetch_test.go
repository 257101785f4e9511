package browser

import (
	"bytes"
	"fmt"
	"testing"
)

// The file of a data: URL has the content that Chromium itself reads from the URL.
func TestDataURL(t *testing.T) {
	ctx, b := start(t)
	p := open(ctx, t, b).Page()
	for _, s := range []struct{ rest, want string }{ // want "!": the URL cannot be read
		{"text/plain,hello", "hello"},
		{",a%20b%2C", "a b,"},
		{"text/csv,100%25%20or%205%", "100% or 5%"},
		{",%zz%4", "%zz%4"},
		{",a,b?c", "a,b?c"},
		{",a#b", "a"},
		{",aGk=;base64", "aGk=;base64"},
		{";base64,aGk=", "hi"},
		{";base64,aGk", "hi"},
		{";BASE64,aGk", "hi"},
		{"text/plain;charset=utf-8; base64 ,aGk%3D", "hi"},
		{";base64,a%20G%0Ak%09=", "hi"},
		{";base64,", ""},
		{";base64,aGkx", "hi1"},
		{";base64,aGk==", "!"},
		{";base64,aGk-", "!"},
		{";base64,a", "!"},
		{"text/plain", "!"},
	} {
		read := value(ctx, t, p, fmt.Sprintf("fetch(%q).then(r => r.text()).catch(() => '!')", "data:"+s.rest))
		if read != s.want {
			t.Errorf("%s: Chromium reads %q, want %q", s.rest, read, s.want)
		}
		var got bytes.Buffer
		err := writeData(&got, s.rest)
		if s.want == "!" && err == nil || s.want != "!" && (err != nil || got.String() != s.want) {
			t.Errorf("%s: %q, %v, want %q", s.rest, got.String(), err, s.want)
		}
	}
}
