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
// type. A nil Schemas has no names: each schema is written out where it is used.
type Schemas struct {
	Named map[string]Object
	owner map[string]any // what the names stand for
	asked bool           // the schemas that are being made describe requests
}

// NewSchemas returns schemas that have no names yet.
func NewSchemas() *Schemas { return &Schemas{Named: map[string]Object{}, owner: map[string]any{}} }

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
		return s.Object(FieldsOf(t))
	}
	return s.name(TypeName(t), t, func() Object { return s.nullable(FieldsOf(t)) })
}

// nullable returns the schema of an object. In an answer, a required field whose type is a pointer
// may be null. In a request, it must have a value.
func (s *Schemas) nullable(ps []Param) Object {
	schema := s.Object(ps)
	for _, p := range ps {
		if s.asked || !p.Required || p.Type.Kind() != reflect.Pointer {
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

// name returns a reference to the schema of this name. When the name is first used, the given
// function makes the schema. A schema may refer to itself, so the name is registered before that.
// If the name already belongs to another owner, name panics.
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

// FieldsOf returns the fields of a struct as its JSON has them, with those of its variants, see
// [Various].
func FieldsOf(t reflect.Type) []Param {
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
