package op

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Table is a list of operations.
type Table struct {
	Ops []*Op

	// Shared describes the paths that several operations share, by "METHOD /path".
	Shared map[string]SharedPath

	// Input returns the operation that does in a tab what a person has done in its live view, with
	// its arguments. The arguments do not name the tab. The error has the code [Invalid].
	Input func(UserInput) (*Op, Args, error)
}

// A SharedPath is a path of several operations. The request's value of one field chooses one of
// them; their routes name the field.
type SharedPath struct {
	// Unknown is the error for a request that chooses none of the operations.
	Unknown *Error

	// Action is also a name by which the agent tool offers the operations. The field then
	// chooses one of them, as in {"action": "act", "kind": "click"}. It is "" if there is no
	// such name.
	Action string
}

// At returns the operations of a method and path; parameters of the path are in braces, as in a row
// of the table.
func (t *Table) At(method, path string) []*Op {
	var found []*Op
	for _, o := range t.Ops {
		if slices.ContainsFunc(o.Routes, func(r Route) bool { return r.Method == method && r.Path == path }) {
			found = append(found, o)
		}
	}
	return found
}

// Patterns lists each method and path that has operations, once.
func (t *Table) Patterns() []Route {
	var routes []Route
	for _, o := range t.Ops {
		for _, r := range o.Routes {
			bare := Route{Method: r.Method, Path: r.Path}
			if !slices.Contains(routes, bare) {
				routes = append(routes, bare)
			}
		}
	}
	return routes
}

// Choose returns the operation of a path that args are for. That is the operation whose route has a
// field and value that occur in args, or else the one whose route has no field. The error comes
// from the [SharedPath], or says that there is no such path.
func (t *Table) Choose(method, path string, args Args) (*Op, error) {
	var general *Op
	for _, o := range t.At(method, path) {
		for _, r := range o.Routes {
			switch {
			case r.Method != method || r.Path != path:
			case r.Field == "":
				general = cmp.Or(general, o)
			case text(args[r.Field]) == r.Value:
				return o, nil
			}
		}
	}
	if general != nil {
		return general, nil
	}
	if shared, ok := t.Shared[method+" "+path]; ok {
		return nil, shared.unknown(t.At(method, path), args)
	}
	return nil, Errorf(NotFound, "no operation at %s %s", method, path)
}

// unknown returns the error for args that choose none of the operations of the path. It has the
// value that was given, and the valid ones.
func (s SharedPath) unknown(ops []*Op, args Args) *Error {
	e := *s.Unknown
	field, values := choices(ops)
	if given := text(args[field]); given != "" {
		e.Message += PageText(fmt.Sprintf(": unknown %s %q", field, given))
		e.Hint = DidYouMean(given, values)
	}
	return &e
}

// choices lists the values of the field by which one of the operations is chosen.
func choices(ops []*Op) (field string, values []string) {
	for _, o := range ops {
		for _, r := range o.Routes {
			if r.Field != "" && !slices.Contains(values, r.Value) {
				field, values = r.Field, append(values, r.Value)
			}
		}
	}
	return field, values
}

// Check returns an error if a command line names a parameter that the request does not have.
func (t *Table) Check() error {
	for _, o := range t.Ops {
		for _, a := range o.Args {
			if _, ok := o.Param(a.Param); a.Param != "" && !ok && !o.writes(a) {
				return fmt.Errorf("%s: no field %s", o.Name(), a.Param)
			}
		}
	}
	return nil
}

// writes reports whether a word of the command line names the file for the result.
func (o *Op) writes(a Arg) bool { return a.Param == Out && o.IsDocument() }

// IsDocument reports whether the result is a [Document].
func (o *Op) IsDocument() bool { return o.Result.Implements(reflect.TypeFor[Document]()) }

// Named returns the operation with this name, or nil.
func (t *Table) Named(name string) *Op {
	i := slices.IndexFunc(t.Ops, func(o *Op) bool { return o.Name() == name })
	if i < 0 {
		return nil
	}
	return t.Ops[i]
}

// text returns the string that raw encodes, trimmed; "" if it encodes something else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}
