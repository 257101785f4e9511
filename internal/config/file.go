package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/titanous/json5"
)

// readFile merges the configuration file into c. A missing file counts as an empty
// one. The format is JSON5 (comments, trailing commas), as that of OpenClaw's
// configuration is. A key that chela does not know is a warning and no error: the
// file may be OpenClaw's, which has many others. Errors name the file, and the line
// of a syntax error or the key of a wrong type.
func (c *Config) readFile() error {
	text, err := os.ReadFile(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	var tree map[string]any
	if err := json5.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("%s%s: %w", c.File, lineOf(text, err), err)
	}
	// Decode again as ordinary JSON: its decoder names the key that has the wrong type.
	plain, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if err := json.Unmarshal(plain, c); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("%s: %s must be %s, not %s", c.File, e.Field, typeInWords(e.Type), e.Value)
		}
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, key := range unknown("", tree, reflect.TypeFor[Config]()) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: chela does not know the key %s", c.File, key))
	}
	return nil
}

// lineOf returns the line of a syntax error as ":line", or "". The offset of the
// error is in bytes from the start.
func lineOf(text []byte, err error) string {
	e, ok := errors.AsType[*json5.SyntaxError](err)
	if !ok {
		return ""
	}
	before := text[:min(int(e.Offset), len(text))]
	return fmt.Sprintf(":%d", 1+strings.Count(string(before), "\n"))
}

// typeInWords names a type for error messages.
func typeInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeInWords(t.Elem())
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

// unknown lists the keys in tree that t has no field for. They have their whole path,
// such as browser.foo, in the order of the alphabet. Maps and lists are not looked
// into.
func unknown(prefix string, tree map[string]any, t reflect.Type) []string {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		fields[f.Tag.Get("json")] = f.Type
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		field, ok := fields[key]
		if !ok {
			keys = append(keys, prefix+key)
			continue
		}
		if below, ok := tree[key].(map[string]any); ok && field.Kind() == reflect.Struct {
			keys = append(keys, unknown(prefix+key+".", below, field)...)
		}
	}
	return keys
}
