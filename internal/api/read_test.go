package api

import (
	"testing"

	"chela/internal/reading/document"
	"chela/internal/reading/parser"
)

func TestOutlineSaysThatItIsNotWhole(t *testing.T) {
	for headings, want := range map[int]string{0: "the text has no headings", 2: "", 1500: "these are the first 2 of 1500 headings: section takes the numbers of the others too"} {
		result, err := readRequest{Outline: true}.answer(&parser.Reading{Headings: headings, Outline: make([]document.Heading, min(headings, 2))}, leftOut{})
		if result.Note != want || err != nil {
			t.Errorf("%d headings: got %q, %v, want %q", headings, result.Note, err, want)
		}
	}
}

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
