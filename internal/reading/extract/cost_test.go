//go:build unix

package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"chela/internal/reading/extract"
)

// repeat repeats a part of a page until the text has the number of bytes in the parameter size. The
// number of the repetition takes the place of %[1]d.
func repeat(part string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, part, i)
	}
	return b.String()
}

// longPages are pages of 300 kB each.
func longPages() map[string]string {
	chapter := `<section class="part"><h2 id="part-%[1]d">Part %[1]d</h2>` + strings.Repeat(paragraph, 3) + `<p>See <a
href="/part/%[1]d">part %[1]d</a>, and <em>others</em>.</p>
<ul class="list"><li>boil</li><li>eat</li></ul>
<pre><code class="language-go">for i := range %[1]d {}</code></pre></section>`
	around := `<div class="teaser"><a href="/a/%[1]d"><img src="/i/%[1]d.jpg" alt=""><span class="title">What the sea gave back on day %[1]d</span></a>
<script>window.load(%[1]d, {"some": "settings", "of": "an advertisement"});</script><p class="teaser-text">A story of day %[1]d.</p></div>`
	linked := `<p>The <a href="/wiki/Lobster_%[1]d">lobster</a> of the <a href="/wiki/Sea" title="Sea">sea</a>, also called a <a href="/wiki/Claw">claw</a> in
<a href="/wiki/Harbour">harbours</a> that <a href="/wiki/Person_%[1]d" class="mw-redirect">someone</a> described<sup><a href="#note-%[1]d">[%[1]d]</a></sup>, lives alone.</p>`
	rows := `<tr><td>Lobster %[1]d</td><td>10 legs</td><td>%[1]d kg</td><td>caught off the coast, late at night</td><td>2024-05-06</td></tr>`
	return map[string]string{
		"typical": page(repeat(chapter, 120_000)) + repeat(around, 180_000),
		"article": page(repeat(chapter, 300_000)),
		"links":   page(repeat(linked, 300_000)),
		"tables": page(repeat(`<h2>Catch %[1]d</h2><p>What was caught in the week, by the boats of the harbour.</p><table><thead><tr>
<th>Kind</th><th>Legs</th><th>Weight</th><th>Where</th><th>Day</th></tr></thead><tbody>`+strings.Repeat(rows, 20)+`</tbody></table>`, 300_000)),
	}
}

// BenchmarkCost compares the CPU time of extract with the time of the libraries alone, for a page
// of 300 kB, HTML to Markdown. The goal is at most 1.5 times. The libraries are readability and
// html-to-markdown as they are published, one after the other. They alternate with our code, so
// that other load on the machine is the same for both. The ratio compares the medians.
func BenchmarkCost(b *testing.B) {
	for name, page := range longPages() {
		b.Run(name, func(b *testing.B) {
			var reading, libraries, ours []time.Duration
			for b.Loop() {
				var a readability.Article
				reading = append(reading, timed(func() { a = readByLibrary(b, page) }))
				libraries = append(libraries, reading[len(reading)-1]+timed(func() { writeByLibrary(b, a.Node) }))
				ours = append(ours, timed(func() { extract.Extract(extract.Input{HTML: page, Address: "https://sea.example/"}).Markdown() }))
			}
			b.ReportMetric(median(ours)/median(libraries), "x-libraries")
			b.ReportMetric(median(ours)/median(reading), "x-readability")
			b.ReportMetric(median(ours)*1000, "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func readByLibrary(b *testing.B, page string) readability.Article {
	a, err := readability.FromReader(strings.NewReader(page), nil)
	if err != nil || a.Node == nil {
		b.Fatal("the article is not found")
	}
	return a
}

func writeByLibrary(b *testing.B, content *html.Node) {
	convert := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	if markdown, err := convert.ConvertNode(content); err != nil || len(markdown) < 80_000 {
		b.Fatal("the article is not written", err, len(markdown))
	}
}

// timed returns the CPU time that the process takes while the function work runs, garbage
// collection included.
func timed(work func()) time.Duration {
	start := cpuTime()
	work()
	return cpuTime() - start
}

func cpuTime() time.Duration {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// median is in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}
