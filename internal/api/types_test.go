package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chela/internal/op"
)

// wrongTypes has, for each kind of parameter, JSON values that it does not accept.
var wrongTypes = map[reflect.Kind][]string{
	reflect.String:  {`7`, `true`, `{"a":1}`, `["a"]`},
	reflect.Int:     {`"many"`, `1.5`, `{"a":1}`, `[1]`},
	reflect.Int64:   {`"many"`, `1.5`, `{"a":1}`, `[1]`},
	reflect.Float64: {`"many"`, `{"a":1}`, `[1]`},
	reflect.Bool:    {`"maybe"`, `2`, `{"a":1}`, `[true]`},
	reflect.Slice:   {`5`, `{"a":1}`},
	reflect.Map:     {`5`, `["a"]`, `"a"`},
}

// refs lists parameters whose value may consist of digits, so that callers may send it as a number.
var refs = []string{"ref", "startRef", "endRef", "inputRef"}

// In each parameter of each operation, a value of another type is an error that names the
// parameter.
func TestWrongTypesAreRefused(t *testing.T) {
	for _, o := range slices.Concat(Table().Ops, actTable().Ops) {
		for _, p := range o.Params() {
			if readsItself(p.Type) {
				continue // the type has its own UnmarshalJSON
			}
			for _, value := range wrongTypes[elem(p.Type).Kind()] {
				if value == "7" && (slices.Contains(refs, p.Name) || o.Name() == "cookies set" && p.Name == "value") {
					continue
				}
				err := o.Check(op.Args{p.Name: json.RawMessage(value)})
				var e *op.Error
				switch {
				case !errors.As(err, &e):
					t.Errorf("%s: %s = %s: got %v, want an error", o.Name(), p.Name, value, err)
				case e.Code.Status() != 400 || !strings.Contains(strings.ToLower(e.Error()), strings.ToLower(p.Name)):
					t.Errorf("%s: %s = %s: got %d %q, want 400 with the name", o.Name(), p.Name, value, e.Code.Status(), e.Error())
				}
			}
		}
	}
}

// elem returns the type that a pointer type points to, and any other type itself.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// readsItself reports whether a type has its own UnmarshalJSON.
func readsItself(t reflect.Type) bool {
	return reflect.PointerTo(elem(t)).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// A deadline that is not valid is an error in each call, also of operations without one, and in the
// query of a GET. Only the query of a snapshot ignores it, as OpenClaw does.
func TestWrongDeadlineIsRefused(t *testing.T) {
	for _, o := range Table().Ops {
		for _, value := range []string{`"x"`, `0`, `-5`, `1.5`} {
			if err := o.Check(op.Args{"timeoutMs": json.RawMessage(value)}); err == nil { // the error may also be about a missing parameter
				t.Errorf("%s: timeoutMs = %s is accepted", o.Name(), value)
			}
		}
		if p, has := o.Param("timeoutMs"); has && !p.Strict && o.Name() != "snapshot" {
			t.Errorf("%s ignores a wrong deadline in a query", o.Name())
		}
	}
}
