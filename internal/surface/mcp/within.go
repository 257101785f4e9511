package mcp

import (
	"encoding/json"

	"chela/internal/op"
)

// normalizeArgs corrects the form of an operation's arguments, see camelCaseArgs. If an argument is a
// list of calls, as in a batch, it also corrects these calls.
func (t Tool) normalizeArgs(o *op.Op, args op.Args) op.Args {
	args = camelCaseArgs(o, args)
	field := t.field(o.Routes[0])
	for _, p := range o.Params() {
		if p.Schema()["type"] == "array" && field != "" && args[p.Name] != nil {
			args[p.Name] = t.calls(field, args[p.Name])
		}
	}
	return args
}

// calls rewrites a list of calls to the form that a batch takes: each call has the field, such as
// kind, that chooses its operation. Models often write these calls as they would write a call of the
// tool: with action, with names in snake_case, or as a JSON string. Items that are not calls stay as
// they are.
func (t Tool) calls(field string, raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(asJSON(raw), &list) != nil {
		return raw
	}
	changed := false
	for i, each := range list {
		if whole, ok := t.wholeCall(field, each); ok {
			list[i], changed = whole, true
		}
	}
	if !changed {
		return raw
	}
	raw, _ = json.Marshal(list) // cannot fail: the list was read from JSON
	return raw
}

// wholeCall rewrites one call of a list. It returns false if the call names no operation. Lists in
// the call are not rewritten.
func (t Tool) wholeCall(field string, raw json.RawMessage) (json.RawMessage, bool) {
	var args op.Args
	if json.Unmarshal(asJSON(raw), &args) != nil || args == nil {
		return nil, false
	}
	if args[field] == nil {
		args[field] = args["action"]
		delete(args, "action")
	}
	o := t.chosenBy(field, text(args[field]))
	if o == nil {
		return nil, false
	}
	for _, r := range o.Routes {
		if r.Field == field {
			args[field], _ = json.Marshal(r.Value) // a string can be encoded
		}
	}
	raw, _ = json.Marshal(camelCaseArgs(o, args)) // cannot fail: the arguments were read from JSON
	return raw, true
}

// chosenBy returns the operation that a value of the field chooses. If there is none, it returns the
// operation whose name is the value, in any spelling, or nil.
func (t Tool) chosenBy(field, value string) *op.Op {
	for _, o := range t.Table.Ops {
		for _, r := range o.Routes {
			if o.ForAgents() && r.Field == field && r.Value == value {
				return o
			}
		}
	}
	return t.byName(value)
}

// asJSON returns raw or, if raw is a JSON string, the JSON in that string: some models write objects
// and lists as strings.
func asJSON(raw json.RawMessage) json.RawMessage {
	if s := text(raw); s != "" {
		return json.RawMessage(s)
	}
	return raw
}
