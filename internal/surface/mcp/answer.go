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

	"chela/internal/base/excerpt"
	"chela/internal/op"
)

// answer is a result as a model reads it. First it has what chela says, then between boundaries
// what comes from the page, then what to do about a failure.
//
// An operation can succeed and yet report a failure, as a batch does in which an action failed (see
// [op.Failer]). For a model that is an error, since a result without isError is taken for success.
// What was done is still in it, as the model has to know that. The text of the error is put between
// the boundaries, as it may quote the page. For an operation that asks, such as expect, "no" is an
// answer and no failure.
//
// Pictures are given as p says: as content, or described in words, which stand first.
func answer(ctx context.Context, o *op.Op, args op.Args, raw json.RawMessage, p Pictures) *sdk.CallToolResult {
	r := read(o, raw)
	r.leaveOutAddress(cmp.Or(text(args["url"]), text(args["targetUrl"])))
	files := r.show(ctx, p)
	failure, next := o.Failure(raw), ""
	if o.Asks() {
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
		page = append([]string{e.Error()}, page...)
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

const (
	// maxFenced is the maximum of text from a page in one result for a model, in UTF-16 units, even
	// if the call asks for more. The number is OpenClaw's.
	maxFenced = 16_000
	// maxPage is how many characters of a page a model gets from an operation that does not limit
	// this by [op.WhenCut]. Such operations are for the whole content of a page, and have limits of
	// their own.
	maxPage = 200_000
)

// fenced puts text from the page between boundaries, and cuts it if it is too long.
func (r *result) fenced(page string) string {
	if r.op.WhenCut == "" {
		return newFence().around(excerpt.Of(page, maxPage))
	}
	return newFence().within(maxFenced, page, r.op.WhenCut)
}

// A result is what an operation answered, while it is written for a model.
type result struct {
	op     *op.Op
	raw    json.RawMessage
	fields map[string]any
	files  []madeFile // by the operation

	// The fields that a model needs. They are the fields of every answer of the kind and, unless
	// its text stands for these, the fields of the operation's own result.
	own, page map[string]any

	text   string // the operation's result in words, if there are any
	isText bool   // text stands for the fields of the result: all of them are chela's, or all are the page's
}

// read decodes an answer. Its text ([op.Texter]) stands for its fields only if all of them belong
// on one side of the boundary. A sentence of chela that contains a name of the page's choice could
// not be separated again.
func read(o *op.Op, raw json.RawMessage) *result {
	r := &result{op: o, raw: raw}
	json.Unmarshal(raw, &r.fields) // what is not an object has no fields
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

// leaveOutAddress leaves out the address of the answer, if the model has just written it. It also
// leaves out a title that is this address, as Chromium calls a page so until it has its title. A
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

// texts returns the lines that chela says, and those that come from the page.
func (r *result) texts() (own, page []string) {
	if len(r.own) > 0 {
		own = append(own, oneLine(r.own))
	}
	page = lines(r.page)
	switch {
	case r.text == "":
	case r.op.Untrusted():
		page = append(page, r.text)
	case len(r.files) > 0: // OpenClaw's tool begins with FILE:
		own = append([]string{r.text}, own...)
	default:
		own = append(own, r.text)
	}
	return own, page
}

// warning returns the notice for boundaries around the text of a page: a snapshot, or any other
// result with text of a page.
func (r *result) warning() string {
	if _, shown := r.page["snapshot"]; shown || r.op.Untrusted() {
		return warning
	}
	return ""
}

// structured is the result as values, without what comes from a page. It has values also where text
// stands for them in the answer, as OpenClaw has values there. The fence marks what comes from a
// page in text only. A program that gets it as values may put it before a model without the fence.
//
// What is text of a page as a whole, such as a snapshot, has no values. Programs that show a model
// only the values would otherwise keep the page from it.
func (r *result) structured() map[string]any {
	if r.isPage() {
		return map[string]any{}
	}
	own, _ := splitter{}.fields(r.fields, r.op.Envelope)
	result, _ := splitter{}.fields(r.fields, r.op.Result)
	maps.Copy(own, result)
	return own
}

// isPage reports whether the result is text of a page.
func (r *result) isPage() bool { return r.isText && r.op.Untrusted() }

// lines writes each field on a line of its own; texts of several lines come last, also those inside
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

// withoutLong takes the texts of several lines out of a value, and returns what is left;
// nil if that is nothing. Each is added to long, under a heading that says where it was:
// results[0].snapshot. A list keeps an empty object in the place of what was taken, so
// that the places of the others stay right.
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

// oneLine is a value as JSON, with escapes for what would deceive a reader.
func oneLine(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // an address has to be read, and used, as it is
	if err := encoder.Encode(value); err != nil {
		panic(err) // it was read from JSON
	}
	return string(op.PlainJSON(bytes.TrimSpace(b.Bytes())))
}

// renderError is an error as a model reads it: its code, its message, and what to do next.
// What may quote the page is fenced, as the name of an element in the message, for
// example, is a text of the page. The hint is always chela's.
func renderError(err error) *sdk.CallToolResult {
	e := op.AsError(err)
	message := sanitise(string(e.Message))
	if e.QuotesPage() {
		message = newFence().around(string(e.Message))
	}
	text := fmt.Sprintf("error: %s\n%s", e.Code, message) + advice(e) + retryAdvice(e, err)
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// retryAdvice says whether the model should try again after a failure that does not come from the
// page. A server that is not there, or wants another token, will not be there next time either.
func retryAdvice(e *op.Error, err error) string {
	switch {
	case e.Code == op.Unauthorized, errors.Is(err, op.ErrNotSent):
		return "\nDo NOT retry the browser tool: it will fail again. Go on without it, or tell the user that the browser is not available."
	case e.Code == op.Deadline:
		return "\nThis may be a transient browser error: one more try is reasonable."
	}
	return ""
}

// withNote is a result with a line of chela before its text; "" adds nothing.
func withNote(note string, result *sdk.CallToolResult) *sdk.CallToolResult {
	if text, ok := result.Content[0].(*sdk.TextContent); ok && note != "" {
		text.Text = note + "\n" + text.Text
	}
	return result
}

// advice returns the end of an error's text: what to know, and what to do next.
func advice(e *op.Error) (text string) {
	if e.Sent {
		text = "\nthe action was sent to the page, but not confirmed"
	}
	if e.Hint != "" {
		text += "\ntry: " + sanitise(e.Hint)
	}
	return text
}
