package extract_test

import (
	"fmt"
	"strings"
	"testing"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"

	"chela/internal/extract"
)

// longPage is an article of 300 kB, with what pages have around one.
func longPage() string {
	var article strings.Builder
	for i := 0; article.Len() < 300_000; i++ {
		fmt.Fprintf(&article, `<section class="part"><h2 id="part-%[1]d">Part %[1]d</h2>%[2]s<p>See <a
href="/part/%[1]d">part %[1]d</a>, and <em>others</em>.</p>
<ul class="list"><li>boil</li><li>eat</li></ul>
<pre><code class="language-go">for i := range %[1]d {}</code></pre></section>`, i, strings.Repeat(paragraph, 3))
	}
	return page(article.String())
}

// BenchmarkExtract is to take at most 1.5 times of what the libraries alone do.
func BenchmarkExtract(b *testing.B) {
	html := longPage()
	for b.Loop() {
		if len(extract.Extract(extract.Input{HTML: html, Address: "https://sea.example/"}).Markdown()) < 100_000 {
			b.Fatal("the article is not found")
		}
	}
}

func BenchmarkLibraries(b *testing.B) {
	html := longPage()
	convert := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	for b.Loop() {
		a, err := readability.FromReader(strings.NewReader(html), nil)
		if err != nil || a.Node == nil {
			b.Fatal("the article is not found")
		}
		if markdown, err := convert.ConvertNode(a.Node); err != nil || len(markdown) < 100_000 {
			b.Fatal("the article is not written")
		}
	}
}
