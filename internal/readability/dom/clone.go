package dom

import "golang.org/x/net/html"

// Clone returns a copy of a node, and if deep is set of all below it; it has no parent and no siblings. The nodes of one copy
// are allocated together, and so are their attributes: readability copies the whole page for each of its attempts, and to
// allocate one by one was most of what that took.
func Clone(src *html.Node, deep bool) *html.Node {
	if !deep {
		return &html.Node{Type: src.Type, DataAtom: src.DataAtom, Data: src.Data, Attr: append([]html.Attribute(nil), src.Attr...)}
	}
	nodes, attributes := 1, len(src.Attr)
	for n := range src.Descendants() {
		nodes, attributes = nodes+1, attributes+len(n.Attr)
	}
	c := copier{make([]html.Node, nodes), make([]html.Attribute, 0, attributes)}
	return c.copy(src)
}

// A copier has the memory for a copy.
type copier struct {
	nodes      []html.Node      // not used yet
	attributes []html.Attribute // its capacity is enough for all
}

func (c *copier) copy(src *html.Node) *html.Node {
	n := &c.nodes[0]
	c.nodes = c.nodes[1:]
	n.Type, n.DataAtom, n.Data = src.Type, src.DataAtom, src.Data
	if start := len(c.attributes); len(src.Attr) > 0 {
		c.attributes = append(c.attributes, src.Attr...)
		n.Attr = c.attributes[start:len(c.attributes):len(c.attributes)]
	}
	for child := src.FirstChild; child != nil; child = child.NextSibling {
		n.AppendChild(c.copy(child))
	}
	return n
}
