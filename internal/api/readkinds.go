package api

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/document"
	"chela/internal/extract"
	"chela/internal/fetch"
	"chela/internal/pdftext"
	"chela/internal/snapshot"
)

// readDocument reads what was fetched, by its kind. Why is why it should rather be shown in a browser.
// Errors are a [*noText] and those of [pdftext.Read].
func readDocument(ctx context.Context, d *fetch.Document) (found read, why string, err error) {
	switch d.Kind {
	case fetch.HTML:
		found, why = readHTML(d)
	case fetch.PDF:
		found, err = readPDF(ctx, d)
	case fetch.JSON:
		found = readJSON(d)
	case fetch.XML:
		found = readXML(d)
	case fetch.Text:
		found = readPlain(d)
	default:
		err = &noText{d.URL, d.Type}
	}
	return found, why, err
}

// A noText is the error for a document that has no text.
type noText struct{ url, mediaType string }

func (e *noText) Error() string { return e.url + " is " + e.mediaType + ", which has no text" }

// readHTML reads a page as the server has sent it, before any script.
func readHTML(d *fetch.Document) (found read, why string) {
	html, cut := extract.Bound(document.Decode(d.Body, d.Charset))
	why = document.NeedsBrowser(html, d.Status)
	content := extract.Extract(extract.Input{HTML: html, Address: d.URL})
	content.Cut = cut || d.Cut
	found = readPage(content, nil)
	if why == "" && found.text == "" && succeeded(d.Status) {
		why = "no text was found in the page"
	}
	return found, why
}

// readPage is the content of a page; unseen is what it has beside that.
func readPage(content *extract.Page, unseen *snapshot.Unseen) read {
	return read{kind: string(fetch.HTML), about: described(content), text: content.Markdown(), unseen: unseen, headings: true}
}

// readPDF reads a PDF. Each page is a section.
func readPDF(ctx context.Context, d *fetch.Document) (read, error) {
	if d.Cut || d.Partial {
		return read{}, &cutPDF{d.Cut}
	}
	doc, err := pdftext.Read(ctx, d.Body)
	if err != nil {
		return read{}, err
	}
	var b strings.Builder
	for i, text := range doc.Pages {
		fmt.Fprintf(&b, "## Page %d\n\n%s\n\n", i+1, asMarkdown(text))
	}
	found := read{kind: string(fetch.PDF), about: plainContent(doc.Title), text: strings.TrimSpace(b.String()), headings: true, pages: doc.Count}
	none := strings.TrimSpace(strings.Join(doc.Pages, "")) == ""
	found.about.Truncated = doc.Count > len(doc.Pages)
	found.note = lines(
		onlyIf(found.about.Truncated, fmt.Sprintf("only the first %d of %d pages were read", len(doc.Pages), doc.Count)),
		onlyIf(none, "the PDF has no text: its pages are pictures"),
		onlyIf(doc.Unknown > 0 && !none, fmt.Sprintf("%d characters are not known: their fonts do not say which they are", doc.Unknown)),
	)
	return found, nil
}

// A cutPDF is the error for a PDF that has not come in whole, as it cannot be read in part.
type cutPDF struct{ large bool }

func (e *cutPDF) Error() string {
	if e.large {
		return fmt.Sprintf("the PDF has more than the %d MB that are read", fetch.MaxPDF>>20)
	}
	return "the PDF has not come in whole"
}

// asMarkdown keeps the lines of a text from being headings or marks of code.
func asMarkdown(text string) string {
	all := strings.Split(text, "\n")
	for i, line := range all {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			all[i] = `\` + line
		}
	}
	return strings.Join(all, "\n")
}

// maxJSON is how many bytes of JSON are written in lines.
const maxJSON = 16 << 20

// readJSON reads a JSON feed, or else any JSON.
func readJSON(d *fetch.Document) read {
	text := document.Decode(d.Body, d.Charset)
	if feed := document.ReadJSON(text, d.URL); feed != nil {
		return readFeed(feed)
	}
	text, more := document.JSON(text, d.Cut || d.Partial, maxJSON)
	about := plainContent("")
	about.Truncated = more || d.Cut
	return read{kind: string(fetch.JSON), about: about, text: text}
}

// readXML reads an RSS or Atom feed, or else any XML as the text that it is.
func readXML(d *fetch.Document) read {
	text := document.Decode(d.Body, d.Charset)
	if feed := document.ReadXML(text, d.URL); feed != nil {
		return readFeed(feed)
	}
	return read{kind: string(fetch.XML), about: cutContent(d), text: text}
}

func readFeed(feed *document.Feed) read {
	about := plainContent(feed.Title)
	about.Truncated = feed.More > 0
	note := onlyIf(feed.More > 0, fmt.Sprintf("%d more entries were left out", feed.More))
	return read{kind: "feed", about: about, text: feed.Markdown(), headings: true, note: note}
}

// readPlain reads a text. One that is Markdown by its type or name has headings.
func readPlain(d *fetch.Document) read {
	found := read{kind: string(fetch.Text), about: cutContent(d), text: strings.TrimRight(document.Decode(d.Body, d.Charset), " \t\r\n")}
	name := strings.ToLower(d.Name)
	if strings.HasSuffix(d.Type, "markdown") || d.Type == "text/plain" && (strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown")) {
		found.kind, found.headings = "markdown", true
	}
	return found
}

// plainContent is what is known of a document that says nothing of itself but its title.
func plainContent(title string) *Content {
	return &Content{Title: shown(title), FoundBy: wholeDocument, Links: []contentLink{}}
}

// cutContent is that of a document that is shown as it is.
func cutContent(d *fetch.Document) *Content {
	about := plainContent("")
	about.Truncated = d.Cut
	return about
}

// wholeDocument stands for how the content of a document was found that is no page: it is all of it.
const wholeDocument = "document"
