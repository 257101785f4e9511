package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"chela/internal/excerpt"
	"chela/internal/extract"
	"chela/internal/op"
	"chela/internal/page"
	"chela/internal/snapshot"
)

// Content is the main content of a page, in one format, and what the page says of itself.
type Content struct {
	Title     op.Foreign    `json:"title" doc:"title of the page"`
	Byline    op.Foreign    `json:"byline" doc:"who wrote it"`
	Published op.Foreign    `json:"published" doc:"when: RFC 3339, or as the page has it"`
	Lang      op.Foreign    `json:"lang" doc:"language, as en-GB"`
	Excerpt   op.Foreign    `json:"excerpt" doc:"the page's description of itself, or its first paragraph"`
	FoundBy   string        `json:"foundBy" doc:"how the content was found: readability; article, main, body: the element that has it; text: all text of the page, as there is nothing else; caller: by the selector; document: it is no page, and all of it is content"`
	Markdown  *op.Foreign   `json:"markdown,omitempty" doc:"the content as Markdown"`
	Plain     *op.Foreign   `json:"text,omitempty" doc:"the content as text"`
	HTML      *op.Foreign   `json:"html,omitempty" doc:"the content as HTML"`
	Links     []contentLink `json:"links" doc:"links in the content: each address once, 1000 at most"`
	MoreLinks bool          `json:"moreLinks,omitempty" doc:"there are more"`
	Length    int           `json:"length" doc:"characters of the whole content in this format"`
	Truncated bool          `json:"truncated" doc:"there was more than maxLength characters, or more of the page than is read"`
	PageCut   bool          `json:"pageTruncated,omitempty" doc:"only the beginning of the page was read: it is too large, or there was no time for more"`
	Data      *contentData  `json:"structured,omitempty" doc:"structured data of the page"`
}

// contentLink is a link in the content.
type contentLink struct {
	Text op.Foreign `json:"text" doc:"its text"`
	URL  op.Foreign `json:"url" doc:"where it leads to"`
}

// contentResult is a page in a format: markdown, text, html, or json, which is all of it and has the
// content as Markdown. Content of more than most characters is cut.
func contentResult(of *extract.Page, format string, most int) *Content {
	c := described(of)
	whole, cut, to := of.Markdown, excerpt.Markdown, &c.Markdown
	switch format {
	case "text":
		whole, cut, to = of.Text, excerpt.Paragraphs, &c.Plain
	case "html":
		whole, cut, to = of.HTML, excerpt.HTML, &c.HTML
	}
	text := whole()
	kept, rest := cut(text, most)
	*to = new(op.Foreign(kept))
	c.Length, c.Truncated = utf8.RuneCountInString(text), rest > 0 || of.Cut
	return c
}

// described is what a page says of itself, without its content.
func described(of *extract.Page) *Content {
	c := &Content{
		Title: shown(of.Title), Byline: shown(of.Byline), Published: shown(of.Published), Lang: shown(of.Lang), Excerpt: shown(of.Excerpt),
		FoundBy: string(of.Way), Data: dataOf(of.Data()), Truncated: of.Cut, PageCut: of.Cut,
	}
	c.addLinks(of.Links())
	return c
}

// addLinks adds the links of the content. Addresses that are too long to be shown are left out: a part
// of one leads elsewhere.
func (c *Content) addLinks(links []extract.Link) {
	c.Links = []contentLink{}
	for _, l := range links {
		if len(l.URL) <= maxShown {
			c.Links = append(c.Links, contentLink{shown(l.Text), op.Foreign(l.URL)})
		}
	}
	c.MoreLinks = len(links) == extract.MaxLinks || len(c.Links) < len(links)
}

// contentData is the structured data of a page, without what is too large.
type contentData struct {
	extract.Data
	LeftOut []string `json:"leftOut,omitempty" doc:"kinds of data that are too large to be answered, and their sizes in bytes"`
}

// maxData bounds each kind of structured data, in bytes of JSON.
const maxData = 500_000

