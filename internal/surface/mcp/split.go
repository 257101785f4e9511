package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"chela/internal/op"
	"chela/internal/reading/snapshot"
)

var (
	fileType    = reflect.TypeFor[op.File]()
	foreignType = reflect.TypeFor[op.PageText]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	timeType    = reflect.TypeFor[time.Time]()
)

// A splitter separates a result into two parts, by the types of its fields. Chela's own part is named
// own or ours in this file, and the page's part page or theirs. The page's part has values of type
// [op.PageText] and values of no known type, such as what a script returned.
//
// The result has come as JSON, often from a server in another process, so the values themselves have
// no types. The operation knows the Go struct that was encoded, and so the types. Values that the
// struct does not explain count as the page's part. Putting a text of chela between the boundaries
// (fencing it) by mistake does no harm. A text of the page outside of them could give the model orders.
type splitter struct {
	brief  bool           // leave out fields that a model does not need: see field.hidden
	file   func(madeFile) // called with each file that the operation made
	fenced bool           // the values are inside a field with the tag "fenced", see field
	whole  bool           // the values are inside a field with the tag "document", see field
	refs   bool           // the values are inside a field with the tag "refs", see field
}

// A madeFile is a file that an operation has made.
type madeFile struct {
	path  string
	named bool // the page has chosen the file's name, as with a download
}

// fields separates the fields of an object into chela's own part and the page's part. The parameter
// of is the struct type of the object. Fields that the struct does not have are left out. If the
// type is nil, the operation has no result, and fields returns empty parts. If the type is not a
// struct, the whole object counts as the page's part.
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
		within.fenced, within.whole, within.refs = s.fenced || f.tool == "fenced", s.whole || f.tool == "document", s.refs || f.tool == "refs"
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

// value separates a value by its type, as fields does for an object. A part without content is nil.
// A list becomes a list in both parts. Each of the two has as many items as the original, so that a
// reader can match them. Numbers and booleans are in the own part, even if the page has chosen
// them: they cannot contain a sentence. A json.RawMessage is in the page's part as a whole, because
// its content is not known.
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

// text puts a text into the own part if its type is a time, or a string type other than
// [op.PageText]. All other texts go into the page's part. It reports the path of a file to s.file.
func (s splitter) text(text string, of reflect.Type) (own, page any) {
	switch {
	case text == "" && (of == foreignType || of == fileType):
		return nil, nil
	case of == foreignType && s.refs:
		return nil, marked(text)
	case of == foreignType && !s.whole:
		return nil, marked(snapshot.WithoutRefs(text))
	case of == foreignType, of.Kind() != reflect.String && of != timeType:
		return nil, text
	case of == fileType && s.file != nil:
		s.file(madeFile{text, s.fenced})
	}
	return text, nil
}

// marked marks the further lines of a text. The message of a dialog, for example, could otherwise
// have lines that look like a snapshot with refs, beside the real one.
func marked(text string) string { return strings.ReplaceAll(text, "\n", "\n  | ") }

// list separates each item of a list. A part is nil if no item has content for it. An empty list
// belongs to the own part, since it means that chela has found nothing.
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
		return nil, together(ours, theirs) // one list, because a model would have to match the items of two
	case anyOurs:
		own = ours
	}
	if anyTheirs {
		page = theirs
	}
	return own, page
}

// together combines the two parts of a list into one list again. The caller puts that list into the
// page's part, since the own part must have no value of a page.
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

// merged combines the fields of two objects. If both have a field, its value is an object in both, and
// these are merged.
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

// orEmpty returns value, or an empty object if value is nil. In a list, the empty object takes the
// place of an item without content, so that the other items keep their indexes.
func orEmpty(value any) any {
	if value == nil {
		return map[string]any{}
	}
	return value
}

// entries separates the values of a map. The keys, such as the refs of a snapshot, count as chela's. So
// no operation may return a map whose keys a page can choose.
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

// A field of a result. Its struct tag tool says whether a model needs it: "-" means no, "if x" means
// only when the field x is true, and "unless x" means only when x is not true. The tag "fenced" means
// that the value is put between the boundaries for text of a page. An example is a path that ends
// with a name that the page has chosen. The tag "document" means that lines of the value stay as they
// are, as in a snapshot. In other texts of a page, further lines are marked, and what looks like a ref
// is broken. The tag "refs" means that the text has refs of chela.
type field struct {
	name string
	kind reflect.Type
	tool string

	untrusted bool // the value counts as text of the page, whatever its type is
}

// hidden reports whether a model does not need the field in this object. Each field costs tokens in all
// further turns of the conversation.
func (f field) hidden(object map[string]any) bool {
	if with, ok := strings.CutPrefix(f.tool, "if "); ok {
		return object[with] != true
	}
	if without, ok := strings.CutPrefix(f.tool, "unless "); ok {
		return object[without] == true
	}
	return f.tool == "-"
}

// fieldsOf returns the fields of a struct, and those of the results that it may have in addition (see
// [op.VariantsOf]).
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
