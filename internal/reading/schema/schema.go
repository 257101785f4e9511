// Package schema reads schemas. In a schema, a caller describes by CSS selectors which JSON it
// wants from a page. The package makes that JSON from the texts of the page. It needs no model and
// runs no script of the caller.
//
// A schema is an object. The answer has the same names:
//
//	{"title": "h1",
//	 "price": {"selector": ".price", "type": "number"},
//	 "links": ["nav a"],
//	 "items": [{"selector": ".row", "fields": {"name": "td", "url": {"selector": "a", "attr": "href"}}}]}
//
// A string is a selector, and stands for the text of the first element that it matches. A list has
// one field, which is read from each element that matches. An object describes a field in detail,
// see [Field]. The schema itself may also be a list; then the answer is a list.
//
// [Parse] checks a schema, package page reads the page, and [Reading.Data] converts what it read.
package schema

import "iter"

// A Field is a part of the answer.
type Field struct {
	Name         string // the field's name in the object around; "" for an element of a list
	Path         string // where the field stands in the schema, for errors
	Selector     string // CSS, or a ref; "": the element around the field, or the page
	SelectorPath string // where the selector stands in the schema, for errors
	Attr         string // the attribute that is read; "": what the element shows
	Type         Type
	Decimal      string   // for a number: the mark before the fraction, "." or ",", if a text leaves it open; "": as in the page's language
	List         bool     // the field is a list of all matching elements, not only the first one
	Limit        int      // for a list: the maximum number of elements; 0: as many as fit
	Fields       []*Field // fields of an object, in the order of the schema; nil: the field is no object
	Default      []byte   // JSON for an element that is missing; nil: null, and the field is reported as missing
}

// A Type says how the text of an element is converted.
type Type string

const (
	String   Type = "string"   // a text in one line
	Text     Type = "text"     // a text that keeps its lines
	Number   Type = "number"   // the first number in the text, see number.go
	Integer  Type = "integer"  // a number without a fraction
	Boolean  Type = "boolean"  // whether a box is checked, or what the words yes, no and the like say
	Exists   Type = "exists"   // whether there is such an element: true or false, and never missing
	Date     Type = "date"     // a day: 2026-03-04
	URL      Type = "url"      // the absolute address that the element links to
	HTML     Type = "html"     // HTML of the element
	Markdown Type = "markdown" // HTML of the element, converted to Markdown
)

var types = []Type{String, Text, Number, Integer, Boolean, Exists, Date, URL, HTML, Markdown}

// Bounds on a schema. The size of the answer is bounded by the code that reads the page.
const (
	maxFields   = 500
	maxDepth    = 10   // limit for fields inside fields
	maxName     = 200  // bytes of a name
	maxSelector = 2000 // bytes
	maxDefault  = 1000 // bytes
	maxLimit    = 100_000
)

// IsObject reports whether the field contains other fields.
func (f *Field) IsObject() bool { return f.Fields != nil }

// All yields the field and all fields within it, each before the fields inside it. The second value
// says whether the field is a list, or is inside one.
func (f *Field) All() iter.Seq2[*Field, bool] {
	return func(yield func(*Field, bool) bool) { f.all(false, yield) }
}

func (f *Field) all(inList bool, yield func(*Field, bool) bool) bool {
	inList = inList || f.List
	if !yield(f, inList) {
		return false
	}
	for _, each := range f.Fields {
		if !each.all(inList, yield) {
			return false
		}
	}
	return true
}

// An Error says what is wrong with a schema.
type Error struct {
	Path    string // place of the fault, such as schema.items[0].fields.price.type
	Message string // what is wrong; follows the place in a sentence
	Hint    string // what the caller can write instead, or ""
}

func (e *Error) Error() string { return e.Path + " " + e.Message }
