// Package gocode writes the generated file of the public package client. The file has a method for
// each operation of the table, with the types of its request and its answer.
package gocode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"reflect"
	"slices"
	"strings"
	"time"

	"chela/internal/op"
)

// Write returns the file operations.go of package client. It panics if two types have the same
// name, or if it cannot write a type of the table in Go. A test calls Write, so such a type is
// noticed.
func Write(t *op.Table) []byte {
	w := &writer{table: t, named: map[string]any{}}
	w.line("// Code generated from the table of operations by go generate ./test/repo; DO NOT EDIT.\n\npackage client\n\n" +
		"import (\n\t\"context\"\n\t\"encoding/json\"\n\t\"time\"\n)\n")
	w.codes()
	for _, o := range t.Ops {
		w.method(o)
		w.request(o)
		w.answer(o)
	}
	w.actions()
	for len(w.pending) > 0 { // structOf may add structs to pending, for its fields
		next := w.pending[0]
		w.pending = w.pending[1:]
		w.asked = next.asked
		w.comment(fmt.Sprintf("%s describes a value of [%s].", exported(op.TypeName(next.of)), next.in))
		w.structOf(exported(op.TypeName(next.of)), "", op.FieldsOf(next.of))
	}
	code, err := format.Source(w.out.Bytes())
	if err != nil {
		panic(err)
	}
	return code
}

// A part is a struct that will be written later, because a field of another struct has its type.
type part struct {
	of    reflect.Type
	in    string // the field, such as TabList.Tabs
	asked bool   // the struct is a part of a request; see anyJSON
}

// A writer writes Go code.
type writer struct {
	out     bytes.Buffer
	table   *op.Table
	named   map[string]any  // the type or operation for each name of a struct, see claim
	pending []part          // structs that will be written later
	calls   []op.ListedCall // the operations that can be an action of a batch
	in      string          // name of the struct or field that is being written
	asked   bool            // the struct is a request, or a part of one
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

// comment writes a sentence as a comment in lines of at most 100 characters.
func (w *writer) comment(text string) {
	const width = 100
	text = strings.TrimRight(text, "\n")
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) >= width {
			w.line("%s", line)
			line = "//"
		}
		line += " " + word
	}
	w.line("%s", line)
}

// codes writes the constants of the codes of errors.
func (w *writer) codes() {
	w.comment("Codes of errors, with their HTTP status.")
	w.line("const (")
	for _, c := range op.Codes() {
		w.line("%s Code = %q // %d", codeName(c), c, c.Status())
	}
	w.line(")\n")
}

// codeName returns the name of the constant for a code: CodeStaleRef for stale_ref.
func codeName(c op.Code) string {
	name := "Code"
	for word := range strings.SplitSeq(strings.ToLower(string(c)), "_") {
		name += exported(word)
	}
	return name
}

// method writes the method of an operation.
func (w *writer) method(o *op.Op) {
	name := exported(o.ID())
	doc := fmt.Sprintf("%s runs the operation %s. %s", name, o.Name(), o.Doc)
	if o.RunsScript() {
		doc += " This operation is off when browser.evaluateEnabled is false."
	}
	if o.Untrusted() {
		doc += " The answer contains text of web pages, which is untrusted."
	}
	w.comment(doc)
	var routes []string
	for _, r := range o.Routes {
		route := r.Method + " " + r.Path
		if r.Field != "" {
			route += " " + r.Field + "=" + r.Value
		}
		routes = append(routes, fmt.Sprintf("%q", route))
	}
	answer := w.answerName(o)
	w.line("func (c *Client) %s(ctx context.Context, r %s) (*%s, error) {\nreturn call[%s](ctx, c, r, %s)\n}\n",
		name, w.requestName(o), answer, answer, strings.Join(routes, ", "))
}

func (w *writer) requestName(o *op.Op) string { return exported(o.RequestName()) }

// answerName returns the name of an operation's answer type. Several operations may have the same
// answer type.
func (w *writer) answerName(o *op.Op) string { return exported(op.TypeName(o.AnswerType())) }

// request writes the type of the request of an operation.
func (w *writer) request(o *op.Op) {
	w.asked = true
	defer func() { w.asked = false }()
	w.claim(w.requestName(o), o)
	w.comment(fmt.Sprintf("%s has the parameters of [Client.%s].", w.requestName(o), exported(o.ID())))
	w.structOf(w.requestName(o), "", o.Params())
}

// answer writes the type of an operation's answer, unless it was written before. If the operation has
// an envelope (fields that several answers have in common), the type embeds it.
func (w *writer) answer(o *op.Op) {
	if o.Envelope != nil {
		w.envelope(o)
	}
	name := w.answerName(o)
	if o.AnswerType() == o.Envelope || !w.claim(name, [2]reflect.Type{o.Result, o.Envelope}) {
		return
	}
	var methods []string
	for _, other := range w.table.Ops {
		if w.answerName(other) == name {
			methods = append(methods, "[Client."+exported(other.ID())+"]")
		}
	}
	w.comment(fmt.Sprintf("%s is the answer of %s.", name, strings.Join(methods, ", ")))
	embedded := ""
	if o.Envelope != nil {
		embedded = exported(op.TypeName(o.Envelope))
	}
	w.structOf(name, embedded, o.OwnFields())
}

func (w *writer) envelope(o *op.Op) {
	name := exported(op.TypeName(o.Envelope))
	if !w.claim(name, o.Envelope) {
		return
	}
	w.comment(fmt.Sprintf("%s has fields that the answers of several operations share. For some operations this is the whole answer.", name))
	w.structOf(name, "", o.EnvelopeFields())
}

