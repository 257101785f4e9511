package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chela/internal/base/lazyregexp"
	"chela/internal/base/spelling"
)

// A treeCheck compares the tree of a file with the types of [Config].
type treeCheck struct {
	unknown     []string   // keys without a field, with their whole path
	notInEffect []string   // keys whose field has the struct tag `later`
	weakened    []string   // keys that are in Weakening
	wrongTypes  []keyError // values of a wrong type
}

// A keyError says what is wrong with the value of a key.
type keyError struct{ key, problem string }

func (e *keyError) Error() string { return e.key + " " + e.problem }

// wrongf returns a keyError whose problem is formatted as by [fmt.Sprintf].
func wrongf(key, format string, args ...any) *keyError {
	return &keyError{key, fmt.Sprintf(format, args...)}
}

// join returns the path of a key. The parameter path names the object that has the key; "" is the
// top level.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// object checks an object for which there is a struct. It removes the keys without a field:
// encoding/json ignores case, so it would use "Headless", which is reported as unknown, as
// headless.
func (r *treeCheck) object(path string, object map[string]any, t reflect.Type) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		below := join(path, key)
		field, ok := fieldOf(t, key)
		switch {
		case !ok && isOpenClawKey(path, key):
			delete(object, key)
		case !ok:
			r.unknown = append(r.unknown, below)
			delete(object, key)
		case object[key] == nil: // null is the same as absent
			delete(object, key)
		default:
			if field.Tag.Get("later") != "" && !isEmpty(object[key]) {
				r.notInEffect = append(r.notInEffect, below)
			}
			if weakens(below, object[key]) {
				r.weakened = append(r.weakened, below)
			}
			r.value(below, object[key], field.Type)
		}
	}
}

// value checks the value of a key, or an element of a list.
func (r *treeCheck) value(path string, value any, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !fits(value, t) {
		r.wrongTypes = append(r.wrongTypes, *wrongf(path, "must be %s, not %s", typeInWords(t), inWords(value)))
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		r.object(path, value.(map[string]any), t)
	case reflect.Map:
		object := value.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(object)) {
			r.value(join(path, key), object[key], t.Elem())
		}
	case reflect.Slice:
		for i, element := range value.([]any) {
			r.value(fmt.Sprintf("%s[%d]", path, i), element, t.Elem())
		}
	}
}

// fits reports whether a value has the JSON type that t needs. It does not check the elements of a
// list, or the fields of an object.
func fits(value any, t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Bool:
		_, ok := value.(bool)
		return ok
	case reflect.String:
		_, ok := value.(string)
		return ok
	case reflect.Int:
		n, ok := value.(float64)
		return ok && n == math.Trunc(n) && math.Abs(n) <= math.MaxInt32
	case reflect.Float64:
		n, ok := value.(float64)
		return ok && !math.IsNaN(n) && !math.IsInf(n, 0)
	case reflect.Slice:
		_, ok := value.([]any)
		return ok
	}
	_, ok := value.(map[string]any)
	return ok
}

// typeInWords names a type, which must not be a pointer, for error messages.
func typeInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// inWords describes a value for error messages. It does not quote strings, since one could be a
// secret in the wrong place.
func inWords(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return "a string"
	case []any:
		return "a list"
	case nil:
		return "null"
	}
	return "an object"
}

