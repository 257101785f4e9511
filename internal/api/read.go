package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/engine/render"
	"chela/internal/op"
	"chela/internal/reading/document"
	"chela/internal/reading/fetch"
	"chela/internal/reading/parser"
)

// fetchRows returns operations that read a document at an address, if possible without a browser.
func fetchRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /read", "read {url}",
			"Fetch a page, PDF or feed as Markdown: fastest for text. "+
				"It also fetches JSON and text, all without a browser or cookies. Try it before render, extract and open. "+
				"If a page turns out to need its scripts, a browser loads it; only then is text left out that style sheets hide.",
			readAddress, op.Confined, op.Anywhere("url"), op.Untrusted, op.Limit(60*s, 1*s, 60*s), op.Example("https://example.com/guide --outline")),
	}
}

// A readRequest is for the text at an address.
type readRequest struct {
	op.Timeout
	op.Fallback
	call.Seeing
	URL       op.Address `json:"url" alias:"targetUrl" doc:"address: http or https"`
	Render    string     `json:"render,omitempty" enum:"auto,never,always" default:"auto" doc:"auto: show the page in a browser if it turns out to need its scripts; never: answer the text that is there without scripts; always: show it in a browser" tool:"-"`
	Outline   bool       `json:"outline,omitempty" doc:"answer the numbered headings, with the length of each section in characters, instead of the text" tool:"-"`
	Section   int        `json:"section,omitempty" min:"1" doc:"number of a heading in the outline: answer only its section, with the sections below it" tool:"-"`
	MaxLength int        `json:"maxLength,omitempty" alias:"max_length" min:"1" max:"1000000" default:"50000" doc:"how many characters of text to answer; a longer text is cut after a paragraph, or else a word" tool:"-"`
}

// Check refuses what contradicts itself, before anything is fetched.
func (r readRequest) Check() error {
	if r.Outline && r.Section != 0 {
		return op.Errorf(op.Invalid, "outline cannot be combined with section").Hinted("ask for the outline first, then for one section of it")
	}
	_, err := webAddress(r.URL)
	return err
}

// The values of the field way of a readResult: how the text was got.
const (
	static   = "static"
	rendered = "rendered"
)

// readResult is the text of the document at an address, and how it was read.
type readResult struct {
	URL op.PageText `json:"url" doc:"address of the text, after redirects"`
	reached
	Way     string        `json:"way" doc:"how the text was read: static: by a plain fetch; rendered: in a browser, with the page's scripts"`
	Why     string        `json:"why,omitempty" doc:"why a browser was used, or would be needed for the whole text"`
	Kind    string        `json:"kind" doc:"kind of document: html, pdf, feed, json, xml, markdown or text"`
	Pages   int           `json:"pages,omitempty" doc:"number of pages of a PDF; each page is a section"`
	Partial bool          `json:"partial,omitempty" doc:"the document or page is not complete: the connection ended, or the time was over"`
	Note    string        `json:"note,omitempty" doc:"what is missing from the text, and why"`
	Outline []readHeading `json:"outline,omitempty" doc:"the headings, instead of the text"`
	Section *readHeading  `json:"section,omitempty" doc:"heading of the section, if section was given"`
	leftOut
	*Content
}

// readHeading is a heading of the text.
type readHeading struct {
	Number int         `json:"number" doc:"number of the heading in the outline, from 1"`
	Level  int         `json:"level" doc:"1 to 6, as in h1 to h6"`
	Title  op.PageText `json:"title" doc:"text of the heading"`
	Length int         `json:"length" doc:"length of its section in characters, with the sections below it"`
}

// Terminal prints the text alone, so that it can be piped.
func (r readResult) Terminal() string {
	if r.Outline == nil {
		return r.content()
	}
	all := make([]string, len(r.Outline))
	for i, h := range r.Outline {
		all[i] = fmt.Sprintf("%*d  %s%s (%d characters)", len(fmt.Sprint(len(r.Outline))), h.Number, strings.Repeat("  ", h.Level-r.topLevel()), h.Title, h.Length)
	}
	return words.Lines(all...)
}

