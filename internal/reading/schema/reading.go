package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/base/hidden"
	"chela/internal/base/lazyregexp"
	"chela/internal/reading/inputvalue"
	"chela/internal/wall/excerpt"
)

// A Value is what was read for a field. The zero value means that the field's element is missing.
type Value struct {
	Found   bool
	Text    string  // text of the element, for a field that is neither a list nor an object
	Lang    string  // language of the element, if its text is a number; "" if the page does not tell it
	Wrong   bool    // the text should be an address, and is not one
	Skipped bool    // the field was not read, because a limit was reached
	Cut     bool    // the text is only the beginning
	Of      int     // how many UTF-16 code units the text has, if it was cut, 0 if not known; for a list: how many elements match
	Parts   []Value // for a list: its elements; for an object: its fields, in their order
}

// ValueOf converts a value that the page script has returned, see fields.js.
func ValueOf(raw any) Value {
	switch raw := raw.(type) {
	case nil:
		return Value{}
	case string:
		return Value{Found: true, Text: raw}
	case []any:
		return Value{Found: true, Parts: valuesOf(raw)}
	case map[string]any:
		text, _ := raw["text"].(string)
		lang, _ := raw["lang"].(string)
		of, _ := raw["of"].(float64)
		all, _ := raw["all"].([]any)
		room, isCut := raw["room"].(float64)
		if isCut {
			text, _ = excerpt.FirstUnits(text, int(room))
		}
		return Value{Found: true, Text: text, Lang: lang, Wrong: raw["wrong"] == true, Cut: isCut, Of: int(of), Parts: valuesOf(all)}
	}
	return Value{Skipped: true}
}

func valuesOf(raw []any) []Value {
	values := make([]Value, len(raw))
	for i, each := range raw {
		values[i] = ValueOf(each)
	}
	return values
}

// A Reading is a schema with what was read from a page for it.
type Reading struct {
	Root     *Field
	Value    Value
	Apart    map[*Field]Value // values of fields whose element is named by a ref: they are read separately and are not in Value
	URL      string           // URL of the page
	Full     bool             // the limit of characters was reached
	Late     bool             // the time was over before all fields were read
	Unopened bool             // see page.Unopened
}

// Data is a reading as JSON, with a list of what is missing in it.
type Data struct {
	JSON       json.RawMessage
	Missing    []string     // the places in JSON of fields for which the page has no element, maxListed at most
	Unreadable []Unreadable // places in JSON of fields whose text cannot be converted to their type, maxListed at most
	Cut        []Cut        // the places of lists and texts that are not whole, maxListed at most

	MoreMissing, MoreUnreadable, MoreCut int // how many more there are beyond the maxListed that are listed
}

// An Unreadable is a field whose text cannot be converted to its type. It is null in the answer.
type Unreadable struct {
	Path string
	Type Type
	Text string // the beginning of the text
}

// A Cut says that the answer has only the beginning of a list or a text.
type Cut struct {
	Path     string
	Kept, Of int // how many elements or UTF-16 code units are kept, and of how many; 0 if not known
}

const (
	maxListed = 100 // how many missing, unreadable and cut fields are listed, each
	maxQuoted = 100 // how many characters of an unreadable text are quoted
)

// Data converts what was read. The function toMarkdown converts the HTML of an element to Markdown.
// It reports whether only the beginning of the HTML was converted.
func (r Reading) Data(toMarkdown func(html string) (markdown string, cut bool)) Data {
	w := writer{reading: r, toMarkdown: toMarkdown}
	w.field(r.Root, r.Value, "")
	w.data.JSON = w.json
	return w.data
}

// A writer makes the JSON of a reading. Its paths are paths in the answer: items[3].price.
type writer struct {
	reading    Reading
	toMarkdown func(string) (string, bool)
	json       []byte
	data       Data
}

// field writes the value of a field.
func (w *writer) field(f *Field, v Value, path string) {
	if apart, ok := w.reading.Apart[f]; ok {
		v = apart
	}
	switch {
	case v.Skipped:
		w.skipped(path)
	case f.List:
		w.list(f, v, path)
	case f.Type == Exists:
		w.json = strconv.AppendBool(w.json, v.Found)
	case !v.Found:
		w.missing(f, path, "null")
	default:
		w.one(f, v, path)
	}
}

// one writes the value that was read from one element.
func (w *writer) one(f *Field, v Value, path string) {
	if !f.IsObject() {
		w.scalar(f, v, path)
		return
	}
	w.json = append(w.json, '{')
	for i, each := range f.Fields {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		w.json = append(appendText(w.json, each.Name), ':')
		part := Value{}
		if i < len(v.Parts) {
			part = v.Parts[i]
		}
		w.field(each, part, strings.TrimPrefix(path+member(each.Name), "."))
	}
	w.json = append(w.json, '}')
}

