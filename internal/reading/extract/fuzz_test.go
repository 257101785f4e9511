package extract_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chela/internal/reading/extract"
)

// FuzzExtract reads pages that no author would write. Nothing panics, and the answer is at most
// some times as long as the page.
func FuzzExtract(f *testing.F) {
	for _, html := range []string{
		"", "<", "text", page(`<table><tr><td colspan=9><td rowspan=9></table>`), `<math><mfrac></mfrac><msup>x</msup></math>`,
		`<pre><div><pre>`, `<a href="http://[">x`, `<base href="::"><img srcset=","><img alt=x>`, `<frameset>`, `<svg><p><math><a></p>`,
		`<span class="katex"><math></math></span><script type="math/tex">`, `<ol start="-9999999999999999999"><li>`, "<p>\xff\x00</p>",
		`<div itemscope itemprop="a"><table role=none><caption>`, `<plaintext>x`, `<noscript><img src=x></noscript>`,
	} {
		f.Add(html, "https://sea.example/", false)
		f.Add(html, "::", true)
	}
	f.Fuzz(func(t *testing.T, html, address string, whole bool) {
		p := extract.Extract(extract.Input{HTML: html, Address: address, Whole: whole})
		for _, out := range []string{p.Markdown(), p.Text(), p.HTML()} {
			if len(out) > 100_000+20*(len(html)+len(address)*strings.Count(html, "<")) {
				t.Errorf("%d bytes of HTML became %d", len(html), len(out))
			}
			if utf8.ValidString(html) && utf8.ValidString(address) && !utf8.ValidString(out) {
				t.Errorf("%q is no UTF-8", out)
			}
		}
		p.Links()
	})
}

// Libraries have nested loops for some of these pages. A page that takes minutes fails by the time
// limit of the test.
func TestLongPages(t *testing.T) {
	for _, part := range []string{
		"<p>x", "<div>x</div>", "<div><p>Some words, and a comma.</p></div>", "<br>", "<b>x", "<a href=x>x</a>", "<td colspan=100 rowspan=100>x",
		"<table><tr><td>x", "<li>x", "<h2>x</h2>", "<pre>x</pre>", "<img src=x>", "<font>x", "x ", "\n", "`", "[", "*a*", "&lt;",
		"<figcaption>x</figcaption>", "<p class=caption>x</p>", "<ul><li><a href=x>x", "<p>x: <a href=x>x</a></p>", "<div class=widget>x",
	} {
		p := extract.Extract(extract.Input{HTML: strings.Repeat(part, 50_000/len(part)), Address: "https://sea.example/"})
		if p.Markdown() == "" && strings.Contains(part, "x") && part != "<h2>x</h2>" {
			t.Errorf("%q many times is empty", part)
		}
	}
}