// topLevel returns the level of the most important headings in an outline.
func (r readResult) topLevel() int {
	top := 6
	for _, h := range r.Outline {
		top = min(top, h.Level)
	}
	return top
}

// Warning returns what a reader of the text must know, such as that it was cut.
func (r readResult) Warning() string {
	own := ""
	if r.Outline == nil {
		own = r.caveat()
	}
	return words.Lines(
		r.reached.Warning(), words.If(r.Partial, "the document is not complete"),
		words.If(r.Way == static && r.Why != "", r.Why+": a browser would show more"),
		words.If(r.Way == rendered && r.Why != "", "shown in a browser: "+r.Why), r.Note, r.leftOut.note(), own,
	)
}

// Text returns the text as a model reads it. Before the text it has what is known about it, such as
// the address.
func (r readResult) Text() string {
	return words.Lines(r.Warning(), "url: "+string(r.URL), "way: "+r.Way, r.heading()) + "\n\n" + r.Terminal()
}

// readAddress fetches a document. It shows it in a browser only if the document needs its scripts.
func readAddress(ctx context.Context, s *call.Service, r readRequest) (readResult, error) {
	if r.Render == "always" {
		return readRendered(ctx, s, r, "")
	}
	got, err := readStatic(ctx, s, r)
	switch {
	case errors.Is(err, fetch.ErrEncoding) && r.Render != "never":
		return readRendered(ctx, s, r, fetch.ErrEncoding.Error())
	case err != nil:
		return readResult{}, explainFetch(err)
	case got.Why != "" && r.Render != "never":
		return readRendered(ctx, s, r, got.Why)
	}
	result, err := r.answer(got.Reading, leftOut{})
	result.URL, result.Way, result.Why, result.Partial = words.Shown(got.URL), static, got.Why, got.Partial
	result.describe(page.Arrival{Status: got.Status, OverHTTP: got.OverHTTP})
	return result, err
}

// fetched is a document that was read.
type fetched struct {
	*fetch.Document
	*parser.Reading
}

// readStatic fetches a document and reads it without a browser. It returns the errors of
// fetchDocument and of [parser.Parser.Document], a [*noText] and a [*cutPDF].
func readStatic(ctx context.Context, s *call.Service, r readRequest) (got fetched, err error) {
	end, err := s.BeginFetch(ctx)
	if err != nil {
		return got, err
	}
	defer end()
	go s.Parser.Prepare() // start a parser while the document is fetched
	if got.Document, err = fetchDocument(ctx, s, r); err != nil {
		return got, err
	}
	switch d := got.Document; {
	case d.Kind == fetch.Other:
		return got, &noText{d.URL, d.Type}
	case d.Kind == fetch.PDF && (d.Cut || d.Partial):
		return got, &cutPDF{d.Cut}
	}
	got.Reading, err = s.Parser.Document(ctx, got.Document, r.want(), r.Render != "never")
	return got, err
}

// fetchDocument fetches the document at an address. It returns the errors of
// [profile.Renderer.Dialer] and of [fetch.Get].
func fetchDocument(ctx context.Context, s *call.Service, r readRequest) (*fetch.Document, error) {
	dialer, err := s.Profiles.Renderer().Dialer(s.Hosts(ctx))
	if err != nil {
		return nil, err
	}
	defer dialer.Close()
	url, err := address(string(r.URL))
	if err != nil {
		return nil, err
	}
	return fetch.Get(ctx, dialer, fetch.Destination{URL: url, OrHTTP: r.OrHTTP})
}

// readRendered shows a page in a browser of its own, outside of all tabs, and then reads it.
func readRendered(ctx context.Context, s *call.Service, r readRequest, why string) (result readResult, err error) {
	v := render.View{
		Destination: page.Destination{URL: string(r.URL), OrHTTP: r.OrHTTP}, Viewport: ephemeralViewport,
		Pause: render.Pause{Settled: true},
	}
	partial, err := showEphemeral(ctx, s, v, func(ctx context.Context, p shownPage) error {
		content, left, err := renderedText(ctx, p, r)
		if err != nil {
			return err
		}
		result, err = r.answer(content, left)
		result.URL = words.Shown(p.URL())
		result.describeEphemeral(p.Page)
		return err
	})
	result.Way, result.Why, result.Partial = rendered, why, partial
	return result, err
}

