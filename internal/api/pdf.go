package api

import (
	"context"
	"io"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/lazyregexp"
	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A pdfRequest prints the page to a PDF. The names of the parameters are Playwright's where it has
// them. OpenClaw has no such parameters.
type pdfRequest struct {
	call.On
	op.Timeout
	Paper       string   `json:"paper,omitempty" alias:"format" doc:"size of the paper: letter (the default), legal, tabloid, ledger, a0 to a6, or a size such as 210x297mm" tool:"-"`
	Landscape   bool     `json:"landscape,omitempty" doc:"print in landscape format" tool:"-"`
	Margin      string   `json:"margin,omitempty" doc:"one to four lengths in px, pt, mm, cm or in, in the order top, right, bottom, left; 1cm when left out" tool:"-"`
	Scale       *float64 `json:"scale,omitempty" min:"0.1" max:"2" wrong:"scale must be between 0.1 and 2" doc:"size of the content, from 0.1 to 2; 1 when left out" tool:"-"`
	Background  *bool    `json:"printBackground,omitempty" flag:"print-background,background,!no-background" doc:"print the colors and pictures of the background; true when left out" tool:"-"`
	CSSPageSize bool     `json:"preferCSSPageSize,omitempty" flag:"prefer-css-page-size" doc:"take the size of the paper from the page's own @page rules, if it has any" tool:"-"`
	Ranges      string   `json:"pageRanges,omitempty" doc:"pages to print, such as 1-5, 8; all when left out" tool:"-"`
	Header      string   `json:"headerTemplate,omitempty" flag:"header-template,header" doc:"HTML at the top of each page; elements of the classes date, title, url, pageNumber and totalPages are filled in" tool:"-"`
	Footer      string   `json:"footerTemplate,omitempty" flag:"footer-template,footer" doc:"HTML at the bottom of each page, with the same classes as headerTemplate" tool:"-"`
}

// Check reads all lengths and ranges before a tab is looked for: Chromium's messages for these
// name no parameter.
func (r pdfRequest) Check() error {
	_, err := r.print()
	return err
}

// print returns how the page is to be printed. Margins as large as the paper are an error, because
// Chromium's message for that mentions neither margins nor paper. Lengths are in inches, as in the
// protocol. For landscape, width and height are given as for portrait, and Chromium exchanges them;
// the margins are for the landscape page.
func (r pdfRequest) print() (how capture.Print, err error) {
	how = capture.Print{
		Landscape: r.Landscape, Scale: 1, Background: r.Background == nil || *r.Background, CSSPageSize: r.CSSPageSize,
		Ranges: r.Ranges, Header: r.Header, Footer: r.Footer,
	}
	if r.Scale != nil {
		how.Scale = *r.Scale
	}
	if how.Width, how.Height, err = paperSize(r.Paper); err != nil {
		return how, err
	}
	margins, err := marginsOf(r.Margin)
	if err != nil {
		return how, err
	}
	how.Top, how.Right, how.Bottom, how.Left = margins[0], margins[1], margins[2], margins[3]
	width, height := how.Width, how.Height
	if r.Landscape {
		width, height = height, width
	}
	if how.Left+how.Right >= width || how.Top+how.Bottom >= height {
		return how, op.Errorf(op.Invalid, "the margins leave nothing of the paper")
	}
	if loadsStyles().MatchString(r.Header) || loadsStyles().MatchString(r.Footer) {
		return how, op.Errorf(op.Invalid, "headerTemplate and footerTemplate cannot load style sheets").Hinted("write the rules in a style element")
	}
	return how, checkRanges(r.Ranges)
}

// loadsStyles matches a header or footer template that would load a style sheet. Chromium renders
// the templates in a document that waits for style sheets but cannot load them: printing fails, or
// the tab crashes.
var loadsStyles = lazyregexp.New(`(?i)<link\b|@import\b`)

// pdfResult is a saved PDF.
type pdfResult struct {
	Path op.File `json:"path,omitempty" doc:"where the PDF was saved"`
}

// Text returns the path of the PDF in the form that models know from OpenClaw.
func (r pdfResult) Text() string { return words.Prefixed("FILE:", string(r.Path)) }

// Terminal returns the path of the PDF in the form of the command line. It is empty if there is no
// PDF because of a dialog.
func (r pdfResult) Terminal() string { return words.Prefixed("PDF: ", string(r.Path)) }

// AfterDialog says how to get the PDF: Chromium prints none while a dialog is open.
func (r pdfResult) AfterDialog(page.Dialog) string {
	if r.Path != "" {
		return ""
	}
	return "answer the dialog, then call again"
}

// pdf saves the PDF in the folder for pictures of pages. The age and the total size of the files
// there are bounded. The page is laid out for paper (@media print), which may differ much from what
// the tab shows. Some browsers with windows cannot print to a PDF: then the error is
// [op.NotSupported].
func pdf(ctx context.Context, t *call.Turn, r pdfRequest) (made pdfResult, err error) {
	how, err := r.print()
	if err != nil {
		return made, err
	}
	err = capture.PDF(ctx, t.Page, how, func(content io.Reader) error {
		path, err := t.Service.Files.Save(content, "pdf")
		made.Path = op.File(path)
		return err
	})
	return made, err
}
