// Package parser reads what strangers wrote: pages, feeds, PDFs, texts. It does so in a child
// process, which may take a limited time and memory (package child).
//
// The child cuts the text to a little more than the size that is asked for. So the server does not
// hold the tree of a page, nor much more of its text than the answer has. A page whose tree would
// take more than maxTree is read only up to the place where the tree reaches this size.
//
// The child is started while the first document is fetched. It ends when there was no document for
// 30 s.
package parser

import (
	"context"
	"time"

	"chela/internal/base/child"
	"chela/internal/reading/fetch"
	"chela/internal/reading/pdftext"
)

// Limits of the work. The largest page that is read has 4 MB. It takes 1 to 3 seconds, and about
// 100 MB of memory.
const (
	maxTime      = 20 * time.Second
	maxMemory    = 128 << 20 // bytes; the program itself adds less than 15 MB
	maxMemoryPDF = 512 << 20 // bytes: the document, which may have 32 MB, is read as a whole
)

var (
	documentWork = &child.Work{Name: "read a document", Memory: maxMemory, Time: maxTime, Do: doDocument}
	pageWork     = &child.Work{Name: "find content", Memory: maxMemory, Time: maxTime, Do: doPage}
	partsWork    = &child.Work{Name: "write Markdown", Memory: maxMemory, Time: maxTime, Do: doParts}
	pdfWork      = &child.Work{Name: "read a PDF", Memory: maxMemoryPDF, Time: maxTime, Do: doPDF}
)

// RunIfChild does work if this process is a child. Programs that use a [Parser], and their tests,
// call it first.
func RunIfChild() { child.RunIfChild(documentWork, pageWork, partsWork, pdfWork) }

// A Parser reads documents. Errors of its methods are [child.ErrTooMuch], [child.ErrNotBegun],
// [child.ErrClosed], errors of starting a process, and the cause of ctx.
type Parser struct{ children *child.Pool }

// New returns a parser, without a child process yet.
func New() *Parser { return &Parser{child.NewPool()} }

// Close ends the child processes that have no work. The others end when their work is done.
func (p *Parser) Close() { p.children.Close() }

// Prepare starts a child process, for a document that is still to come.
func (p *Parser) Prepare() { p.children.Prepare() }

// A Want says in which format a caller wants a text, and how much of the text.
type Want struct {
	Format  Format // "": Markdown. Only pages have formats; other documents are read as they are
	Outline bool   // the caller wants the headings instead of the text
	Section int    // number of the heading whose section the caller wants, from 1; 0: the whole text
	Most    int    // maximum number of characters of the text
}

// A Format is the format in which the content of a page is written.
type Format string

const (
	Markdown Format = "markdown"
	Titled   Format = "titled" // Markdown with the page's title as its first heading; it may be cut after any character
	Text     Format = "text"
	HTML     Format = "html"
)

// A refusal says why a document could not be read, in the form in which a child process reports it.
type refusal struct {
	Protected bool   `json:",omitempty"`
	Broken    string `json:",omitempty"`
}

// Document reads what was fetched; its Kind must not be [fetch.Other]. If orWhy is true and the
// page needs a browser, it is not read further: only Why is set. Further errors are
// [pdftext.ErrProtected] and [pdftext.ErrBroken]. The Reading is nil with any error.
func (p *Parser) Document(ctx context.Context, d *fetch.Document, w Want, orWhy bool) (*Reading, error) {
	var answer struct {
		Reading
		refusal
	}
	work := documentWork
	if d.Kind == fetch.PDF {
		work = pdfWork
	}
	about := *d
	about.Body = nil
	if err := p.children.Do(ctx, work, documentParams{about, w.toChild(), orWhy}, d.Body, &answer); err != nil {
		return nil, err
	}
	if err := answer.refusal.err(); err != nil {
		return nil, err
	}
	answer.Reading.cut(w)
	return &answer.Reading, nil
}

func (r refusal) err() error {
	switch {
	case r.Protected:
		return pdftext.ErrProtected
	case r.Broken != "":
		return pdftext.Broken(r.Broken)
	}
	return nil
}

// A Source is a page that a browser shows, or a part of one.
type Source struct {
	Address  string // URL of the page, from which relative links start
	Whole    bool   // the whole page is content
	Verbatim bool   // the page is plain text, not HTML
	Cut      bool   // the page goes on beyond this part
}

// Page finds the content of a page.
func (p *Parser) Page(ctx context.Context, content string, s Source, w Want) (*Reading, error) {
	r := new(Reading)
	if err := p.children.Do(ctx, pageWork, pageParams{s, w.toChild()}, []byte(content), r); err != nil {
		return nil, err
	}
	r.cut(w)
	return r, nil
}

// A Part is a piece of a page.
type Part struct {
	Markdown string
	Cut      bool // the piece is longer than the part that was read
}

// Parts converts pieces of HTML from a page to Markdown, each piece by itself. The address is the
// page's URL, from which relative links start.
func (p *Parser) Parts(ctx context.Context, parts []string, address string) ([]Part, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	var written []Part
	err := p.children.Do(ctx, partsWork, partsParams{parts, address}, nil, &written)
	return written, err
}
