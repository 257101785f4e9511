package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Articles have dates, names of authors and numbers of comments above and below them, often in elements that say nothing of
// themselves. What is short and no sentence is taken for these, up to the first and from the last paragraph.
const (
	maxEdges      = 4    // at each end
	maxEdgeLength = 60   // letters
	minEdged      = 1000 // letters of content; little content may be nothing but labels
)

// trimEdges removes labels at both ends of the content.
func trimEdges(content *html.Node) {
	if letters(rawText(content)) < minEdged {
		return
	}
	blocks := leaves(content, nil)
	for i := 0; i < len(blocks) && i < maxEdges && isEdge(blocks[i]); i++ {
		remove(blocks[i])
	}
	for i := len(blocks) - 1; i >= maxEdges && len(blocks)-i <= maxEdges && isEdge(blocks[i]); i-- {
		if isHeading(blocks[i-1]) { // which it belongs to
			return
		}
		remove(blocks[i])
	}
}

func remove(n *html.Node) { n.Parent.RemoveChild(n) }

// leaves are the elements of the content that have text and no elements with paragraphs in them, in the order of the page.
func leaves(n *html.Node, found []*html.Node) []*html.Node {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode && letters(c.Data) > 0:
			found = append(found, c)
		case c.Type != html.ElementNode:
		case linesAround(c.Data) > 0 && first(c, func(n *html.Node) bool { return linesAround(n.Data) > 0 }) != nil:
			found = leaves(c, found)
		case hasText(c):
			found = append(found, c)
		}
	}
	return found
}

// isEdge reports whether a paragraph is a label.
func isEdge(n *html.Node) bool {
	switch n.Data {
	case "p", "div", "span", "section", "header", "address", "time", "center":
	default:
		return false
	}
	text := strings.TrimSpace(rawText(n))
	last, _ := utf8.DecodeLastRuneInString(text)
	return letters(text) <= maxEdgeLength && !strings.ContainsRune(".!?…:;,。！？\"”“»)", last) && first(n, isInlineContent) == nil
}

// isInlineContent reports whether an element is one that labels do not have.
func isInlineContent(n *html.Node) bool { return isCodeOrHeading(n) || isPicture(n) }