// list writes a list. A list without elements counts as missing: its selector may be wrong.
func (w *writer) list(f *Field, v Value, path string) {
	if v.Of == 0 {
		w.missing(f, path, "[]")
		return
	}
	w.json = append(w.json, '[')
	element := *f
	element.List, element.Default = false, nil
	for i, each := range v.Parts {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		w.field(&element, each, path+"["+strconv.Itoa(i)+"]")
	}
	w.json = append(w.json, ']')
	if len(v.Parts) < v.Of && (f.Limit == 0 || len(v.Parts) < f.Limit) {
		w.cut(path, len(v.Parts), v.Of)
	}
}

// missing writes the default that the schema has for a field without an element. If there is no
// default, it writes the text in the parameter instead, and reports the field as missing.
func (w *writer) missing(f *Field, path, instead string) {
	if f.Default != nil {
		w.json = append(w.json, f.Default...)
		return
	}
	w.json = append(w.json, instead...)
	if len(w.data.Missing) == maxListed {
		w.data.MoreMissing++
		return
	}
	w.data.Missing = append(w.data.Missing, path)
}

func (w *writer) cut(path string, kept, of int) {
	if len(w.data.Cut) == maxListed {
		w.data.MoreCut++
		return
	}
	w.data.Cut = append(w.data.Cut, Cut{path, kept, of})
}

// skipped writes what stands for a value that was not read.
func (w *writer) skipped(path string) {
	w.json = append(w.json, "null"...)
	w.cut(path, 0, 0)
}

// scalar writes a text as a value of the field's type. If the text was cut, a value that is not a
// text is null.
func (w *writer) scalar(f *Field, v Value, path string) {
	text := v.Text
	if v.Cut {
		w.cut(path, excerpt.Units(text), v.Of)
		if !slices.Contains([]Type{String, Text, HTML, Markdown}, f.Type) {
			w.json = append(w.json, "null"...)
			return
		}
	}
	switch f.Type {
	case String:
		text = strings.Join(strings.Fields(seen(text)), " ")
	case Text:
		text = strings.TrimSpace(seen(text))
	case Markdown:
		var cut bool
		if text, cut = w.toMarkdown(text); cut && !v.Cut {
			w.cut(path, excerpt.Units(text), 0)
		}
	case HTML:
	default:
		literal, ok := literalOf(f, v)
		if !ok {
			literal = "null"
			w.unreadable(f, text, path)
		}
		w.json = append(w.json, literal...)
		return
	}
	w.json = appendText(w.json, text)
}

func (w *writer) unreadable(f *Field, text, path string) {
	if len(w.data.Unreadable) == maxListed {
		w.data.MoreUnreadable++
		return
	}
	text = excerpt.Shorten(strings.Join(strings.Fields(seen(text)), " "), maxQuoted)
	w.data.Unreadable = append(w.data.Unreadable, Unreadable{path, f.Type, text})
}

// literalOf returns the JSON of a value whose type is not string, such as a number. If the text is
// no value of that type, ok is false.
func literalOf(f *Field, v Value) (literal string, ok bool) {
	switch f.Type {
	case Number, Integer:
		mark := decimalMark(v.Lang)
		if f.Decimal != "" {
			mark = rune(f.Decimal[0])
		}
		return number(v.Text, mark, f.Type == Integer)
	case Boolean:
		return boolean(v.Text)
	case Date:
		day, ok := date(v.Text)
		return strconv.Quote(day), ok
	case URL: // the page script has made the URL absolute, if it is valid
		return string(appendText(nil, v.Text)), !v.Wrong
	}
	panic(fmt.Sprintf("schema: there is no type %q", f.Type))
}

// boolean reads the words and signs by which pages say yes and no.
func boolean(text string) (literal string, ok bool) {
	switch strings.ToLower(strings.TrimSpace(hidden.Strip(text))) {
	case "true", "yes", "y", "on", "1", "✓", "✔", "✅", "☑":
		return "true", true
	case "false", "no", "n", "off", "0", "✗", "✘", "❌", "☐", "×":
		return "false", true
	}
	return "", false
}

// dayAndMore matches a day as programs write it, with words or a time after it. The time may have
// an offset. No other numbers may follow, such as another day.
var dayAndMore = lazyregexp.New(`^(\d{4}-\d{2}-\d{2})[Tt ]\D*(?:\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?\D*?(?:[+-]\d{1,2}(?::?\d{2})?)?\D*)?$`)

// date returns the day that a text names, as 2026-03-04. The text may have a time after the day, as
// programs write it. If it may mean two days, ok is false.
func date(text string) (day string, ok bool) {
	text = strings.TrimSpace(seen(text))
	if found := dayAndMore().FindStringSubmatch(text); found != nil {
		text = found[1]
	}
	day, err := inputvalue.Input{Type: "date"}.Read(text)
	return day, err == nil
}

// seen returns a text without the characters that cannot be seen.
func seen(text string) string { return hidden.Shown(lineEnds.Replace(text)) }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// appendText appends a text as JSON, with < and > as they are: it may be HTML.
func appendText(to []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(to, strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		panic(err) // only what is not UTF-8 cannot be quoted
	}
	return quoted
}