// structOf writes a struct with these fields. If embedded is not "", the struct embeds the type with
// this name.
func (w *writer) structOf(name, embedded string, fields []op.Param) {
	w.in = name
	w.line("type %s struct {", name)
	if embedded != "" {
		w.line("%s\n", embedded)
	}
	w.fields(fields)
	w.line("}\n")
}

// fields writes the fields of a struct. A field that is not required is left out of the JSON when
// it is zero. If an operation distinguishes zero from a missing value, the field in its own request
// struct is a pointer. Then the field in the written struct is a pointer as well. Two kinds of
// pointers become values: required parameters, and texts of answers for which "" means the same as
// missing.
func (w *writer) fields(ps []op.Param) {
	in := w.in
	for _, p := range ps {
		w.in = in + "." + fieldName(p.Name)
		tag, t := p.Name+",omitzero", p.Type
		if p.Required {
			tag = p.Name
		}
		isText := t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
		if t.Kind() == reflect.Pointer && (w.asked && p.Required || !w.asked && isText && !p.Absent) {
			t = t.Elem()
		}
		doc := ""
		if p.Doc != "" {
			doc = " // " + meaning(p)
		}
		w.line("%s %s `json:%q`%s", fieldName(p.Name), w.typeOf(t), tag, doc)
	}
}

// meaning returns the description of a field, with the values that it may have.
func meaning(p op.Param) string {
	text := strings.ReplaceAll(p.Doc, "\n", " ")
	if len(p.Enum) > 0 {
		text += "; one of " + strings.Join(p.Enum, ", ")
	}
	if p.Default != "" {
		text += " (default: " + p.Default + ")"
	}
	return text
}

// typeOf returns the Go type of a field, as it is written in package client.
func (w *writer) typeOf(t reflect.Type) string {
	zero := reflect.Zero(t).Interface()
	if like, ok := zero.(op.Alike); ok {
		return w.typeOf(like.Like())
	}
	if list, ok := zero.(op.CallList); ok {
		w.calls = list.Calls()
		return "Actions"
	}
	switch t {
	case reflect.TypeFor[op.Error]():
		return "Error"
	case reflect.TypeFor[op.Code]():
		return "Code"
	case reflect.TypeFor[time.Time]():
		return "time.Time"
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[op.JSON]():
		return w.anyJSON()
	}
	if own, ok := reflect.New(t).Interface().(interface{ JSONSchema() op.Object }); ok {
		return w.described(own.JSONSchema())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + w.typeOf(t.Elem())
	case reflect.Slice:
		return "[]" + w.typeOf(t.Elem())
	case reflect.Map:
		return "map[string]" + w.typeOf(t.Elem())
	case reflect.Interface:
		return "any"
	case reflect.Struct:
		return w.structName(t)
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64, reflect.Uint8:
		return t.Kind().String()
	}
	panic(fmt.Sprintf("gocode: %v has no type in package client", t))
}

// anyJSON returns the Go type for a JSON value of any form. In a request, a program can give any value.
// In an answer, it gets the JSON to decode.
func (w *writer) anyJSON() string {
	if w.asked {
		return "any"
	}
	return "json.RawMessage"
}

// described returns the Go type for a type that defines its own JSON schema.
func (w *writer) described(schema op.Object) string {
	switch schema["type"] {
	case "string":
		return "string"
	case "integer":
		return "int"
	}
	return w.anyJSON()
}

// structName returns the name of a struct type. If the name is new, it adds the struct to pending.
func (w *writer) structName(t reflect.Type) string {
	name := exported(op.TypeName(t))
	if w.claim(name, t) {
		w.pending = append(w.pending, part{t, w.in, w.asked})
	}
	return name
}

// claim notes that a name stands for owner, and reports whether the name is new. It panics if the name
// already stands for something else.
func (w *writer) claim(name string, owner any) bool {
	known, ok := w.named[name]
	if ok && known != owner {
		panic(fmt.Sprintf("gocode: %v and %v have the same name", known, owner))
	}
	w.named[name] = owner
	return !ok
}

// actions writes the method action for each request type that can be an action of a batch. The method
// returns the kind of the action.
func (w *writer) actions() {
	slices.SortFunc(w.calls, func(a, b op.ListedCall) int { return strings.Compare(a.Kind, b.Kind) })
	for _, c := range w.calls {
		w.line("func (%s) action() string { return %q }\n", w.requestName(c.Op), c.Kind)
	}
}

// initialisms are the words that Go writes in capitals.
var initialisms = []string{"api", "cdp", "cpu", "css", "dpi", "dom", "fps", "gpu", "har", "html", "http", "https", "id", "ids", "ip", "json", "mcp", "ok", "os", "pdf", "pid", "png", "tls", "ui", "url", "urls", "ws"}

// exported returns a name in camelCase as an exported name of Go: targetId becomes TargetID.
func exported(name string) string {
	var b strings.Builder
	for _, word := range split(name) {
		switch lower := strings.ToLower(word); {
		case lower == "ids" || lower == "urls":
			b.WriteString(strings.ToUpper(word[:len(word)-1]) + "s")
		case slices.Contains(initialisms, lower):
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// fieldName returns the Go name of a field for its JSON name.
func fieldName(name string) string {
	name = strings.TrimPrefix(name, "_")
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(exported(word))
	}
	return b.String()
}

// split splits a name before each capital letter that does not follow another capital.
func split(name string) (words []string) {
	from := 0
	for i := 1; i < len(name); i++ {
		isCapital, before := 'A' <= name[i] && name[i] <= 'Z', name[i-1]
		if isCapital && !('A' <= before && before <= 'Z') {
			words, from = append(words, name[from:i]), i
		}
	}
	return append(words, name[from:])
}
