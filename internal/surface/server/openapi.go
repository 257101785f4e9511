package server

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"chela/internal/op"
)

type object = op.Object

const about = "Control a browser. A caller can name itself by the header " + op.CallerHeader + ": the log says who made a call that failed. " +
	"Callers that send different keys in the header " + op.SessionHeader + " have tabs of their own."

// OpenAPI describes the table and the raw routes as an OpenAPI document. Operations that share a
// path become one operation, whose body has one of several forms. It is made from the table at each
// request, so it cannot differ from what the routes accept. The errors of all routes have one
// schema, which describes [op.Error].
func OpenAPI(t *op.Table, version string) object {
	paths, named := object{}, op.NewSchemas()
	for _, route := range t.Patterns() {
		pathIn(paths, route.Path)[strings.ToLower(route.Method)] = describe(named, route, t.At(route.Method, route.Path))
	}
	for _, route := range Raw() {
		pathIn(paths, route.Path)[strings.ToLower(route.Method)] = describeRaw(route)
	}
	named.Named["Error"] = errorSchema()
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "chela", "version": version, "description": about},
		"paths":   paths,
		"components": object{
			"schemas":         named.Named,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
		"security": []object{{"token": []string{}}},
	}
}

// pathIn returns the entry of a path. If there is none, it adds one.
func pathIn(paths object, name string) object {
	path, ok := paths[name].(object)
	if !ok {
		path = object{}
		paths[name] = path
	}
	return path
}

// describeRaw describes a route that is no operation.
func describeRaw(route RawRoute) object {
	body := func(mediaType string) object { return object{"content": object{mediaType: object{}}} }
	done, failed := body(route.Gives), content(object{"$ref": "#/components/schemas/Error"})
	done["description"], failed["description"] = "done", "why not, and what to try"
	status := "200"
	if route.upgrades {
		status = "101"
	}
	d := object{
		"operationId": operationID(route.Method, route.Path), "tags": []string{"Documents and streams"}, "summary": route.Doc,
		"responses": object{status: done, "default": failed},
	}
	parameters := []object{}
	for _, q := range route.Params {
		in := "query"
		if route.InPath(q) {
			in = "path"
		}
		parameters = append(parameters, object{
			"name": q.Name, "in": in, "description": q.Doc, "required": q.Required, "schema": object{"type": "string"},
		})
	}
	if len(parameters) > 0 {
		d["parameters"] = parameters
	}
	if route.Takes != "" {
		d["requestBody"] = body(route.Takes)
	}
	return d
}

// operationID returns the name of a route, such as post_tabs_open.
func operationID(method, path string) string {
	return strings.ToLower(method) + strings.NewReplacer("/", "_", "{", "", "}", "", ".", "_").Replace(path)
}

// describe documents what a method does at a path. A parameter of a GET or DELETE is in the query;
// one of a POST is a field of the body. POST accepts the query as well, but it is not documented,
// so that there is one way to write a call.
func describe(named *op.Schemas, route op.Route, ops []*op.Op) object {
	d := object{
		"operationId": operationID(route.Method, route.Path),
		"responses":   responses(named, ops),
	}
	if group := ops[0].Group; group != "" {
		d["tags"] = []string{group}
	}
	if len(ops) == 1 {
		d["summary"] = ops[0].Doc
	} else {
		d["summary"] = "One of: " + names(ops)
	}
	parameters, bodies := []object{}, []object{}
	for _, o := range ops {
		inBody := slices.Clone(o.Params())
		inBody = slices.DeleteFunc(inBody, func(p op.Param) bool {
			switch {
			case route.InPath(p.Name):
				parameters = addParameter(named, parameters, p, "path")
			case route.Method != http.MethodPost:
				parameters = addParameter(named, parameters, p, "query")
			default:
				return false
			}
			return true
		})
		if route.Method != http.MethodPost {
			parameters = addChoice(parameters, o, route)
		} else if body := bodyOf(named, o, route, inBody); body != nil {
			bodies = append(bodies, body)
		}
	}
	if len(parameters) > 0 {
		d["parameters"] = parameters
	}
	switch len(bodies) {
	case 0:
	case 1:
		d["requestBody"] = content(bodies[0])
	default:
		d["requestBody"] = content(object{"oneOf": bodies})
	}
	return d
}