// isEmpty reports whether a value is an empty string, list or object.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// fieldOf returns the struct field for a key of the file.
func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); key != "" && nameOf(f) == key {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// nameOf returns the key for a field; "": the file cannot set the field.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// A Key is one setting of the configuration file.
type Key struct {
	Path    string // such as browser.headless; <name> stands for a profile's name, and browser.models[] for an element of the list browser.models
	Type    reflect.Type
	Doc     string
	Default any
	From    From // from when a changed value is in force
	Later   bool // the setting is read, but has no effect yet
	Secret  bool // the whole value is a secret, and not only a part of it, such as the password in an address
}

// A From says from when a changed value of a key is in force.
type From string

const (
	fromCall    From = "call" // the next call, also of agents that are connected; the same as ""
	FromBrowser From = "browser"
	FromServer  From = "server"
	fromAgent   From = "agent"
)

// String says it in words; "" for the next call.
func (f From) String() string {
	switch f {
	case FromBrowser:
		return "from the next start of the browser, after chela stop"
	case FromServer:
		return "from the next start of the server, after chela shutdown"
	case fromAgent:
		return "for agents when they connect again"
	}
	return ""
}

// InForce says in words from when a changed value of a key is in force; "" for the next call. For
// an object, it joins what its keys have.
func InForce(path string) string {
	var all []string
	for _, key := range Keys() {
		below, ok := strings.CutPrefix(key.Path, generalPath(path))
		if from := key.From.String(); ok && (below == "" || below[0] == '.') && from != "" && !slices.Contains(all, from) {
			all = append(all, from)
		}
	}
	return strings.Join(all, "; ")
}

// Kind returns the type in a word or two.
func (k Key) Kind() string {
	switch t := k.Type; t.Kind() {
	case reflect.Slice:
		return "list"
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "string"
	case reflect.Interface:
		return "any"
	case reflect.Pointer:
		return Key{Type: t.Elem()}.Kind()
	}
	return "number"
}

// Keys lists all settings, in the order of the types.
var Keys = sync.OnceValue(func() []Key {
	return keysOf("", reflect.ValueOf(defaults()), false, fromCall)
})

// keysOf lists the settings in a struct that stands at path. The parameter later says that none of
// them has an effect yet, because the struct around them has the struct tag `later`. The parameter
// from is the tag of that struct.
func keysOf(path string, v reflect.Value, later bool, from From) (keys []Key) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := nameOf(f)
		if name == "" {
			continue
		}
		below, later, from := join(path, name), later || f.Tag.Get("later") != "", from.in(f)
		switch t := f.Type; {
		case t.Kind() == reflect.Struct:
			keys = append(keys, keysOf(below, v.Field(i), later, from)...)
		case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
			keys = append(keys, keysOf(below, reflect.Zero(t.Elem()), later, from)...)
		case t.Kind() == reflect.Map:
			keys = append(keys, keysOf(join(below, "<name>"), reflect.Zero(t.Elem()), later, from)...)
		default:
			secret := f.Tag.Get("secret")
			keys = append(keys, Key{below, t, f.Tag.Get("doc"), v.Field(i).Interface(), from, later, secret == "value" || secret == "variable"})
			if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && generalPath(below+"[]") == below+"[]" {
				keys = append(keys, keysOf(below+"[]", reflect.Zero(t.Elem()), later, from)...)
			}
		}
	}
	return keys
}

// in returns the tag `from` of a field; without one, f itself, the tag of the struct.
func (f From) in(field reflect.StructField) From { return cmp.Or(From(field.Tag.Get("from")), f) }

// keepStarted gives the keys that are read at the start of the server the values that they have in
// the struct now. It returns the keys that had another value in next.
func keepStarted(path string, now, next reflect.Value, from From) (changed []string) {
	for i := range now.NumField() {
		f := now.Type().Field(i)
		name := nameOf(f)
		if name == "" {
			continue
		}
		below, from := join(path, name), from.in(f)
		switch {
		case f.Type.Kind() == reflect.Struct:
			changed = append(changed, keepStarted(below, now.Field(i), next.Field(i), from)...)
		case from == FromServer && !reflect.DeepEqual(now.Field(i).Interface(), next.Field(i).Interface()):
			changed = append(changed, below)
			next.Field(i).Set(now.Field(i))
		}
	}
	return changed
}

// didYouMean suggests a key in place of an unknown one. It looks for a similar name beside it, then
// for the same name elsewhere. It returns "" if no key is similar.
func didYouMean(path string) string {
	parent, name := split(path)
	var beside, elsewhere []string
	for _, key := range Keys() {
		if rest, ok := strings.CutPrefix(generalPath(key.Path), generalPath(parent)+"."); ok || parent == "" {
			if parent == "" {
				rest = key.Path
			}
			first, _, _ := strings.Cut(rest, ".")
			beside = append(beside, first)
		}
		if _, last := split(key.Path); strings.EqualFold(last, name) {
			elsewhere = append(elsewhere, key.Path)
		}
	}
	if near := spelling.Nearest(name, beside); len(near) > 0 {
		return join(parent, near[0])
	}
	if len(elsewhere) > 0 {
		return elsewhere[0]
	}
	return ""
}

// listPlace is the place of an element in a list.
var listPlace = lazyregexp.New(`\[\d+\]`)

// split splits a path before its last key.
func split(path string) (parent, name string) {
	if i := strings.LastIndex(path, "."); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// generalPath replaces the name of a profile or secret in a path by <name>, and an index of a list
// by []. All lists of models have the same keys, so an element of any of them becomes
// browser.models[].
func generalPath(path string) string {
	path = listPlace().ReplaceAllString(path, "[]")
	for _, list := range []string{"tools.media.models[]", "tools.media.image.models[]"} {
		if below, ok := strings.CutPrefix(path, list); ok {
			return "browser.models[]" + below
		}
	}
	for _, named := range []string{"browser.profiles.", "browser.secrets."} {
		rest, ok := strings.CutPrefix(path, named)
		if !ok {
			continue
		}
		_, below, more := strings.Cut(rest, ".")
		if !more {
			return named + "<name>"
		}
		return named + "<name>." + below
	}
	return path
}
