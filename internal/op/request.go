package op

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// A request is the decoded arguments of an operation.
type request struct {
	value   any      // value of the operation's request type
	ignored []string // names of fields that the operation does not know
	budget  time.Duration
}

// Timeout is embedded in requests whose deadline the caller can set.
type Timeout struct {
	TimeoutMs int `json:"timeoutMs,omitempty" min:"1" strict:"true" flag:"timeout-ms,timeout" doc:"deadline in milliseconds"`
}

// LenientTimeout is the Timeout of an operation that ignores wrong values in the query. As in
// OpenClaw, only snapshots do so.
type LenientTimeout struct {
	TimeoutMs int `json:"timeoutMs,omitempty" min:"1" flag:"timeout-ms,timeout" doc:"deadline in milliseconds"`
}

// deadline is the parameter with which a caller sets a deadline. Operations that answer at once
// have no such parameter. But, as in OpenClaw, they refuse a wrong value of it.
var deadline = sync.OnceValue(func() Param { return fieldsOf(reflect.TypeFor[Timeout]())[0] })

// isDeadline reports whether the parameter is the deadline of the call. The timeoutMs of ask is not.
func (p Param) isDeadline() bool { return strings.HasPrefix(p.Doc, deadline().Doc) }

// read decodes args as a Req, and checks it by its method Check and by the rules of its tags.
func read[Req any](o *Op, args Args) (request, error) {
	given, ignored, err := o.known(args)
	if err != nil {
		return request{}, err
	}
	if err := o.checkSecrets(given); err != nil {
		return request{}, err
	}
	var req Req
	if err := o.decode(given, &req); err != nil {
		return request{}, err
	}
	if c, ok := any(req).(Checker); ok {
		if err := c.Check(); err != nil {
			return request{}, o.asInvalid(err)
		}
	}
	for _, p := range o.Params() {
		if err := p.check(given[p.Name]); err != nil {
			return request{}, o.asInvalid(err)
		}
	}
	return request{value: req, ignored: ignored, budget: o.budget(given, req)}, nil
}

// ForAgent returns the arguments of an agent's call. Parameters that the agent leaves out get their
// default values for agents. The agent tool calls it.
func (o *Op) ForAgent(args Args) Args {
	whole := Args{}
	maps.Copy(whole, args)
	for _, p := range o.Params() {
		if raw := p.normal(args[p.Name]); p.Agents != "" && (raw == nil || string(raw) == `""`) {
			whole[p.Name], _ = json.Marshal(p.Agents) // cannot fail
		}
	}
	return whole
}

// known returns the arguments that are parameters of the operation, under the parameters' own
// names. It also returns the names of all other arguments, and of unknown fields of objects. Two
// names of one parameter must have the same value, as in [Op.Add].
func (o *Op) known(args Args) (given Args, ignored []string, err error) {
	given = Args{}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		raw := args[name]
		p, ok := o.Param(name)
		switch {
		case ok && p.isBlank(raw):
			return nil, nil, Errorf(o.invalid, "%s must not be blank", p.Name)
		case ok && p.Empty != "" && p.isEmpty(raw):
			return nil, nil, Errorf(o.invalid, "%s", p.Empty).Hinted("give %s a value, or leave it out", p.Name)
		case ok && !p.isEmpty(given[p.Name]) && !p.isEmpty(raw) && !p.same(given[p.Name], raw): // two names of one parameter
			return nil, nil, o.twice(p.Name)
		case ok && (p.isEmpty(given[p.Name]) || name == p.Name && !p.isEmpty(raw)):
			given[p.Name] = p.normal(raw)
			ignored = append(ignored, unknownFields(p.Type, name, given[p.Name])...)
		case o.refusalOf(name) != nil:
			return nil, nil, o.refusalOf(name)
		case !ok && name == deadline().Name && !deadline().Accepts(raw):
			return nil, nil, Errorf(o.invalid, "%s", deadline().wrongType())
		case !ok && !o.selects(name):
			ignored = append(ignored, name)
		}
	}
	return given, ignored, nil
}

