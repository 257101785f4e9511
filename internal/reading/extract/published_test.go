package extract_test

import (
	"testing"

	"chela/internal/reading/extract"
)

// A time without an offset stays as the page writes it: nobody knows which instant it means.
func TestPublished(t *testing.T) {
	meta := func(name, content string) string { return `<meta name="` + name + `" content="` + content + `">` }
	for _, c := range []struct{ html, want string }{
		{meta("article:published_time", "2026-03-04T15:00:00+01:00"), "2026-03-04T15:00:00+01:00"},
		{meta("article:published_time", "2026-03-04T15:00:00.123Z"), "2026-03-04T15:00:00Z"},
		{meta("article:published_time", "2026-03-04T15:00:00+0100"), "2026-03-04T15:00:00+01:00"},
		{meta("article:published_time", "2026-03-04T15:00Z"), "2026-03-04T15:00:00Z"},
		{meta("article:published_time", "Wed, 04 Mar 2026 15:00:00 GMT"), "2026-03-04T15:00:00Z"},
		{meta("article:published_time", "2026-03-04T15:00:00"), "2026-03-04T15:00:00"},
		{meta("date", "2026-03-04 15:00:00"), "2026-03-04 15:00:00"},
		{meta("date", "2026-03-04"), "2026-03-04"},
		{meta("date", "03/04/2026"), "03/04/2026"},
		{meta("parsely-pub-date", "2026-03-04T15:00:00Z"), "2026-03-04T15:00:00Z"},
		{`<time pubdate datetime="2026-03-04">yesterday</time>`, "2026-03-04"},
		{`<time pubdate>4 March 2026</time>`, "4 March 2026"},
		{meta("date", "2020-01-01") + `<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2026-03-04T15:00:00+01:00"}</script>`, "2026-03-04T15:00:00+01:00"},
		{`<script type="application/ld+json">[{"@type": "Organization"}, {"@graph": [{"@type": "WebPage"}, {"@type": "BlogPosting", "datePublished": "2026-03-04"}]}]</script>`, "2026-03-04"},
		{`<script type="application/ld+json">{"datePublished": 5}</script><script type="application/ld+json">{</script>`, ""},
	} {
		if got := extract.Extract(extract.Input{HTML: c.html}).Published; got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.html, got, c.want)
		}
	}
}
