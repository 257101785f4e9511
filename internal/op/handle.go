package op

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Handle is the name of a tab in an answer: its handle, its label or its target id. The handle of a
// tab on a node begins with the name of the node: mac/t3.
type Handle string

var handleType = reflect.TypeFor[Handle]()

// handleOfNode separates the name of a node from the handle of a tab on it.
const handleOfNode = "/"

// Handles returns the handles of several tabs.
func Handles(names []string) []Handle {
	all := make([]Handle, len(names))
	for i, name := range names {
		all[i] = Handle(name)
	}
	return all
}

// JoinHandles writes handles one after the other.
func JoinHandles(all []Handle, separator string) string {
	names := make([]string, len(all))
	for i, handle := range all {
		names[i] = string(handle)
	}
	return strings.Join(names, separator)
}

// OnNode returns the handle of a tab on a node.
func (h Handle) OnNode(node string) Handle {
	if h == "" {
		return ""
	}
	return Handle(node + handleOfNode + string(h))
}

// Split separates the handle of a tab on a node into the name of the node and the handle there. The
// name is "" if the handle has none.
func (h Handle) Split() (node string, there Handle) {
	before, after, found := strings.Cut(string(h), handleOfNode)
	if !found {
		return "", h
	}
	return before, Handle(after)
}

// MoveHandles returns an answer of the operation in which each handle is replaced by what the
// function to returns for it. Everything else stays as it is, also the order of the fields.
func (o *Op) MoveHandles(answer json.RawMessage, to func(Handle) Handle) json.RawMessage {
	for _, t := range []reflect.Type{o.Result, o.Envelope} {
		if t != nil {
			answer = moveHandles(t, answer, to)
		}
	}
	return answer
}

// moveHandles does what MoveHandles does, for the JSON of a value of type t. What is not of this
// type stays as it is.
func moveHandles(t reflect.Type, raw json.RawMessage, to func(Handle) Handle) json.RawMessage {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == handleType:
		return moveHandle(raw, to)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		if elem := t.Elem(); elem == handleType || hasHandles(elem) {
			return eachValue(raw, func(string) reflect.Type { return elem }, to)
		}
	case t.Kind() == reflect.Struct && hasHandles(t):
		types := fieldTypes(t)
		return eachValue(raw, func(name string) reflect.Type { return types[name] }, to)
	}
	return raw
}

func moveHandle(raw json.RawMessage, to func(Handle) Handle) json.RawMessage {
	var h Handle
	if json.Unmarshal(raw, &h) != nil {
		return raw
	}
	moved, err := encode(to(h))
	if err != nil {
		return raw
	}
	return moved
}

// handled caches what fieldTypes returns, by the type of the struct. The value for a struct without
// handles is an empty map. Finding the types takes longer than a whole call.
var handled sync.Map

func hasHandles(t reflect.Type) bool { return len(fieldTypes(t)) > 0 }

// fieldTypes returns the types of those fields of a struct that are handles, or contain handles. If
// t is a pointer, a list or a map, it looks at the struct to which t leads.
func fieldTypes(t reflect.Type) map[string]reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if known, ok := handled.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	types := map[string]reflect.Type{}
	if len(fieldsOfType(handleType, t, nil)) > 0 {
		for _, f := range FieldsOf(t) {
			if isOf(handleType, f.Type) || len(fieldsOfType(handleType, f.Type, nil)) > 0 {
				types[f.Name] = f.Type
			}
		}
	}
	handled.Store(t, types)
	return types
}

// eachValue moves the handles in the values of an object or a list. The function typeOf returns the
// type of a field, or nil if the field has no handles.
func eachValue(raw json.RawMessage, typeOf func(field string) reflect.Type, to func(Handle) Handle) json.RawMessage {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	begin, err := d.ReadToken()
	if err != nil || begin.Kind() != '{' && begin.Kind() != '[' {
		return raw
	}
	isObject := begin.Kind() == '{'
	var moved bytes.Buffer
	moved.WriteByte(byte(begin.Kind()))
	for i := 0; d.PeekKind() != '}' && d.PeekKind() != ']'; i++ {
		name := ""
		if i > 0 {
			moved.WriteByte(',')
		}
		if isObject {
			key, err := d.ReadValue()
			if err != nil || json.Unmarshal(key, &name) != nil {
				return raw
			}
			moved.Write(key)
			moved.WriteByte(':')
		}
		value, err := d.ReadValue()
		if err != nil {
			return raw
		}
		if t := typeOf(name); t != nil {
			value = jsontext.Value(moveHandles(t, json.RawMessage(value), to))
		}
		moved.Write(value)
	}
	end, err := d.ReadToken()
	if err != nil {
		return raw
	}
	moved.WriteByte(byte(end.Kind()))
	return moved.Bytes()
}

// tabParam is the parameter of operations that names a tab.
const tabParam = "targetId"

// TakeNode removes the name of a node from the handles of tabs in the arguments of a call. It also
// looks into lists, such as the actions of a batch and of the batches in it. It returns the name, ""
// if there is none. It is an error if the tabs are on several nodes.
func TakeNode(args Args) (node string, err error) {
	var take func(fields Args)
	take = func(fields Args) {
		of, there := Handle(text(fields[tabParam])).Split()
		switch {
		case of == "" || err != nil:
		case node != "" && node != of:
			err = Errorf(Invalid, "the tabs of one call must be on one node, and not on %s and %s", node, of)
		default:
			node = of
			fields[tabParam], _ = json.Marshal(there) // a string can be encoded
		}
		for name, raw := range fields {
			var list []Args
			if !bytes.Contains(raw, []byte(`"`+tabParam+`"`)) || json.Unmarshal(raw, &list) != nil {
				continue
			}
			for _, each := range list {
				take(each)
			}
			fields[name], _ = json.Marshal(list) // cannot fail: the list was read from JSON
		}
	}
	take(args)
	return node, err
}
