package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/engine/render"
	"chela/internal/engine/setting"
	"chela/internal/op"
	"chela/internal/reading/parser"
	"chela/internal/wall/excerpt"
)

// renderRows returns operations that show a page in a separate browser, outside of all tabs. They
// have the names that OneClaw (an agent host, see docs/openclaw.md) gives its own tools for that.
func renderRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /render", "render {url}",
			"Load a page without tab or cookies, and answer its picture or text. "+
				"For text, read is faster: it uses a browser only for pages that need their scripts.",
			renderPage, op.Confined, op.Anywhere("url"), op.Untrusted, op.When("url"), op.Limit(60*s, 1*s, 60*s), op.Example("https://example.com --mode extract --wait auto"),
			op.AlsoTool("browser_screenshot", "mode=screenshot url width height wait wait_seconds full_page type timeoutMs",
				"Render a web page in a browser, with its scripts, and capture a screenshot: for what has to be seen. "+
					"For text, a plain HTTP fetch is faster, and browser_extract reads pages that need scripts."),
			op.AlsoTool("browser_extract", "mode=extract url width height wait wait_seconds max_length javascript timeoutMs",
				"Render a web page in a browser, with its scripts, and extract its content as Markdown. "+
					"Prefer a plain HTTP fetch; use this when that returns empty or incomplete content, as of single-page applications."),
		),
	}
}

// A renderRequest is for a picture of a page, or for its text. Its names, defaults and messages
// come from OneClaw, another agent host than OpenClaw (both are in docs/openclaw.md).
type renderRequest struct {
	URL op.Address `json:"url" alias:"targetUrl" missing:"Invalid URL: url is required" doc:"address: http or https"`
	op.Fallback
	op.Timeout
	call.Seeing
	Mode        string   `json:"mode" enum:"screenshot,extract" wrong:"Invalid mode. Use 'screenshot' or 'extract'" missing:"Invalid mode. Use 'screenshot' or 'extract'" doc:"screenshot: a picture; extract: the main content as Markdown, or what javascript answers"`
	Width       int      `json:"width,omitempty" min:"1" max:"8192" default:"412" doc:"width of the viewport in CSS pixels" tool:"-"`
	Height      int      `json:"height,omitempty" min:"1" max:"8192" default:"915" doc:"height of the viewport in CSS pixels" tool:"-"`
	Wait        string   `json:"wait,omitempty" enum:"auto" doc:"auto: wait until network and document were quiet for 0.5 s, at most 10 s. Mostly faster than wait_seconds" tool:"+"`
	WaitSeconds *float64 `json:"wait_seconds,omitempty" alias:"waitSeconds" flag:"wait-seconds" min:"0" max:"50" default:"2" doc:"seconds to wait after the page has loaded, for content that its scripts add" tool:"-"`
	FullPage    bool     `json:"full_page,omitempty" alias:"fullPage" flag:"full-page" doc:"a picture of the whole page, up to a height of 10000 pixels, not only of the viewport" tool:"-"`
	Type        string   `json:"type,omitempty" enum:"png,jpeg" lenient:"true" unknown:"Invalid --type: expected png or jpeg" default:"png" doc:"kind of picture" tool:"-"`
	MaxLength   *int     `json:"max_length,omitempty" alias:"maxLength" flag:"max-length" min:"1" max:"1000000" default:"50000" doc:"characters of text to answer" tool:"-"`
	JavaScript  string   `json:"javascript,omitempty" script:"true" verbatim:"true" flag:"javascript" doc:"for mode extract: answer the value of this script instead of the content. The script is an expression, or statements that end with one" tool:"-"`
}

// Check refuses what is not a web address, and a script that would not run. The first words of the
// errors are OneClaw's.
func (r renderRequest) Check() error {
	if _, err := webAddress(r.URL); err != nil {
		return err
	}
	if r.Mode == "screenshot" && r.JavaScript != "" {
		return op.Errorf(op.Invalid, "javascript is for mode extract, which answers its value").
			Hinted("leave it out; or open the page in a tab, evaluate the script there, and take a screenshot")
	}
	return nil
}

// webAddress normalizes the address of a page that is rendered outside of all tabs. Its error
// begins as OneClaw's error does.
func webAddress(given op.Address) (string, error) {
	url, err := address(string(given))
	if err == nil && !isWeb(url) {
		err = op.Errorf(op.Invalid, "only http and https addresses are loaded")
	}
	return url, invalidURL(err)
}

