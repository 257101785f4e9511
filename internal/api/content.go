package api

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/extract"
	"chela/internal/reading/fetch"
	"chela/internal/reading/parser"
	"chela/internal/reading/snapshot"
)

// Content is the main content of a page, in one format, and what the page says of itself.
type Content struct {
	Title     op.PageText   `json:"title" doc:"title of the page"`
	Byline    op.PageText   `json:"byline" doc:"author of the content"`
	Published op.PageText   `json:"published" doc:"when the content was published: RFC 3339 if the page gives a time with an offset, else as the page writes it"`
	Lang      op.PageText   `json:"lang" doc:"language tag, such as en-GB"`
	Excerpt   op.PageText   `json:"excerpt" doc:"the page's description of itself, or its first paragraph"`
	FoundBy   string        `json:"foundBy" doc:"how the content was found. readability: by Mozilla's algorithm; article, main, body: it is in that element; text: no main content was found, so this is all text of the page; caller: by the given selector; document: this is not an HTML page, so all of it is content"`
	Markdown  *op.PageText  `json:"markdown,omitempty" doc:"the content as Markdown" tool:"document"`
	Plain     *op.PageText  `json:"text,omitempty" doc:"the content as text" tool:"document"`
	HTML      *op.PageText  `json:"html,omitempty" doc:"the content as HTML" tool:"document"`
	Links     []contentLink `json:"links" doc:"links in the content: each address once, 1000 at most"`
	MoreLinks bool          `json:"moreLinks,omitempty" doc:"the content has more links"`
	Length    int           `json:"length" doc:"characters of the whole content in this format"`
	Truncated bool          `json:"truncated" doc:"the content has more than maxLength characters, or only the beginning of the page was read"`
	PageCut   bool          `json:"pageTruncated,omitempty" doc:"only the beginning of the page was read: it is too large, or there was no time for more"`
	Data      *contentData  `json:"structured,omitempty" doc:"structured data of the page"`
}

// contentLink is a link in the content.
type contentLink struct {
	Text op.PageText `json:"text" doc:"text of the link"`
	URL  op.PageText `json:"url" doc:"address that the link leads to"`
}

// contentOf returns the content of a document in a format: markdown, text, html or json. With json
// it is the whole structure, whose content is Markdown.
func contentOf(of *parser.Reading, format string) *Content {
	c := described(of)
	to := &c.Markdown
	switch format {
	case "text":
		to = &c.Plain
	case "html":
		to = &c.HTML
	}
	*to = new(op.PageText(of.Text))
	c.Length, c.Truncated = of.Length, of.More || of.Cut
	return c
}

// described returns what a document says about itself, such as its title, without its content.
func described(of *parser.Reading) *Content {
	c := &Content{
		Title: words.Shown(of.Title), Byline: words.Shown(of.Byline), Published: words.Shown(of.Published), Lang: words.Shown(of.Lang), Excerpt: words.Shown(of.Excerpt),
		FoundBy: string(of.Way), Data: dataOf(of), Length: of.Length, Truncated: of.Cut, PageCut: of.Cut && of.Kind == string(fetch.HTML),
	}
	c.addLinks(of.Links)
	return c
}

// addLinks adds the links of the content. It leaves out addresses that are too long, since a part
// of one would lead to another place.
func (c *Content) addLinks(links []extract.Link) {
	c.Links = []contentLink{}
	for _, l := range links {
		if len(l.URL) <= words.MaxShown {
			c.Links = append(c.Links, contentLink{words.Shown(l.Text), op.PageText(l.URL)})
		}
	}
	c.MoreLinks = len(links) == extract.MaxLinks || len(c.Links) < len(links)
}

// contentData is the structured data of a page (JSON-LD and the like), without what is too large.
type contentData struct {
	extract.Data
	LeftOut []string `json:"leftOut,omitempty" doc:"kinds of data that are too large to be answered, and their sizes in bytes"`
}

// dataOf returns the structured data of a page; nil if there is none.
func dataOf(of *parser.Reading) *contentData {
	d := of.Data
	if len(d.JSONLD)+d.Invalid+len(d.OpenGraph)+len(d.Microdata)+len(d.Tables)+len(of.Large) == 0 {
		return nil
	}
	return &contentData{Data: d, LeftOut: of.Large}
}

