package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// child returns the first child with a tag, or nil.
func child(n *html.Node, tag string) *html.Node {
	if n == nil {
		return nil
	}
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && c.Data == tag {
			return c
		}
	}
	return nil
}

// first returns the first element below n for which the function wanted returns true, or nil.
func first(n *html.Node, wanted func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && wanted(d) {
			return d
		}
	}
	return nil
}

// tagged returns a condition for [first]: the element has this tag.
func tagged(tag string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == tag }
}

// within reports whether a node is another one, or inside it.
func within(n, ancestor *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// wrap makes an element with children.
func wrap(tag string, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func textNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func isBlank(n *html.Node) bool { return n.Type == html.TextNode && strings.TrimSpace(n.Data) == "" }

func isHeading(n *html.Node) bool {
	return n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6'
}

// oneLine returns a text with single spaces for all white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
