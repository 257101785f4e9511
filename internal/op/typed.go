package op

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Typed makes JSON of a value that was typed on a command line. An error, which is an [*Error],
// names the parameter as the command line does: by its flag, or by its name in the usage line. If
// the parameter does not take the value and has the tag unknown, the error has the text of that
// tag. A number out of range is refused here, and so is a text that is not UTF-8: JSON cannot have
// it, and encoding/json would replace its letters without an error. What else is wrong with a value is found when the
// whole request is checked.
func (p Param) Typed(name string, texts ...string) (json.RawMessage, error) {
	isJSON := slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map, reflect.Interface}, p.kind())
	named := p
	if !isJSON {
		named.Name = name
	}
	if slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) }) {
		return nil, Errorf(Invalid, "%s is not in UTF-8", named.Name).Hinted("convert it first, for example by iconv")
	}
	raw, err := named.Parse(texts...)
	if err == nil {
		err = named.outOfRange(raw)
	}
	foreign := err == nil && (!p.Offers(raw) || json.Unmarshal(raw, reflect.New(p.Type).Interface()) != nil)
	broken := raw == nil && isJSON
	if p.Unknown != "" && (foreign || err != nil && !broken) {
		e := Errorf(Invalid, "%s", strings.ReplaceAll(p.Unknown, "{}", strings.Join(texts, ",")))
		if n := len(p.Enum); n > 0 && !strings.Contains(p.Unknown, p.Enum[n-1]) {
			e = e.Hinted("it is one of %s", strings.Join(p.Enum, ", "))
		}
		return nil, e
	}
	return raw, err
}

// outOfRange returns the error for a number that is too small or too large.
func (p Param) outOfRange(raw json.RawMessage) error {
	p.Enum, p.Required = nil, false
	if err := p.check(raw); err != nil {
		return Errorf(Invalid, "%v", err)
	}
	return nil
}
