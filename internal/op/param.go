package op

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Param is one field of an operation's request. The field's tags describe it:
//
//	json     its name; omitempty: it may be left out
//	doc      what it means
//	flag     its flags on the command line, if they are not its name in kebab-case;
//	         !x is a flag that sets a bool to false; - means that it has none
//	bare     the value of its flag if the flag is given without a value
//	alias    other names in requests
//	enum     the values it may take
//	lenient  true: other values are also accepted, and mean the default
//	unknown  the error message of the command line for a value that the parameter does
//	         not take, where {} stands for the value; "": as in requests
//	min,max  the smallest and the largest number
//	default  its value when it is left out, for the documentation
//	agents   its value when an agent leaves it out, see [Op.ForAgent]
//	wrong    the error message for a value of another type, out of range, or not in enum
//	missing  the error message where it is required and left out
//	empty    the error message where it may be left out, and is given without a value
//	strict   true: a wrong value is also an error in the query of a GET, where others are
//	         ignored
//	script   true: it is a script of the caller, or a document that may have some
//	secret   true: traces and recordings do not have its value
//	entered  text or key: it goes into a field, and recordings do not have it if the
//	         field may hold a secret; actions: it is a list of actions, which may have
//	         such texts
//	sealed   the key of the objects in it whose value may be a [Sealed] text; *: all keys
//	reveals  true: if it is set, the answer has secrets, such as cookies
//	verbatim true: white space around the text is kept
//	absent   true, for a text of a result: an empty text does not mean that there is none
//	digits   true: the text may also be given as a JSON number, such as the ref 12
//	tool     its description in the definition of the agent tool, which is short;
//	         "-" leaves the parameter out of the definition, "+" leaves only its type.
//	         For a field of a result:
//	         "-" if models do not get it; "if x" if they get it only where the field x is
//	         true; "unless x" if only where it is not; "fenced" if the page chose a part of
//	         it; "document" if its lines are not marked as a page's, as in a snapshot. Structured
//	         content has it either way.
type Param struct {
	Name     string
	Aliases  []string
	Flags    []string
	Bare     string
	Doc      string
	Enum     []string
	Min, Max *float64
	Default  string
	Agents   string
	Required bool
	Script   bool
	Secret   bool
	Entered  string
	Reveals  bool
	Lenient  bool
	Strict   bool
	Absent   bool
	Unknown  string
	Tool     string
	Missing  string
	Empty    string
	Type     reflect.Type

	wrong    string
	verbatim bool
	digits   bool
	sealed   string
}

// paramsOf returns the fields of a request type. It panics if one has no doc tag.
func paramsOf(t reflect.Type) []Param {
	ps := fieldsOf(t)
	for _, p := range ps {
		if p.Doc == "" {
			panic(fmt.Sprintf("op: field %s of %s needs a doc tag", p.Name, t))
		}
	}
	return ps
}

// fieldsOf returns the fields of a struct, see eachField.
func fieldsOf(t reflect.Type) []Param {
	ps := make([]Param, 0, t.NumField())
	eachField(t, func(f reflect.StructField) { ps = append(ps, fieldOf(t, f)) })
	return ps
}

// eachField calls the function do with each field of a struct that encoding/json uses, including
// those of embedded structs. Every command calls it, and reflect.VisibleFields would take much
// longer.
func eachField(t reflect.Type, do func(reflect.StructField)) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			eachField(f.Type, do)
		case f.Anonymous && f.Type.Kind() == reflect.Pointer:
			eachField(f.Type.Elem(), do)
		case f.IsExported() && f.Tag.Get("json") != "-":
			do(f)
		}
	}
}

// fieldOf makes a parameter from a field. It panics if the field has no json tag.
func fieldOf(owner reflect.Type, f reflect.StructField) Param {
	tag := parseTags(f.Tag)
	name, opts, _ := strings.Cut(tag.Get("json"), ",")
	p := Param{
		Name: name, Required: opts == "", Type: f.Type,
		Doc: tag.Get("doc"), Default: tag.Get("default"), Agents: tag.Get("agents"), Bare: tag.Get("bare"),
		Aliases: list(tag.Get("alias")), Flags: list(tag.Get("flag")), Enum: list(tag.Get("enum")),
		Min: bound(tag.Get("min")), Max: bound(tag.Get("max")),
		wrong: tag.Get("wrong"), Unknown: tag.Get("unknown"), Tool: tag.Get("tool"), Missing: tag.Get("missing"), Empty: tag.Get("empty"),
		Script: tag.Get("script") == "true", Secret: tag.Get("secret") == "true", Reveals: tag.Get("reveals") == "true",
		Entered:  tag.Get("entered"),
		verbatim: tag.Get("verbatim") == "true", digits: tag.Get("digits") == "true", sealed: tag.Get("sealed"),
		Lenient: tag.Get("lenient") == "true", Strict: tag.Get("strict") == "true",
		Absent: tag.Get("absent") == "true",
	}
	if p.Flags == nil {
		p.Flags = []string{kebab(name)}
	}
	if p.Name == "" {
		panic(fmt.Sprintf("op: %s.%s needs a json tag", owner, f.Name))
	}
	return p
}

