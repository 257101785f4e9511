package server

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"chela/internal/op"
)

type object = op.Object

const about = "Control a browser. A caller can name itself by the header " + op.CallerHeader + ": the log says who made a call that failed. " +
	"Callers that send different keys in the header " + op.SessionHeader + " have tabs of their own. " +
	"Each call can name a machine of the fleet by `target` and `node`, in the query or in the body."

// OpenAPI describes the table and the raw routes as an OpenAPI document, for a server at this URL.
// Operations that share a path become one operation, whose body has one of several forms. The
// document is made from the table at each request, so it cannot differ from what the routes accept.
// Requests and answers have the same names as in package client.
func OpenAPI(t *op.Table, version, url string) object {
	d := document{t, op.NewSchemas()}
	paths := object{}
	for _, route := range t.Patterns() {
		pathIn(paths, route.Path)[strings.ToLower(route.Method)] = d.describe(route, t.At(route.Method, route.Path))
	}
	for _, route := range Raw() {
		pathIn(paths, route.Path)[strings.ToLower(route.Method)] = d.describeRaw(route)
	}
	failure := content("application/json", d.schemas.Of(reflect.TypeFor[op.Error]()))
	failure["description"] = "Why not, and what to try."
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "chela", "version": version, "description": about,
			"license": object{"name": "MIT", "identifier": "MIT"},
		},
		"servers": []object{{"url": url}},
		"tags":    tags(t),
		"paths":   paths,
		"components": object{
			"schemas":   d.schemas.Named,
			"responses": object{"Failure": failure},
			"securitySchemes": object{
				"token":    object{"type": "http", "scheme": "bearer", "description": "what `chela token` prints"},
				"password": object{"type": "apiKey", "in": "header", "name": "x-chela-password", "description": "the password, where gateway.auth.mode is password"},
				"basic":    object{"type": "http", "scheme": "basic", "description": "the password, with any user name"},
			},
		},
		"security": []object{{"token": []string{}}, {"password": []string{}}, {"basic": []string{}}},
	}
}

// A document is an OpenAPI document that is being made.
type document struct {
	table   *op.Table
	schemas *op.Schemas
}

// rawTag is the tag (section) of the routes that are not operations.
const rawTag = "Documents and streams"

