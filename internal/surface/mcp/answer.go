package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// answer writes the result of an operation as text for a model. First comes text of chela, then text
// of the page between boundaries (see fence), then what to do about a failure.
//
// An operation can succeed and yet report a failure: for example, a batch whose action failed (see
// [op.Failer]). A model gets such a result with isError, since models take any other result for
// success. The result still says what was done. The text of the error is put between the
// boundaries, since it may quote the page. A call that an open dialog prevented is such a failure. For
// an operation that asks a question, such as expect, "no" is an answer and no failure.
//
// The parameter p says how pictures are included: as image content, or as descriptions in words, which
// come first.
func answer(ctx context.Context, o *op.Op, args op.Args, raw json.RawMessage, p Pictures) *sdk.CallToolResult {
	prevented := isPrevented(raw)
	if prevented { // there is no result: an empty one would read as if nothing had been found
		bare := *o
		bare.Result, o = reflect.TypeFor[struct{}](), &bare
	}
	r := read(o, raw)
	r.leaveOutAddress(cmp.Or(text(args["url"]), text(args["targetUrl"])))
	files := r.show(ctx, p)
	failure, next := o.Failure(raw), ""
	switch {
	case prevented:
		failure = op.Errorf(op.Conflict, "not done: a dialog of the page is open").Hinted("answer it with action dialog, then call again")
	case o.Asks():
		failure = nil
	}
	if failure != nil {
		delete(r.fields, "ok") // the field is always true in an answer, and a model would take it for the outcome
		delete(r.own, "ok")
	}
	own, page := r.texts()
	for _, part := range []reflect.Type{o.Result, o.Envelope} {
		if n, ok := op.As[op.Noter](part, raw); ok && n.Note() != "" {
			own = append(own, n.Note())
		}
	}
	if failure != nil {
		e := op.AsError(failure)
		own = append([]string{"error: " + string(e.Code)}, own...)
		page = append([]string{fenceable(e)}, page...)
		next = advice(e)
	}
	var parts []string
	if len(own) > 0 {
		parts = append(parts, sanitise(strings.Join(own, "\n")))
	}
	if len(page) > 0 {
		parts = append(parts, r.warning()+r.fenced(strings.Join(page, "\n")))
	}
	content := []sdk.Content{&sdk.TextContent{Text: files.around(strings.Join(parts, "\n") + next)}}
	result := &sdk.CallToolResult{IsError: failure != nil, Content: append(content, files.content...)}
	structured := r.structured()
	if files.vision != nil {
		structured["vision"] = files.vision
	}
	if !r.isPage() || files.vision != nil {
		result.StructuredContent = structured
	}
	return result
}

// isPrevented reports whether an answer says that a dialog of the page kept the call from its work.
func isPrevented(raw json.RawMessage) bool {
	var state struct{ NotDone bool }
	return json.Unmarshal(raw, &state) == nil && state.NotDone
}

const (
	// maxFenced limits the text of pages in one result for a model, in UTF-16 units, even if the
	// call asks for more. OpenClaw has the same number.
	maxFenced = 16_000
	// maxPage limits the characters of a page for operations without [op.WhenCut]. These return the
	// whole content of a page, and usually have a smaller limit of their own.
	maxPage = 200_000
)

// fenced puts text from the page between boundaries, and cuts it if it is too long.
func (r *result) fenced(page string) string {
	if r.op.WhenCut == "" {
		return newFence().around(excerpt.Of(page, maxPage))
	}
	return newFence().within(maxFenced, page, r.op.WhenCut)
}

// A result is the answer of an operation while it is written for a model.
type result struct {
	op     *op.Op
	raw    json.RawMessage
	fields map[string]any
	files  []madeFile // files that the operation made

	// own and page are the fields that a model gets: those with values of chela, and those with
	// content of the page. If isText is true, they have only the fields of the envelope (what every
	// action can return beside its result).
	own, page map[string]any

	text   string // the operation's result in words; "": it has none
	isText bool   // text replaces the fields of the result
}

