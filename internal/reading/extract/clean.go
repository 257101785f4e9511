package extract

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// cleaner copies the content of a page and leaves out navigation, advertising and the like. The
// copy has absolute addresses, formulas as TeX and code without markup.
type cleaner struct {
	*survey
	base   *url.URL
	total  int      // letters of the region
	links  bool     // most letters of the region are in links: the page is an index, and lists of links are its content
	whole  bool     // everything in the region is content, because the caller has chosen it
	titles []string // titles of the page, in the form that comparable returns
	spans  int      // cells that colspan and rowspan may still add

	headline *html.Node // the first h1 that is shown, or nil
}

// maxSpans is how many cells colspan and rowspan may add to the tables of a page.
const maxSpans = 20_000

func (s *survey) cleaner(base *url.URL) *cleaner {
	c := &cleaner{survey: s, base: base, spans: maxSpans}
	for i, n := range s.elements {
		if n.Data == "h1" && !s.about[i].unseen {
			c.headline = n
			break
		}
	}
	return c
}

// clean copies a region.
func (c *cleaner) clean(region *html.Node) *html.Node {
	m := c.of(region)
	c.total, c.links = m.text, m.linked*2 > m.text
	out := wrap("div")
	c.copyChildren(out, region, unread)
	if !c.whole {
		if !c.links {
			dropRelated(out)
		}
		trimEdges(out)
		trimHeadings(out)
		trimRules(out)
	}
	return out
}

// everything copies a region with everything that is shown in it.
func (c *cleaner) everything(region *html.Node) *html.Node {
	c.whole = true
	return c.clean(region)
}

// trust says how far readability's decision about an element is followed for its children.
type trust int

const (
	unread   trust = iota // readability did not look at the children: they are content if they are like those that it kept
	judged                // readability kept the element, so it left out children on purpose
	restored              // readability left out the element, but it is content, and so is everything in it
)

// copyChildren copies the children of an element.
func (c *cleaner) copyChildren(to, from *html.Node, trust trust) {
	if m := c.of(from); trust == unread && (c.links || m.own || m.kept*10 >= m.text*7) {
		trust = judged
	}
	var like kin
	if trust == unread {
		like = c.kin(from)
	}
	for n := range from.ChildNodes() {
		switch {
		case n.Type == html.TextNode:
			to.AppendChild(textNode(n.Data))
		case n.Type == html.ElementNode && !c.copySpecial(to, n) && !c.drops(n, trust, like):
			if e := c.copyElement(n); e != nil {
				c.copyChildren(e, n, c.trustIn(n, trust))
				if !isEmptyLink(e) {
					to.AppendChild(e)
				}
			}
		}
	}
}

// trustIn returns how far readability's decision is followed for the children of an element that is
// copied, see trust.
func (c *cleaner) trustIn(n *html.Node, outside trust) trust {
	if m := c.of(n); m.kept == 0 && !m.own && m.text > 0 {
		return restored
	}
	return outside
}

// copySpecial copies elements that are not copied child by child. It reports whether this is such
// an element.
func (c *cleaner) copySpecial(to, n *html.Node) bool {
	if isTypeset(n) {
		return true
	}
	if f := formula(n); f != nil {
		to.AppendChild(f)
		return true
	}
	if n.Data == "pre" && !c.isUnseen(n) {
		to.AppendChild(codeBlock(n))
		return true
	}
	return false
}

