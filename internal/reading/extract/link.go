package extract

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"chela/internal/base/weburl"
	"chela/internal/reading/node"
)

// Link is a link in the content.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// MaxLinks is how many links of a page are listed.
const MaxLinks = 1000

// Links returns the links in the content, each address once, and at most 1,000.
func (p *Page) Links() (links []Link) {
	seen := map[string]bool{}
	for n := range p.content.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" || len(links) == MaxLinks {
			continue
		}
		address, text := node.Attr(n, "href"), oneLine(node.Text(n))
		if address == "" || text == "" || seen[address] {
			continue
		}
		seen[address] = true
		links = append(links, Link{shorten(text, 300), address})
	}
	return links
}

// baseOf returns the base URL of a page's relative links.
func baseOf(doc *html.Node, address string) *url.URL {
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	if n := first(doc, tagged("base")); n != nil {
		if given, err := weburl.Resolve(base, node.Attr(n, "href")); err == nil {
			base = given
		}
	}
	return base
}

// resolve makes an address absolute. It returns "" for scripts, and for a text that is not an
// address.
func (c *cleaner) resolve(address string) string {
	address = strings.TrimSpace(address)
	if address == "" {
		return ""
	}
	u, err := weburl.Resolve(c.base, address)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "javascript", "data", "vbscript":
		return ""
	}
	return u.String()
}

// picture copies an image with its address and description. An image without an address becomes its
// description. It returns nil if there is neither.
func (c *cleaner) picture(n *html.Node) *html.Node {
	alt, address := oneLine(node.Attr(n, "alt")), c.resolve(pictureAddress(n))
	switch {
	case isPixel(n), alt == "" && address == "":
		return nil
	case address == "":
		return wrap("span", textNode(alt))
	}
	e := wrap("img")
	e.Attr = []html.Attribute{{Key: "src", Val: address}, {Key: "alt", Val: alt}}
	return e
}

// pictureAddress returns the address of an image. Pages that load images late have it in another
// attribute, and a placeholder in src.
func pictureAddress(n *html.Node) string {
	for _, key := range []string{"data-src", "data-lazy-src", "data-original", "src"} {
		if v := node.Attr(n, key); v != "" && !strings.HasPrefix(v, "data:") {
			return v
		}
	}
	if set := strings.Fields(node.Attr(n, "srcset")); len(set) > 0 {
		return strings.TrimSuffix(set[0], ",")
	}
	return ""
}

// isPixel reports whether an image is there to count visitors.
func isPixel(n *html.Node) bool { return node.Attr(n, "width") == "1" || node.Attr(n, "height") == "1" }

// spanning returns the attributes colspan and rowspan of a cell, if they are larger than 1. A cell
// is written once for each column and row that it fills, so c.spans limits their sum.
func (c *cleaner) spanning(n *html.Node) (attrs []html.Attribute) {
	for _, key := range []string{"colspan", "rowspan"} {
		if count := span(n, key); count > 1 && count <= c.spans {
			c.spans -= count
			attrs = append(attrs, html.Attribute{Key: key, Val: strconv.Itoa(count)})
		}
	}
	return attrs
}

// span returns a colspan or rowspan, from 1 to 100.
func span(n *html.Node, key string) int {
	count, err := strconv.Atoi(node.Attr(n, key))
	if err != nil {
		return 1
	}
	return min(max(count, 1), 100)
}
