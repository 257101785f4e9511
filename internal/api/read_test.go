package api

import (
	"testing"

	"chela/internal/reading/parser"
)

func TestNoteOnPDF(t *testing.T) {
	for _, c := range []struct {
		pdf  parser.PDF
		want string
	}{
		{parser.PDF{Pages: 1, Count: 1}, ""},
		{parser.PDF{Pages: 1, Count: 1, Empty: true}, "the PDF has no text: its pages are pictures"},
		{parser.PDF{Pages: 3, Count: 3, Empty: true, Broken: 1}, "1 of the pages could not be read to their end\nthe others have no text: they are pictures"},
		{parser.PDF{Pages: 3, Count: 3, Empty: true, Broken: 3}, "3 of the pages could not be read to their end"},
	} {
		if got := noteOn(&parser.Reading{PDF: &c.pdf}); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.pdf, got, c.want)
		}
	}
}
