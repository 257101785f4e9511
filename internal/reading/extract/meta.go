package extract

import (
	"strings"

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
	meta, _ := metaTags(doc)
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
	p.Published = publishedOf(doc, meta)
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

// take replaces the metadata by what readability found in the page, where it found something.
func (p *Page) take(a article) {
	for _, field := range []struct {
		to   *string
		from string
	}{{&p.Title, a.title}, {&p.Byline, a.byline}, {&p.Lang, a.lang}, {&p.Excerpt, a.excerpt}} {
		if field.from != "" {
			*field.to = field.from
		}
	}
}

// metas has the values of a page's meta elements by name, in lower case.
type metas map[string][]string

// metaTags returns the first maxEntries values. It reports whether there are more.
func metaTags(doc *html.Node) (all metas, more bool) {
	all, left := metas{}, maxEntries
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "meta" {
			continue
		}
		name, content := strings.ToLower(node.Attr(n, "property")), oneLine(node.Attr(n, "content"))
		if name == "" {
			name = strings.ToLower(node.Attr(n, "name"))
		}
		if name == "" || content == "" {
			continue
		}
		if left == 0 {
			return all, true
		}
		left--
		all[name] = append(all[name], shorten(content, maxValue))
	}
	return all, false
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