// tags lists the tags (sections) with their operations, in the order of the table.
func tags(t *op.Table) (all []object) {
	var titles []string
	sections := map[string][]*op.Op{}
	for _, o := range t.Ops {
		if o.Group == "" {
			continue
		}
		if sections[o.Group] == nil {
			titles = append(titles, o.Group)
		}
		sections[o.Group] = append(sections[o.Group], o)
	}
	for _, title := range titles {
		all = append(all, object{"name": title, "description": names(sections[title])})
	}
	return append(all, object{"name": rawTag, "description": "Routes that are no operations."})
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

// describeRaw describes a route that is not an operation.
func (d document) describeRaw(route RawRoute) object {
	done := d.rawBody(route.Gives, route.Answer)
	done["description"] = "done"
	status := "200"
	switch {
	case route.upgrades:
		status = "101"
	case route.Gives == "":
		status = "204"
	}
	described := object{
		"operationId": route.ID, "tags": []string{rawTag}, "summary": firstSentence(route.Doc), "description": route.Doc,
		"responses": d.responses(status, done),
	}
	parameters := []object{}
	for _, q := range route.Params {
		in := "query"
		if route.InPath(q) {
			in = "path"
		}
		parameters = append(parameters, object{
			"name": q.Name, "in": in, "description": q.Doc, "required": q.Required, "schema": object{"type": cmp.Or(q.Type, "string")},
		})
	}
	if len(parameters) > 0 {
		described["parameters"] = parameters
	}
	if route.Takes != "" {
		body := d.rawBody(route.Takes, route.Body)
		body["required"] = true
		described["requestBody"] = body
	}
	return described
}

// rawBody describes a request or response body of a raw route. It is JSON of the given type or, if
// the type is nil, a text or bytes.
func (d document) rawBody(mediaType string, of reflect.Type) object {
	switch {
	case mediaType == "":
		return object{}
	case of != nil:
		return content(mediaType, d.schemas.Of(of))
	case mediaType == "application/octet-stream":
		return content(mediaType, object{"type": "string", "format": "binary"})
	}
	return content(mediaType, object{"type": "string"})
}

func firstSentence(text string) string {
	first, _, more := strings.Cut(text, ". ")
	if more {
		first += "."
	}
	return first
}

// describe describes the operations of a route, which is a method and a path. A parameter of a GET
// or DELETE is in the query; a parameter of a POST is a field of the body. The server also accepts
// parameters of a POST in the query. That is not documented, so that there is only one documented
// way to write a call.
func (d document) describe(route op.Route, ops []*op.Op) object {
	described := object{
		"operationId": d.table.PathID(route),
		"responses":   d.answers(route, ops),
	}
	if group := ops[0].Group; group != "" {
		described["tags"] = []string{group}
	}
	if len(ops) == 1 {
		described["summary"], described["description"] = ops[0].Summary(), ops[0].Doc
	} else {
		described["summary"], described["description"] = "One of: "+names(ops), summaries(ops)
	}
	if parameters := d.parameters(route, ops); len(parameters) > 0 {
		described["parameters"] = parameters
	}
	if route.Method == http.MethodPost {
		if body := d.body(route, ops); body != nil {
			described["requestBody"] = body
		}
	}
	return described
}

// parameters describes the parameters in the path and in the query.
func (d document) parameters(route op.Route, ops []*op.Op) (all []object) {
	for _, o := range ops {
		for _, p := range o.Params() {
			switch {
			case route.InPath(p.Name):
				all = d.addParameter(all, p, "path")
			case route.Method != http.MethodPost:
				all = d.addParameter(all, p, "query")
			}
		}
		if route.Method != http.MethodPost {
			all = addChoice(all, o, route)
		}
	}
	return all
}

// body describes the body of a POST; nil if it has none.
func (d document) body(route op.Route, ops []*op.Op) object {
	own := ops[0].RouteAt(route)
	if own.Field == "" { // no field chooses among several operations, so there is only one
		schema := d.schemas.Request(ops[0], route)
		if schema == nil {
			return nil
		}
		body := content("application/json", schema)
		if slices.ContainsFunc(ops[0].Params(), func(p op.Param) bool { return p.Required && !route.InPath(p.Name) }) {
			body["required"] = true
		}
		return body
	}
	forms, values := []object{}, object{}
	for _, o := range ops {
		form := d.schemas.Request(o, route)
		forms, values[o.RouteAt(route).Value] = append(forms, form), form["$ref"]
	}
	body := content("application/json", d.schemas.AnyOf(d.table.PathID(route), "Request", object{
		"oneOf": forms, "discriminator": object{"propertyName": own.Field, "mapping": values},
	}))
	body["required"] = true
	return body
}

func names(ops []*op.Op) string {
	var names []string
	for _, o := range ops {
		names = append(names, o.Name())
	}
	return strings.Join(names, ", ")
}

// summaries returns a list in Markdown of what each operation does.
func summaries(ops []*op.Op) string {
	var all []string
	for _, o := range ops {
		all = append(all, "- "+o.Name()+": "+o.Summary())
	}
	return strings.Join(all, "\n")
}

// addParameter describes a parameter in the path or the query, unless another operation
// of the path has one of this name.
func (d document) addParameter(parameters []object, p op.Param, in string) []object {
	if slices.ContainsFunc(parameters, func(o object) bool { return o["name"] == p.Name }) {
		return parameters
	}
	schema := d.schemas.Param(p)
	delete(schema, "description")
	return append(parameters, object{
		"name": p.Name, "in": in, "description": p.Doc, "schema": schema,
		"required": p.Required || in == "path",
	})
}

// addChoice adds the parameter in the query that chooses this operation among those of the path, if
// there is one.
func addChoice(parameters []object, o *op.Op, route op.Route) []object {
	own := o.RouteAt(route)
	if own.Field == "" {
		return parameters
	}
	return append(parameters, object{
		"name": own.Field, "in": "query", "description": own.Value + ": " + o.Summary(), "schema": object{"type": "string", "enum": []string{own.Value}},
		"required": false,
	})
}

// answers describes the answers of the operations of a path. Many have the same form, so each
// form is listed once.
func (d document) answers(route op.Route, ops []*op.Op) object {
	schemas := []object{}
	for _, o := range ops {
		s := d.schemas.Answer(o)
		if !slices.ContainsFunc(schemas, func(other object) bool { return reflect.DeepEqual(s, other) }) {
			schemas = append(schemas, s)
		}
	}
	ok := schemas[0]
	if len(schemas) > 1 {
		ok = d.schemas.AnyOf(d.table.PathID(route), "Answer", object{"anyOf": schemas})
	}
	done := content("application/json", ok)
	done["description"] = "done"
	return d.responses("200", done)
}

// responses describes the responses of a route: the one for success, with the given status, and the
// errors, which are the same for all routes.
func (d document) responses(status string, done object) object {
	failure := object{"$ref": "#/components/responses/Failure"}
	return object{status: done, "4XX": failure, "5XX": failure}
}

func content(mediaType string, schema object) object {
	return object{"content": object{mediaType: object{"schema": schema}}}
}
