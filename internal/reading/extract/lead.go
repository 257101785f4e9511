package extract

import (
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

const (
	maxLeads      = 3  // paragraphs between a title and the text
	minLeadLength = 40 // letters, as in the next line
	maxLeadLength = 1200
)

// addLead copies the paragraphs between the page's title and the content to the start of the
// content. Readability mostly leaves out the introduction of an article, because the introduction
// and the text are in different elements.
func (c *cleaner) addLead(content, region *html.Node) {
	title := c.title(region)
	if title == nil {
		return
	}
	start := content.FirstChild
	for _, n := range c.leads(title, region) {
		e := wrap(n.Data)
		c.copyChildren(e, n, restored)
		content.InsertBefore(e, start)
	}
}

// heading returns the text of the heading that is the title of the page. It is a heading that clean
// left out of the region, or else the last h1 before the region.
func (c *cleaner) heading(region *html.Node) string {
	title := c.title(region)
	for i, n := range c.elements {
		if !c.about[i].unseen && (n.Data == "h1" || n.Data == "h2") && c.isTitle(n) {
			title = n
			break
		}
	}
	if title == nil {
		return ""
	}
	return oneLine(node.Text(title))
}

// title returns the last h1 before a region, or nil.
func (c *cleaner) title(region *html.Node) (last *html.Node) {
	for _, n := range c.elements[:number(region)] {
		if n.Data == "h1" {
			last = n
		}
	}
	return last
}

func (c *cleaner) leads(title, region *html.Node) (found []*html.Node) {
	skipped := title
	for i := number(title) + 1; i < number(region) && len(found) < maxLeads; i++ {
		n := c.elements[i]
		switch {
		case within(n, skipped), within(region, n):
		case c.about[i].unseen, c.about[i].noise != "" && !namesLead(n), isAside(n):
			skipped = n
		case c.isLead(n):
			found, skipped = append(found, n), n
		}
	}
	return found
}

func isAside(n *html.Node) bool {
	switch n.Data {
	case "figure", "aside", "ul", "ol", "article", "table":
		return true
	}
	return false
}

func (c *cleaner) isLead(n *html.Node) bool {
	switch n.Data {
	case "p", "h2", "h3", "h4":
	default:
		if !namesLead(n) {
			return false
		}
	}
	m := c.of(n)
	return m.text >= minLeadLength && m.text < maxLeadLength && m.linked*5 < m.text
}

// namesLead reports whether an element says of itself that it introduces the text.
func namesLead(n *html.Node) bool {
	for _, word := range nameWords(node.Attr(n, "class")) {
		if leadWords()[word] {
			return true
		}
	}
	return isDescription(n)
}
