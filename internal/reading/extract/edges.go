package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// Articles have labels above and below the text, such as dates, names of authors and numbers of
// comments. The class names of these labels often do not say what they are. So before the first
// paragraph and after the last one, a short text that is not a sentence counts as a label. Labels are
// few: where more such texts follow each other, as in verses, these are the content.
const (
	maxEdges      = 4    // labels that are looked for at each end
	maxEdgeLength = 60   // letters
	minEdged      = 1000 // letters of content; shorter content may consist of labels only
)

// trimEdges removes labels, such as dates and names of authors, at both ends of the content.
func trimEdges(content *html.Node) {
	if !hasLetters(content, minEdged) {
		return
	}
	above := true
	for _, n := range besideText(leaves(content, false, 2*maxEdges)) {
		above = above && isEdge(n)
		if above || isEdge(n) && hasDate(n) {
			n.Parent.RemoveChild(n)
		}
	}
	last := besideText(leaves(content, true, maxEdges+1))
	for i, n := range last[:max(len(last)-1, 0)] {
		if !isEdge(n) || isHeading(last[i+1]) { // a label above a heading belongs to the heading
			break
		}
		n.Parent.RemoveChild(n)
	}
}

// besideText returns the parts if one of them is text, so that the others may be labels. Else it
// returns nil.
func besideText(parts []*html.Node) []*html.Node {
	if slices.ContainsFunc(parts, func(n *html.Node) bool { return !isEdge(n) }) {
		return parts
	}
	return nil
}

// hasLetters reports whether there are at least count letters and digits below a node.
func hasLetters(n *html.Node, count int) bool {
	if n.Type == html.TextNode {
		return node.Letters(n.Data) >= count
	}
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			count -= node.Letters(d.Data)
		}
		if count <= 0 {
			return true
		}
	}
	return false
}

// leaves returns the first parts of the content that have text and contain no paragraphs, at most
// as many as the parameter count says. If the parameter backward is true, it returns the last such
// parts.
func leaves(n *html.Node, backward bool, count int) (found []*html.Node) {
	next := func(c *html.Node) *html.Node { return c.NextSibling }
	c := n.FirstChild
	if backward {
		next, c = func(c *html.Node) *html.Node { return c.PrevSibling }, n.LastChild
	}
	for ; c != nil && len(found) < count; c = next(c) {
		switch {
		case !hasLetters(c, 1):
		case isParagraphs(c):
			found = append(found, leaves(c, backward, count-len(found))...)
		default:
			found = append(found, c)
		}
	}
	return found
}

// isParagraphs reports whether an element has paragraphs or the like in it.
func isParagraphs(n *html.Node) bool {
	return n.Type == html.ElementNode && linesAround(n.Data) > 0 && first(n, func(n *html.Node) bool { return linesAround(n.Data) > 0 }) != nil
}

// isEdge reports whether a paragraph is short and no sentence, as a date or an author's name is.
func isEdge(n *html.Node) bool {
	switch n.Data {
	case "p", "div", "span", "section", "header", "address", "time", "center":
	default:
		return false
	}
	text := strings.TrimSpace(node.Text(n))
	last, _ := utf8.DecodeLastRuneInString(text)
	return node.Letters(text) <= maxEdgeLength && !strings.ContainsRune(".!?…:;,。！？\"”“»)", last) && first(n, isInlineContent) == nil
}

// hasDate reports whether a paragraph has a year or a time of day in digits.
func hasDate(n *html.Node) bool {
	digits := strings.FieldsFunc(node.Text(n), func(r rune) bool { return (r < '0' || r > '9') && r != ':' })
	for _, s := range digits {
		if len(s) == 4 && (s[:2] == "19" || s[:2] == "20") || len(s) == 5 && s[2] == ':' {
			return true
		}
	}
	return false
}

// isInlineContent reports whether an element is code, a heading or a picture, which labels never
// contain.
func isInlineContent(n *html.Node) bool { return isCodeOrHeading(n) || isPicture(n) }
