package op

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Object is a JSON object, such as a schema.
type Object = map[string]any

// Schema returns the JSON Schema of values of type t.
func Schema(t reflect.Type) Object { return (*Schemas)(nil).Of(t) }

// Schemas are the JSON Schemas of structs by name, for a document in which structs occur many
// times. There, each is written once, and other schemas refer to it. The name is the name of the Go
// type. A nil Schemas writes all out.
type Schemas struct {
	Named map[string]Object
	owner map[string]any // what the names stand for
}

// NewSchemas returns schemas that have no names yet.
func NewSchemas() *Schemas { return &Schemas{map[string]Object{}, map[string]any{}} }

// schemasPath is where an OpenAPI document has its named schemas.
const schemasPath = "#/components/schemas/"

// Of returns the same as [Schema], with references to named schemas.
func (s *Schemas) Of(t reflect.Type) Object {
	if t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface {
		return Object{}
	}
	if s != nil && t == reflect.TypeFor[Code]() {
		return s.name("ErrorCode", t, func() Object { return codeSchema() })
	}
	if like, ok := reflect.Zero(t).Interface().(Alike); ok && s != nil {
		return s.Of(like.Like())
	}
	if list, ok := reflect.Zero(t).Interface().(CallList); ok && s != nil {
		return Object{"type": "array", "items": s.calls(t, list)}
	}
	if own, ok := reflect.New(t).Interface().(interface{ JSONSchema() Object }); ok {
		return own.JSONSchema()
	}
	if t == reflect.TypeFor[time.Time]() {
		return Object{"type": "string", "format": "date-time"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.Of(t.Elem())
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return Object{"type": "string", "format": "byte"} // base64
		}
		return Object{"type": "array", "items": s.Of(t.Elem())}
	case reflect.Map:
		value := s.Of(t.Elem())
		if kind, ok := value["type"].(string); ok && t.Elem().Kind() == reflect.Pointer {
			value["type"] = []string{kind, "null"}
		}
		return Object{"type": "object", "additionalProperties": value}
	case reflect.Struct:
		return s.ofStruct(t)
	}
	return Object{}
}

// ofStruct returns a reference to the schema of a struct, or the schema itself if it has no name.
func (s *Schemas) ofStruct(t reflect.Type) Object {
	if s == nil || t.Name() == "" {
		return s.Object(withVariants(t))
	}
	return s.name(TypeName(t), t, func() Object { return s.nullable(FieldsOf(t)) })
}

// nullable returns the schema of an object in an answer. A pointer that is always there may be
// null.
func (s *Schemas) nullable(ps []Param) Object {
	schema := s.Object(ps)
	for _, p := range ps {
		if !p.Required || p.Type.Kind() != reflect.Pointer {
			continue
		}
		field := schema["properties"].(Object)[p.Name].(Object)
		if kind, ok := field["type"].(string); ok {
			field["type"] = []string{kind, "null"}
			continue
		}
		schema["properties"].(Object)[p.Name] = Object{
			"description": p.Doc, "oneOf": []Object{{"$ref": field["$ref"]}, {"type": "null"}},
		}
	}
	return schema
}

// AnyOf names the schema of values that have one of several forms, such as AnyActRequest for those
// of POST /act. Generators of clients make a type of it, which they do not of a schema without a
// name.
func (s *Schemas) AnyOf(path, what string, forms Object) Object {
	name := "Any" + upperFirst(path) + what
	return s.name(name, name, func() Object { return forms })
}

// name returns a reference to the schema of this name. The function make makes the schema where it
// is first used. A schema may refer to itself, so its place is taken before. It panics if the name
// has another owner.
func (s *Schemas) name(name string, owner any, make func() Object) Object {
	switch known := s.owner[name]; known {
	case nil:
		s.owner[name], s.Named[name] = owner, nil
		s.Named[name] = make()
	case owner:
	default:
		panic(fmt.Sprintf("op: %v and %v have the same name %s in the schemas", known, owner, name))
	}
	return Object{"$ref": schemasPath + name}
}

// FieldsOf returns the fields of a struct as its JSON has them, with those of its variants.
func FieldsOf(t reflect.Type) []Param { return withVariants(t) }

// withVariants returns the fields of a struct and of its variants, see [Various].
func withVariants(t reflect.Type) []Param {
	all := fieldsOf(t)
	for _, variant := range VariantsOf(t) {
		if variant.Result.Kind() != reflect.Struct {
			continue
		}
		for _, p := range fieldsOf(variant.Result) {
			if !slices.ContainsFunc(all, func(known Param) bool { return known.Name == p.Name }) {
				p.Required = false
				all = append(all, p)
			}
		}
	}
	return all
}

// Added are fields of answers that no result has: the server adds them.
type Added struct {
	Ignored []string          `json:"ignored,omitempty" doc:"names of parameters that were given and had no effect"`
	FileIDs map[string]string `json:"fileIds,omitempty" doc:"for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it"`
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

// An answer is the owner of the name of an answer. It has more fields than its result.
type answer struct{ result, envelope reflect.Type }

// Answer returns the JSON Schema of an operation's answer, which is named.
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

// Request returns the JSON Schema of the body that an operation takes at a route, which is named;
// nil if it takes none. If several operations share the path, a field of the body chooses one of
// them, such as kind of POST /act. In the schema of o this field has one value. So readers and
// generators of clients know which schema is for which operation.
func (s *Schemas) Request(o *Op, route Route) Object {
	own := o.RouteAt(route)
	body := slices.DeleteFunc(slices.Clone(o.Params()), func(p Param) bool { return route.InPath(p.Name) })
	if len(body) == 0 && own.Field == "" {
		return nil
	}
	return s.name(o.RequestName(), o.RequestName(), func() Object {
		schema := s.Object(body)
		schema["description"] = o.Doc
		if own.Field != "" {
			choose(schema, own.Field, own.Value)
		}
		return schema
	})
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
// operation and, in the field kind, the name of it in the list.
type CallList interface{ Calls() []ListedCall }

// A ListedCall is an operation that calls of a [CallList] can be of.
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

// call returns the schema of a call in a list. For an act, it is the schema of its request, where a
// field kind is already.
func (s *Schemas) call(c ListedCall) Object {
	if i := slices.IndexFunc(c.Op.Routes, func(r Route) bool { return r.Field == "kind" }); i >= 0 {
		return s.Request(c.Op, c.Op.Routes[i])
	}
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

// ObjectSchema returns the JSON Schema of an object with these fields.
func ObjectSchema(ps []Param) Object { return (*Schemas)(nil).Object(ps) }

// Object returns the same as [ObjectSchema], with references to named schemas.
func (s *Schemas) Object(ps []Param) Object {
	props, required := Object{}, []string{}
	for _, p := range ps {
		props[p.Name] = s.Param(p)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	schema := Object{"type": "object", "properties": props}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// Schema returns the JSON Schema of the parameter.
func (p Param) Schema() Object { return (*Schemas)(nil).Param(p) }

// Param returns the same as [Param.Schema], with references to named schemas.
func (s *Schemas) Param(p Param) Object {
	schema := s.Of(p.Type)
	if p.Doc != "" {
		schema["description"] = p.Doc
	}
	if p.Enum != nil {
		if items, ok := schema["items"].(Object); ok {
			items["enum"] = p.Enum
		} else {
			schema["enum"] = p.Enum
		}
	}
	if p.Min != nil {
		schema["minimum"] = *p.Min
	}
	if p.Max != nil {
		schema["maximum"] = *p.Max
	}
	return schema
}
