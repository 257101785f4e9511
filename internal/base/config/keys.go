package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"

	"github.com/titanous/json5"
)

// An UnknownKeyError says that the configuration has no such key.
type UnknownKeyError struct {
	Key   string
	Meant string // a key that may have been meant, or ""
}

func (e *UnknownKeyError) Error() string { return "there is no key " + cmp.Or(e.Key, `""`) }

// Get returns the value of a key that is in force, as the file, the environment and the defaults
// decide. The value has the form that it would have in the file; it is nil if nothing is set. An
// empty key means the whole configuration, without its secrets. The error is an [*UnknownKeyError].
func (c *Config) Get(key string) (any, error) {
	shown := *c
	shown.Gateway.Auth.Token, shown.Gateway.Auth.Password = c.secrets()
	if !strings.HasPrefix(key, "gateway.auth.") {
		shown.Gateway.Auth.Token, shown.Gateway.Auth.Password = mask(shown.Gateway.Auth.Token), mask(shown.Gateway.Auth.Password)
	}
	if headless := HeadlessByEnv(); headless != nil {
		shown.Browser.Headless = headless
	}
	if !c.Explicit {
		shown.Gateway.Port = c.Port - controlAboveGateway
	}
	if key != "browser.proxy" {
		shown.Browser.Proxy = withoutLogin(shown.Browser.Proxy)
	}
	if key != "browser.cdpUrl" {
		shown.Browser.CDPURL = Redacted(shown.Browser.CDPURL)
	}
	shown.Browser.Profiles = maps.Clone(shown.Browser.Profiles)
	for name, p := range shown.Browser.Profiles {
		if key != "browser.profiles."+name+".proxy" {
			p.Proxy = withoutLogin(p.Proxy)
		}
		if key != "browser.profiles."+name+".cdpUrl" {
			p.CDPURL = Redacted(p.CDPURL)
		}
		shown.Browser.Profiles[name] = p
	}
	shown.Browser.Models, shown.Tools.Media.Models = withoutKeys(shown.Browser.Models), withoutKeys(shown.Tools.Media.Models)
	shown.Tools.Media.Image.Models = withoutKeys(shown.Tools.Media.Image.Models)
	if key != "browser.controlToken" {
		shown.Browser.ControlToken = withoutSecret(shown.Browser.ControlToken)
	}
	if key != "fleet.url" {
		shown.Fleet.URL = shown.Fleet.Shown()
	}
	shown.Agents.Defaults.Sandbox.Browser = shown.Agents.Defaults.Sandbox.Browser.withoutToken()
	raw, err := json.Marshal(shown)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, err
	}
	if key == "" {
		return withoutUnused(value), nil
	}
	if _, err := typeOf(key); err != nil {
		return nil, err
	}
	for _, name := range pathOf(key) {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value, nil
}

// withoutUnused removes from a whole configuration the keys that nobody has set and that would have
// no effect.
func withoutUnused(all any) any {
	plain, _ := json.Marshal(defaults()) // cannot fail
	var unset any
	json.Unmarshal(plain, &unset)
	for _, key := range Keys() {
		if key.Later {
			prune(all, unset, pathOf(key.Path))
		}
	}
	return all
}

// prune removes the value at path if it equals the value at the same path in the parameter unset.
// Then it removes the objects around it that have become empty.
func prune(value, unset any, path []string) {
	object, _ := value.(map[string]any)
	other, _ := unset.(map[string]any)
	if object == nil {
		return
	}
	if len(path) > 1 {
		prune(object[path[0]], other[path[0]], path[1:])
	}
	below, isObject := object[path[0]].(map[string]any)
	if isObject && len(below) == 0 || !isObject && reflect.DeepEqual(object[path[0]], other[path[0]]) {
		delete(object, path[0])
	}
}

// mask returns what is shown in place of a secret.
func mask(secret string) string {
	if secret == "" {
		return ""
	}
	return "(set)"
}

// withoutLogin returns the address of a proxy without its password. Only [Config.Get] for the key
// of this address shows the password.
func withoutLogin(address string) string {
	if address == "" {
		return ""
	}
	return withoutPassword(address)
}

// Set sets a key in the configuration file; the text null removes it. A text for a key that is not
// a string is JSON5. Nothing else in the file changes. If the result would not be valid, the file
// is not changed. It returns the configuration with the new value. Errors are an
// [*UnknownKeyError], an [*UneditableError], a [*FileError], and those of the file system.
func Set(flags Flags, key, text string) (*Config, error) {
	t, err := typeOf(key)
	if err != nil {
		return nil, err
	}
	return set(flags, key, valueOf(t, text))
}

// Add adds a text to the list at a key of the configuration file, unless the list has it. It
// returns the errors of [Set], and a [*NoListError].
func Add(flags Flags, key, text string) (*Config, error) {
	t, err := typeOf(key)
	switch {
	case err != nil:
		return nil, err
	case t != reflect.TypeFor[[]string]():
		return nil, &NoListError{key}
	}
	return set(flags, key, addition(text))
}

// set sets a key to a value that was already parsed.
func set(flags Flags, key string, value any) (*Config, error) {
	state, file, err := flags.locate()
	if err != nil {
		return nil, err
	}
	if flags.File != "" && !exists(file) {
		return nil, missingFileError(file)
	}
	if err := (&Config{File: file, State: state}).edit(pathOf(key), value); err != nil {
		return nil, err
	}
	return Load(flags)
}

// A NoListError says that a key does not have a list of texts, to which one can be added.
type NoListError struct{ Key string }

func (e *NoListError) Error() string { return e.Key + " is not a list of texts" }

// valueOf parses the text of a value for a key of type t. A text that cannot be parsed becomes a
// string, and is refused later when the types are compared.
func valueOf(t reflect.Type, text string) any {
	if text == "null" {
		return nil
	}
	var value any
	if t.Kind() == reflect.String || json5.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

// typeOf returns the type of a key. A key may also stand for an object that has further keys. The
// error is an [*UnknownKeyError], with a key that is near to the first unknown name.
func typeOf(key string) (reflect.Type, error) {
	t := reflect.TypeFor[Config]()
	path := pathOf(key)
	for i, name := range path {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		field, ok := reflect.StructField{}, false
		switch t.Kind() {
		case reflect.Struct:
			field, ok = fieldOf(t, name)
			t = field.Type
		case reflect.Map:
			t, ok = t.Elem(), name != ""
		}
		if !ok {
			return nil, &UnknownKeyError{key, didYouMean(strings.Join(path[:i+1], "."))}
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t, nil
}

// pathOf separates a key into its names.
func pathOf(key string) []string { return strings.Split(key, ".") }

// edit sets a key in the file, or removes it if value is nil. One process edits at a
// time. Errors are an [*UneditableError], a [*FileError], and those of the file system.
func (c *Config) edit(path []string, value any) error {
	return c.State.whileEditing(func() error {
		file, err := realPath(c.File)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		default:
			if _, err := parse(file, text); err != nil {
				return err
			}
		}
		next, err := c.assure(text, path, value)
		if err != nil {
			return err
		}
		if string(next) == string(text) {
			return nil
		}
		if err := replaceFile(file, next, PastPowerLoss); err != nil {
			return fmt.Errorf("write the configuration: %w", err)
		}
		return nil
	})
}
