package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// text writes an element of the content as text, with an empty line between paragraphs, and a tab
// between the cells of a table. Captions of pictures are left out: without the pictures they stand
// between paragraphs that they do not belong to. They are kept on pages whose text is in captions.
func text(n *html.Node) string {
	w := textWriter{captions: captionLetters(n)*3 > node.Letters(node.Text(n))}
	w.node(n)
	return strings.TrimSpace(w.b.String())
}

// textWriter writes text. It delays white space until more text follows.
type textWriter struct {
	b        strings.Builder
	lines    int  // line breaks that are due
	space    bool // a space is due
	captions bool // captions of pictures are written
}

func (w *textWriter) node(n *html.Node) {
	if n.Type == html.TextNode {
		w.inline(n.Data)
		return
	}
	switch n.Data {
	case "figcaption":
		if !w.captions && captionsPicture(n) {
			return
		}
	case "pre":
		w.due(2)
		w.verbatim(node.Text(n))
		w.due(2)
		return
	case "br":
		w.due(1)
		return
	case "img":
		w.space = true
		return
	case "tr":
		w.due(1)
		w.row(n)
		w.due(1)
		return
	}
	lines := linesAround(n.Data)
	w.due(lines)
	for c := range n.ChildNodes() {
		w.node(c)
	}
	w.due(lines)
}

// captionLetters counts the letters and digits in captions.
func captionLetters(n *html.Node) (count int) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "figcaption" {
			count += node.Letters(node.Text(d))
		}
	}
	return count
}

// captionsPicture reports whether a caption belongs to a picture or film, and not to code, a table,
// a formula or a quote. The picture itself may be missing, since scripts may insert it later.
func captionsPicture(caption *html.Node) bool {
	return first(caption.Parent, func(n *html.Node) bool {
		switch n.Data {
		case "pre", "table", "blockquote":
			return true
		}
		return false
	}) == nil
}

// linesAround returns how many line breaks an element has before and after it.
func linesAround(tag string) int {
	switch tag {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "table", "figure":
		return 2
	case "div", "section", "article", "main", "header", "li", "dt", "dd", "tr", "caption", "figcaption",
		"hr", "address", "details", "summary", "center":
		return 1
	}
	return 0
}

func (w *textWriter) due(lines int) { w.lines = max(w.lines, lines) }

// row writes the cells of a row on one line. Empty cells at its end are left out.
func (w *textWriter) row(tr *html.Node) {
	var cells []string
	for c := range tr.ChildNodes() {
		if c.Data == "td" || c.Data == "th" {
			cells = append(cells, oneLine(text(wrapOf(c))))
		}
	}
	if line := strings.TrimRight(strings.Join(cells, "\t"), "\t"); line != "" {
		w.verbatim(line)
	}
}

// wrapOf returns the content of a cell without the cell.
func wrapOf(n *html.Node) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "div", FirstChild: n.FirstChild, LastChild: n.LastChild}
}

func (w *textWriter) inline(s string) {
	words := strings.Fields(s)
	if len(words) == 0 {
		w.space = w.space || s != ""
		return
	}
	w.space = w.space || strings.TrimLeftFunc(s, unicode.IsSpace) != s
	w.separate()
	w.b.WriteString(strings.Join(words, " "))
	w.space = strings.TrimRightFunc(s, unicode.IsSpace) != s
}

func (w *textWriter) verbatim(s string) {
	w.separate()
	w.b.WriteString(s)
}

// separate writes the white space that was delayed.
func (w *textWriter) separate() {
	switch {
	case w.b.Len() == 0:
	case w.lines > 0:
		w.b.WriteString(strings.Repeat("\n", w.lines))
	case w.space:
		w.b.WriteByte(' ')
	}
	w.lines, w.space = 0, false
}

// firstParagraph returns the first paragraph of the content that is more than a few words.
func firstParagraph(content *html.Node) string {
	p := first(content, func(n *html.Node) bool { return n.Data == "p" && node.Letters(node.Text(n)) > 40 })
	if p == nil {
		return ""
	}
	return oneLine(node.Text(p))
}
