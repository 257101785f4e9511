package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/base/spelling"
)

// start is the beginning of all paths.
const start = "schema"

// example is a schema, for errors about something that is not one.
const example = `{"title": "h1", "price": {"selector": ".price", "type": "number"}, ` +
	`"items": [{"selector": ".row", "fields": {"name": "td"}}]}`

// Parse reads a schema. Every failure is an [*Error].
func Parse(raw []byte) (*Field, error) {
	p := parser{dec: jsontext.NewDecoder(bytes.NewReader(raw))}
	root, err := p.root()
	if wrong, ok := errors.AsType[*Error](err); ok {
		return nil, wrong
	}
	if err == nil {
		if _, err = p.dec.ReadToken(); err == io.EOF {
			return root, nil
		}
		err = errors.New("something follows its end")
	}
	return nil, &Error{start, "is no JSON: " + reason(err), ""}
}

// reason describes in short what a decoder found wrong.
func reason(err error) string {
	if err == io.EOF {
		return "it is empty"
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if syntactic.Err == jsontext.ErrDuplicateName {
			return fmt.Sprintf("%s is there twice", strings.ReplaceAll(strings.TrimPrefix(string(syntactic.JSONPointer), "/"), "/", "."))
		}
		return strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ")
	}
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}

// A parser reads one schema. The answer has the names of an object in the order of the schema, so
// the schema is read token by token.
type parser struct {
	dec    *jsontext.Decoder
	fields int
}

// root reads the schema itself: fields by name, or a list.
func (p *parser) root() (*Field, error) {
	root := &Field{Path: start}
	switch p.dec.PeekKind() {
	case '[':
		return root, p.list(root, 0)
	case '{':
		raw, err := p.dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if err := notSchema(raw); err != nil {
			return nil, err
		}
		inner := parser{dec: jsontext.NewDecoder(bytes.NewReader(raw))}
		root.Fields, err = inner.object(start, 0)
		return root, err
	case jsontext.KindInvalid:
		_, err := p.dec.ReadToken()
		return nil, err
	}
	return nil, &Error{start, "must be an object of fields, or a list of one field", "for example " + example}
}

// notSchema refuses a JSON Schema, and a field without a name.
func notSchema(raw []byte) error {
	var top map[string]json.RawMessage
	json.Unmarshal(raw, &top) // any error comes again from object, which reports it
	isObject := func(name string) bool { return bytes.HasPrefix(top[name], []byte("{")) }
	switch {
	case isObject("properties") && string(top["type"]) == `"object"` || top["$schema"] != nil:
		return &Error{start, "is a JSON Schema, which does not say where on the page things are", "name each field with its selector: " + example}
	case isObject("fields") && top["selector"] != nil:
		return &Error{start, "is a field without a name", `put it under a name, {"item": {…}}, or in a list, [{…}], for all that match`}
	}
	return nil
}

// object reads fields by their names. The parameter depth is how many objects are around it.
func (p *parser) object(path string, depth int) ([]*Field, error) {
	if p.dec.PeekKind() != '{' {
		return nil, &Error{path, "must be an object of fields", ""}
	}
	if depth == maxDepth {
		return nil, &Error{path, fmt.Sprintf("is nested deeper than %d objects", maxDepth), ""}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, err
	}
	fields := []*Field{}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return nil, err
		}
		f := &Field{Name: name.String()}
		if f.Path = path + member(f.Name); len(f.Name) > maxName {
			return nil, &Error{path, fmt.Sprintf("has a name of more than %d bytes", maxName), ""}
		}
		if err := p.field(f, depth); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	_, err := p.dec.ReadToken()
	if err == nil && len(fields) == 0 {
		err = &Error{path, "has no fields", "for example " + example}
	}
	return fields, err
}

// member returns the name of a member of an object as it is written at the end of a path (.name or
// ["name"]).
func member(name string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' || r >= 0x80
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

// field reads a field: a selector, a list of one field, or an object.
func (p *parser) field(f *Field, depth int) (err error) {
	if p.fields++; p.fields > maxFields {
		return &Error{f.Path, fmt.Sprintf("is one of more than %d fields", maxFields), ""}
	}
	switch p.dec.PeekKind() {
	case '"':
		f.Type = String
		err = p.selector(f, f.Path)
	case '[':
		err = p.list(f, depth)
	case '{':
		err = p.settings(f, depth)
	case jsontext.KindInvalid:
		_, err = p.dec.ReadToken()
	default:
		err = &Error{f.Path, "must be a selector, an object, or a list of one of these", ""}
	}
	return err
}

// list reads a list of one field into f. The caller has set the name of f.
func (p *parser) list(f *Field, depth int) error {
	path := f.Path
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	f.Path, f.List = path+"[0]", true
	switch p.dec.PeekKind() {
	case '[':
		return &Error{f.Path, "is a list in a list", `put the inner one into fields: [{"selector": "tr", "fields": {"cells": ["td"]}}]`}
	case ']':
		return &Error{path, "is an empty list", "a list has one field, which is read of each element that matches"}
	}
	if err := p.field(f, depth); err != nil {
		return err
	}
	if end, err := p.dec.ReadToken(); err != nil || end.Kind() == ']' {
		return err
	}
	return &Error{path, "has more than one field", "a list has one, which is read of each element that matches"}
}

// keys are the keys that the object of a field may have.
var keys = []string{"selector", "attr", "type", "decimal", "all", "limit", "fields", "default"}

// settings reads an object that describes a field.
func (p *parser) settings(f *Field, depth int) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := p.setting(f, name.String(), depth); err != nil {
			return err
		}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	return f.check(depth)
}