// isWeb reports whether a normalized address is one of http or https.
func isWeb(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return scheme == "http" || scheme == "https"
}

// invalidURL puts OneClaw's text before an error about an address; nil stays nil.
func invalidURL(err error) error {
	const invalid = "Invalid URL"
	if err == nil {
		return nil
	}
	e := op.AsError(err)
	if strings.HasPrefix(string(e.Message), invalid) {
		return e
	}
	return call.PrefixedError(invalid+": ", e)
}

// view returns how the page of the request is to be shown.
func (r renderRequest) view() render.View {
	return render.View{
		Destination: page.Destination{URL: string(r.URL), OrHTTP: r.OrHTTP},
		Viewport:    setting.Viewport{Width: cmp.Or(r.Width, 412), Height: cmp.Or(r.Height, 915)},
		Pause:       pause(r.Wait, r.WaitSeconds, loadedPause),
	}
}

// loadedPause is how long a page is shown after it has loaded, so that its scripts can change it.
const loadedPause = 2 * time.Second

// pause returns how long a page is shown before it is read. The parameters wait and seconds come
// from the request; the parameter otherwise is the time if the request has no waitSeconds.
func pause(wait string, seconds *float64, otherwise time.Duration) render.Pause {
	p := render.Pause{Time: otherwise, Settled: wait == "auto"}
	if seconds != nil {
		p.Time = time.Duration(*seconds * float64(time.Second))
	}
	return p
}

// reached says how a document was reached that is not shown in a tab, such as with which HTTP
// status.
type reached struct {
	Status     int    `json:"status,omitempty" doc:"HTTP status of the document"`
	StatusText string `json:"statusText,omitempty" doc:"the HTTP status in words, unless it is a success: 404 Not Found"`
	FellBack   string `json:"fellBack,omitempty" doc:"a note that https failed, so the address was reached over http"`
	Blocked    string `json:"blocked,omitempty" doc:"why the network policy stopped a navigation that the page itself began, such as by a meta refresh"`
}

func (r *reached) describe(arrival page.Arrival) {
	var d destination
	d.describe(arrival)
	r.Status, r.StatusText, r.FellBack = d.Status, d.StatusText, d.FellBack
}

// describeEphemeral describes how a page that is rendered outside of all tabs was reached.
func (r *reached) describeEphemeral(p *page.Page) {
	r.describe(p.ArrivalSince(0))
	if refused := p.LastRefusal(); refused != nil {
		r.Blocked = "the page leads to another address: " + refused.Error()
	}
}

// Warning returns what a reader must know about the page, such as an error status.
func (r reached) Warning() string { return words.Lines(r.FellBack, r.StatusText, r.Blocked) }

// renderResult is a picture of a page, or its text.
type renderResult struct {
	reached
	ImagePath op.File         `json:"image_path,omitempty" doc:"where the picture was saved"`
	Markdown  *op.PageText    `json:"markdown,omitempty" doc:"main content of the page, with its title" tool:"document"`
	Result    json.RawMessage `json:"result,omitempty" doc:"value of the script"`
	Truncated bool            `json:"truncated,omitempty" doc:"the text has more than max_length characters, or the page is larger than the picture"`
	PageCut   bool            `json:"pageTruncated,omitempty" doc:"only the beginning of the page was read: it is too large, or there was no time for more"`
	Partial   bool            `json:"partial,omitempty" doc:"the page had not finished loading: the time was over, or the connection ended"`
	leftOut
}

// Terminal prints the path of the picture, or the text, alone, so that it can be piped.
func (r renderResult) Terminal() string {
	switch {
	case r.Markdown != nil:
		return string(*r.Markdown)
	case r.Result != nil:
		return valueText(r.Result)
	}
	return string(r.ImagePath)
}

// Warning returns what a reader of the picture or the text must know.
func (r renderResult) Warning() string {
	return words.Lines(
		r.reached.Warning(),
		words.If(r.Partial, "the page had not finished loading"),
		words.If(r.Truncated && r.ImagePath != "", "the page is larger than the picture"),
		words.If(r.Markdown != nil && *r.Markdown == "", "the page has no text"),
		words.If(r.Truncated && r.ImagePath == "" && !r.PageCut, "there is more: a larger maxLength may show it"),
		words.If(r.PageCut, beginningOnly),
		r.leftOut.note(),
	)
}

