package schema

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// written returns a field in the form name<selector>type.
func (f *Field) written() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s<%s>%s", f.Name, f.Selector, f.Type)
	if f.Attr != "" {
		b.WriteString("@" + f.Attr)
	}
	if f.List {
		fmt.Fprintf(&b, "[%d]", f.Limit)
	}
	if f.Default != nil {
		fmt.Fprintf(&b, "=%s", f.Default)
	}
	for i, each := range f.Fields {
		b.WriteString([]string{"{", " "}[min(i, 1)] + each.written())
	}
	if f.IsObject() {
		b.WriteString("}")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, s := range []struct{ source, want string }{
		{`{"title": "h1"}`, "<>{title<h1>string}"},
		{`{"b": " .b ", "a": "> a"}`, "<>{b<.b>string a<:scope > a>string}"},
		{`{"price": {"selector": ".price", "type": "number"}}`, "<>{price<.price>number}"},
		{`{"items": [{"selector": ".row", "fields": {"name": "td", "self": {}, "class": {"attr": "class"}}}]}`, "<>{items<.row>[0]{name<td>string self<>string class<>string@class}}"},
		{`{"links": ["a"], "same": {"selector": "a", "all": true, "limit": 5}, "one": {"selector": "a", "all": false}}`, "<>{links<a>string[0] same<a>string[5] one<a>string}"},
		{`["p"]`, "<p>string[0]"},
		{`[{"limit": 3, "selector": "p", "attr": "id"}]`, "<p>string@id[3]"},
		{`{"a": {"fields": {"b": "e12", "c": "f2e5"}}}`, "<>{a<>{b<e12>string c<f2e5>string}}"},
		{`{"a": {"selector": "b", "default": {"x": [1]}}, "c": {"selector": "d", "default": null}}`, `<>{a<b>string={"x": [1]} c<d>string=null}`},
		{`{"type": "h1", "properties": "h2", "fields": ".f", "selector": ".s"}`, "<>{type<h1>string properties<h2>string fields<.f>string selector<.s>string}"},
	} {
		f, err := Parse([]byte(s.source))
		if err != nil {
			t.Errorf("%s: %v", s.source, err)
		} else if got := f.written(); got != s.want {
			t.Errorf("%s: got %s, want %s", s.source, got, s.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a": {"selector": "a", "fields": `, 10) + `{"b": "b"}` + strings.Repeat("}}", 10)
	for _, s := range []struct{ source, want, hint string }{
		{``, "schema is no JSON: it is empty", ""},
		{`{"a": }`, "schema is no JSON: ", ""},
		{`{"a": "b"} {}`, "schema is no JSON: something follows its end", ""},
		{`{"a": "b", "a": "c"}`, "schema is no JSON: a is there twice", ""},
		{`"h1"`, "schema must be an object of fields, or a list of one field", "for example {"},
		{`null`, "schema must be an object of fields, or a list of one field", "for example {"},
		{`{}`, "schema has no fields", "for example {"},
		{`[]`, "schema is an empty list", "a list has one field"},
		{`["a", "b"]`, "schema has more than one field", "a list has one"},
		{`[["a"]]`, "schema[0] is a list in a list", "put the inner one into fields"},
		{`[null]`, "schema[0] must be a selector", ""},
		{`[{"attr": "href"}]`, "schema[0] has no selector", `give "selector"`},
		{`{"a": 5}`, "schema.a must be a selector", ""},
		{`{"a": ""}`, "schema.a is an empty selector", "give CSS"},
		{`{"a": {}}`, "schema.a has no selector", `give "selector"`},
		{`{"a b": {"selector": 5}}`, `schema["a b"].selector must be a text`, ""},
		{`{"a": {"selector": null}}`, "schema.a.selector must be a text", ""},
		{`{"items": [{"selector": ".row", "fields": {"price": {"selector": "b", "type": "nubmer"}}}]}`, `schema.items[0].fields.price.type is "nubmer", which is no type`, `did you mean "number"?`},
		{`{"a": {"selector": "b", "type": "array"}}`, `schema.a.type is "array", which is no type`, `"fields" makes an object`},
		{`{"a": {"selector": "b", "type": "x"}}`, `schema.a.type is "x", which is no type`, "there are string, text, number"},
		{`{"a": {"selecter": "b"}}`, "schema.a.selecter is nothing that a field has", `did you mean "selector"?`},
		{`{"a": {"selector": "b", "attribute": "href"}}`, "schema.a.attribute is nothing that a field has", `did you mean "attr"?`},
		{`{"a": {"title": "b"}}`, "schema.a.title is nothing that a field has", `what is in it stands in "fields"`},
		{`{"a": {"selector": "b", "optional": true}}`, "schema.a.optional is nothing", `"default": null`},
		{`{"a": {"type": "object", "properties": {}}}`, `schema.a.type is "object", which is no type`, `"fields" makes an object`},
		{`{"type": "object", "properties": {"a": {"type": "string"}}}`, "schema is a JSON Schema", "name each field with its selector"},
		{`{"selector": ".row", "fields": {"a": "b"}}`, "schema is a field without a name", "in a list, [{…}]"},
		{`{"fields": {"a": "b"}}`, "schema.fields.a is nothing that a field has", `stands in "fields"`},
		{`{"properties": {"a": "b"}}`, "schema.properties.a is nothing that a field has", `stands in "fields"`},
		{`{"a": {"selector": "b", "limit": 5}}`, "schema.a.limit is for lists", "[{…}]"},
		{`{"a": [{"selector": "b", "limit": 0}]}`, "schema.a[0].limit must be from 1 to 100000", ""},
		{`{"a": [{"selector": "b", "limit": 1.5}]}`, "schema.a[0].limit must be a whole number", ""},
		{`{"a": [{"selector": "b", "all": true}]}`, "schema.a[0].all is said twice", "leave out all"},
		{`{"a": {"selector": "b", "all": "yes"}}`, "schema.a.all must be true or false", ""},
		{`{"a": {"selector": "b", "attr": "on click"}}`, "schema.a.attr is \"on click\", which is no name of an attribute", ""},
		{`{"a": {"selector": "b", "attr": "x", "type": "html"}}`, "schema.a.type is html, which an attribute has not", "leave out attr"},
		{`{"a": {"selector": "b", "type": "number", "fields": {"c": "d"}}}`, "schema.a.type is of no use beside fields", "leave it out"},
		{`{"a": {"selector": "b", "attr": "x", "fields": {"c": "d"}}}`, "schema.a.attr is of no use beside fields", ""},
		{`{"a": {"selector": "b", "type": "number", "decimal": ";"}}`, `schema.a.decimal is ";", which separates no fraction`, `write "."`},
		{`{"a": {"selector": "b", "decimal": ","}}`, "schema.a.decimal is for numbers", `add "type"`},
		{`{"a": {"selector": "b", "type": "exists", "default": true}}`, "schema.a.default is of no use", ""},
		{`{"a": {"selector": "b", "fields": {}}}`, "schema.a.fields has no fields", ""},
		{`{"a": {"selector": "b", "fields": ["c"]}}`, "schema.a.fields must be an object of fields", ""},
		{`{"a": {"selector": "b", "default": "` + strings.Repeat("x", 1000) + `"}}`, "schema.a.default is longer than 1000 bytes", ""},
		{`{"` + strings.Repeat("x", 201) + `": "a"}`, "schema has a name of more than 200 bytes", ""},
		{`{"a": "` + strings.Repeat("x", 2001) + `"}`, "schema.a is a selector of more than 2000 bytes", ""},
		{`{` + many(501) + `}`, "schema.f500 is one of more than 500 fields", ""},
		{deep, "is nested deeper than 10 objects", ""},
	} {
		_, err := Parse([]byte(s.source))
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Error(), s.want) || !strings.Contains(wrong.Hint, s.hint) {
			t.Errorf("%.80s: got %v, hint %q, want %s, %s", s.source, err, hintOf(wrong), s.want, s.hint)
		}
	}
}

