package extract

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"chela/internal/base/weburl"
	"chela/internal/reading/node"
)

// Item is an item of a page's microdata: a thing with properties, whose values are texts or items.
type Item struct {
	Type       string           `json:"type,omitempty"`
	ID         string           `json:"id,omitempty"`
	Properties map[string][]any `json:"properties"`
}

// microdata returns the items of a page that are not a property of another item. It reports whether
// there are more items or values.
func microdata(doc *html.Node, base *url.URL) (items []*Item, more bool) {
	r := &itemReader{base: base, left: maxEntries}
	r.read(doc, nil)
	return r.items, r.more
}

type itemReader struct {
	base  *url.URL
	items []*Item
	left  int  // how many more values may be taken
	more  bool // a value was not taken
}

// take reports whether one more value may be taken, and counts it.
func (r *itemReader) take() bool {
	if r.left == 0 {
		r.more = true
		return false
	}
	r.left--
	return true
}

// read reads what is below a node. The parameter in is the item around the node; nil if there is
// none.
func (r *itemReader) read(n *html.Node, in *Item) {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || r.more {
			continue
		}
		names := strings.Fields(node.Attr(c, "itemprop"))
		if !node.Has(c, "itemscope") {
			r.add(in, names, func() any { return r.value(c) })
			r.read(c, in)
			continue
		}
		item := &Item{Type: node.Attr(c, "itemtype"), ID: node.Attr(c, "itemid"), Properties: map[string][]any{}}
		switch {
		case in != nil && len(names) > 0:
			r.add(in, names, func() any { return item })
		case r.take():
			r.items = append(r.items, item)
		}
		r.read(c, item)
	}
}

func (r *itemReader) add(in *Item, names []string, value func() any) {
	if in == nil || len(names) == 0 {
		return
	}
	v := value()
	for _, name := range names {
		if r.take() {
			in.Properties[name] = append(in.Properties[name], v)
		}
	}
}

// value returns the value of a property, by the rules of HTML.
func (r *itemReader) value(n *html.Node) string {
	value := ""
	switch n.Data {
	case "a", "area", "link":
		value = r.resolve(node.Attr(n, "href"))
	case "img", "audio", "video", "embed", "iframe", "source", "track":
		value = r.resolve(node.Attr(n, "src"))
	case "object":
		value = r.resolve(node.Attr(n, "data"))
	case "meter", "data":
		value = node.Attr(n, "value")
	default:
		switch {
		case node.Has(n, "content"):
			value = node.Attr(n, "content")
		case n.Data == "time" && node.Has(n, "datetime"):
			value = node.Attr(n, "datetime")
		default:
			value = oneLine(seenText(n))
		}
	}
	return shorten(value, maxValue)
}

func (r *itemReader) resolve(address string) string {
	if u, err := weburl.Resolve(r.base, address); err == nil {
		return u.String()
	}
	return address
}

// seenText returns the text below a node, without scripts and styles. An ellipsis stands in the place
// of what is beyond maxValue.
func seenText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "script" && d.Parent.Data != "style" {
			if b.Len() > maxValue {
				b.WriteString("…")
				break
			}
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