// read decodes the result of an operation. It splits the fields into those with values of chela and
// those with content of the page. A result may also have a text ([op.Texter]). The text replaces the
// fields only if all of them come from chela, or all from the page. Otherwise it could be a sentence
// of chela that contains a name which the page has chosen, and the two could not be separated.
func read(o *op.Op, raw json.RawMessage) *result {
	r := &result{op: o, raw: raw}
	json.Unmarshal(raw, &r.fields) // an answer that is not an object has no fields
	r.own, r.page = splitter{brief: true}.fields(r.fields, o.Envelope)
	own, page := splitter{brief: true, file: func(f madeFile) { r.files = append(r.files, f) }}.fields(r.fields, o.Result)
	if words, ok := op.As[op.Texter](o.Result, raw); ok && (o.Untrusted() || len(page) == 0) {
		r.text = words.Text()
		if n, ok := words.(op.Noter); ok && n.Note() != "" {
			if rest, begins := strings.CutPrefix(r.text, n.Note()); begins && (rest == "" || rest[0] == '\n') {
				r.text = strings.TrimPrefix(rest, "\n")
			}
		}
		r.isText = r.text != "" || o.Untrusted()
	}
	if !r.isText {
		maps.Copy(r.own, own)
		maps.Copy(r.page, page)
	}
	if ignored, ok := r.fields["ignored"]; ok { // a model that has misspelled a parameter must learn that
		r.own["ignored"] = ignored
	}
	return r
}

// leaveOutAddress removes the page's address from the answer if the call has named this address. It
// also removes a title that is the address: Chromium uses that as the title until a page has one. A
// slash at the end makes no difference.
func (r *result) leaveOutAddress(asked string) {
	url, _ := r.page["url"].(string)
	title, _ := r.page["title"].(string)
	root := func(address string) string { return strings.TrimSuffix(address, "/") }
	if _, rest, _ := strings.Cut(url, "://"); url != "" && root(title) == root(rest) {
		delete(r.page, "title")
	}
	if root(url) == root(asked) {
		delete(r.page, "url")
	}
}

// texts returns the lines of chela and the lines of the page.
func (r *result) texts() (own, page []string) {
	if len(r.own) > 0 {
		own = append(own, oneLine(r.own))
	}
	page = lines(r.page)
	switch {
	case r.text == "":
	case r.op.Untrusted():
		page = append(page, r.text)
	case len(r.files) > 0: // the text is a line FILE:path, with which answers of OpenClaw's tool begin
		own = append([]string{r.text}, own...)
	default:
		own = append(own, r.text)
	}
	return own, page
}

// warning returns the security notice that stands before the boundaries, if the answer has a snapshot
// or its result is text of a page.
func (r *result) warning() string {
	if _, shown := r.page["snapshot"]; shown || r.op.Untrusted() {
		return warning
	}
	return ""
}

// structured returns the values for the answer's structuredContent, without content of the page. It
// returns them even if the answer has a text in their place, as OpenClaw does. Content of the page is
// left out because values have no boundaries: a program could show them to a model as they are.
//
// If the whole result is text of a page, such as a snapshot, there are no values. Otherwise
// programs that show a model only the values would not show the page to it.
func (r *result) structured() map[string]any {
	if r.isPage() {
		return map[string]any{}
	}
	own, _ := splitter{}.fields(r.fields, r.op.Envelope)
	result, _ := splitter{}.fields(r.fields, r.op.Result)
	maps.Copy(own, result)
	return own
}

// isPage reports whether the whole result is text of a page.
func (r *result) isPage() bool { return r.isText && r.op.Untrusted() }

// lines writes each field on a line of its own. Texts of several lines come last, even those inside
// lists and objects. As JSON, a snapshot of 300 lines would be one line with an escape for each
// break and quote. Models read that badly, and it costs more tokens.
func lines(fields map[string]any) (all []string) {
	var long []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch value := withoutLong(name, fields[name], &long).(type) {
		case nil:
		case string:
			all = append(all, name+": "+value)
		default:
			all = append(all, name+": "+oneLine(value))
		}
	}
	return append(all, long...)
}

