package mcp

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"chela/internal/op"
)

// understand finds the operation that a call is for, and its arguments. The action is the name of an
// operation. It may also be the name of a route that several operations share, such as act; then
// another field, such as kind, chooses one. Arguments stand beside the action or in an object called
// request:
//
//	{"action": "click", "ref": "e1"}
//	{"action": "act", "kind": "click", "ref": "e1"}
//	{"action": "act", "request": {"kind": "click", "ref": "e1"}}
//	{"action": "click", "request": {"ref": "e1"}}
//
// Models write each of these forms, so all are accepted. A call whose meaning is clear is not refused
// because of its form. Errors are [*op.Error]s for the model.
func (t Tool) understand(args op.Args) (*op.Op, op.Args, error) {
	action := text(args["action"])
	if action == "" {
		return t.byParams(args)
	}
	rest := op.Args{}
	for name, raw := range args {
		if name != "action" {
			rest[name] = raw
		}
	}
	if o := t.byName(action); o != nil {
		if rest["request"] != nil {
			var err error
			if rest, err = unfold(rest, ""); err != nil {
				return nil, nil, err
			}
		}
		if err := t.checkOne(o, action, rest); err != nil {
			return nil, nil, err
		}
		args, err := t.complete(o, t.normalizeArgs(o, rest))
		return o, args, err
	}
	for route, name := range t.paths() {
		if name == action {
			return t.byField(route, t.field(route), rest)
		}
	}
	return nil, nil, t.unknown(action)
}

// checkOne returns an error if the arguments name another operation than the action: by kind, for
// example. Nobody knows then which of the two is meant.
func (t Tool) checkOne(o *op.Op, action string, args op.Args) error {
	for _, route := range o.Routes {
		field := t.field(route)
		value := text(args[field])
		other := t.chosenBy(field, value)
		if value != "" && other != nil && other != o && slices.ContainsFunc(other.Routes, func(r op.Route) bool { return r.Field == field }) {
			return op.Errorf(op.Invalid, "action is %q, and %s is %q", action, field, value).Hinted("leave out one of them")
		}
	}
	return nil
}

// byParams returns the operation of a call without an action. The parameters of the call choose the
// operation, see [op.When].
func (t Tool) byParams(args op.Args) (*op.Op, op.Args, error) {
	for _, o := range t.offeredOps() {
		if o.ChosenBy(args) {
			args, err := t.complete(o, t.normalizeArgs(o, args))
			return o, args, err
		}
	}
	for _, o := range t.offeredOps() {
		if o.Lacks(args) {
			_, err := t.complete(o, t.normalizeArgs(o, args))
			return nil, nil, err
		}
	}
	return nil, nil, op.Errorf(op.Invalid, "action required")
}

// unknown returns the error for an action that does not exist, or that agents may not use.
func (t Tool) unknown(action string) error {
	return op.Errorf(op.Invalid, "Unknown action: %s", action).Hinted("%s", op.DidYouMean(action, t.actions()))
}

// byName returns the operation with this name, in any spelling, if agents may call it; else nil.
func (t Tool) byName(action string) *op.Op {
	for _, o := range t.Table.Ops {
		if o.ForAgents() && o.Is(action) {
			return o
		}
	}
	return nil
}

// complete adds the value false for required bools that are missing, since models leave them out when
// they mean false. It returns an error if another required parameter is missing. It does not check
// operations that share a route, such as POST /act: these have errors of their own.
func (t Tool) complete(o *op.Op, args op.Args) (op.Args, error) {
	for _, p := range o.Params() {
		switch {
		case !p.Required || !missing(args, p):
		case p.Schema()["type"] == "boolean":
			args[p.Name] = json.RawMessage("false")
		case t.field(op.Route{Method: o.Routes[0].Method, Path: o.Routes[0].Path}) == "":
			err := op.Errorf(op.Invalid, "%s", cmp.Or(p.Missing, append(p.Aliases, p.Name)[0]+" required"))
			return nil, t.explainRefused(o, args, err)
		}
	}
	return args, nil
}

// missing reports whether args have no value, or an empty one, for a parameter. Some models write all
// parameters of the schema, with empty values for those that they do not use.
func missing(args op.Args, p op.Param) bool {
	for _, name := range append([]string{p.Name}, p.Aliases...) {
		if raw := string(args[name]); raw != "" && raw != "null" && raw != `""` && raw != "[]" {
			return false
		}
	}
	return true
}

