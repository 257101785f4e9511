package pdftext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/ledongthuc/pdf"
)

// maxPages is how many pages are read.
const maxPages = 2000

// Parse reads a document: at most maxPages pages, and the pages until there are maxText bytes. The
// error is [ErrProtected], or says what the library does not understand, see [Broken].
func Parse(data []byte) (text *Text, err error) {
	broken := attempt(func() { text, err = parsed(data) })
	if broken != nil {
		return nil, fmt.Errorf("%v", broken)
	}
	return text, err
}

// attempt runs fn, and returns the value with which the library panics when it finds a fault; nil
// if it does not panic.
func attempt(fn func()) (fault any) {
	defer func() { fault = recover() }()
	fn()
	return nil
}

func parsed(data []byte) (*Text, error) {
	data = withPlainHeader(data)
	doc, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == pdf.ErrInvalidPassword {
		return nil, ErrProtected
	}
	if err != nil {
		return nil, err
	}
	root := doc.Trailer().Key("Root").Key("Pages")
	if root.Kind() != pdf.Dict {
		return nil, errors.New("it has no pages")
	}
	r := &reader{text: &Text{Title: oneLine(doc.Trailer().Key("Info").Key("Title").Text())}, fonts: map[string]*font{}}
	r.node(root, pdf.Value{}, 0)
	return r.text, nil
}

// withPlainHeader changes the beginning and the end of a document to what the library expects:
// version 1, and nothing before or after the document.
func withPlainHeader(data []byte) []byte {
	if start := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); start >= 0 {
		data = data[start:]
	}
	if end := bytes.LastIndex(data, []byte("%%EOF")); end >= 0 {
		data = data[:end+len("%%EOF")]
	}
	data = bytes.Clone(data)
	if len(data) > 9 {
		copy(data[5:], "1.7\n")
	}
	return data
}

// A reader goes through the pages of a document.
type reader struct {
	text  *Text
	fonts map[string]*font // fonts by the content of their dictionaries
	size  int              // bytes of text so far
	nodes int              // nodes of the page tree that were visited so far
}

// Limits for the tree of pages, and for forms within forms, which may be circular.
const (
	maxDepth = 20
	maxNodes = 20_000
	maxForms = 1000 // limit for one page
)

// node reads the pages below a node of the page tree. The node inherits the resources of the nodes
// above it.
func (r *reader) node(n, resources pdf.Value, depth int) {
	if own := n.Key("Resources"); !own.IsNull() {
		resources = own
	}
	kids := n.Key("Kids")
	if kids.Kind() != pdf.Array {
		r.page(func(c *canvas) { c.run(n.Key("Contents"), resources, 0) })
		return
	}
	for i := 0; i < kids.Len() && depth < maxDepth && r.nodes < maxNodes; i++ {
		r.nodes++
		if attempt(func() { r.node(kids.Index(i), resources, depth+1) }) != nil {
			r.page(func(c *canvas) { c.broken = true })
		}
	}
}

// page adds a page. A page that cannot be drawn to its end has the text that came before its fault.
func (r *reader) page(draw func(*canvas)) {
	r.text.Count++
	if len(r.text.Pages) >= maxPages || r.size > maxText {
		return
	}
	c := &canvas{reader: r}
	if fault := attempt(func() { draw(c) }); fault != nil || c.broken {
		r.text.Broken++
	}
	text := c.layout()
	r.size += len(text)
	r.text.Pages = append(r.text.Pages, text)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