// copyElement copies an element without its children, and without attributes that mean nothing in
// the copy. It returns nil when it is a picture that shows nothing.
func (c *cleaner) copyElement(n *html.Node) *html.Node {
	e := wrap(n.Data)
	switch n.Data {
	case "a":
		if address := c.resolve(node.Attr(n, "href")); address != "" && !isAnchorOfHeading(n) {
			e.Attr = []html.Attribute{{Key: "href", Val: address}}
		} else {
			e = wrap("span")
		}
	case "img":
		return c.picture(n)
	case "td", "th":
		e.Attr = c.spanning(n)
	case "ol":
		e.Attr = only(n, "start", "reversed")
	case "table":
		e.Attr = only(n, "role")
	case "time":
		e.Attr = only(n, "datetime")
	case "body", "html":
		e = wrap("div")
	case "blockquote": // the converter would mark only the first line of code in a blockquote as a quote
		if first(n, tagged("pre")) != nil {
			e = wrap("div")
		}
	case "b", "strong":
		if isHeading(n.Parent) {
			e = wrap("span")
		}
	case "div", "p", "span", "small", "em", "cite", "h2", "h3", "h4", "h5", "h6":
		if namesCaption(n) && besidePicture(n) {
			e = wrap("figcaption")
		}
	}
	return e
}

// isEmptyLink reports whether a link of the content has neither text nor a picture.
func isEmptyLink(n *html.Node) bool {
	return n.Data == "a" && !hasLetters(n, 1) && first(n, isPicture) == nil && oneLine(node.Text(n)) == ""
}

// isAnchorOfHeading reports whether a link in a heading leads to that heading.
func isAnchorOfHeading(n *html.Node) bool {
	return strings.HasPrefix(node.Attr(n, "href"), "#") && isHeading(n.Parent)
}

// only returns the attributes of an element that have these names.
func only(n *html.Node, keys ...string) (attrs []html.Attribute) {
	for _, key := range keys {
		if node.Has(n, key) {
			attrs = append(attrs, html.Attribute{Key: key, Val: node.Attr(n, key)})
		}
	}
	return attrs
}

// isUnseen reports whether an element has no text that can be content. All text that a chosen region
// shows can be content.
func (c *cleaner) isUnseen(n *html.Node) bool {
	if c.whole {
		return showsNothing(n)
	}
	return c.of(n).unseen
}

// drops reports whether an element is not content.
func (c *cleaner) drops(n *html.Node, trust trust, like kin) bool {
	m := c.of(n)
	switch {
	case c.isUnseen(n):
		return true
	case c.whole:
		return false
	case isSelfLink(n):
		return true
	case m.noise != "": // if most of the text is in the element, its name does not mean noise
		return m.text*10 < c.total*4 || m.kept == 0
	case c.isLinkAlone(n, m), c.isTitle(n):
		return true
	case m.kept > 0 || m.own || m.text == 0:
		return false
	}
	return trust == unread && !like.has(n) || trust != restored && !c.restores(n, m)
}

// isLinkAlone reports whether a paragraph is nothing but a link, such as a link to other articles,
// or back to a list. A label may stand before it: "See also: …".
func (c *cleaner) isLinkAlone(n *html.Node, m *measures) bool {
	switch n.Parent.Data {
	case "li", "td", "th", "dd", "dt":
		return false
	}
	switch n.Data {
	case "p", "div", "section", "blockquote":
	default:
		return false
	}
	switch {
	case c.links || m.linked == 0:
		return false
	case m.linked == m.text:
		return m.text < 100
	}
	return m.linked < 150 && m.linked > 20 && m.text-m.linked <= maxLabel && first(n, isCodeOrHeading) == nil && isLabeled(n)
}

// maxLabel is how many letters the label of a link has at most.
const maxLabel = 25

// isLabeled reports whether an element begins with a label for a separate link. A label is words
// and a sign such as a colon, as in "See also:".
func isLabeled(n *html.Node) bool {
	var label strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "a" {
			break
		}
		if d.Type == html.TextNode {
			label.WriteString(d.Data)
		}
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(label.String()))
	switch last {
	case ':', '|', '»', '…', '→':
		return true
	}
	return false
}

