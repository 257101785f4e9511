package extract

import (
	"strings"
	"time"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// describe reads the metadata of the page. Values that readability finds later replace it, see
// [Page.take].
func (p *Page) describe(doc *html.Node) {
	root := child(doc, "html")
	if root == nil {
		return
	}
	p.Lang = node.Attr(root, "lang")
	meta := metaTags(doc)
	p.titles = titlesOf(doc, meta)
	p.Title = meta.first("og:title", "twitter:title", "title")
	if title := first(doc, tagged("title")); p.Title == "" && title != nil {
		p.Title = oneLine(node.Text(title))
	}
	if h1 := first(doc, tagged("h1")); p.Title == "" && h1 != nil {
		p.Title = oneLine(node.Text(h1))
	}
	p.Byline = meta.first("author", "article:author", "dc.creator")
	p.Excerpt = meta.first("description", "og:description", "twitter:description")
	p.Published = meta.first("article:published_time", "date", "dc.date", "dcterms.date", "pubdate", "datepublished")
	if n := first(doc, isPublished); p.Published == "" && n != nil {
		p.Published = dateOf(n)
	}
	p.Published = rfc3339(p.Published)
}

// titlesOf returns the titles that a page declares, in the form of [comparable].
func titlesOf(doc *html.Node, given metas) (titles []string) {
	all := append(append([]string{}, given["og:title"]...), given["twitter:title"]...)
	if title := first(doc, tagged("title")); title != nil {
		all = append(all, node.Text(title))
	}
	for _, title := range all {
		if title = comparable(title); title != "" {
			titles = append(titles, title)
		}
	}
	return titles
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

// rfc3339 converts a date to the format of RFC 3339 if its own format is known.
func rfc3339(date string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, date); err == nil {
			return at.Format(time.RFC3339)
		}
	}
	date, _ = Truncate(date, 100)
	return date
}

// take replaces the metadata by what readability found in the page, where it found something.
func (p *Page) take(a article) {
	for _, field := range []struct {
		to   *string
		from string
	}{{&p.Title, a.title}, {&p.Byline, a.byline}, {&p.Published, a.published}, {&p.Lang, a.lang}, {&p.Excerpt, a.excerpt}} {
		if field.from != "" {
			*field.to = field.from
		}
	}
}

// metas has the values of a page's meta elements by name, in lower case.
type metas map[string][]string

func metaTags(doc *html.Node) metas {
	all := metas{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "meta" || len(all) >= maxEntries {
			continue
		}
		name, content := strings.ToLower(node.Attr(n, "property")), oneLine(node.Attr(n, "content"))
		if name == "" {
			name = strings.ToLower(node.Attr(n, "name"))
		}
		if name != "" && content != "" {
			content, _ = Truncate(content, maxValue)
			all[name] = append(all[name], content)
		}
	}
	return all
}

// first returns the first value of the first name that has a value.
func (m metas) first(names ...string) string {
	for _, name := range names {
		if len(m[name]) > 0 {
			return m[name][0]
		}
	}
	return ""
}
