package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"chela/internal/op"
)

var (
	fileType    = reflect.TypeFor[op.File]()
	foreignType = reflect.TypeFor[op.Foreign]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	timeType    = reflect.TypeFor[time.Time]()
)

// A splitter parts a result, by the types of its fields, into what chela says
// and what comes from the page. From the page are values of type [op.Foreign]
// and those of no known type, such as what a script returned.
type splitter struct {
	brief bool              // without what a model does not need: see field.hidden
	file  func(path string) // is called with the path of each file that the operation made
}

// fields parts those fields of an object that a struct has. A nil
// type has none; of another type nothing is known.
func (s splitter) fields(object map[string]any, of reflect.Type) (own, page map[string]any) {
	own, page = map[string]any{}, map[string]any{}
	switch {
	case of == nil:
		return own, page
	case direct(of).Kind() != reflect.Struct:
		return own, maps.Clone(object)
	}
	for _, f := range fieldsOf(of) {
		value, given := object[f.name]
		if !given || s.brief && f.hidden(object) {
			continue
		}
		if s.brief && f.tool == "fenced" {
			page[f.name] = value
			continue
		}
		ours, theirs := s.value(value, f.kind)
		if f.untrusted {
			ours, theirs = nil, value
		}
		if ours != nil {
			own[f.name] = ours
		}
		if theirs != nil {
			page[f.name] = theirs
		}
	}
	return own, page
}

// value parts a value of a type. A list stays a list in both parts, with a place
// for each of its objects, so that a reader can put them together again.
func (s splitter) value(value any, of reflect.Type) (own, page any) {
	of = direct(of)
	switch v := value.(type) {
	case string:
		return s.text(v, of)
	case []any:
		if of.Kind() == reflect.Slice && of != rawType {
			return s.list(v, of.Elem())
		}
		return nil, v
	case map[string]any:
		switch of.Kind() {
		case reflect.Struct:
			ours, theirs := s.fields(v, of)
			if len(theirs) == 0 {
				return ours, nil
			}
			if len(ours) == 0 {
				return nil, theirs
			}
			return ours, theirs
		case reflect.Map:
			return s.entries(v, of.Elem())
		}
		return nil, v
	}
	if of == rawType {
		return nil, value
	}
	return value, nil
}

func (s splitter) text(text string, of reflect.Type) (own, page any) {
	switch {
	case of == foreignType && text == "":
		return nil, nil
	case of == foreignType, of.Kind() != reflect.String && of != timeType:
		return nil, text
	case of == fileType && text != "" && s.file != nil:
		s.file(text)
	}
	return text, nil
}

// list parts a list.
func (s splitter) list(list []any, of reflect.Type) (own, page any) {
	ours, theirs := make([]any, 0, len(list)), make([]any, 0, len(list))
	anyOurs, anyTheirs := len(list) == 0, false
	for _, each := range list {
		o, p := s.value(each, of)
		anyOurs, anyTheirs = anyOurs || o != nil, anyTheirs || p != nil
		ours, theirs = append(ours, orEmpty(o)), append(theirs, orEmpty(p))
	}
	if anyOurs {
		own = ours
	}
	if anyTheirs {
		page = theirs
	}
	return own, page
}

// orEmpty is what stands in a list where this part has nothing.
func orEmpty(value any) any {
	if value == nil {
		return map[string]any{}
	}
	return value
}

// entries parts a map, whose names are chela's: refs, for example.
func (s splitter) entries(object map[string]any, of reflect.Type) (own, page any) {
	ours, theirs := map[string]any{}, map[string]any{}
	for name, each := range object {
		o, p := s.value(each, of)
		if o != nil {
			ours[name] = o
		}
		if p != nil {
			theirs[name] = p
		}
	}
	if len(ours) > 0 || len(object) == 0 {
		own = ours
	}
	if len(theirs) > 0 {
		page = theirs
	}
	return own, page
}

func direct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// A field of a result. Its tag tool says whether a model needs it: "-" if not,
// "if x" if only together with the field x, when that is true; "fenced" if a model
// must read it as the page's, such as a path that ends with a name of the page's choice.
type field struct {
	name string
	kind reflect.Type
	tool string

	untrusted bool // it comes from the page, whatever its type is
}

func (f field) hidden(object map[string]any) bool {
	if with, ok := strings.CutPrefix(f.tool, "if "); ok {
		return object[with] != true
	}
	return f.tool == "-"
}

// fieldsOf returns the fields of a struct, and those of its variants.
func fieldsOf(t reflect.Type) []field {
	all := structFields(direct(t), false)
	for _, variant := range op.VariantsOf(direct(t)) {
		for _, f := range structFields(direct(variant.Result), variant.Untrusted()) {
			if !slices.ContainsFunc(all, func(known field) bool { return known.name == f.name }) {
				all = append(all, f)
			}
		}
	}
	return all
}

// structFields returns the fields of a struct, none of another type. All of an
// untrusted result come from the page, whatever their types are.
func structFields(t reflect.Type, untrusted bool) (all []field) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && !f.Anonymous {
			all = append(all, field{name, f.Type, f.Tag.Get("tool"), untrusted})
		}
	}
	return all
}
