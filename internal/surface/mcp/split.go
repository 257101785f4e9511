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
	foreignType = reflect.TypeFor[op.PageText]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	timeType    = reflect.TypeFor[time.Time]()
)

// A splitter separates a result, by the types of its fields, into chela's own part (own, ours) and
// the page's part (page, theirs). The page's part has values of type [op.PageText] and values of no
// known type, such as what a script returned.
//
// The result has come as JSON, often from a server in another process, so the values themselves
// have no types. The types of the Go struct that was encoded are known from the operation. Values
// that the struct does not explain count as the page's part. If a text of chela is fenced by
// mistake, that does no harm. A text of the page that is not fenced could give the model orders.
type splitter struct {
	brief  bool           // leave out fields that a model does not need: see field.hidden
	file   func(madeFile) // called with each file that the operation made
	fenced bool           // the values are inside a field that must be fenced for a model
}

// A madeFile is a file that an operation has made.
type madeFile struct {
	path  string
	named bool // the page has chosen its name, as with a download: callers know it by this name
}

// fields separates the fields of an object into chela's own and those with content of the page. It
// returns only fields that the struct type has. A nil type means an operation without a result,
// which has no fields. If the type is not a struct, nothing is known of the object, so all of it
// counts as the page's part.
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
		within := s
		within.fenced = s.fenced || f.tool == "fenced"
		ours, theirs := within.value(value, f.kind)
		if f.untrusted || f.tool == "fenced" {
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

// value separates a value by its type, as fields does for an object; a part without content is nil.
// A list stays a list in both parts, with a place for each of its objects, so that a reader can put
// them together again. Numbers and booleans are in the own part, even if the page has chosen them:
// they cannot hold a sentence. A json.RawMessage is in the page's part as a whole, because nothing is
// known of what is in it.
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

// text puts a text into the own part if its type is one of chela's own strings or a time, else into
// the page's part. It reports the path of a file to s.file.
func (s splitter) text(text string, of reflect.Type) (own, page any) {
	switch {
	case text == "" && (of == foreignType || of == fileType):
		return nil, nil
	case of == foreignType, of.Kind() != reflect.String && of != timeType:
		return nil, text
	case of == fileType && s.file != nil:
		s.file(madeFile{text, s.fenced})
	}
	return text, nil
}

// list separates each item of a list. A part is nil if no item has anything in it. An empty list
// belongs to the own part: chela has found that there is nothing.
func (s splitter) list(list []any, of reflect.Type) (own, page any) {
	ours, theirs := make([]any, 0, len(list)), make([]any, 0, len(list))
	anyOurs, anyTheirs := len(list) == 0, false
	for _, each := range list {
		o, p := s.value(each, of)
		anyOurs, anyTheirs = anyOurs || o != nil, anyTheirs || p != nil
		ours, theirs = append(ours, orEmpty(o)), append(theirs, orEmpty(p))
	}
	switch {
	case anyOurs && anyTheirs && s.brief:
		return nil, together(ours, theirs) // two lists would have to be read side by side
	case anyOurs:
		own = ours
	}
	if anyTheirs {
		page = theirs
	}
	return own, page
}

// together combines the values of chela's own (ours) and the values of the page (theirs) of a list
// into one list. That list is in the page's part: chela's own part must have no value of a page.
func together(ours, theirs []any) []any {
	whole := make([]any, len(ours))
	for i := range whole {
		own, ok1 := ours[i].(map[string]any)
		page, ok2 := theirs[i].(map[string]any)
		switch {
		case !ok1 || !ok2:
			whole[i] = theirs[i]
			if ok2 && len(page) == 0 {
				whole[i] = ours[i]
			}
		default:
			whole[i] = merged(own, page)
		}
	}
	return whole
}

// merged combines the fields of two objects. A field that both have is an object, and each has a
// part of it.
func merged(own, page map[string]any) map[string]any {
	whole := maps.Clone(own)
	for name, value := range page {
		a, ok1 := whole[name].(map[string]any)
		b, ok2 := value.(map[string]any)
		if ok1 && ok2 {
			value = merged(a, b)
		}
		whole[name] = value
	}
	return whole
}

// orEmpty returns a part of a list's item, or an empty object in the place of a missing part. So
// the items of the two lists keep their places.
func orEmpty(value any) any {
	if value == nil {
		return map[string]any{}
	}
	return value
}

// entries separates the values of a map. Its names are chela's, such as the refs of a
// snapshot, so an operation must not answer a map whose names a page can choose.
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

// direct returns the type that a pointer type points to, or else the type itself.
func direct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// A field of a result. Its tag tool says whether a model needs it. The value "-" means no, and "if
// x" means only together with the field x, when that is true. The value "fenced" means that the
// field is put between the boundaries for text of a page. An example is a path that ends with a
// name that the page has chosen.
type field struct {
	name string
	kind reflect.Type
	tool string

	untrusted bool // the value comes from the page, whatever its type is
}

// hidden reports whether a model does not need the field in this object: each field
// costs tokens in all further turns of the conversation.
func (f field) hidden(object map[string]any) bool {
	if with, ok := strings.CutPrefix(f.tool, "if "); ok {
		return object[with] != true
	}
	if without, ok := strings.CutPrefix(f.tool, "unless "); ok {
		return object[without] == true
	}
	return f.tool == "-"
}

// fieldsOf returns the fields of a struct, and of its variants.
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

// structFields returns the fields of a struct; none for any other type. All fields of an untrusted
// result come from the page, whatever their types are.
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