// isTitle reports whether a heading repeats the title of the page, which is given apart from the
// content. The title mostly has the first h1 as a part, with the name of the site. Of other headings,
// only long ones are recognized by a part.
func (c *cleaner) isTitle(n *html.Node) bool {
	if !isHeading(n) {
		return false
	}
	heading := comparable(node.Text(n))
	tells := len(heading) > 15 && n.Data <= "h2" || heading != "" && n == c.headline
	for _, title := range c.titles {
		if heading == title && heading != "" || tells && strings.Contains(title, heading) ||
			len(title) > 15 && strings.Contains(heading, title) && len(heading) < 2*len(title) {
			return true
		}
	}
	return false
}

// comparable returns a text without case, punctuation and white space, so that titles can be
// compared.
func comparable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// namesCaption reports whether an element says of itself that it describes a picture.
func namesCaption(n *html.Node) bool {
	return namesAny(node.Attr(n, "class"), captionWords())
}

// besidePicture reports whether the parent or grandparent of an element contains a picture. It
// looks only at the first nodes in each, because a page may have many captions in one element.
func besidePicture(n *html.Node) bool {
	for range 2 {
		if n = n.Parent; n == nil || n.Data == "body" {
			return false
		}
		left := 100
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && isPicture(d) {
				return true
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return false
}

func isPicture(n *html.Node) bool {
	switch n.Data {
	case "img", "picture", "video", "figure", "svg", "iframe":
		return true
	}
	return false
}

// restores reports whether an element that readability left out is content.
func (c *cleaner) restores(n *html.Node, m *measures) bool {
	switch n.Data {
	case "h1", "aside", "header":
		return false
	case "table", "dl":
		return c.links || m.linked*10 < m.text*8
	case "p", "div", "section", "ul", "ol", "figure", "article", "details", "center", "main":
		return c.links || m.linked*10 < m.text*4
	}
	return true
}

// kin are the kinds (tag and class) of those children of an element that readability kept.
type kin map[string]bool

const flowKind = "flow" // the key for all elements that isFlow accepts; kind never returns it

func (c *cleaner) kin(parent *html.Node) kin {
	kinds := kin{}
	for n := range parent.ChildNodes() {
		if n.Type != html.ElementNode || c.of(n).kept == 0 && !c.of(n).own {
			continue
		}
		kinds[kind(n)] = true
		if isFlow(n) {
			kinds[flowKind] = true
		}
	}
	return kinds
}

// kind returns the tag and class of an element.
func kind(n *html.Node) string { return n.Data + "." + node.Attr(n, "class") }

// has reports whether an element is of one of the kinds.
func (k kin) has(n *html.Node) bool {
	switch n.Data {
	case "article", "aside", "header":
		return false
	}
	return k[kind(n)] || isFlow(n) && k[flowKind]
}

// isFlow reports whether an element is a usual part of a text, such as a paragraph, list or table.
func isFlow(n *html.Node) bool {
	switch n.Data {
	case "p", "pre", "ul", "ol", "dl", "table", "blockquote", "figure":
		return true
	}
	return isHeading(n) && n.Data != "h1"
}

// trimRules removes horizontal lines at the start of the content, which no longer separate
// anything.
func trimRules(n *html.Node) {
	for c := n.FirstChild; c != nil && (isBlank(c) || c.Data == "hr"); c = n.FirstChild {
		n.RemoveChild(c)
	}
	if c := n.FirstChild; c != nil && (c.Data == "div" || c.Data == "section" || c.Data == "article") {
		trimRules(c)
	}
}

// trimHeadings removes headings and horizontal lines at the end of the content. The text below them
// was left out as noise.
func trimHeadings(n *html.Node) {
	for last := n.LastChild; last != nil; last = n.LastChild {
		switch {
		case isBlank(last), isHeading(last), last.Data == "hr":
		case last.Data == "div", last.Data == "section", last.Data == "article":
			trimHeadings(last)
			if last.FirstChild != nil {
				return
			}
		default:
			return
		}
		n.RemoveChild(last)
	}
}

func isCodeOrHeading(n *html.Node) bool { return n.Data == "code" || n.Data == "pre" || isHeading(n) }
