package extract

import (
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// publishedOf returns when a page says it was published, or "". It is in the format of RFC 3339 if
// the page gives an instant: a time with an offset. Otherwise it is as the page writes it. A day, or
// a time without an offset, means another instant in each time zone.
func publishedOf(doc *html.Node, meta metas) string {
	date := cmp.Or(
		publishedInJSONLD(doc),
		meta.first("article:published_time", "date", "dc.date", "dcterms.date", "dcterms.available", "dcterms.created", "dcterms.issued",
			"weibo:article:create_at", "parsely-pub-date", "pubdate", "datepublished"),
	)
	if n := first(doc, isPublished); date == "" && n != nil {
		date = dateOf(n)
	}
	return rfc3339(date)
}

// publishedInJSONLD returns the first datePublished of a thing that JSON-LD describes as such, not as
// a part of another thing. The comments on an article are parts of it.
func publishedInJSONLD(doc *html.Node) string {
	for source := range jsonLD(doc) {
		var block any
		if len(source) > maxJSON || json.Unmarshal([]byte(withoutCDATA(source)), &block) != nil {
			continue
		}
		for thing := range thingsIn(block) {
			if date, _ := thing["datePublished"].(string); date != "" {
				return date
			}
		}
	}
	return ""
}

// thingsIn yields the things that a block of JSON-LD describes: one thing, a list of things, or those
// in a @graph.
func thingsIn(block any) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) { eachThing(block, yield) }
}

func eachThing(block any, yield func(map[string]any) bool) bool {
	switch block := block.(type) {
	case []any:
		for _, each := range block {
			if !eachThing(each, yield) {
				return false
			}
		}
	case map[string]any:
		return yield(block) && eachThing(block["@graph"], yield)
	}
	return true
}

// isPublished reports whether an element has the date on which the page was published.
func isPublished(n *html.Node) bool {
	return node.Attr(n, "itemprop") == "datePublished" || n.Data == "time" && node.Has(n, "pubdate")
}

func dateOf(n *html.Node) string {
	for _, key := range []string{"content", "datetime"} {
		if v := node.Attr(n, key); v != "" {
			return v
		}
	}
	return oneLine(node.Text(n))
}

// instants are formats of times with an offset. Names of time zones other than GMT are not among
// them: several zones have the same name.
var instants = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04-0700",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", http.TimeFormat, time.RFC1123Z,
}

// rfc3339 converts a time with an offset to the format of RFC 3339. It returns other texts as they
// are, but cut.
func rfc3339(date string) string {
	date = strings.TrimSpace(date)
	for _, layout := range instants {
		if at, err := time.Parse(layout, date); err == nil {
			return at.Format(time.RFC3339)
		}
	}
	return shorten(date, 100)
}