// field returns the name of the field that chooses among the operations of a route, such as kind for
// POST /act. It is "" if the route has only one operation.
func (t Tool) field(route op.Route) string {
	for _, o := range t.Table.At(route.Method, route.Path) {
		for _, r := range o.Routes {
			if r.Method == route.Method && r.Path == route.Path && r.Field != "" {
				return r.Field
			}
		}
	}
	return ""
}

// byField returns the operation of a shared route that the field in args chooses, and its arguments.
func (t Tool) byField(route op.Route, field string, args op.Args) (*op.Op, op.Args, error) {
	args, err := unfold(args, field)
	if err != nil {
		return nil, nil, err
	}
	o, err := t.Table.Choose(route.Method, route.Path, args)
	if spelled := t.byName(text(args[field])); err != nil && spelled != nil {
		o, err = spelled, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !o.ForAgents() {
		return nil, nil, t.unknown(Action(o))
	}
	delete(args, field)
	return o, t.normalizeArgs(o, args), nil
}

// unfold returns the arguments in the object request of args. It adds arguments that stand beside
// request and are not in it. If the field beside request and the field in it choose different
// operations, it adds only the tab and the profile.
func unfold(args op.Args, field string) (op.Args, error) {
	if args["request"] == nil {
		if args[field] == nil {
			return nil, op.Errorf(op.Invalid, "request required")
		}
		return args, nil
	}
	request, ok := requestIn(args)
	if !ok {
		return nil, op.Errorf(op.Invalid, "request must be an object")
	}
	another := args[field] != nil && request[field] != nil && text(args[field]) != text(request[field])
	for name, value := range args {
		fills := !another || name == "targetId" || name == "profile"
		if _, given := request[name]; !given && fills && name != "request" {
			request[name] = value
		}
	}
	return request, nil
}

// requestIn reads the object request of a call; ok is false if there is none. Some models write it as a
// JSON string.
func requestIn(args op.Args) (request op.Args, ok bool) {
	return request, json.Unmarshal(asJSON(args["request"]), &request) == nil && request != nil
}

// camelCaseArgs corrects the form of arguments, since many models write them in other forms:
//   - It renames parameters in snake_case: target_id becomes targetId. A parameter of the operation
//     keeps its name, and has precedence if both names are there.
//   - If a parameter is a list, it makes a list of a single value, see asList.
//   - If a parameter is a string, it makes a string of a number or bool.
//   - If a parameter is not a string, it removes a blank string.
func camelCaseArgs(o *op.Op, args op.Args) op.Args {
	named := op.Args{}
	for name, raw := range args {
		if _, known := o.Param(name); known {
			named[name] = raw
		}
	}
	for name, raw := range args {
		camel := camelCase(name)
		if _, known := o.Param(camel); !known {
			camel = name
		}
		if named[camel] == nil {
			named[camel] = raw
		}
	}
	for name, raw := range named {
		p, known := o.Param(name)
		switch {
		case !known:
		case p.Schema()["type"] == "array":
			named[name] = asList(p, raw)
		case p.Schema()["type"] != "string" && blank(raw):
			delete(named, name)
		case p.Schema()["type"] == "string" && isNumberOrBool(raw):
			named[name], _ = json.Marshal(string(raw)) // cannot fail
		}
	}
	return named
}

// asList makes a list of a single value: of a string for a list of strings, of an object for a list of
// objects. An object may be written as a JSON string. Anything else is returned unchanged.
func asList(p op.Param, raw json.RawMessage) json.RawMessage {
	value := raw
	if s := text(raw); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		value = json.RawMessage(s)
	}
	items, _ := p.Schema()["items"].(op.Object)
	ofStrings := items["type"] == "string"
	switch s := text(value); {
	case value[0] == '{' && !ofStrings:
	case s != "" && s[0] != '[' && ofStrings:
	default:
		return raw
	}
	return slices.Concat(json.RawMessage("["), value, json.RawMessage("]"))
}

// isNumberOrBool reports whether JSON is a number, true or false.
func isNumberOrBool(raw json.RawMessage) bool {
	var value any
	json.Unmarshal(raw, &value) // leaves value empty if raw is not JSON
	switch value.(type) {
	case float64, bool:
		return true
	}
	return false
}

// blank reports whether raw is a JSON string with nothing but white space. Such a string cannot
// stand for a number or a bool.
func blank(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) == ""
}

// camelCase converts a name in snake_case: target_id becomes targetId.
func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = string(unicode.ToUpper(rune(part[0]))) + part[1:]
		}
	}
	return strings.Join(parts, "")
}

// text returns the string that raw encodes, without white space around it; "" if raw is not a string.
func text(raw json.RawMessage) string {
	var s string
	json.Unmarshal(raw, &s) // leaves s empty if it is not a string
	return strings.TrimSpace(s)
}