func names(ops []*op.Op) string {
	var names []string
	for _, o := range ops {
		names = append(names, o.Name())
	}
	return strings.Join(names, ", ")
}

// addParameter describes a parameter in the path or the query, unless another operation
// of the path has one of this name.
func addParameter(named *op.Schemas, parameters []object, p op.Param, in string) []object {
	if slices.ContainsFunc(parameters, func(o object) bool { return o["name"] == p.Name }) {
		return parameters
	}
	schema := named.Param(p)
	delete(schema, "description")
	return append(parameters, object{
		"name": p.Name, "in": in, "description": p.Doc, "schema": schema,
		"required": p.Required || in == "path",
	})
}

// addChoice describes the parameter in the query by which an operation of a path is chosen,
// if it is chosen by one.
func addChoice(parameters []object, o *op.Op, route op.Route) []object {
	for _, r := range o.Routes {
		if r.Method == route.Method && r.Path == route.Path && r.Field != "" {
			parameters = append(parameters, object{
				"name": r.Field, "in": "query", "description": r.Value + ": " + o.Summary(), "schema": object{"type": "string", "enum": []string{r.Value}},
				"required": false,
			})
		}
	}
	return parameters
}

// bodyOf returns the schema of the request body that operation o takes at a route, or nil if it
// takes none. If several operations share the path, a field of the body chooses one of them, such
// as kind of POST /act. In the schema of o this field is a constant. So readers and generators of
// clients know which schema is for which operation.
func bodyOf(named *op.Schemas, o *op.Op, route op.Route, params []op.Param) object {
	schema := named.Object(params)
	i := slices.IndexFunc(o.Routes, func(r op.Route) bool {
		return r.Method == route.Method && r.Path == route.Path && r.Field != ""
	})
	if i >= 0 {
		chosen := o.Routes[i]
		schema["properties"].(object)[chosen.Field] = object{"const": chosen.Value}
		required, _ := schema["required"].([]string)
		schema["required"] = append([]string{chosen.Field}, required...)
		schema["description"] = o.Doc
	} else if len(params) == 0 {
		return nil
	}
	return schema
}

// responses describes the answers of the operations of a path. Many have the same form, so each
// form is listed once.
func responses(named *op.Schemas, ops []*op.Op) object {
	schemas := []object{}
	for _, o := range ops {
		s := resultSchema(named, o)
		if !slices.ContainsFunc(schemas, func(other object) bool { return reflect.DeepEqual(s, other) }) {
			schemas = append(schemas, s)
		}
	}
	ok := schemas[0]
	if len(schemas) > 1 {
		ok = object{"anyOf": schemas}
	}
	done, failed := content(ok), content(object{"$ref": "#/components/schemas/Error"})
	done["description"], failed["description"] = "done", "why not, and what to try"
	return object{"200": done, "default": failed}
}

// resultSchema returns the schema of an operation's answer, with the fields that the server adds.
func resultSchema(named *op.Schemas, o *op.Op) object {
	s := named.Result(o)
	own := s
	if parts, ok := s["allOf"].([]object); ok {
		own = parts[len(parts)-1]
	}
	if fields, ok := own["properties"].(object); ok && o.MakesFile() {
		fields[FileIDs] = object{
			"type": "object", "additionalProperties": object{"type": "string"},
			"description": "over TCP: for each path in the answer, its id for GET /files/{id}",
		}
	}
	return s
}

// errorSchema describes [op.Error].
func errorSchema() object {
	text := func(doc string) object { return object{"type": "string", "description": doc} }
	return object{
		"type": "object",
		"properties": object{
			"error":           text("what went wrong; may quote the page"),
			"code":            text("kind of failure, for programs"),
			"hint":            text("what to do next"),
			"reason":          text("why it was refused"),
			"details":         object{"type": "object"},
			"sent":            object{"type": "boolean", "description": "the action was sent to the page, but not confirmed"},
			"blockedByDialog": object{"type": "boolean", "description": "a dialog of the page is open and must be answered first"},
			"browserState":    object{"type": "object", "description": "the dialog"},
		},
		"required": []string{"error", "code"},
	}
}

func content(schema object) object {
	return object{"content": object{"application/json": object{"schema": schema}}}
}