// Each schema in the documentation is valid.
func TestDocumentedSchemas(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/schema.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```json\n(.*?)```|--schema '(.*?)'").FindAllStringSubmatch(string(raw), -1)
	if len(found) != 2 {
		t.Errorf("%d schemas", len(found))
	}
	for _, source := range append(found, []string{"", example}) {
		if _, err := Parse([]byte(source[1] + strings.Join(source[2:], ""))); err != nil {
			t.Errorf("%s: %v", source[0], err)
		}
	}
}

func hintOf(e *Error) string {
	if e == nil {
		return ""
	}
	return e.Hint
}

// many returns n fields of a schema.
func many(n int) string {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"f%d": "b"`, i)
	}
	return strings.Join(fields, ",")
}

// A schema has a bounded number of fields, each with a path, a selector or an element around it.
// What is wrong with a schema is reported as an Error.
func FuzzParse(f *testing.F) {
	for _, source := range []string{
		`{"title": "h1", "price": {"selector": ".price", "type": "number"}, "items": [{"selector": ".row", "fields": {"a": {"attr": "href"}}}]}`,
		`[{"selector": "p", "limit": 3, "default": [1]}]`, `{"type": "object", "properties": {}}`, `{"a": [`, `[["a"]]`, `"\ud800"`,
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		root, err := Parse([]byte(source))
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Errorf("%q: %v is no Error", source, err)
			}
			return
		}
		n := 0
		for field, inList := range root.All() {
			if n++; !strings.HasPrefix(field.Path, "schema") || field.List && (field.Selector == "" || !inList) || field.IsObject() == (field.Type != "") {
				t.Errorf("%q: %+v", source, field)
			}
		}
		if n > maxFields+1 {
			t.Errorf("%d fields", n)
		}
		reading := Reading{Root: root, Value: ValueOf([]any{"1", nil, map[string]any{"of": 3.0, "all": []any{"a", false}}})}
		reading.Data(toUpper)
	})
}
