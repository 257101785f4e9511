package weburl

import (
	"net/url"
	"testing"
)

func TestResolve(t *testing.T) {
	base, err := url.Parse("https://site.example/folder/page?a=b")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"/ok?a=1#b": "https://site.example/ok?a=1#b", "": "https://site.example/folder/page?a=b", "#part": "https://site.example/folder/page?a=b#part",
		"/100%": "https://site.example/100%25", "%zz/50%20": "https://site.example/folder/%25zz/50%20", "?q=%": "https://site.example/folder/page?q=%25",
		" two words\n": "https://site.example/folder/two%20words", "\x01/a": "https://site.example/a", "/one\n\tline": "https://site.example/oneline",
		`\\other.example\a?\`: `https://other.example/a?\`, "java\nscript:alert(1)": "javascript:alert(1)", "?<\">": "https://site.example/folder/page?%3C%22%3E",
	} {
		u, err := Resolve(base, address)
		if err != nil || u.String() != want {
			t.Errorf("%q: got %v, %v; want %s", address, u, err, want)
		}
	}
	for _, address := range []string{"http://[1", "http://site:port/", "http://a b/"} {
		if u, err := Resolve(base, address); err == nil {
			t.Errorf("%q: got %v", address, u)
		}
	}
}