// dataOf bounds the structured data of a page; nil if there is none.
func dataOf(all extract.Data) *contentData {
	if len(all.JSONLD)+all.Invalid+len(all.OpenGraph)+len(all.Microdata)+len(all.Tables) == 0 {
		return nil
	}
	d := &contentData{Data: all}
	for _, kind := range []struct {
		name   string
		values any
		drop   func()
	}{
		{"jsonLd", all.JSONLD, func() { d.JSONLD = nil }},
		{"openGraph", all.OpenGraph, func() { d.OpenGraph = nil }},
		{"microdata", all.Microdata, func() { d.Microdata = nil }},
		{"tables", all.Tables, func() { d.Tables = nil }},
	} {
		if raw, err := json.Marshal(kind.values); err != nil || len(raw) > maxData {
			kind.drop()
			d.LeftOut = append(d.LeftOut, fmt.Sprintf("%s: %d", kind.name, len(raw)))
		}
	}
	return d
}

// content is the content in its format; "" if there is none.
func (c *Content) content() string {
	if c == nil {
		return ""
	}
	for _, format := range []*op.Foreign{c.Markdown, c.Plain, c.HTML} {
		if format != nil {
			return string(*format)
		}
	}
	return ""
}

// heading is what the page says of itself, a line for each.
func (c *Content) heading() string {
	if c == nil {
		return ""
	}
	return lines(
		prefixed("title: ", string(c.Title)), prefixed("by: ", string(c.Byline)), prefixed("published: ", string(c.Published)),
		prefixed("language: ", string(c.Lang)),
	)
}

// beginningOnly is for a page of which not all was read.
const beginningOnly = "only the beginning of the page was read: it is too large, or there was no time for more"

// caveat is what to know of the content beside the content.
func (c *Content) caveat() string {
	if c == nil {
		return ""
	}
	kept := utf8.RuneCountInString(c.content())
	return lines(
		onlyIf(c.Truncated && kept < c.Length, fmt.Sprintf("these are the first %d of %d characters: a larger maxLength shows more", kept, c.Length)),
		onlyIf(c.Truncated && kept == c.Length && !c.PageCut, "only the beginning was read: there is too much of it"),
		onlyIf(c.PageCut, beginningOnly),
		onlyIf(c.FoundBy == string(extract.ByText) && c.Length > 0, "no main content was found: this is all text of the page"),
		onlyIf(c.Length == 0, "the page has no text"),
	)
}

// jsonDocument is a result as JSON, for a reader.
func jsonDocument(result any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(result); err != nil {
		return err.Error() // it was made from JSON
	}
	return b.String()
}

// maxContent is how much of a document is read to find its content, in UTF-16 code units.
const maxContent = 4_000_000

// contentOf finds the main content of what a page shows now, and returns what use makes of it. hidden is that
// of a [page.View]; unseen is how much was left out for that. Errors are those of [page.Page.HTML], of
// refusePDF and of inTime.
func contentOf[T any](ctx context.Context, p *page.Page, hidden string, use func(content *extract.Page, unseen *snapshot.Unseen) T) (made T, err error) {
	markup, err := p.HTML(ctx, "", hidden, maxContent)
	if err == nil {
		err = refusePDF(markup)
	}
	if err != nil {
		return made, err
	}
	return inTime(ctx, func() T { return use(contentIn(markup, p.URL(), false), counted(markup.Unseen)) })
}

// refusePDF says what reads a PDF: what a browser shows of one is no page, and has no text.
func refusePDF(m page.Markup) error {
	if m.Type != "application/pdf" {
		return nil
	}
	return op.Errorf(op.PageFailed, "the document is a PDF, and no page").Hinted("read its address: read takes PDFs, with render auto or never")
}

// contentIn finds the main content of HTML; whole: all of it is.
func contentIn(m page.Markup, address string, whole bool) *extract.Page {
	if m.Text != "" {
		return extract.Verbatim(m.Text)
	}
	content := extract.Extract(extract.Input{HTML: m.HTML, Address: address, Whole: whole})
	content.Cut = content.Cut || m.Cut
	return content
}
