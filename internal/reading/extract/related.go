package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// Lists of links to other articles stand in and below texts, in elements like those of the text.
// Two things distinguish them from the lists of links in a manual. Their links are headlines, while
// those of a manual are terms, which are shorter. And a label such as "See also:" is above them.
const (
	minHeadline = 25 // letters of a link on average
	maxHeader   = 40 // letters of the label
)

// dropRelated removes lists of links to other articles, with their labels.
func dropRelated(content *html.Node) {
	for _, list := range lists(content) {
		label := list.PrevSibling
		for label != nil && isBlank(label) {
			label = label.PrevSibling
		}
		if label != nil && isLabel(label) && isHeadlines(list) {
			label.Parent.RemoveChild(label)
			list.Parent.RemoveChild(list)
		}
	}
}

func lists(n *html.Node) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Data == "ul" || d.Data == "ol" {
			found = append(found, d)
		}
	}
	return found
}

// isLabel reports whether an element is short, and is a heading or announces something, as "See
// also:" does.
func isLabel(n *html.Node) bool {
	text := strings.TrimSpace(node.Text(n))
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case n.Type != html.ElementNode || node.Letters(text) > maxHeader || node.Letters(text) == 0:
		return false
	case isHeading(n), strings.ContainsRune(":…»", last):
		return true
	}
	strong := first(n, func(n *html.Node) bool { return n.Data == "strong" || n.Data == "b" })
	return n.Data == "p" && strong != nil && node.Letters(node.Text(strong)) == node.Letters(text)
}

// isHeadlines reports whether a list is nothing but links with headlines.
func isHeadlines(list *html.Node) bool {
	links, linked := 0, 0
	for d := range list.Descendants() {
		if d.Data == "a" {
			links++
			linked += node.Letters(node.Text(d))
		}
	}
	return links > 0 && linked >= links*minHeadline && linked*10 >= node.Letters(node.Text(list))*9
}
