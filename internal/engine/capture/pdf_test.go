package capture_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/test/tab"
)

var (
	mediaBox   = regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`)
	pageObject = regexp.MustCompile(`/Type /Page\b`)
)

// letter is how a test prints unless it says otherwise.
var letter = capture.Print{Width: 8.5, Height: 11, Scale: 1}

// printed is the PDF of a page.
func printed(t *tab.Tab, how capture.Print) (pdf []byte, err error) {
	t.Helper()
	err = t.InTurn(20*time.Second, func(ctx context.Context) error {
		return capture.PDF(ctx, t.Page, how, func(content io.Reader) (err error) {
			pdf, err = io.ReadAll(content)
			return err
		})
	})
	return pdf, err
}

func TestPDF(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<div style="height: 3000px">long</div>'; undefined`)
	with := func(change func(*capture.Print)) capture.Print {
		how := letter
		change(&how)
		return how
	}
	for _, s := range []struct {
		name          string
		how           capture.Print
		width, height float64 // in points, 72 for an inch
		pages         int
	}{
		{"as it is", letter, 612, 792, 3},
		{"on larger paper", with(func(p *capture.Print) { p.Width, p.Height = 16.54, 23.4 }), 1190.9, 1684.8, 2},
		{"landscape", with(func(p *capture.Print) { p.Landscape = true }), 792, 612, 4},
		{"smaller", with(func(p *capture.Print) { p.Scale = 0.3 }), 612, 792, 1},
		{"with wide margins", with(func(p *capture.Print) { p.Top, p.Bottom = 4, 4 }), 612, 792, 11},
		{"some pages", with(func(p *capture.Print) { p.Ranges = "2-" }), 612, 792, 2},
		{"with a header", with(func(p *capture.Print) { p.Top, p.Header = 1, `<span class="title"></span>` }), 612, 792, 4},
	} {
		t.Run(s.name, func(t *testing.T) {
			pdf, err := printed(tt, s.how)
			if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
				t.Fatalf("got %.20q, %v", pdf, err)
			}
			box := mediaBox.FindSubmatch(pdf)
			if box == nil {
				t.Fatalf("a PDF without a size: %.2000q", pdf)
			}
			width, _ := strconv.ParseFloat(string(box[1]), 64)
			height, _ := strconv.ParseFloat(string(box[2]), 64)
			if pages := len(pageObject.FindAll(pdf, -1)); math.Abs(width-s.width) > 1 || math.Abs(height-s.height) > 1 || pages != s.pages {
				t.Errorf("got %d pages of %v × %v, want %d of %v × %v", pages, width, height, s.pages, s.width, s.height)
			}
		})
	}
	var refused *capture.PrintError
	if _, err := printed(tt, with(func(p *capture.Print) { p.Ranges = "90-" })); !errors.As(err, &refused) {
		t.Errorf("pages that there are not: got %v", err)
	}
}

// A PDF that has several pieces is read whole, and an error of its reader is returned.
func TestLargePDF(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `
		const c = document.createElement('canvas'), paint = c.getContext('2d');
		c.width = c.height = 1000;
		const noise = paint.createImageData(1000, 1000);
		let n = 1;
		for (let i = 0; i < noise.data.length; i++) noise.data[i] = i % 4 == 3 ? 255 : (n = n * 16807 % 2147483647) & 255;
		paint.putImageData(noise, 0, 0);
		document.body.replaceChildren(c);
		undefined`)
	pdf, err := printed(tt, letter)
	if err != nil || len(pdf) < 2<<20 || !bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF")) {
		t.Errorf("got %d bytes, %v", len(pdf), err)
	}
	full := errors.New("full")
	err = tt.InTurn(20*time.Second, func(ctx context.Context) error {
		return capture.PDF(ctx, tt.Page, letter, func(io.Reader) error { return full })
	})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want the error of the reader", err)
	}
}
