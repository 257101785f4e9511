package parser

import (
	"fmt"
	"strings"

	"chela/internal/reading/document"
	"chela/internal/reading/fetch"
	"chela/internal/reading/pdftext"
)

// readPDF reads the requested part of a PDF. Each page is a section.
func (r *Reading) readPDF(doc *pdftext.Text, w Want) {
	var b strings.Builder
	for i, text := range doc.Pages {
		fmt.Fprintf(&b, "## Page %d\n\n%s\n\n", i+1, asMarkdown(text))
	}
	r.Kind, r.About = string(fetch.PDF), About{Title: doc.Title, Way: wholeDocument}
	r.PDF = &PDF{
		Pages: len(doc.Pages), Count: doc.Count, Broken: doc.Broken, Unknown: doc.Unknown,
		Empty: strings.TrimSpace(strings.Join(doc.Pages, "")) == "",
	}
	r.take(strings.TrimSpace(b.String()), true, w)
}

// asMarkdown escapes the lines of a text that Markdown would read as headings or fences of code.
func asMarkdown(text string) string {
	all := strings.Split(text, "\n")
	for i, line := range all {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			all[i] = `\` + line
		}
	}
	return strings.Join(all, "\n")
}

// maxJSON is the maximum number of bytes of a JSON document after it was indented.
const maxJSON = 16 << 20

// readJSON reads a JSON feed, or else any JSON.
func (r *Reading) readJSON(d *fetch.Document, w Want) {
	text := document.Decode(d.Body, d.Charset)
	if feed := document.ReadJSON(text, d.URL); feed != nil {
		r.readFeed(feed, d.Cut, w)
		return
	}
	text, more := document.JSON(text, d.Cut || d.Partial, maxJSON)
	r.Kind, r.About = string(fetch.JSON), About{Way: wholeDocument, Cut: more || d.Cut}
	r.take(text, false, w)
}

// readXML reads an RSS or Atom feed, or else any XML as the text that it is.
func (r *Reading) readXML(d *fetch.Document, w Want) {
	text := document.Decode(d.Body, d.Charset)
	if feed := document.ReadXML(text, d.URL); feed != nil {
		r.readFeed(feed, d.Cut, w)
		return
	}
	r.Kind, r.About = string(fetch.XML), About{Way: wholeDocument, Cut: d.Cut}
	r.take(text, false, w)
}

func (r *Reading) readFeed(feed *document.Feed, cut bool, w Want) {
	r.Kind, r.LeftOut = "feed", feed.More
	r.About = About{Title: feed.Title, Way: wholeDocument, Cut: cut || feed.Cut || feed.More > 0}
	r.take(feed.Markdown(), true, w)
}

// readPlain reads a text. A text that is Markdown by its type or name has headings.
func (r *Reading) readPlain(d *fetch.Document, w Want) {
	r.Kind, r.About = string(fetch.Text), About{Way: wholeDocument, Cut: d.Cut}
	name := strings.ToLower(d.Name)
	hasHeadings := strings.HasSuffix(d.Type, "markdown") || d.Type == "text/plain" && (strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown"))
	if hasHeadings {
		r.Kind = "markdown"
	}
	r.take(strings.TrimRight(document.Decode(d.Body, d.Charset), " \t\r\n"), hasHeadings, w)
}