// renderPage loads a page outside of all tabs, and returns its picture or text.
func renderPage(ctx context.Context, s *call.Service, r renderRequest) (result renderResult, err error) {
	look := func(ctx context.Context, p shownPage) (err error) {
		defer func() { result.describeEphemeral(p.Page) }()
		switch {
		case r.Mode == "screenshot":
			result, err = renderPicture(ctx, s, p.Page, r)
		case r.JavaScript != "":
			result, err = renderScript(ctx, p.Page, r)
		default:
			result, err = renderText(ctx, p, r)
		}
		return err
	}
	result.Partial, err = showEphemeral(ctx, s, r.view(), look)
	return result, err
}

// showEphemeral shows the page of a view outside of all tabs while look runs, see
// [render.Renderer.Show]. It explains the errors.
func showEphemeral(ctx context.Context, s *call.Service, v render.View, look func(context.Context, shownPage) error) (partial bool, err error) {
	if v.URL, err = webAddress(op.Address(v.URL)); err != nil {
		return false, err
	}
	v.Hosts = s.Hosts(ctx)
	op.Progress(ctx, 0, 0, "rendering the page")
	partial, err = s.Renderer.Show(ctx, v, func(ctx context.Context, p *page.Page) error { return look(ctx, shownPage{p, s.Parser}) })
	return partial, call.ExplainRender(err)
}

// renderPicture saves a picture among the media files, which are bounded in age and size.
func renderPicture(ctx context.Context, s *call.Service, p *page.Page, r renderRequest) (renderResult, error) {
	pic, err := capture.Screenshot(ctx, p, capture.Shot{FullPage: r.FullPage, JPEG: r.Type == "jpeg", InFull: true})
	if err != nil {
		return renderResult{}, call.RenderFailed("Screenshot capture failed: ", err)
	}
	ext := "png"
	if pic.JPEG {
		ext = "jpg"
	}
	path, err := s.Files.SavePicture(pic.Data, ext)
	return renderResult{ImagePath: op.File(path), Truncated: pic.Area != pic.Of}, err
}

// renderScript returns the result of the caller's script. A script without a result is an error.
func renderScript(ctx context.Context, p *page.Page, r renderRequest) (renderResult, error) {
	value, cut, err := completion(ctx, p, r.JavaScript, r.maxLength())
	return renderResult{Result: value, Truncated: cut}, err
}

// completion returns the value of a script. It cuts a value that has more characters than the
// limit, most, and reports whether it did.
func completion(ctx context.Context, p *page.Page, script string, most int) (value json.RawMessage, cut bool, err error) {
	value, err = p.Complete(ctx, script)
	if large, ok := errors.AsType[*page.LargeResult](err); ok {
		return firstOf(large.Beginning, most), true, nil
	}
	if err == nil && value == nil {
		err = op.Errorf(op.ScriptFailed, "the script returned undefined").Hinted("end it with an expression that has a value")
	}
	if err != nil {
		return nil, false, call.RenderFailed("JavaScript error: ", err)
	}
	value, cut = cutValue(value, most)
	return value, cut, nil
}

// cutValue cuts a value of a script that has more characters than the limit, most. The beginning of
// a list or an object is not valid JSON, so it is answered as a text.
func cutValue(value json.RawMessage, most int) (json.RawMessage, bool) {
	text := valueText(value)
	if utf8.RuneCountInString(text) <= most {
		return value, false
	}
	return firstOf(text, most), true
}

// firstOf returns the beginning of a text, as JSON.
func firstOf(text string, most int) json.RawMessage {
	first, _ := excerpt.First(text, most)
	raw, err := json.Marshal(first)
	if err != nil {
		panic(err) // cannot happen: a string can be encoded
	}
	return raw
}

// renderText returns the main content of the page as Markdown.
func renderText(ctx context.Context, p shownPage, r renderRequest) (renderResult, error) {
	found, left, err := p.read(ctx, r.Hides(), parser.Want{Format: parser.Titled, Most: r.maxLength()})
	if err != nil {
		return renderResult{}, err
	}
	return renderResult{Markdown: new(op.PageText(found.Text)), Truncated: found.More || found.Cut, PageCut: found.Cut, leftOut: left}, nil
}

// maxLength returns how many characters of text are in an answer.
func (r renderRequest) maxLength() int {
	if r.MaxLength == nil {
		return defaultLength
	}
	return *r.MaxLength
}

const defaultLength = 50_000

// valueText returns the value of a script as text. A string is not quoted.
func valueText(value json.RawMessage) string {
	text := string(value)
	json.Unmarshal(value, &text) // if the value is not a string, text stays its JSON
	return text
}
