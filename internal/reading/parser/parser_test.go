package parser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/base/child"
	"chela/internal/reading/fetch"
)

func TestMain(m *testing.M) {
	RunIfChild()
	os.Exit(m.Run())
}

func parser(t testing.TB) *Parser {
	p := New()
	t.Cleanup(p.Close)
	return p
}

// read reads a document as [Parser.Document] does, with a deadline.
func (p *Parser) read(t testing.TB, limit time.Duration, kind fetch.Kind, body string, w Want) (*Reading, error) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	w.Most = 1000
	return p.Document(ctx, &fetch.Document{URL: "https://sea.example/", Status: 200, Kind: kind, Body: []byte(body)}, w, false)
}

func TestDocument(t *testing.T) {
	p := parser(t)
	markdown := "# One\n\ntext\n\n## Two\n\nmore"
	for _, test := range []struct {
		name string
		kind fetch.Kind
		body string
		want Want
		is   func(r *Reading) bool
	}{
		{"a page", fetch.HTML, "<title>T</title><h1>One</h1><p>text", Want{}, func(r *Reading) bool {
			return r.Title == "T" && r.Text == "# One\n\ntext" && r.Length == 11 && !r.More && !r.Cut
		}},
		{"a long page", fetch.HTML, strings.Repeat("<p>text", 1000), Want{}, func(r *Reading) bool { return len(r.Text) <= 1000 && r.More && r.Length > 4000 }},
		{"a page that needs scripts", fetch.HTML, "<div id=root></div><script>run()</script>", Want{}, func(r *Reading) bool { return r.Why != "" }},
		{"nested too deep to be parsed", fetch.HTML, strings.Repeat("<div>", 20_000) + "text", Want{}, func(r *Reading) bool { return r.Text == "text" }},
		{"nested too deep, with references", fetch.HTML, strings.Repeat("<div>", 20_000) + "&amp;copy; &lt;", Want{}, func(r *Reading) bool { return r.Text == "&copy; &lt;" }},
		{"text", fetch.Text, "text\n", Want{}, func(r *Reading) bool { return r.Text == "text" && r.Kind == "text" }},
		{"JSON", fetch.JSON, `{"a":1}`, Want{}, func(r *Reading) bool { return r.Text == "{\n  \"a\": 1\n}" }},
		{"an outline", fetch.XML, `<rss><channel><title>F</title><item><title>One</title></item></channel></rss>`, Want{Outline: true}, func(r *Reading) bool {
			return r.Kind == "feed" && len(r.Outline) == 2 && r.Outline[1].Title == "One" && r.Text == ""
		}},
		{"a feed that breaks off", fetch.XML, `<rss><channel><title>F</title><item><title>One</title></item>`, Want{}, func(r *Reading) bool {
			return r.Cut && strings.HasSuffix(r.Text, "(the rest of the feed could not be read)")
		}},
		{"a section", fetch.HTML, "<article><h1>One</h1><p>text</p><h2>Two</h2><p>more</article>", Want{Section: 2}, func(r *Reading) bool {
			return r.Section != nil && r.Text == "## Two\n\nmore" && r.Headings == 2
		}},
		{"a section that the page does not have", fetch.HTML, "<article><h1>One</h1><p>text</article>", Want{Section: 2}, func(r *Reading) bool {
			return r.Section == nil && r.Why == "" && r.Headings == 1
		}},
		{"a section that is not there", fetch.Text, markdown, Want{Section: 3}, func(r *Reading) bool { return r.Section == nil && r.Text == "" }},
	} {
		r, err := p.read(t, time.Minute, test.kind, test.body, test.want)
		if err != nil || !test.is(r) {
			t.Errorf("%s: %+v, %v", test.name, r, err)
		}
	}
}

func TestPageAndParts(t *testing.T) {
	p := parser(t)
	for _, test := range []struct {
		content string
		source  Source
		format  Format
		want    string
	}{
		{"<body><p>A <b>sea</b>", Source{}, Markdown, "A **sea**"},
		{"<body><p>A <b>sea</b>", Source{}, Text, "A sea"},
		{"<body><p>A <b>sea</b>", Source{}, HTML, "<p>A <b>sea</b></p>"},
		{"<nav>All <a href=b>of it</a></nav>", Source{Whole: true, Address: "https://sea.example/a/"}, Markdown, "All [of it](https://sea.example/a/b)"},
		{"<b>", Source{Verbatim: true}, Markdown, "<b>"},
	} {
		if r, err := p.Page(t.Context(), test.content, test.source, Want{Format: test.format, Most: 100}); err != nil || r.Text != test.want {
			t.Errorf("%q as %s: %+v, %v", test.content, test.format, r, err)
		}
	}
	if r, err := p.Page(t.Context(), "text", Source{Cut: true}, Want{Most: 100}); err != nil || !r.Cut {
		t.Errorf("a page that was cut: %+v, %v", r, err)
	}
	written, err := p.Parts(t.Context(), []string{"<b>a</b>", "<p>b", "c" + strings.Repeat("<br>", 200_000)}, "https://sea.example/")
	if err != nil || fmt.Sprint(written) != "[{**a** false} {b false} {c true}]" {
		t.Errorf("parts: %+v, %v", written, err)
	}
}

// Parts for which no time is left are cut, and not begun.
func TestPartsWithoutTime(t *testing.T) {
	params, err := json.Marshal(partsParams{Parts: []string{"<p>one", "<p>two"}})
	if err != nil {
		t.Fatal(err)
	}
	for left, want := range map[time.Duration][]Part{time.Nanosecond: {{"", true}, {"", true}}, time.Hour: {{"one", false}, {"two", false}}} {
		if written, err := doParts(child.Task{Params: params, Left: left}); err != nil || !slices.Equal(written.([]Part), want) {
			t.Errorf("with %v left: got %q, %v", left, written, err)
		}
	}
}

// Any hostile page is read in part or refused in time, and keeps no other page waiting.
func TestHostilePages(t *testing.T) {
	p := parser(t)
	for _, seed := range worst {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if _, err := p.read(t, 10*time.Second, fetch.HTML, hostilePage(seed), Want{}); err != nil && !errors.Is(err, child.ErrTooMuch) {
				t.Error(err)
			}
		})
	}
}
