package extract

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

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
		text, _ = Truncate(text, 300)
		links = append(links, Link{text, address})
	}
	return links
}

// baseOf is the address that relative links of a page start from.
func baseOf(doc *html.Node, address string) *url.URL {
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	if n := first(doc, tagged("base")); n != nil {
		if given, err := base.Parse(strings.TrimSpace(node.Attr(n, "href"))); err == nil {
			base = given
		}
	}
	return base
}

// resolve makes an address absolute. It is empty for scripts and what is no address.
func (c *cleaner) resolve(address string) string {
	address = strings.TrimSpace(address)
	if address == "" {
		return ""
	}
	u, err := c.base.Parse(address)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "javascript", "data", "vbscript":
		return ""
	}
	return u.String()
}

// picture copies an image with its address and description. Without an address it is its
// description. It returns nil when there is neither.
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

// pictureAddress is where an image is. Pages that load images late have it in an attribute of their
// own, and another image in src until then.
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

// spanning are the attributes of a cell that say how many columns and rows it fills. They are
// bounded, because each of these cells is written.
func (c *cleaner) spanning(n *html.Node) (attrs []html.Attribute) {
	for _, key := range []string{"colspan", "rowspan"} {
		if count := span(n, key); count > 1 && count <= c.spans {
			c.spans -= count
			attrs = append(attrs, html.Attribute{Key: key, Val: strconv.Itoa(count)})
		}
	}
	return attrs
}

// span is a colspan or rowspan, of 1 to 100.
func span(n *html.Node, key string) int {
	count, err := strconv.Atoi(node.Attr(n, key))
	if err != nil {
		return 1
	}
	return min(max(count, 1), 100)
}
