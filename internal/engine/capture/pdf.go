package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	cdpio "github.com/chromedp/cdproto/io"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/engine/transfer"
)

// A Print says how a page is printed. Lengths are in inches.
type Print struct {
	Width, Height            float64 // size of the paper in portrait format
	Top, Right, Bottom, Left float64 // margins
	Landscape                bool
	Scale                    float64 // from 0.1 to 2
	Background               bool    // print background colors and background images
	CSSPageSize              bool    // the page's own @page rules decide about the paper

	// Ranges are the pages to print, such as 1-5, 8; "" for all.
	Ranges string

	// Header and Footer are HTML, for each page; "" for none.
	Header, Footer string
}

// A PrintError says why Chromium could not print a page.
type PrintError struct{ Reason string }

func (e *PrintError) Error() string { return "the page could not be printed: " + e.Reason }

// TooFewPages reports whether the ranges name pages that the document does not have.
func (e *PrintError) TooFewPages() bool { return strings.HasPrefix(e.Reason, "Page range exceeds") }

// ErrNoPrinting says that the browser has no Page.printToPDF.
var ErrNoPrinting = errors.New("the browser prints no PDF")

// PDF prints the page as it is laid out for paper (@media print), and calls the function save with
// a reader of the PDF. The PDF is fetched from Chromium in pieces while save reads: a long page has
// hundreds of megabytes, which would be one message otherwise.
//
// The error is a [PrintError], [ErrNoPrinting], the error that save returned, or the cause that
// ended the turn.
func PDF(ctx context.Context, p *page.Page, how Print, save func(io.Reader) error) error {
	res, err := transfer.CallStream(ctx, p.Session(), proto.PrintToPDF, how.params(), func(res proto.PrintToPDFResult) cdpio.StreamHandle { return res.Stream })
	if refused, ok := errors.AsType[*cdp.Error](err); ok {
		if strings.Contains(refused.Message, "not implemented") || strings.Contains(refused.Message, "wasn't found") {
			return ErrNoPrinting
		}
		return &PrintError{refused.Message}
	}
	if err != nil {
		return fmt.Errorf("print: %w", frame.Failure(ctx, err))
	}
	content := transfer.NewStream(ctx, p.Session(), res.Stream)
	defer content.Close()
	return save(content)
}

func (how Print) params() proto.PrintToPDFParams {
	params := proto.PrintToPDFParams{
		Landscape: &how.Landscape, PrintBackground: &how.Background, Scale: how.Scale, PaperWidth: how.Width, PaperHeight: how.Height,
		MarginTop: &how.Top, MarginRight: &how.Right, MarginBottom: &how.Bottom, MarginLeft: &how.Left,
		PageRanges: how.Ranges, PreferCSSPageSize: &how.CSSPageSize, TransferMode: proto.PrintToPDFTransferModeReturnAsStream,
	}
	if how.Header != "" || how.Footer != "" {
		params.DisplayHeaderFooter = new(true)
		params.HeaderTemplate, params.FooterTemplate = marginText(how.Header), marginText(how.Footer)
	}
	return params
}

// marginText returns the template of a header or a footer. Instead of an empty template, Chromium
// would print its own, with the date or the address. Text without a size of its own is printed in
// size 0, so the template sets one.
func marginText(html string) string {
	return `<div style="width: 100%; margin: 0 1cm; font-size: 8pt">` + html + "</div>"
}
