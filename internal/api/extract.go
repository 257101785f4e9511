package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/engine/render"
	"chela/internal/engine/setting"
	"chela/internal/op"
	"chela/internal/reading/parser"
)

// extractRows returns operations that read the content of a page, in a tab or at an address: see
// lookAt.
func extractRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /extract", "extract {url?}",
			"Read the main content of a page as Markdown, text or HTML, with its links and structured data. "+
				"It reads the page in the tab, or loads an address outside of all tabs and without cookies.",
			extractContent, op.Untrusted, op.Anywhere("url"), op.Rare, op.Limit(60*s, 1*s, 60*s), op.Example("https://example.com --wait auto --out page.md")),
	}
}

// An extractRequest is for the content of a page.
type extractRequest struct {
	call.On
	op.Timeout
	op.Fallback
	call.Seeing
	URL         op.Address `json:"url,omitempty" alias:"targetUrl" empty:"Invalid URL: url is empty" doc:"address to load outside of all tabs: http or https; when left out, the page of the tab is read"`
	Selector    string     `json:"selector,omitempty" doc:"CSS selector, or in a tab a ref: take all of the first element that matches, instead of looking for the content" tool:"-"`
	JavaScript  string     `json:"javascript,omitempty" script:"true" verbatim:"true" flag:"javascript" doc:"answer the value of this script instead of the content. The script is an expression, or statements that end with one"`
	Schema      op.JSON    `json:"schema,omitempty" doc:"what to read as JSON, instead of the content. The schema gives each name a CSS selector, or in a tab a ref: {\"title\": \"h1\", \"items\": [{\"selector\": \".row\", \"fields\": {\"price\": {\"selector\": \".price\", \"type\": \"number\"}}}]}. See docs/schema.md" tool:"-"`
	Format      string     `json:"format,omitempty" enum:"markdown,text,html,json" default:"markdown" doc:"markdown; text: without markup; html: cleaned; json: everything, as one JSON document"`
	MaxLength   int        `json:"maxLength,omitempty" alias:"max_length" min:"1" max:"1000000" default:"50000" agents:"50000" doc:"how many characters of content to answer; longer content is cut after a paragraph, or else a word. With a schema: characters of data, and 200000 when left out"`
	Wait        string     `json:"wait,omitempty" enum:"auto" doc:"auto: wait until network and document were quiet for 0.5 s, at most 10 s. Mostly faster than waitSeconds"`
	WaitSeconds *float64   `json:"waitSeconds,omitempty" alias:"wait_seconds" flag:"wait-seconds" min:"0" max:"50" doc:"seconds to wait for what scripts add to the page; when left out, 2 after an address has loaded, and 0 in a tab"`
}

// Check refuses parameters that exclude each other, before anything is loaded.
func (r extractRequest) Check() error {
	switch {
	case r.URL != "" && (r.TargetID != "" || r.Profile != ""):
		return op.Errorf(op.Invalid, "url cannot be combined with targetId or profile").
			Hinted("an address is loaded apart from all tabs; to read it with the logins of a profile, open it in a tab and leave out url")
	case r.JavaScript != "" && (r.Selector != "" || r.Format != ""):
		return op.Errorf(op.Invalid, "javascript cannot be combined with selector or format").
			Hinted("its value is answered as it is, instead of the content")
	case r.URL == "":
		return r.checkSchema()
	case r.isRef():
		return op.Errorf(op.Invalid, "%q is a ref, and these name elements of tabs", r.Selector).
			Hinted("give a CSS selector, or leave out url to read the page of a tab")
	}
	if err := r.checkSchema(); err != nil {
		return err
	}
	_, err := webAddress(r.URL)
	return err
}

// isRef reports whether the selector is a ref.
func (r extractRequest) isRef() bool {
	_, ok := page.ParseRef(r.Selector)
	return ok
}

// extractResult is the content of a page, or what a script answered instead.
type extractResult struct {
	*Content
	*FieldData
	leftOut
	Result json.RawMessage `json:"result,omitempty" doc:"value of the script, instead of the content"`
	Cut    bool            `json:"resultTruncated,omitempty" doc:"the result had more than maxLength characters"`
	Format string          `json:"format,omitempty" doc:"format of the content"`
}

// Terminal prints the content alone, so that it can be piped.
func (r extractResult) Terminal() string {
	switch {
	case r.FieldData != nil && r.Content != nil:
		return indented(r) + "\n"
	case r.FieldData != nil:
		return r.formatted(jsontext.Multiline(true), jsontext.WithIndent("  "))
	case r.Content == nil:
		return valueText(r.Result)
	case r.Format == "json":
		return indented(r.Content) + "\n"
	}
	return r.content()
}

// Warning returns what a reader of the content must know, such as that it was cut.
func (r extractResult) Warning() string {
	var all []string
	if r.FieldData != nil {
		all = append(all, r.FieldData.caveat())
	}
	if r.Content != nil {
		all = append(all, r.Content.caveat())
	}
	return words.Lines(append(all, r.leftOut.note(), words.If(r.Cut, "the value is longer: a larger maxLength shows more"))...)
}

// Text returns the content as a model reads it, after the title and the like.
func (r extractResult) Text() string {
	if r.FieldData != nil && r.Content == nil {
		return words.Lines(r.Warning(), r.formatted())
	}
	if r.FieldData != nil || r.Content == nil || r.Format == "json" {
		return words.Lines(r.Warning(), r.Terminal())
	}
	return words.Lines(r.Warning(), r.heading()) + "\n\n" + r.content()
}