// renderedText reads a page that is quiet. If the page has no text, it waits for loadedPause and
// reads again. The scripts of the page may have set a timer, which cannot be seen from outside.
func renderedText(ctx context.Context, p shownPage, r readRequest) (*parser.Reading, leftOut, error) {
	content, left, err := p.read(ctx, r.Hides(), r.want())
	if err != nil || content.Length > 0 || content.Section != nil {
		return content, left, err
	}
	if err := (render.Pause{Time: loadedPause}).Await(ctx, p.Page); err != nil {
		return content, left, nil // the time is over: return what was read before
	}
	return p.read(ctx, r.Hides(), r.want())
}

// want returns which part of the text the request asks for.
func (r readRequest) want() parser.Want {
	return parser.Want{Outline: r.Outline, Section: r.Section, Most: cmp.Or(r.MaxLength, defaultLength)}
}

// answer makes the result of what was read.
func (r readRequest) answer(of *parser.Reading, left leftOut) (readResult, error) {
	if r.Section > 0 && of.Section == nil {
		return readResult{}, noSection(r.Section, of.Headings)
	}
	result := readResult{Kind: of.Kind, Note: noteOn(of), leftOut: left, Content: described(of)}
	if of.PDF != nil {
		result.Pages = of.PDF.Count
	}
	if r.Outline {
		result.Outline = outlineOf(of.Outline)
		result.Note = words.Lines(result.Note,
			words.If(len(of.Outline) == 0, "the text has no headings"),
			words.If(len(of.Outline) < of.Headings, fmt.Sprintf("these are the first %d of %d headings: section takes the numbers of the others too", len(of.Outline), of.Headings)),
		)
		return result, nil
	}
	if of.Section != nil {
		result.Section = new(asHeading(r.Section-1, *of.Section))
	}
	result.Markdown = new(op.PageText(of.Text))
	result.Truncated = of.More || result.Truncated
	return result, nil
}

// noteOn says what is missing from the text of a document that is not a web page, such as a PDF.
func noteOn(of *parser.Reading) string {
	if of.PDF == nil {
		return words.If(of.LeftOut > 0, fmt.Sprintf("%d more entries were left out", of.LeftOut))
	}
	pdf := *of.PDF
	return words.Lines(
		words.If(pdf.Count > pdf.Pages, fmt.Sprintf("only the first %d of %d pages were read", pdf.Pages, pdf.Count)),
		words.If(pdf.Broken > 0, fmt.Sprintf("%d of the pages could not be read to their end", pdf.Broken)),
		words.If(pdf.Empty && pdf.Broken == 0, "the PDF has no text: its pages are pictures"),
		words.If(pdf.Empty && pdf.Broken > 0 && pdf.Broken < pdf.Pages, "the others have no text: they are pictures"),
		words.If(pdf.Unknown > 0 && !pdf.Empty, fmt.Sprintf("%d characters are not known: their fonts do not say which they are", pdf.Unknown)),
	)
}

// outlineOf lists headings. It is never nil.
func outlineOf(headings []document.Heading) []readHeading {
	list := []readHeading{}
	for i, h := range headings {
		list = append(list, asHeading(i, h))
	}
	return list
}

func asHeading(i int, h document.Heading) readHeading {
	return readHeading{Number: i + 1, Level: h.Level, Title: op.PageText(h.Title), Length: h.Length}
}

// noSection returns the error for a section that does not exist, with the sections that do.
func noSection(wanted, count int) *op.Error {
	if count == 0 {
		return op.Errorf(op.NotFound, "there is no section %d: the text has no headings", wanted).Hinted("read all of it")
	}
	return op.Errorf(op.NotFound, "there is no section %d: the text has %d", wanted, count).Hinted("see the outline for their numbers")
}
