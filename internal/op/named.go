package op

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Added has the fields that the server adds to the answers of operations.
type Added struct {
	Ignored []string          `json:"ignored,omitempty" doc:"names of the given parameters, and of fields in them, that had no effect"`
	FileIDs map[string]string `json:"fileIds,omitempty" doc:"ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them"`
}

// FileIDsHeader is the HTTP header by which a caller on the Unix socket asks for [Added.FileIDs]. A
// caller over TCP always gets them.
const FileIDsHeader = "X-Chela-File-Ids"

// EnvelopeFields returns the fields of the operation's envelope; none if it has no envelope.
func (o *Op) EnvelopeFields() []Param {
	if o.Envelope == nil {
		return nil
	}
	return slices.Concat(FieldsOf(o.Envelope), fieldsOf(reflect.TypeFor[Added]()))
}

// OwnFields returns the fields of an answer of the operation that are not in its envelope.
func (o *Op) OwnFields() []Param {
	if o.Envelope != nil {
		return FieldsOf(o.Result)
	}
	added := fieldsOf(reflect.TypeFor[Added]())
	if len(fileFields(o.Result)) == 0 {
		added = added[:1]
	}
	return slices.Concat(FieldsOf(o.Result), added)
}

// An answer is the owner of the name of an answer's schema, see Schemas.owner. The type of the
// result cannot be the owner, because an answer has more fields than the result.
type answer struct{ result, envelope reflect.Type }

// Answer gives a name to the JSON Schema of an operation's answer, and returns a reference to it.
func (s *Schemas) Answer(o *Op) Object {
	var envelope Object
	if o.Envelope != nil {
		envelope = s.name(TypeName(o.Envelope), answer{envelope: o.Envelope}, func() Object { return s.nullable(o.EnvelopeFields()) })
	}
	if o.AnswerType() == o.Envelope {
		return envelope
	}
	return s.name(TypeName(o.Result), answer{o.Result, o.Envelope}, func() Object {
		own := s.nullable(o.OwnFields())
		if envelope == nil {
			return own
		}
		return Object{"allOf": []Object{envelope, own}}
	})
}

// Request gives a name to the JSON Schema of the body that an operation takes at a route, and
// returns a reference to it. It returns nil if the operation takes no body. If several operations
// share the path, a field of the body chooses one of them, such as kind of POST /act. In the schema
// of o this field has one value. So readers and generators of clients know which schema is for
// which operation.
func (s *Schemas) Request(o *Op, route Route) Object {
	own := o.RouteAt(route)
	body := slices.DeleteFunc(slices.Clone(o.Params()), func(p Param) bool { return route.InPath(p.Name) })
	if len(body) == 0 && own.Field == "" {
		return nil
	}
	defer s.asking()()
	return s.name(o.RequestName(), o.RequestName(), func() Object {
		schema := s.Object(body)
		schema["description"] = o.Doc
		if own.Field != "" {
			choose(schema, own.Field, own.Value)
		}
		return schema
	})
}

// asking notes that the schemas made from now on are of requests, until the function that it returns
// is called.
func (s *Schemas) asking() (end func()) {
	before := s.asked
	s.asked = true
	return func() { s.asked = before }
}

// choose adds to the schema of an object that a required field has this value.
func choose(schema Object, field, value string) {
	schema["properties"].(Object)[field] = Object{"type": "string", "enum": []string{value}}
	required, _ := schema["required"].([]string)
	schema["required"] = append([]string{field}, required...)
}

// RouteAt returns the operation's route at the method and path of another route, with the field
// that chooses the operation there.
func (o *Op) RouteAt(route Route) Route {
	i := slices.IndexFunc(o.Routes, func(r Route) bool { return r.Method == route.Method && r.Path == route.Path })
	return o.Routes[i]
}

// An Alike type reads its JSON by hand. Like returns a type that describes the JSON.
type Alike interface{ Like() reflect.Type }

// A CallList is a parameter that is a list of calls. Each is an object with the arguments of its
// operation and, in the field kind, the name of the operation.
type CallList interface {
	// Calls lists the operations that the list may contain.
	Calls() []ListedCall

	// Change returns the JSON of a list after the function change has changed the arguments of its
	// calls. JSON that cannot be read is returned unchanged: the error comes when the request is
	// read. An error of change is returned.
	Change(raw json.RawMessage, change func(*Op, Args) (Args, error)) (json.RawMessage, error)
}

// A ListedCall is an operation that a [CallList] may contain. Kind is the name of the operation
// there.
type ListedCall struct {
	Kind string
	Op   *Op
}

// calls returns the schema of one call in a list.
func (s *Schemas) calls(t reflect.Type, list CallList) Object {
	return s.name("Action", t, func() Object {
		forms, kinds := []Object{}, Object{}
		for _, c := range list.Calls() {
			form := s.call(c)
			forms, kinds[c.Kind] = append(forms, form), form["$ref"]
		}
		return Object{"oneOf": forms, "discriminator": Object{"propertyName": "kind", "mapping": kinds}}
	})
}

// call returns the schema of a call in a list. For an operation of POST /act, this is the schema of
// its request, which already has the field kind.
func (s *Schemas) call(c ListedCall) Object {
	if i := slices.IndexFunc(c.Op.Routes, func(r Route) bool { return r.Field == "kind" }); i >= 0 {
		return s.Request(c.Op, c.Op.Routes[i])
	}
	defer s.asking()()
	return s.name(upperFirst(c.Op.ID())+"Action", c, func() Object {
		schema := s.Object(c.Op.Params())
		schema["description"] = c.Op.Doc
		choose(schema, "kind", c.Kind)
		return schema
	})
}

// codeSchema lists the codes of errors.
func codeSchema() Object {
	return Object{"type": "string", "enum": Codes(), "description": "kind of a failure"}
}

// AnyOf gives a name to the schema of values that have one of several forms, such as AnyActRequest
// for the requests of POST /act. Generators of clients make types only of schemas that have names.
func (s *Schemas) AnyOf(path, what string, forms Object) Object {
	name := "Any" + upperFirst(path) + what
	return s.name(name, name, func() Object { return forms })
}