// extractContent reads the content of a page that is shown.
func extractContent(ctx context.Context, p shownPage, r extractRequest) (extractResult, error) {
	most := cmp.Or(r.MaxLength, defaultLength)
	if r.JavaScript != "" {
		value, cut, err := completion(ctx, p.Page, r.JavaScript, most)
		return extractResult{Result: value, Cut: cut}, err
	}
	if r.Schema != nil {
		return r.readSchema(ctx, p)
	}
	return r.mainContent(ctx, p, most)
}

// mainContent finds the content of a page.
func (r extractRequest) mainContent(ctx context.Context, p shownPage, most int) (extractResult, error) {
	go p.parser.Prepare() // start a parser while the page collects its HTML
	markup, err := r.part(ctx, p.Page)
	if err != nil {
		return extractResult{}, explainPart(err)
	}
	format := parser.Format(r.Format)
	if format == "json" {
		format = parser.Markdown
	}
	found, left, err := p.readPart(ctx, markup, r.Selector != "", parser.Want{Format: format, Most: most})
	if err != nil {
		return extractResult{}, err
	}
	return extractResult{Content: contentOf(found, r.Format), leftOut: left, Format: cmp.Or(r.Format, "markdown")}, nil
}

// part returns the HTML of the page, or of the element that the request names.
func (r extractRequest) part(ctx context.Context, p *page.Page) (page.Markup, error) {
	if !r.isRef() {
		return p.HTML(ctx, r.Selector, r.Hides(), maxContent)
	}
	el, err := p.Element(ctx, r.Selector)
	if err != nil {
		return page.Markup{}, err
	}
	return el.HTML(ctx, r.Hides(), maxContent)
}

// explainPart explains that no element matches the request. Other errors are returned as they are.
func explainPart(err error) error {
	if none, ok := errors.AsType[*page.NoMatchError](err); ok {
		return op.Errorf(op.NotFound, "no element matches %q", none.Selector).
			Hinted("check the selector, wait until the element is there, or leave the selector out: the content is looked for then")
	}
	if wrong, ok := errors.AsType[*page.SelectorError](err); ok {
		return call.Explain(wrong)
	}
	return err
}

// A looking is a request about a page, which is at an address or in a tab.
type looking interface {
	call.TabRequest

	// at returns how the address of the request is to be shown; ok is false if the request has no
	// address.
	at() (v render.View, ok bool)

	// before returns the pause before the page of a tab is read.
	before() render.Pause

	// runs reports whether the request runs a script of the caller.
	runs() bool
}

func (r extractRequest) at() (render.View, bool) {
	return render.View{
		Destination: page.Destination{URL: string(r.URL), OrHTTP: r.OrHTTP},
		Viewport:    ephemeralViewport,
		Pause:       pause(r.Wait, r.WaitSeconds, loadedPause),
	}, r.URL != ""
}

func (r extractRequest) before() render.Pause { return pause(r.Wait, r.WaitSeconds, 0) }

func (r extractRequest) runs() bool { return r.JavaScript != "" }

// ephemeralViewport is the viewport of pages that are shown outside of tabs. Tabs have the same
// viewport, so that a page has the same content in both.
var ephemeralViewport = setting.Viewport{Width: 1280, Height: 800}

// shownAnswer is the part of an answer that does not come from the content of a page. For the page
// of a tab it has the usual state of the tab. For a page outside of all tabs, most of it is empty.
type shownAnswer struct {
	OK       bool      `json:"ok" doc:"always true"`
	TargetID op.Handle `json:"targetId,omitempty" doc:"target id of the tab, if the page is in one" tool:"-"`
	TabID    op.Handle `json:"tabId,omitempty" doc:"handle of the tab (t1), if the page is in one"`
	Partial  bool      `json:"partial,omitempty" doc:"the page at the address had not finished loading: the time was over, or the connection ended"`
	reached
	call.TabState
}

// Text returns "": the texts of these answers have only what was read from the page.
func (shownAnswer) Text() string { return "" }

// Warning returns what a reader must know about the page, such as that it loaded only in part.
func (a shownAnswer) Warning() string {
	return words.Lines(a.reached.Warning(), words.If(a.Partial, "the page had not finished loading"), a.TabState.Text())
}

// lookAt calls the function look with the page that a request asks about. If the request has an
// address, its page is shown outside of all tabs. Otherwise it is the page of a tab, and no other
// call uses the tab meanwhile.
func lookAt(ctx context.Context, s *call.Service, o *op.Op, req any, look func(context.Context, shownPage) (any, error)) (any, error) {
	r := req.(looking)
	if v, ok := r.at(); ok {
		return lookEphemeral(ctx, s, v, look)
	}
	within := call.Reading
	if r.runs() {
		within = call.OnTab // a script may have changed something
	}
	return within(ctx, s, o, req, func(ctx context.Context, t *call.Turn) (any, error) {
		if err := r.before().Await(ctx, t.Page); err != nil {
			return nil, err
		}
		if err := t.Page.LoadFailed(ctx); err != nil {
			return nil, err
		}
		return look(ctx, shownPage{t.Page, s.Parser})
	})
}

// lookEphemeral shows a page in a browser of its own, outside of all tabs, and returns the answer about
// it.
func lookEphemeral(ctx context.Context, s *call.Service, v render.View, look func(context.Context, shownPage) (any, error)) (any, error) {
	var own any
	answer := shownAnswer{OK: true}
	partial, err := showEphemeral(ctx, s, v, func(ctx context.Context, p shownPage) (err error) {
		answer.URL = words.Shown(p.URL())
		answer.describeEphemeral(p.Page)
		own, err = look(ctx, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	answer.Partial = partial
	return op.Merge(answer, own)
}