// content returns the content in its format; "" if there is none.
func (c *Content) content() string {
	if c == nil {
		return ""
	}
	for _, format := range []*op.PageText{c.Markdown, c.Plain, c.HTML} {
		if format != nil {
			return string(*format)
		}
	}
	return ""
}

// heading returns what the page says about itself, such as its title, one line for each. A line break
// in one of them could begin a line that looks like chela's, such as another address.
func (c *Content) heading() string {
	if c == nil {
		return ""
	}
	line := func(prefix string, text op.PageText) string {
		return words.Prefixed(prefix, strings.Join(strings.Fields(string(text)), " "))
	}
	return words.Lines(line("title: ", c.Title), line("by: ", c.Byline), line("published: ", c.Published), line("language: ", c.Lang))
}

// beginningOnly is the note on a page if only its beginning was read.
const beginningOnly = "only the beginning of the page was read: it is too large, or there was no time for more"

// caveat returns what a reader of the content must know, such as that it was cut.
func (c *Content) caveat() string {
	if c == nil {
		return ""
	}
	subject := "page"
	if c.FoundBy == string(extract.ByCaller) {
		subject = "element"
	}
	kept := utf8.RuneCountInString(c.content())
	return words.Lines(
		words.If(c.Truncated && kept < c.Length, fmt.Sprintf("these are the first %d of %d characters: a larger maxLength shows more", kept, c.Length)),
		words.If(c.Truncated && kept == c.Length && !c.PageCut, "only the beginning was read: there is too much of it"),
		words.If(c.PageCut, beginningOnly),
		words.If(c.FoundBy == string(extract.ByText) && c.Length > 0, "no main content was found: this is all text of the page"),
		words.If(c.Length == 0, "the "+subject+" has no text"),
	)
}

// maxContent is how much of a document is read to find its content, in UTF-16 code units.
const maxContent = 4_000_000

// A shownPage is a page that a browser shows, and the parser that reads it.
type shownPage struct {
	*page.Page
	parser *parser.Parser
}

// read finds the main content of what the page shows now. The parameter hidden says how hidden text
// is shown, as the field Hidden of [page.View] does. It returns the errors of [page.Page.HTML], of
// refusePDF and of readPart.
func (p shownPage) read(ctx context.Context, hidden string, w parser.Want) (*parser.Reading, leftOut, error) {
	markup, err := p.HTML(ctx, "", hidden, maxContent)
	if err != nil {
		return nil, leftOut{}, err
	}
	return p.readPart(ctx, markup, false, w)
}

// readPart finds the main content of HTML that the page has shown. If whole is true, all of the
// HTML counts as content. It returns the errors of refusePDF and of [parser.Parser.Page].
func (p shownPage) readPart(ctx context.Context, m page.Markup, whole bool, w parser.Want) (*parser.Reading, leftOut, error) {
	if err := refusePDF(m); err != nil {
		return nil, leftOut{}, err
	}
	source := parser.Source{Address: p.URL(), Whole: whole, Verbatim: m.Text != "", Cut: m.Cut}
	found, err := p.parser.Page(ctx, cmp.Or(m.Text, m.HTML), source, w)
	return found, leftOut{op.OrNull(m.Unseen), m.Unopened}, err
}

// refusePDF returns an error if the page is a PDF, with a hint how to read it. In Chromium's PDF
// viewer, the document of the page has no text.
func refusePDF(m page.Markup) error {
	if m.Type != "application/pdf" {
		return nil
	}
	return op.Errorf(op.PageFailed, "the document is a PDF, and no page").Hinted("read its address: read takes PDFs, with render auto or never")
}

// leftOut is what was left out of a page, apart from what comes after its beginning.
type leftOut struct {
	Hidden   *snapshot.Unseen `json:"hidden,omitempty" doc:"how much text was left out because a person cannot see it"`
	Unopened bool             `json:"unopened,omitempty" doc:"some elements may have content that was not read: the page has too many closed shadow roots, or keeps changing. Another call on the tab may read more"`
}

// note says what was left out, for a person or a model; "" if nothing was.
func (l leftOut) note() string {
	hidden := ""
	if l.Hidden != nil {
		hidden = strings.TrimPrefix(l.Hidden.Note(), "- ")
	}
	return words.Lines(hidden, l.unopened())
}

// unopened says that elements may have content that was not read; "" if all was read.
func (l leftOut) unopened() string {
	return words.If(l.Unopened, page.Unopened+": another call on the tab may read more")
}
