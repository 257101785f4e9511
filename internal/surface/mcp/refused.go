package mcp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chela/internal/base/spelling"
	"chela/internal/op"
)

// explainRefused adds a hint to an error about a call's arguments. The hint names the arguments that
// the operation does not have or, if there are none, gives an example of the operation. Errors that
// already have a hint, and errors about something else, are returned unchanged.
func (t Tool) explainRefused(o *op.Op, args op.Args, err error) error {
	wrong, ok := errors.AsType[*op.Error](err)
	if !ok || wrong.Hint != "" || wrong.Code != op.Invalid && wrong.Code != op.ActInvalid {
		return err
	}
	hinted := *wrong
	switch unknown := t.unknownParams(o, args); {
	case len(unknown) > 0:
		hinted.Hint = fmt.Sprintf("%s has no %s%s", Action(o), quoted(unknown), t.nearest(o, unknown))
	case o.Example != "":
		hinted.Hint = "such as " + o.ExampleCall(Action(o))
	}
	return &hinted
}

// unknownParams returns the names in args for which the operation has no parameter.
func (t Tool) unknownParams(o *op.Op, args op.Args) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if _, known := o.Param(name); !known && name != t.field(o.Routes[0]) {
			names = append(names, name)
		}
	}
	return names
}

// nearest returns a question such as: did you mean "ref"? It suggests a parameter whose name is
// similar to one of the names. If there is none, nearest returns "".
func (t Tool) nearest(o *op.Op, names []string) string {
	for _, name := range names {
		if near := spelling.Nearest(name, paramNames(t.params(o))); len(near) > 0 {
			return fmt.Sprintf(": did you mean %q?", near[0])
		}
	}
	return ""
}

// quoted lists names in quotes.
func quoted(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, strconv.Quote(name))
	}
	return strings.Join(all, ", ")
}
