package parser

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"chela/internal/reading/document"
	"chela/internal/reading/extract"
	"chela/internal/wall/excerpt"
	"chela/internal/wall/secret"
)

// A Reading is the result of reading a document. Lengths are in characters.
type Reading struct {
	Kind string // html, pdf, feed, json, xml, markdown or text
	Why  string // why a browser should show the page instead; "" if it need not
	About

	Text     string             // the part of the text that the caller wanted; what a child sends is longer, see cut
	Headed   bool               // the text is Markdown, so it may have headings and blocks of code
	Length   int                // characters of the whole wanted text; Text may have only its beginning
	More     bool               // Text has only the beginning of the wanted text
	Headings int                // headings of the text; 0 unless an outline or a section was requested
	Outline  []document.Heading // nil unless the caller wanted it
	Section  *document.Heading  // the section that was read; nil for the whole text, and if there is no such section

	LeftOut int // entries of a feed that were not read
	PDF     *PDF
}

// A PDF is what is known of a PDF document.
type PDF struct {
	Pages   int  // pages that were read
	Count   int  // pages of the document
	Broken  int  // pages that were not read to their end
	Unknown int  // number of characters whose letters the PDF does not tell
	Empty   bool // no page that was read has text
}

// About is the metadata of a document, and its structured data.
type About struct {
	Title, Byline, Published, Lang, Excerpt string

	Way   extract.Way
	Cut   bool // the document is longer than the part that was read
	Links []extract.Link
	Data  extract.Data
	Large []string // kinds of data that are too large for the answer, and their sizes in bytes
}

// wholeDocument is the Way of a document that is not a page: all of it is content.
const wholeDocument = extract.AsItIs

// maxHeadings is how many headings an outline has.
const maxHeadings = 1000

// take sets the fields of a Reading for the requested part of a text. Text gets no more than w.Most
// characters of it.
func (r *Reading) take(text string, hasHeadings bool, w Want) {
	r.Headed = hasHeadings
	if w.Outline || w.Section != 0 {
		var headings []document.Heading
		if hasHeadings {
			headings = document.Headings(text)
		}
		r.Headings = len(headings)
		switch {
		case w.Outline:
			r.Outline = append([]document.Heading{}, headings[:min(len(headings), maxHeadings)]...)
			r.Length = utf8.RuneCountInString(text)
			return
		case w.Section > len(headings):
			r.Length = utf8.RuneCountInString(text) // the length shows that the page is not empty, although it has no such section
			return
		}
		r.Section = &headings[w.Section-1]
		text = r.Section.Section(text)
	}
	r.Text, _ = excerpt.First(text, w.Most)
	r.Length = utf8.RuneCountInString(text)
}

// toChild returns what a child is asked for. Its text is longer than the caller wants, and the server
// cuts it: only the server knows the secrets that a cut might divide. Two more characters show
// whether a paragraph ends at the cut.
func (w Want) toChild() Want {
	w.Most += secret.Longest() + len("\n\n")
	return w
}

// cut cuts the text of a child to the size that the caller wants.
func (r *Reading) cut(w Want) {
	cut := excerpt.Paragraphs
	switch {
	case w.Format == HTML:
		cut = excerpt.HTML
	case w.Format == Titled:
		cut = excerpt.First
	case r.Headed:
		cut = excerpt.Markdown
	}
	kept, rest := cut(r.Text, w.Most)
	r.Text, r.More = kept, rest > 0
}

// takePage takes the requested part of a page.
func (r *Reading) takePage(p *extract.Page, w Want) {
	r.Kind = "html"
	r.About = About{
		Title: p.Title, Byline: p.Byline, Published: p.Published, Lang: p.Lang, Excerpt: p.Excerpt,
		Way: p.Way, Cut: p.Cut, Links: p.Links(), Data: p.Data(),
	}
	r.boundData()
	p.Release()
	switch w.Format {
	case Text:
		r.take(p.Text(), false, w)
	case HTML:
		r.take(p.HTML(), false, w)
	case Titled:
		r.take(p.Titled(), true, w)
	default:
		r.take(p.Markdown(), true, w)
	}
}

// maxData bounds each kind of structured data, in bytes of JSON.
const maxData = 500_000

// boundData leaves out the kinds of data that have more than maxData, and lists them in Large.
func (a *About) boundData() {
	d := &a.Data
	for _, kind := range []struct {
		name   string
		values any
		drop   func()
	}{
		{"jsonLd", d.JSONLD, func() { d.JSONLD = nil }},
		{"openGraph", d.OpenGraph, func() { d.OpenGraph = nil }},
		{"microdata", d.Microdata, func() { d.Microdata = nil }},
		{"tables", d.Tables, func() { d.Tables = nil }},
	} {
		if raw, err := json.Marshal(kind.values); err != nil || len(raw) > maxData {
			kind.drop()
			a.Large = append(a.Large, fmt.Sprintf("%s: %d", kind.name, len(raw)))
		}
	}
}
