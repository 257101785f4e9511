package op

import (
	"encoding/json"
	"reflect"
)

// Add adds an argument from another part of a request to args, such as one from the query to the
// arguments of the body. If args have the parameter already, both values must be the same:
// otherwise nobody knows which one the caller means. An empty value counts as left out.
//
// The error comes from [WhenTwice], or else has the code for invalid requests. It does not have the
// values, which may be secret.
func (o *Op) Add(args Args, name string, raw json.RawMessage) error {
	p, isParam := o.Param(name)
	switch {
	case o.selects(name), !isParam && (name == targetParam || name == nodeParam):
		if earlier := text(args[name]); earlier != "" && earlier != text(raw) {
			return o.twice(name)
		}
	case isParam && p.isEmpty(raw) && o.has(args, p):
		return nil
	case isParam:
		for _, own := range p.names() {
			if earlier := args[own]; !p.isEmpty(earlier) && !p.same(earlier, raw) {
				return o.twice(p.Name)
			}
		}
	}
	args[name] = raw
	return nil
}

// WhenTwice makes e the error for requests that give this field twice, with different values.
func WhenTwice(field string, e *Error) Setting {
	return func(o *Op) { o.differing = append(o.differing, refusal{field, e}) }
}

// twice returns the error for a field that a request gives twice, with different values.
func (o *Op) twice(field string) error {
	if e := errorFor(o.differing, field); e != nil {
		return e
	}
	return Errorf(o.invalid, "%s is given twice, with different values", field).
		Hinted("give it once, by one of its names")
}

// has reports whether args have a value of the parameter, by any of its names.
func (o *Op) has(args Args, p Param) bool {
	for _, own := range p.names() {
		if !p.isEmpty(args[own]) {
			return true
		}
	}
	return false
}

// names returns all names of the parameter in requests.
func (p Param) names() []string { return append([]string{p.Name}, p.Aliases...) }

// isEmpty reports whether raw counts as left out.
func (p Param) isEmpty(raw json.RawMessage) bool {
	raw = p.normal(raw)
	return raw == nil || string(raw) == `""` && !p.verbatim
}

// same reports whether two values mean the same to the operation, such as 5 and "5".
func (p Param) same(a, b json.RawMessage) bool {
	a, b = p.normal(a), p.normal(b)
	one, other := reflect.New(p.Type), reflect.New(p.Type)
	if json.Unmarshal(a, one.Interface()) != nil || json.Unmarshal(b, other.Interface()) != nil {
		return string(a) == string(b)
	}
	return reflect.DeepEqual(one.Interface(), other.Interface())
}

// Values returns the values that the texts of a query give the parameter. The texts of a list are
// one value; otherwise each text is a value of its own.
func (p Param) Values(texts []string) [][]string {
	if p.kind() == reflect.Slice {
		return [][]string{texts}
	}
	values := make([][]string, len(texts))
	for i, text := range texts {
		values[i] = []string{text}
	}
	return values
}
