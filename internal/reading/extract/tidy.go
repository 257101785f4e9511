package extract

import "golang.org/x/net/html"

// tidy returns a copy of an element without elements that say nothing: empty ones, and a div whose
// only content is another div.
func tidy(n *html.Node) *html.Node {
	e := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr}
	for c := range n.ChildNodes() {
		if kept := tidy(c); !isHollow(kept) {
			e.AppendChild(kept)
		}
	}
	if only := onlyChild(e); isPlainDiv(e) && only != nil && isPlainDiv(only) {
		e.RemoveChild(only)
		return only
	}
	return e
}

// isHollow reports whether an element is empty and shows nothing.
func isHollow(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "span", "a", "b", "i", "em", "strong":
		return n.FirstChild == nil
	case "div", "section", "p", "ul", "ol", "li":
		for c := range n.ChildNodes() {
			if !isBlank(c) {
				return false
			}
		}
		return true
	}
	return false
}

// onlyChild returns the only node in an element, ignoring white space, or nil.
func onlyChild(n *html.Node) (only *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case isBlank(c):
		case only != nil:
			return nil
		default:
			only = c
		}
	}
	return only
}

func isPlainDiv(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Data == "div" && len(n.Attr) == 0
}
