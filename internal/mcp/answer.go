package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// answer is a result as a model reads it: as text if its type is one, else as
// JSON. If any of it comes from a page, all of it stands in a fence.
func answer(o *op.Op, raw json.RawMessage) *sdk.CallToolResult {
	f := newFence()
	found := look(o, raw)
	text, own := ownText(o, raw)
	if !own {
		text = string(op.PlainJSON(raw))
	}
	switch {
	case o.Untrusted():
		text = warning + f.around(text)
	case found.foreign:
		text = "\n" + f.around(text)
	default:
		text = sanitise(text)
	}
	failure := o.Failure(raw)
	if failure != nil {
		text = fmt.Sprintf("error: %s\n%s", op.AsError(failure).Code, text)
	}
	result := &sdk.CallToolResult{IsError: failure != nil, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	if !own && !o.Untrusted() {
		result.StructuredContent = withoutForeign(o, raw)
	}
	for _, path := range found.files {
		result.Content = append(result.Content, file(path)...)
	}
	return result
}

// failed is an error as a model reads it. What may quote the page is fenced.
func failed(err error) *sdk.CallToolResult {
	e := op.AsError(err)
	message := sanitise(string(e.Message))
	if e.QuotesPage() {
		message = newFence().around(string(e.Message))
	}
	text := fmt.Sprintf("error: %s\n%s", e.Code, message)
	if e.Sent {
		text += "\nthe action was sent to the page, but not confirmed"
	}
	if e.Hint != "" {
		text += "\ntry: " + sanitise(e.Hint)
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// ownText is the result as its type tells it, below what the target adds to it.
func ownText(o *op.Op, raw json.RawMessage) (string, bool) {
	result, ok := op.As[op.Texter](o.Result, raw)
	if !ok {
		return "", false
	}
	text := envelope(o, raw) + result.Text()
	if failure := o.Failure(raw); failure != nil {
		e := op.AsError(failure)
		text += "\n" + e.Error() + "\ntry: " + e.Hint
	}
	return strings.TrimSuffix(text, "\ntry: "), true
}

// envelope is the fields that the target adds, as a line of JSON.
func envelope(o *op.Op, raw json.RawMessage) string {
	var all, ours map[string]json.RawMessage
	if o.Envelope == nil || json.Unmarshal(raw, &all) != nil {
		return ""
	}
	ours = map[string]json.RawMessage{}
	for _, f := range fields(o.Envelope) {
		if value, ok := all[f.name]; ok {
			ours[f.name] = value
		}
	}
	if len(ours) == 0 {
		return ""
	}
	line, err := json.Marshal(ours)
	if err != nil {
		return ""
	}
	return string(op.PlainJSON(line)) + "\n"
}

// found is what a surface for models must know of a result.
type found struct {
	foreign bool
	files   []string
}

func look(o *op.Op, raw json.RawMessage) (seen found) {
	walk(o, raw, func(kind reflect.Type, text string) bool {
		switch {
		case text == "":
		case kind == fileType:
			seen.files = append(seen.files, text)
		case kind == foreignType:
			seen.foreign = true
		}
		return true
	})
	return seen
}

// withoutForeign is the result without the texts that come from a page. The
// fence marks them in text only: a program that gets them as values may put them
// before a model without it.
func withoutForeign(o *op.Op, raw json.RawMessage) any {
	return walk(o, raw, func(kind reflect.Type, _ string) bool { return kind != foreignType })
}

var (
	fileType    = reflect.TypeFor[op.File]()
	foreignType = reflect.TypeFor[op.Foreign]()
)

// walk decodes raw and returns it with those of its texts that keep reports to
// stay, given their types in the operation's result. Texts of no known type, such
// as what a script returned, count as foreign; so do the names of their objects.
func walk(o *op.Op, raw json.RawMessage, keep func(kind reflect.Type, text string) bool) any {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	types := []reflect.Type{o.Result}
	if o.Envelope != nil {
		types = append(types, o.Envelope)
	}
	value, _ = walkValue(value, types, keep)
	return value
}

// walkValue walks a value that is of all the types at once: a result has its
// own fields and those of its envelope. It reports whether the value stays.
func walkValue(value any, types []reflect.Type, keep func(reflect.Type, string) bool) (any, bool) {
	switch v := value.(type) {
	case string:
		kind := foreignType
		if len(types) > 0 && types[0].Kind() == reflect.String {
			kind = types[0]
		}
		return v, keep(kind, v)
	case []any:
		kept := []any{}
		for _, each := range v {
			if each, ok := walkValue(each, elements(types), keep); ok {
				kept = append(kept, each)
			}
		}
		return kept, true
	case map[string]any:
		named := slices.ContainsFunc(types, hasNames)
		kept := map[string]any{}
		for name, each := range v {
			if !named && !keep(foreignType, name) { // whoever chose the value chose it, too
				continue
			}
			if each, ok := walkValue(each, below(types, name), keep); ok {
				kept[name] = each
			}
		}
		return kept, true
	}
	return value, true
}

// hasNames reports whether the names in an object of a type are our own.
func hasNames(t reflect.Type) bool {
	kind := direct(t).Kind()
	return kind == reflect.Struct || kind == reflect.Map
}

func elements(types []reflect.Type) (below []reflect.Type) {
	for _, t := range types {
		if t = direct(t); t.Kind() == reflect.Slice {
			below = append(below, direct(t.Elem()))
		}
	}
	return below
}

// below is the type of a field, or of a map's values.
func below(types []reflect.Type, name string) []reflect.Type {
	for _, t := range types {
		t = direct(t)
		if t.Kind() == reflect.Map {
			return []reflect.Type{direct(t.Elem())}
		}
		if t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range fields(t) {
			if f.name == name {
				return []reflect.Type{direct(f.kind)}
			}
		}
	}
	return nil
}

func direct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

type field struct {
	name string
	kind reflect.Type
}

func fields(t reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && !f.Anonymous {
			all = append(all, field{name, f.Type})
		}
	}
	return all
}

// maxPicture is what models take at most.
const maxPicture = 5 << 20

// file is a file that an operation made: a link to it, and the picture if it is one.
func file(path string) []sdk.Content {
	link := &sdk.ResourceLink{
		URI:  (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(),
		Name: filepath.Base(path),
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxPicture {
		return []sdk.Content{link}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return []sdk.Content{link}
	}
	link.MIMEType = http.DetectContentType(data)
	if !strings.HasPrefix(link.MIMEType, "image/") {
		return []sdk.Content{link}
	}
	return []sdk.Content{&sdk.ImageContent{Data: data, MIMEType: link.MIMEType}, link}
}