// setting reads the value of one key.
func (p *parser) setting(f *Field, key string, depth int) (err error) {
	path := f.Path + member(key)
	switch key {
	case "selector":
		err = p.selector(f, path)
	case "attr":
		if f.Attr, err = p.text(path); err == nil && (f.Attr == "" || strings.ContainsAny(f.Attr, " \t\n\f\r\"'>/=[]")) {
			err = &Error{path, fmt.Sprintf("is %q, which is no name of an attribute", f.Attr), ""}
		}
	case "type":
		f.Type, err = p.kind(path)
	case "decimal":
		if f.Decimal, err = p.text(path); err == nil && f.Decimal != "." && f.Decimal != "," {
			err = &Error{path, fmt.Sprintf("is %q, which separates no fraction", f.Decimal), `write "." or ","`}
		}
	case "all":
		if f.List {
			return &Error{path, "is said twice", "leave out all, or the brackets"}
		}
		err = p.value(path, &f.List, "true or false")
	case "limit":
		if err = p.value(path, &f.Limit, "a whole number"); err == nil && (f.Limit < 1 || f.Limit > maxLimit) {
			err = &Error{path, fmt.Sprintf("must be from 1 to %d", maxLimit), ""}
		}
	case "fields":
		f.Fields, err = p.object(path, depth+1)
	case "default":
		raw, failed := p.dec.ReadValue()
		if f.Default, err = slices.Clone(raw), failed; len(raw) > maxDefault {
			err = &Error{path, fmt.Sprintf("is longer than %d bytes", maxDefault), ""}
		}
	default:
		err = unknown(f.Path, key)
	}
	return err
}

// unknown returns the error of a key that a field does not have.
func unknown(path, key string) error {
	e := &Error{path + member(key), "is nothing that a field has", ""}
	switch strings.ToLower(key) {
	case "properties", "items", "children":
		e.Hint = `what is in a field stands in "fields"; a JSON Schema has no selectors`
	case "attribute", "property":
		e.Hint = `did you mean "attr"?`
	case "css", "ref", "query", "path", "xpath":
		e.Hint = `did you mean "selector"? It is CSS, or a ref such as e12`
	case "multiple", "list", "many", "array":
		e.Hint = `did you mean "all"? [{…}] says the same`
	case "optional", "required":
		e.Hint = `"default": null is for what may be missing`
	default:
		if near := spelling.Nearest(key, keys); len(near) > 0 {
			e.Hint = fmt.Sprintf("did you mean %q?", near[0])
		} else {
			e.Hint = `a field has ` + strings.Join(keys, ", ") + `; what is in it stands in "fields"`
		}
	}
	return e
}

// selector reads the selector of a field. Only the page script checks whether it is valid CSS. A
// selector that begins with > is about the children of the element that the field is in.
func (p *parser) selector(f *Field, path string) error {
	s, err := p.text(path)
	s = strings.TrimSpace(s)
	switch {
	case err != nil:
		return err
	case s == "":
		return &Error{path, "is an empty selector", "give CSS, such as h1 or .price, or a ref"}
	case len(s) > maxSelector:
		return &Error{path, fmt.Sprintf("is a selector of more than %d bytes", maxSelector), ""}
	case s[0] == '>':
		s = ":scope " + s
	}
	f.Selector, f.SelectorPath = s, path
	return nil
}

// kind reads a type.
func (p *parser) kind(path string) (Type, error) {
	s, err := p.text(path)
	if err != nil || slices.Contains(types, Type(s)) {
		return Type(s), err
	}
	var names []string
	for _, t := range types {
		names = append(names, string(t))
	}
	e := &Error{path, fmt.Sprintf("is %q, which is no type", s), "there are " + strings.Join(names, ", ")}
	near := spelling.Nearest(s, names)
	switch {
	case s == "object" || s == "array" || s == "list":
		e.Hint = `leave it out: "fields" makes an object, and [{…}] a list`
	case len(near) > 0:
		e.Hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return "", e
}

// text reads a string.
func (p *parser) text(path string) (s string, err error) {
	return s, p.value(path, &s, "a text")
}

// value reads a plain value into v. The parameter what names the expected kind of value in errors.
func (p *parser) value(path string, v any, what string) error {
	raw, err := p.dec.ReadValue()
	if err == nil && (raw.Kind() == 'n' || json.Unmarshal(raw, v) != nil) {
		err = &Error{path, "must be " + what, ""}
	}
	return err
}

// check returns an error for settings of a field that contradict each other.
func (f *Field) check(depth int) error {
	wrong := func(key, message, hint string) error { return &Error{f.Path + member(key), message, hint} }
	isHTML := f.Type == HTML || f.Type == Markdown
	switch {
	case f.Fields != nil && f.Type != "":
		return wrong("type", "is of no use beside fields: they make an object", "leave it out")
	case f.Fields != nil && f.Attr != "":
		return wrong("attr", "is of no use beside fields", "put it into a field there")
	case f.Attr != "" && isHTML:
		return wrong("type", fmt.Sprintf("is %s, which an attribute has not", f.Type), "leave out attr, or the type")
	case f.Type == Exists && f.Default != nil:
		return wrong("default", "is of no use: the type exists is false where there is no element", "leave it out")
	case f.Decimal != "" && f.Type != Number:
		return wrong("decimal", "is for numbers", `add "type": "number"`)
	case f.Selector == "" && (f.List || f.Fields == nil && depth == 0):
		return &Error{f.Path, "has no selector", `give "selector": CSS, or a ref`}
	case f.Limit > 0 && !f.List:
		return wrong("limit", "is for lists, and this is the first match alone", `put the field into a list, [{…}]`)
	}
	if f.Fields == nil && f.Type == "" {
		f.Type = String
	}
	return nil
}