// unknownFields returns the names of the fields in a JSON value that the schema of type t does not
// have. Before each name is the path of the value. For a list, each name is returned once.
func unknownFields(t reflect.Type, path string, raw json.RawMessage) (names []string) {
	t = elem(t)
	switch {
	case t.Kind() != reflect.Slice && t.Kind() != reflect.Struct, isReadByHand(t):
		return nil
	case t.Kind() == reflect.Slice && elem(t.Elem()).Kind() != reflect.Struct:
		return nil
	case t.Kind() == reflect.Slice:
		var list []json.RawMessage
		json.Unmarshal(raw, &list) // a value of a wrong type is refused when it is decoded
		for _, each := range list {
			names = append(names, unknownFields(t.Elem(), path+"[]", each)...)
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	var fields map[string]json.RawMessage
	json.Unmarshal(raw, &fields)
	known := FieldsOf(t)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		i := slices.IndexFunc(known, func(p Param) bool { return strings.EqualFold(p.Name, name) }) // as encoding/json compares names
		if i < 0 {
			names = append(names, path+"."+name)
			continue
		}
		names = append(names, unknownFields(known[i].Type, path+"."+name, fields[name])...)
	}
	return names
}

// elem returns the type that a pointer points to; any other type as it is.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// isReadByHand reports whether the fields of a type do not say what its JSON has. The calls in a list
// of calls report unknown fields themselves.
func isReadByHand(t reflect.Type) bool {
	switch reflect.Zero(t).Interface().(type) {
	case Alike, CallList:
		return true
	}
	return describesItself(t)
}

// selects reports whether a field of requests chooses this operation among those of a path, as kind
// does in POST /act.
func (o *Op) selects(field string) bool {
	return slices.ContainsFunc(o.Routes, func(r Route) bool { return r.Field == field })
}

// decode decodes arguments into req. The error is about the parameter that has the wrong type. It
// is the parameter's own error message, if there is one.
func (o *Op) decode(given Args, req any) error {
	maps.DeleteFunc(given, func(_ string, raw json.RawMessage) bool { return raw == nil })
	raw, err := json.Marshal(given)
	if err != nil {
		return Errorf(o.invalid, "the arguments are not JSON: %v", err)
	}
	err = json.Unmarshal(raw, req)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		path := strings.Split(e.Field, ".") // path to the field, through embedded structs
		for i, name := range path {
			p, ok := o.Param(name)
			if ok && i < len(path)-1 && p.wrong == "" { // a field inside the parameter is wrong
				p = Param{Name: strings.Join(path[i:], "."), Type: e.Type}
			}
			if ok {
				return Errorf(o.invalid, "%s", p.wrongType())
			}
		}
		return Errorf(o.invalid, "%s must be %s, not %s", e.Field, e.Type, e.Value)
	}
	return o.asInvalid(err)
}

// asInvalid converts err into an error with the operation's code for invalid requests, unless it is
// an [*Error] already.
func (o *Op) asInvalid(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Errorf(o.invalid, "%v", err)
}

// deadlineOf returns the timeoutMs that the caller gave; 0 if none was given.
func deadlineOf(given Args) (ms int64) {
	if raw := given["timeoutMs"]; raw != nil && json.Unmarshal(deadline().normal(raw), &ms) != nil {
		return 0 // see LenientTimeout
	}
	return ms
}

// budget returns how long a call may take. That is timeoutMs within the operation's limits, or else
// the default, plus the waiting times in the request.
func (o *Op) budget(given Args, req any) time.Duration {
	d := o.limits.def
	if ms := deadlineOf(given); ms > 0 {
		d = max(o.limits.min, time.Duration(min(ms, o.limits.max.Milliseconds()))*time.Millisecond)
	}
	if l, ok := req.(Waiter); ok {
		d += l.WaitTime()
	}
	return d
}

// encode encodes v as JSON without escaping <, > and &.
func encode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Merge encodes structs or maps as one JSON object. A field that two of them have is in it twice;
// encoding/json and JavaScript take the later.
func Merge(values ...any) (json.RawMessage, error) {
	var fields [][]byte
	for _, v := range values {
		raw, err := encode(v)
		if err != nil {
			return nil, err
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 2 && raw[0] == '{' {
			fields = append(fields, raw[1:len(raw)-1])
		}
	}
	return append(append([]byte("{"), bytes.Join(fields, []byte(","))...), '}'), nil
}
