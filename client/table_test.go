package client_test

import (
	"crypto/x509"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chela/client"
	"chela/internal/api"
	"chela/internal/base/certificate"
	"chela/internal/op"
)

func pinOf(c *x509.Certificate) string { return certificate.Of(c).String() }

// methodOf returns the method of the client that calls an operation.
func methodOf(t *testing.T, o *op.Op) reflect.Method {
	t.Helper()
	of := reflect.TypeFor[*client.Client]()
	for i := range of.NumMethod() {
		if strings.EqualFold(of.Method(i).Name, o.ID()) {
			return of.Method(i)
		}
	}
	t.Fatalf("%s has no method", o.Name())
	return reflect.Method{}
}

// Each operation of the server has a method in the client. The server reads what it sends as a call
// of this operation, with all its parameters.
func TestMethodsSendWhatTheTableReads(t *testing.T) {
	var got op.Sent
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = op.Sent{Method: r.Method, Path: r.URL.EscapedPath(), Query: op.Args{}}
		for name, values := range r.URL.Query() {
			got.Query[name], _ = json.Marshal(values)
			if len(values) == 1 {
				got.Query[name], _ = json.Marshal(values[0])
			}
		}
		raw, _ := io.ReadAll(r.Body)
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &got.Body); err != nil || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("body %s of type %s", raw, r.Header.Get("Content-Type"))
			}
		}
		io.WriteString(w, `{"ok":true}`)
	}))
	defer s.Close()
	c, err := client.New(client.Options{URL: s.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range api.Table().Ops {
		t.Run(o.Name(), func(t *testing.T) {
			method := methodOf(t, o)
			whole := reflect.New(method.Type.In(2)).Elem()
			fillIn(whole)
			choose(whole, o)
			for _, request := range []reflect.Value{whole, reflect.Zero(method.Type.In(2))} {
				out := method.Func.Call([]reflect.Value{reflect.ValueOf(c), reflect.ValueOf(t.Context()), request})
				lacks := request != whole && strings.Contains(o.Routes[len(o.Routes)-1].Path, "{") // a parameter in the path
				switch {
				case out[1].IsNil() == lacks:
					t.Fatalf("the call failed: %v", out[1])
				case !lacks:
					understood(t, o, got, request)
				}
			}
		})
	}
}

// understood checks that the server reads what was sent as a call of o with the fields of request.
func understood(t *testing.T, o *op.Op, sent op.Sent, request reflect.Value) {
	t.Helper()
	chosen, args, err := api.Table().Receive(sent)
	if err != nil || chosen != o {
		t.Fatalf("%+v is understood as %v, %v", sent, chosen, err)
	}
	for _, r := range o.Routes {
		delete(args, r.Field)
	}
	raw, err := json.Marshal(request.Interface())
	if err != nil {
		t.Fatal(err)
	}
	var want op.Args
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(args)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("arguments %s, want %s", slices.Sorted(maps.Keys(args)), slices.Sorted(maps.Keys(want)))
	}
	for name, value := range want {
		p, known := o.Param(name)
		if !known || p.Name != name {
			t.Errorf("the operation has no parameter %s", name)
		}
		if sent.Body != nil && string(args[name]) != string(value) {
			t.Errorf("%s arrives as %s, not as %s", name, args[name], value)
		}
	}
}

// choose gives each field that takes only certain values one of these values.
func choose(request reflect.Value, o *op.Op) {
	for i := range request.NumField() {
		name, _, _ := strings.Cut(request.Type().Field(i).Tag.Get("json"), ",")
		p, _ := o.Param(name)
		if field := request.Field(i); len(p.Enum) > 0 && field.Kind() == reflect.Slice {
			field.Index(0).SetString(p.Enum[0])
		} else if len(p.Enum) > 0 {
			field.SetString(p.Enum[0])
		}
	}
}

// fillIn gives v a value that is not zero, and likewise each field and element in it.
func fillIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillIn(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[client.Actions]() {
			v.Set(reflect.ValueOf(client.Actions{client.ClickRequest{Ref: "e1"}}))
			return
		}
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`"x"`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillIn(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fillIn(value)
		v.SetMapIndex(reflect.ValueOf("a"), value)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Uint8:
		v.SetUint('x')
	case reflect.Interface:
		v.Set(reflect.ValueOf("x"))
	}
}

// The client's requests and answers have the same fields and types as in the server's table.
func TestTypesAreThoseOfTheTable(t *testing.T) {
	theirs, ours := op.NewSchemas(), op.NewSchemas()
	for _, o := range api.Table().Ops {
		method := methodOf(t, o)
		compareFields(t, o.Name(), op.FieldsOf(method.Type.In(2)), o.Params(), ours, theirs)
		compareFields(t, o.Name(), op.FieldsOf(method.Type.Out(0).Elem()), slices.Concat(o.EnvelopeFields(), o.OwnFields()), ours, theirs)
	}
	for name, schema := range theirs.Named {
		own, known := ours.Named[name]
		switch {
		case known:
			compare(t, name, own, schema)
		case name != "ErrorCode" && name != "Action" && !strings.HasSuffix(name, "Action") && !strings.HasSuffix(name, "Request"):
			t.Errorf("there is no type %s", name)
		}
	}
}

func compareFields(t *testing.T, of string, ours, theirs []op.Param, our, their *op.Schemas) {
	t.Helper()
	for _, p := range theirs {
		i := slices.IndexFunc(ours, func(own op.Param) bool { return own.Name == p.Name })
		if i < 0 {
			t.Errorf("%s: there is no field %s", of, p.Name)
			continue
		}
		if ours[i].Required != p.Required {
			t.Errorf("%s: %s is required: %v, want %v", of, p.Name, ours[i].Required, p.Required)
		}
		if ours[i].Type != reflect.TypeFor[client.Actions]() {
			compare(t, of+": "+p.Name, our.Of(ours[i].Type), their.Of(p.Type))
		}
	}
	for _, own := range ours {
		if !slices.ContainsFunc(theirs, func(p op.Param) bool { return p.Name == own.Name }) {
			t.Errorf("%s: the table has no field %s", of, own.Name)
		}
	}
}

// compare compares the JSON schemas of a type here and in the server's table, without descriptions.
// Where the server's schema allows any value, the client's type is json.RawMessage.
func compare(t *testing.T, of string, ours, theirs any) {
	t.Helper()
	own, isObject := ours.(op.Object)
	if !isObject {
		if !reflect.DeepEqual(ours, theirs) {
			t.Errorf("%s: %v, want %v", of, ours, theirs)
		}
		return
	}
	if own["type"] == nil && own["$ref"] == nil && own["oneOf"] == nil {
		return
	}
	other, _ := theirs.(op.Object)
	if other["$ref"] == "#/components/schemas/ErrorCode" {
		other = op.Object{"type": "string"}
	}
	if kinds, ok := other["type"].([]string); ok && own["type"] == kinds[0] { // null is the other type, which the client reads as a zero value
		other = maps.Clone(other)
		other["type"] = kinds[0]
	}
	for _, key := range []string{"type", "$ref", "format", "required"} {
		if !reflect.DeepEqual(own[key], other[key]) {
			t.Errorf("%s: %s is %v, want %v", of, key, own[key], other[key])
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if own[key] != nil {
			compare(t, of+" "+key, own[key], other[key])
		}
	}
	fields, _ := own["properties"].(op.Object)
	others, _ := other["properties"].(op.Object)
	if !slices.Equal(slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(others))) {
		t.Errorf("%s: fields %v, want %v", of, slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(others)))
	}
	for name, field := range fields {
		compare(t, of+"."+name, field, others[name])
	}
}