// Tags are the tags of a field by name, parsed once. [reflect.StructTag.Get] would parse them for
// each of the many names.
type tags map[string]string

func (t tags) Get(name string) string { return t[name] }

// parseTags parses the tags of a field. It panics if they are not in the form that reflect expects.
func parseTags(written reflect.StructTag) tags {
	parsed := tags{}
	for rest := string(written); rest != ""; {
		name, after, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			panic("op: not a tag: " + rest)
		}
		parsed[name], _ = strconv.Unquote(quoted)
		rest = strings.TrimLeft(after[len(quoted):], " ")
	}
	return parsed
}

func list(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

func bound(tag string) *float64 {
	if tag == "" {
		return nil
	}
	n, err := strconv.ParseFloat(tag, 64)
	if err != nil {
		panic("op: a bound is a number: " + tag)
	}
	return &n
}

// OnCommandLine reports whether the parameter has a flag.
func (p Param) OnCommandLine() bool { return p.Flags[0] != "-" }

// Parse converts a value to JSON. The value was given as text, in a query or on a command line. For
// a list, each text is an element, or the one text is the list in JSON. The error is an [*Error].
func (p Param) Parse(texts ...string) (json.RawMessage, error) {
	if p.Type.Kind() == reflect.Slice && p.Type.Elem().Kind() == reflect.String && !isJSONArray(texts) {
		return json.Marshal(texts)
	}
	return p.parseOne(texts[len(texts)-1])
}

// isJSONArray reports whether a list was given as one text in JSON.
func isJSONArray(texts []string) bool {
	return len(texts) == 1 && strings.HasPrefix(strings.TrimSpace(texts[0]), "[") && json.Valid([]byte(texts[0]))
}

// parseOne parses a single text. Parse calls it for each value.
func (p Param) parseOne(s string) (json.RawMessage, error) {
	t := elem(p.Type)
	if p.readsText() {
		v := reflect.New(t).Interface()
		if err := v.(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
	switch t.Kind() {
	case reflect.String:
		return json.Marshal(s)
	case reflect.Bool:
		b, ok := ParseBool(s)
		if !ok {
			return nil, Errorf(Invalid, "%s", p.wrongType())
		}
		return json.Marshal(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		if err != nil {
			return nil, Errorf(Invalid, "%s", p.wrongType())
		}
		return json.Marshal(n)
	case reflect.Float64:
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, Errorf(Invalid, "%s", p.wrongType())
		}
		return json.Marshal(n)
	}
	if !json.Valid([]byte(s)) {
		return nil, Errorf(Invalid, "%s must be valid JSON.", p.Name)
	}
	return json.RawMessage(s), nil
}

// readsText reports whether the parameter's type decodes text itself.
func (p Param) readsText() bool {
	t := p.Type
	if t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	return t.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// Accepts reports whether raw is a valid value of the parameter.
func (p Param) Accepts(raw json.RawMessage) bool {
	raw = p.normal(raw)
	return p.check(raw) == nil && (raw == nil || json.Unmarshal(raw, reflect.New(p.Type).Interface()) == nil)
}

// Blank reports whether text is only white space, for an optional parameter that takes a name or
// another text. Such a text is an error: it does not count as left out. A caller that names the tab
// " " means some tab, and must not get the current one. For a required parameter, a blank text
// counts as missing.
func (p Param) Blank(text string) bool {
	return !p.Required && !p.verbatim && p.Enum == nil && p.kind() == reflect.String && strings.TrimSpace(text) == ""
}

// isBlank reports whether a value in JSON is blank, as Blank does for a text. In requests, an empty
// text counts as left out, and is not blank.
func (p Param) isBlank(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil && s != "" && p.Blank(s)
}

// kind returns the kind of the parameter's type, or of the type that it points to.
func (p Param) kind() reflect.Kind {
	if p.Type.Kind() == reflect.Pointer {
		return p.Type.Elem().Kind()
	}
	return p.Type.Kind()
}

// normal converts raw to the parameter's type, since models and scripts often use another type. A
// number, bool, list or object may be given as a string, and a bool as 1 or 0. A text must be a
// string; with the tag digits it may be a number. Null and nothing become nil; what cannot be
// converted stays as it is.
func (p Param) normal(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var s string
	isText := raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	kind := p.kind()
	switch {
	case p.readsText(): // the type decodes itself
	case isText && kind == reflect.String && !p.verbatim:
		raw, _ = json.Marshal(strings.TrimSpace(s))
	case kind == reflect.Slice:
		if isText && p.Type != reflect.TypeFor[json.RawMessage]() && isJSONArray([]string{s}) {
			return json.RawMessage(s)
		}
	case isText && kind != reflect.String:
		if v, err := p.parseOne(s); err == nil {
			return v
		}
	case kind == reflect.Bool:
		if v, err := p.parseOne(string(raw)); err == nil {
			return v
		}
	case isWhole(kind):
		return whole(raw)
	case p.digits && isNumber(raw):
		raw, _ = json.Marshal(string(raw))
	}
	return raw
}

// isNumber reports whether JSON is a number.
func isNumber(raw json.RawMessage) bool { return raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9' }

// isWhole reports whether values of a kind are whole numbers.
func isWhole(kind reflect.Kind) bool { return kind == reflect.Int || kind == reflect.Int64 }

// maxWhole is the largest whole number that all programs read exactly from JSON. Many of them have
// only floating-point numbers.
const maxWhole = 1<<53 - 1

// whole returns a number without its fraction, if that is zero: 5.0 and 5e0 are 5. It returns
// anything else as it is.
func whole(raw json.RawMessage) json.RawMessage {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > maxWhole {
		return raw
	}
	return json.RawMessage(strconv.FormatInt(int64(n), 10))
}

// check returns what is wrong with a value that normal has returned.
func (p Param) check(raw json.RawMessage) error {
	if raw == nil || string(raw) == `""` {
		if p.Required && (raw == nil || !p.verbatim) {
			if p.Missing != "" {
				return fmt.Errorf("%s", p.Missing)
			}
			return fmt.Errorf("%s is required", p.Name)
		}
		return nil
	}
	if !p.Lenient && !p.Offers(raw) {
		if p.wrong != "" {
			return fmt.Errorf("%s", p.wrong)
		}
		return fmt.Errorf("%s must be %s", p.Name, strings.Join(p.Enum, "|"))
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil
	}
	if p.Min != nil && n < *p.Min || isWhole(p.kind()) && math.Abs(n) > maxWhole {
		return fmt.Errorf("%s", p.wrongType())
	}
	above := p.Max != nil && n > *p.Max
	if above && p.wrong != "" {
		return fmt.Errorf("%s", p.wrong)
	}
	if above {
		return fmt.Errorf("%s must not exceed %s", p.Name, strconv.FormatFloat(*p.Max, 'f', -1, 64))
	}
	return nil
}

// Offers reports whether a value, or each element of a list, is in the parameter's
// enum. It is true for a parameter without one.
func (p Param) Offers(raw json.RawMessage) bool {
	if len(p.Enum) == 0 {
		return true
	}
	values := make([]string, 1)
	if json.Unmarshal(raw, &values) != nil && json.Unmarshal(raw, &values[0]) != nil {
		return false
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(p.Enum, v) })
}

// wrongType returns the message for a value of another type, or out of range.
func (p Param) wrongType() string {
	if p.wrong != "" {
		return p.wrong
	}
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		switch {
		case p.Min == nil:
			return p.Name + " must be an integer."
		case *p.Min == 0:
			return p.Name + " must be a non-negative integer."
		case *p.Min == 1:
			return p.Name + " must be a positive integer."
		}
		return fmt.Sprintf("%s must be an integer of at least %v.", p.Name, *p.Min)
	case reflect.Float64:
		if p.Min != nil && *p.Min == 0 {
			return p.Name + " must be a number of at least 0"
		}
		return p.Name + " must be a finite number"
	case reflect.Bool:
		return p.Name + " must be true or false"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return p.Name + " must be a list of strings"
		}
		return p.Name + " must be a list"
	case reflect.Map, reflect.Struct:
		return p.Name + " must be an object"
	case reflect.String:
		return p.Name + " must be a string"
	}
	return p.Name + " has the wrong type"
}

// ParseBool reads a bool that was written as a text or a number.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1", "yes", "on":
		return true, true
	case "false", "0", "no", "off":
		return false, true
	}
	return false, false
}

// kebab turns fullPage into full-page.
func kebab(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
