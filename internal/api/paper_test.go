package api

import (
	"math"
	"testing"
)

func TestPaperSize(t *testing.T) {
	for text, want := range map[string][2]float64{
		"":             {8.5, 11},
		"A4":           {8.27, 11.7},
		"ledger":       {17, 11},
		"210x297mm":    {210 / 25.4, 297 / 25.4},
		"8.5in x 11in": {8.5, 11},
		"960x1920":     {10, 20},
		"72pt x 1in":   {1, 1},
	} {
		if w, h, err := paperSize(text); err != nil || math.Abs(w-want[0]) > 1e-9 || math.Abs(h-want[1]) > 1e-9 {
			t.Errorf("%q: got %v x %v, %v, want %v", text, w, h, err, want)
		}
	}
	for _, text := range []string{"a7", "210", "210x", "0x5cm", "5cmx0", "1e3x5cm", "1.2.3x4in", "210x297km", "201x8in", "-1x2in"} {
		if w, h, err := paperSize(text); err == nil {
			t.Errorf("%q: got %v x %v", text, w, h)
		}
	}
}

func TestMargins(t *testing.T) {
	for text, want := range map[string][4]float64{
		"":                   {1 / 2.54, 1 / 2.54, 1 / 2.54, 1 / 2.54},
		"0":                  {0, 0, 0, 0},
		"1in":                {1, 1, 1, 1},
		"1in 2in":            {1, 2, 1, 2},
		"1in 2in 3in":        {1, 2, 3, 2},
		"96px 144pt 3IN 4in": {1, 2, 3, 4},
	} {
		sides, err := marginsOf(text)
		for i := range sides {
			if err != nil || math.Abs(sides[i]-want[i]) > 1e-9 {
				t.Errorf("%q: got %v, %v, want %v", text, sides, err, want)
				break
			}
		}
	}
	for _, text := range []string{"-1cm", "1 cm", "auto", "1in 1in 1in 1in 1in", "1cm,2cm"} {
		if sides, err := marginsOf(text); err == nil {
			t.Errorf("%q: got %v, %v", text, sides, err)
		}
	}
}

func TestPageRanges(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "1": true, "1-5, 8": true, " 3 - 4 ": true, "8-": true, "-3": true, "2-2": true,
		"0": false, "5-3": false, "-": false, "1,": false, "a": false, "1-2-3": false, "0-4": false, "99999999999": false,
	} {
		if err := checkRanges(text); (err == nil) != ok {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// Templates of headers and footers that load a style sheet are refused, because Chromium would
// crash the tab.
func TestTemplatesLoadNothing(t *testing.T) {
	for _, html := range []string{`<link rel=stylesheet href="http://a.example/x.css">`, "<LINK\nrel=icon>", "<style>@IMPORT url(x.css);</style>"} {
		if (pdfRequest{Header: html}).Check() == nil || (pdfRequest{Footer: html}).Check() == nil {
			t.Errorf("%q is taken", html)
		}
	}
	if err := (pdfRequest{Header: `<style>b { color: red }</style><b class=title>`}).Check(); err != nil {
		t.Error(err)
	}
}
