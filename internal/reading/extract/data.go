package extract

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// Limits of structured data, since a page can have any amount of it.
const (
	maxEntries = 1000    // limit for entries of each kind
	maxValue   = 10_000  // bytes of a value
	maxJSON    = 1 << 20 // bytes of JSON-LD
)

// Data is the structured data that a page has for programs.
type Data struct {
	JSONLD    []json.RawMessage   `json:"jsonLd,omitempty" doc:"blocks of JSON-LD"`
	Invalid   int                 `json:"invalidJsonLd,omitempty" doc:"blocks of JSON-LD that are no JSON, or too long"`
	OpenGraph map[string][]string `json:"openGraph,omitempty" doc:"values of OpenGraph and Twitter cards by property"` // by property, such as "og:title", "article:tag" or "twitter:card"
	Microdata []*Item             `json:"microdata,omitempty" doc:"items of microdata"`
	Tables    []Table             `json:"tables,omitempty" doc:"tables of data, row by row"`
	More      []string            `json:"more,omitempty" doc:"kinds of data of which the page has more than is listed"`
}

// Data finds the structured data of a page. After [Page.Release] there is none.
func (p *Page) Data() Data {
	if p.doc == nil {
		return Data{}
	}
	return dataOf(p.doc, p.base)
}

// Release gives up the page around the content, which takes most of the memory.
func (p *Page) Release() { p.doc = nil }

func dataOf(doc *html.Node, base *url.URL) Data {
	var d Data
	note := func(kind string, more bool) {
		if more {
			d.More = append(d.More, kind)
		}
	}
	var moreProperties, moreItems, moreTables bool
	d.OpenGraph, moreProperties = openGraph(doc)
	d.Microdata, moreItems = microdata(doc, base)
	d.Tables, moreTables = tables(doc)
	note("openGraph", moreProperties)
	note("microdata", moreItems)
	note("tables", moreTables)
	size := 0
	for source := range jsonLD(doc) {
		block, ok := compact(source)
		if size += len(block); !ok || size > maxJSON {
			d.Invalid++
			continue
		}
		d.JSONLD = append(d.JSONLD, block)
	}
	return d
}

// jsonLD yields the texts of the blocks of JSON-LD, which may not be JSON.
func jsonLD(doc *html.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range doc.Descendants() {
			isBlock := n.Type == html.ElementNode && n.Data == "script" && n.FirstChild != nil && isJSONLD(node.Attr(n, "type"))
			if isBlock && !yield(n.FirstChild.Data) {
				return
			}
		}
	}
}

func isJSONLD(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/ld+json")
}

// compact returns JSON without white space. It reports whether the text is JSON at all.
func compact(source string) (json.RawMessage, bool) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(withoutCDATA(source))); err != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// withoutCDATA returns JSON without the CDATA section that some pages put around it.
func withoutCDATA(source string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(source), "<![CDATA["), "]]>")
}

// openGraph returns the Open Graph properties, which a page has for previews.
// It reports whether there may be more.
func openGraph(doc *html.Node) (found map[string][]string, more bool) {
	found = map[string][]string{}
	meta, more := metaTags(doc)
	for name, values := range meta {
		space, _, ok := strings.Cut(name, ":")
		if !ok {
			continue
		}
		switch space {
		case "og", "article", "book", "profile", "product", "music", "video", "twitter", "fb":
			found[name] = values
		}
	}
	return found, more
}
