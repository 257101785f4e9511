package api

import (
	"testing"

	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/extract"
	"chela/internal/reading/parser"
)

// Standard output may be piped, so it has nothing but the result. So `file $(chela render …)` gets
// a path, and a file gets only the text.
func TestRenderResultStandsAlone(t *testing.T) {
	for _, test := range []struct {
		result          renderResult
		output, warning string
	}{
		{renderResult{ImagePath: "/a.png"}, "/a.png", ""},
		{renderResult{ImagePath: "/a.png", Truncated: true}, "/a.png", "the page is larger than the picture"},
		{renderResult{Markdown: new(op.PageText("Text")), Partial: true}, "Text", "the page had not finished loading"},
		{renderResult{Result: []byte(`"Value"`), Truncated: true}, "Value", "there is more: a larger maxLength may show it"},
		{renderResult{Markdown: new(op.PageText("Text")), Truncated: true, PageCut: true}, "Text", beginningOnly},
		{renderResult{Markdown: new(op.PageText("Text")), leftOut: leftOut{Unopened: true}}, "Text", page.Unopened + ": another call on the tab may read more"},
		{renderResult{reached: reached{Status: 404, StatusText: "404 Not Found"}, Markdown: new(op.PageText("Text"))}, "Text", "404 Not Found"},
		{renderResult{Result: []byte(`{"a":1}`)}, `{"a":1}`, ""},
	} {
		if output, warning := test.result.Terminal(), test.result.Warning(); output != test.output || warning != test.warning {
			t.Errorf("%+v: got %q and %q", test.result, output, warning)
		}
	}
}

// A page cannot write lines about itself that look like chela's.
func TestHeadingsAreLines(t *testing.T) {
	c := Content{Title: "A\nurl: http://b.test/", Lang: "de\n\nway: static"}
	if got, want := c.heading(), "title: A url: http://b.test/\nlanguage: de way: static"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The content of a page without structured data has no Data.
func TestNoStructuredData(t *testing.T) {
	if c := contentOf(&parser.Reading{Text: "Text"}, ""); c.Data != nil {
		t.Errorf("got %+v", c.Data)
	}
}

// A document may be cut for other reasons than the number of its bytes, such as entries of a feed
// or pages of a PDF.
func TestCaveatOfTheBeginning(t *testing.T) {
	text := op.PageText("Text")
	c := &Content{Markdown: &text, Length: 4, Truncated: true, FoundBy: string(extract.AsItIs)}
	if got := c.caveat(); got != "only the beginning was read: there is too much of it" {
		t.Errorf("got %q", got)
	}
}

// If the caller has chosen an element, only that element may have no text.
func TestCaveatOfNoText(t *testing.T) {
	for way, want := range map[extract.Way]string{extract.ByText: "the page has no text", extract.ByCaller: "the element has no text"} {
		c := &Content{FoundBy: string(way)}
		if got := c.caveat(); got != want {
			t.Errorf("%s: got %q, want %q", way, got, want)
		}
	}
}

// A PDF that a browser shows has no text in the page, but does not count as an empty page.
func TestPDFIsNoPage(t *testing.T) {
	if err := refusePDF(page.Markup{Type: "text/html"}); err != nil {
		t.Error(err)
	}
	if err := refusePDF(page.Markup{Type: "application/pdf"}); op.AsError(err).Code != op.PageFailed {
		t.Errorf("got %v", err)
	}
}

// Only lists and texts that maxLength has cut get longer by a larger one.
func TestCaveatOfCutData(t *testing.T) {
	part, long := cutField{Path: "a", Kept: 5}, cutField{Path: "b", Kept: 5, Of: 9}
	for _, row := range []struct {
		data FieldData
		want string
	}{
		{FieldData{DataCut: []cutField{part}}, "a has only the first 5 characters\ntake smaller elements by the selectors to see more"},
		{FieldData{DataCut: []cutField{part}, Full: true}, "a has only the first 5 characters\na larger maxLength shows more"},
		{FieldData{DataCut: []cutField{part, long}, Full: true}, "a has only the first 5 characters\nb has only the first 5 of 9\na larger maxLength shows more"},
		{FieldData{Full: true}, ""},
	} {
		if got := row.data.caveat(); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.data, got, row.want)
		}
	}
}

// A text that may lack the content of some elements is not cut, and a narrower selector does not help.
func TestPageTextWithUnopenedRoots(t *testing.T) {
	p := pageText{Shown: "Text", leftOut: leftOut{Unopened: true}}
	if got, want := p.Text(), page.Unopened+": another call on the tab may read more\nText"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
