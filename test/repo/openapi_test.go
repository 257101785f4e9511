package repo

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/surface/server"
)

type object = map[string]any

// openAPI returns the OpenAPI document as a program reads it.
func openAPI(t *testing.T) (doc object) {
	t.Helper()
	raw, err := json.Marshal(server.OpenAPI(api.Table(), "1", "http://127.0.0.1:18791"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// at returns what is at a path of a document, such as components/schemas; nil if there is nothing.
func at(doc any, path ...string) any {
	for _, name := range path {
		doc = doc.(object)[name]
	}
	return doc
}

// eachObject calls the function do with each object of a document, and where it is.
func eachObject(value any, where string, do func(where string, of object)) {
	switch v := value.(type) {
	case object:
		do(where, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachObject(v[name], where+"/"+strings.ReplaceAll(name, "/", "~1"), do)
		}
	case []any:
		for i, item := range v {
			eachObject(item, fmt.Sprint(where, "/", i), do)
		}
	}
}

// Each reference leads to something, and each named part is used.
func TestOpenAPIReferences(t *testing.T) {
	t.Chdir(root)
	doc, used := openAPI(t), map[string]bool{}
	refer := func(where, to string) {
		used[to] = true
		path := strings.Split(strings.TrimPrefix(to, "#/"), "/")
		if len(path) != 3 || at(doc, path...) == nil {
			t.Errorf("%s refers to %s, which does not exist", where, to)
		}
	}
	eachObject(doc, "#", func(where string, of object) {
		if to, ok := of["$ref"].(string); ok {
			refer(where, to)
		}
	})
	for _, kind := range []string{"schemas", "responses"} {
		for name := range at(doc, "components", kind).(object) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("nothing refers to %s of %s", name, kind)
			}
		}
	}
}

// Where a field chooses one of several forms, each value leads to the form that has it, and all
// forms are there.
func TestOpenAPIChoices(t *testing.T) {
	t.Chdir(root)
	doc, choices := openAPI(t), 0
	eachObject(doc, "#", func(where string, of object) {
		chosen, ok := of["discriminator"].(object)
		if !ok {
			return
		}
		choices++
		field, values := chosen["propertyName"].(string), chosen["mapping"].(object)
		if forms := of["oneOf"].([]any); len(forms) != len(values) || len(forms) < 2 {
			t.Errorf("%s has %d forms for %d values of %s", where, len(forms), len(values), field)
		}
		for value, to := range values {
			form := at(doc, strings.Split(strings.TrimPrefix(to.(string), "#/"), "/")...)
			if allowed := at(form, "properties", field, "enum"); fmt.Sprint(allowed) != fmt.Sprint([]any{value}) {
				t.Errorf("%s: the form for %s has %v in %s", where, value, allowed, field)
			}
			if required, _ := at(form, "required").([]any); !slices.Contains(required, any(field)) {
				t.Errorf("%s: the form for %s does not require %s", where, value, field)
			}
		}
	})
	if choices != 3 { // acts, actions on tabs, actions of a batch
		t.Errorf("%d choices", choices)
	}
}

var operationID = regexp.MustCompile(`^[a-z][a-zA-Z]*$`)

// Each operation has a name, a description, a section that is described, and a schema for its body,
// its answer and its errors. Package client has methods of the same names.
func TestOpenAPIOperations(t *testing.T) {
	t.Chdir(root)
	doc, ids, sections := openAPI(t), map[string]string{}, map[string]bool{}
	for _, tag := range doc["tags"].([]any) {
		sections[tag.(object)["name"].(string)] = tag.(object)["description"] != ""
	}
	for path, methods := range at(doc, "paths").(object) {
		for method, described := range methods.(object) {
			where, o := method+" "+path, described.(object)
			id, _ := o["operationId"].(string)
			if other := ids[id]; other != "" || !operationID.MatchString(id) {
				t.Errorf("%s has the id %q, as %q", where, id, other)
			}
			ids[id] = where
			if tags := o["tags"].([]any); len(tags) != 1 || !sections[tags[0].(string)] || o["summary"] == "" || o["description"] == "" {
				t.Errorf("%s is not described: %v %v", where, tags, o["summary"])
			}
			checkAnswers(t, where, o["responses"].(object))
			if body, ok := o["requestBody"]; ok {
				checkContent(t, where, body.(object))
			}
			checkParameters(t, where, path, o["parameters"])
		}
	}
	for _, o := range api.Table().Ops {
		if len(api.Table().At(o.Routes[0].Method, o.Routes[0].Path)) == 1 && ids[o.ID()] == "" {
			t.Errorf("no path has the id of %s", o.Name())
		}
	}
}

func checkAnswers(t *testing.T, where string, answers object) {
	t.Helper()
	if len(answers) != 3 {
		t.Errorf("%s has the answers %v", where, slices.Sorted(maps.Keys(answers)))
	}
	for status, answer := range answers {
		switch status {
		case "4XX", "5XX":
			if to := answer.(object)["$ref"]; to != "#/components/responses/Failure" {
				t.Errorf("%s %s: %v", where, status, to)
			}
		case "200", "101":
			checkContent(t, where+" "+status, answer.(object))
		case "204":
		default:
			t.Errorf("%s has the status %s", where, status)
		}
	}
}

func checkContent(t *testing.T, where string, of object) {
	t.Helper()
	for mediaType, content := range of["content"].(object) {
		schema, _ := content.(object)["schema"].(object)
		if schema["$ref"] == nil && schema["type"] == nil && schema["oneOf"] == nil && schema["anyOf"] == nil {
			t.Errorf("%s: %s has no schema", where, mediaType)
		}
		if schema["properties"] != nil {
			t.Errorf("%s: the schema of %s has no name", where, mediaType)
		}
	}
}

// checkParameters checks that the parameters in the path are those that it names.
func checkParameters(t *testing.T, where, path string, parameters any) {
	t.Helper()
	list, _ := parameters.([]any)
	for _, p := range list {
		of := p.(object)
		if inPath := of["in"] == "path"; inPath != strings.Contains(path, "{"+of["name"].(string)+"}") || inPath && of["required"] != true {
			t.Errorf("%s: %s is in %s", where, of["name"], of["in"])
		}
		if of["description"] == "" || of["schema"].(object)["type"] == nil {
			t.Errorf("%s: %s is not described", where, of["name"])
		}
	}
}

// In answers, a field that may be null says so. In requests, a required field does not take null.
func TestOpenAPINulls(t *testing.T) {
	t.Chdir(root)
	schemas := at(openAPI(t), "components", "schemas")
	for _, test := range []struct{ schema, field, want string }{
		{"StatusResult", "pid", "[integer null]"},
		{"MouseMoveRequest", "x", "number"},
		{"Position", "x", "number"},
		{"DialogAnswer", "accept", "boolean"},
	} {
		if got := fmt.Sprint(at(schemas, test.schema, "properties", test.field, "type")); got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.field, test.schema, got, test.want)
		}
	}
}

// What a program sends and gets is described, but for JSON of any form.
func TestOpenAPISchemas(t *testing.T) {
	t.Chdir(root)
	eachObject(at(openAPI(t), "components", "schemas"), "", func(where string, of object) {
		fields, ok := of["properties"].(object)
		if !ok || of["type"] != "object" { // a list of fields may have one that is called properties
			return
		}
		for name, field := range fields {
			if f := field.(object); f["type"] == "array" && f["items"] == nil {
				t.Errorf("%s: %s is a list of something", where, name)
			}
		}
		required, _ := of["required"].([]any)
		for _, name := range required {
			if fields[name.(string)] == nil {
				t.Errorf("%s requires %s, which it does not have", where, name)
			}
		}
	})
}