// withoutLong removes the texts of several lines from a value, and returns the rest; nil if nothing
// is left. Each text is added to long, under a heading that says where it was: results[0].snapshot.
// In a list, an empty object takes the place of a removed text, so that the indexes of the others
// stay right.
func withoutLong(name string, value any, long *[]string) any {
	before, rest := len(*long), 0
	keep := func(name string, each any) any {
		kept := withoutLong(name, each, long)
		if kept != nil {
			rest++
		}
		return kept
	}
	var left any
	switch v := value.(type) {
	case string:
		if strings.Contains(v, "\n") {
			*long = append(*long, name+":\n"+v)
		}
	case []any:
		list := make([]any, len(v))
		for i, each := range v {
			list[i] = orEmpty(keep(fmt.Sprintf("%s[%d]", name, i), each))
		}
		left = list
	case map[string]any:
		object := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if kept := keep(name+"."+key, v[key]); kept != nil {
				object[key] = kept
			}
		}
		if len(v) == 0 {
			return nil
		}
		left = object
	}
	switch {
	case len(*long) == before:
		return value
	case rest == 0:
		return nil
	}
	return left
}

// oneLine returns a value as JSON in one line, with escapes for characters that could deceive a
// reader.
func oneLine(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // leave &, < and > in addresses as they are
	if err := encoder.Encode(value); err != nil {
		panic(err) // value was decoded from JSON
	}
	return string(op.PlainJSON(bytes.TrimSpace(b.Bytes())))
}

// renderError writes an error for a model: its code, its message, and what to do next. What may quote
// the page, such as the name of an element, is put between boundaries.
func renderError(err error) *sdk.CallToolResult {
	e := op.AsError(err)
	message := sanitise(string(e.Message))
	if e.QuotesPage() {
		message = newFence().around(fenceable(e))
	}
	text := fmt.Sprintf("error: %s\n%s", e.Code, message) + advice(e)
	if e.Code == op.Unauthorized || errors.Is(err, op.ErrNotSent) { // the server cannot be reached, or refuses the token
		text += "\nDo NOT retry the browser tool: it will fail again. Go on without it, or tell the user that the browser is not available."
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// renderFailure writes the error of a call that was sent to the server. A call that only reads may be
// made again after its deadline. Any other call is never suggested again: its click or its script may
// have had its effect.
func renderFailure(o *op.Op, args op.Args, err error) *sdk.CallToolResult {
	result := renderError(err)
	if e := op.AsError(err); e.Code == op.Deadline && !e.Sent && !o.Touches(args) {
		result.Content[0].(*sdk.TextContent).Text += "\nThis may be a transient browser error: one more try is reasonable."
	}
	return result
}

// withNote adds a line of chela before the text of a result; "" adds nothing.
func withNote(note string, result *sdk.CallToolResult) *sdk.CallToolResult {
	if text, ok := result.Content[0].(*sdk.TextContent); ok && note != "" {
		text.Text = note + "\n" + text.Text
	}
	return result
}

// fenceable returns what stands between the boundaries if the error quotes the page: the message, and
// a hint that quotes the page as well.
func fenceable(e *op.Error) string {
	if e.Code.HintQuotesPage() {
		return e.Error() + hint(e)
	}
	return e.Error()
}

// advice returns the end of an error's text: whether the action may have been done, and a hint that
// is only chela's.
func advice(e *op.Error) (text string) {
	if e.Sent {
		text = "\nthe action was sent to the page, but not confirmed"
	}
	if !e.Code.HintQuotesPage() {
		text += sanitise(hint(e))
	}
	return text
}

// hint returns the line of an error's hint; "" if it has none.
func hint(e *op.Error) string {
	if e.Hint == "" {
		return ""
	}
	return "\ntry: " + e.Hint
}
