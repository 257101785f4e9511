package op

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Object is a JSON object, such as a schema.
type Object = map[string]any

// Schema returns the JSON Schema of values of type t.
func Schema(t reflect.Type) Object {
	if t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface {
		return Object{}
	}
	if s, ok := reflect.New(t).Interface().(interface{ JSONSchema() Object }); ok {
		return s.JSONSchema()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return Schema(t.Elem())
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Slice:
		return Object{"type": "array", "items": Schema(t.Elem())}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": Schema(t.Elem())}
	case reflect.Struct:
		return ObjectSchema(withVariants(t))
	}
	return Object{}
}

// withVariants returns the fields of a struct and those of its variants, see [Various].
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

// ResultSchema returns the JSON Schema of the operation's answer.
func (o *Op) ResultSchema() Object {
	var fields []Param
	if o.Envelope != nil {
		fields = fieldsOf(o.Envelope)
	}
	if o.Result.Kind() != reflect.Struct {
		return Schema(o.Result)
	}
	return ObjectSchema(append(fields, fieldsOf(o.Result)...))
}

// ObjectSchema returns the JSON Schema of an object with these fields.
func ObjectSchema(ps []Param) Object {
	props, required := Object{}, []string{}
	for _, p := range ps {
		props[p.Name] = p.Schema()
		if p.Required {
			required = append(required, p.Name)
		}
	}
	s := Object{"type": "object", "properties": props}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// Schema returns the JSON Schema of the parameter.
func (p Param) Schema() Object {
	s := Schema(p.Type)
	if p.Doc != "" {
		s["description"] = p.Doc
	}
	if p.Enum != nil {
		if items, ok := s["items"].(Object); ok {
			items["enum"] = p.Enum
		} else {
			s["enum"] = p.Enum
		}
	}
	if p.Min != nil {
		s["minimum"] = *p.Min
	}
	if p.Max != nil {
		s["maximum"] = *p.Max
	}
	return s
}
