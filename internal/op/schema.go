package op

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Object is a JSON object, such as a schema.
type Object = map[string]any

// Schema returns the JSON Schema of values of type t.
func Schema(t reflect.Type) Object { return (*Schemas)(nil).of(t) }

// Schemas are the JSON Schemas of structs by name, for a document in which structs occur many
// times. There, each is written once, and other schemas refer to it. The name is the name of the Go
// type. A nil Schemas writes all out.
type Schemas struct {
	Named map[string]Object
	types map[string]reflect.Type
}

// NewSchemas returns schemas that have no names yet.
func NewSchemas() *Schemas { return &Schemas{map[string]Object{}, map[string]reflect.Type{}} }

// schemasPath is where an OpenAPI document has its named schemas.
const schemasPath = "#/components/schemas/"

// of returns the same as [Schema], with references to named schemas.
func (s *Schemas) of(t reflect.Type) Object {
	if t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface {
		return Object{}
	}
	if own, ok := reflect.New(t).Interface().(interface{ JSONSchema() Object }); ok {
		return own.JSONSchema()
	}
	if t == reflect.TypeFor[time.Time]() {
		return Object{"type": "string", "format": "date-time"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Slice:
		return Object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.ofStruct(t)
	}
	return Object{}
}

// ofStruct returns a reference to the schema of a struct, or the schema itself if it has no name.
// It panics if two types have the same name.
func (s *Schemas) ofStruct(t reflect.Type) Object {
	if s == nil || t.Name() == "" {
		return s.Object(withVariants(t))
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	switch known := s.types[name]; known {
	case nil:
		s.types[name] = t // set before the fields are visited, since a struct may contain itself
		s.Named[name] = s.Object(withVariants(t))
	case t:
	default:
		panic(fmt.Sprintf("op: %v and %v have the same name in the schemas", known, t))
	}
	return Object{"$ref": schemasPath + name}
}

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

// Result returns the JSON Schema of an operation's answer.
func (s *Schemas) Result(o *Op) Object {
	switch {
	case o.Result.Kind() != reflect.Struct:
		return s.of(o.Result)
	case o.Envelope == nil:
		return s.Object(fieldsOf(o.Result))
	}
	own := s.Object(fieldsOf(o.Result))
	return Object{"allOf": []Object{s.ofStruct(o.Envelope), own}}
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
	schema := s.of(p.Type)
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
