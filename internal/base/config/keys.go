package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"syscall"

	"github.com/titanous/json5"
)

// An UnknownKeyError says that the configuration has no such key.
type UnknownKeyError struct {
	Key   string
	Meant string // a key that may have been meant, or ""
}

func (e *UnknownKeyError) Error() string { return "there is no key " + cmp.Or(e.Key, `""`) }

// hiddenToken is the one secret that even a request for exactly its key does not show.
const hiddenToken = "agents.defaults.sandbox.browser.token"

// Get returns the value of a key that is in force, as the file, the environment and the defaults
// decide. The value has the form that it would have in the file; it is nil if nothing is set. An
// empty key means the whole configuration. Secrets are redacted, except for one whose own key is
// asked for. Keys within lists cannot be asked for. The error is an [*UnknownKeyError].
func (c *Config) Get(key string) (any, error) {
	value, err := c.inForce()
	if err != nil {
		return nil, err
	}
	eachSecret(reflect.TypeFor[Config](), value, "", func(path string, redact redaction, text string) string {
		if path == key && path != hiddenToken {
			return text
		}
		return redact(text)
	})
	if key == "" {
		return withoutUnused(value), nil
	}
	if _, err := typeOf(key); err != nil {
		return nil, err
	}
	return valueAt(value, pathOf(key)), nil
}

// inForce returns the whole configuration that is in force, with its secrets, in the form of the
// file.
func (c *Config) inForce() (value any, err error) {
	all := *c
	all.Gateway.Auth.Token, all.Gateway.Auth.Password = c.secrets()
	if headless := HeadlessByEnv(); headless != nil {
		all.Browser.Headless = headless
	}
	if !c.Explicit {
		all.Gateway.Port = c.Port - controlAboveGateway
	}
	raw, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(raw, &value)
	}
	return value, err
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

// Set sets a key in the configuration file; the text null removes it. A text for a key that is not
// a string is JSON5. Nothing else in the file changes. If the result would not be valid, the file
// is not changed. It returns the configuration with the new value. Errors are an
// [*UnknownKeyError], an [*UneditableError], a [*RedactedError], a [*RefusedError], a [*FileError],
// and those of the file system.
func Set(flags Flags, key, text string) (*Config, error) {
	t, err := typeOf(key)
	if err != nil {
		return nil, err
	}
	return set(flags, key, valueOf(t, text))
}

// SetValue sets a key as [Set] does, to a value as encoding/json decodes it. If it is nil, the key is
// removed.
func SetValue(flags Flags, key string, value any) (*Config, error) {
	if _, err := typeOf(key); err != nil {
		return nil, err
	}
	return set(flags, key, value)
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

// edit sets a key in the file, or removes it if value is nil. One process edits at a time. It does
// not edit OpenClaw's file. OpenClaw writes that file itself, and does not start if the file has a
// key that it does not know. Errors are an [*UneditableError], a [*RedactedError], a [*FileError],
// and those of the file system.
func (c *Config) edit(path []string, value any) error {
	if c.isOpenClaws() {
		return &UneditableError{c.File, "it is OpenClaw's", "use openclaw config set, or edit it by hand; OpenClaw does not start with keys that only chela knows: " +
			"these belong in another file; copy into it what chela needs of this one, and name it by CHELA_CONFIG_PATH"}
	}
	return c.State.whileEditing(func() error {
		file, err := realPath(c.File)
		if err != nil {
			return err
		}
		text, err := ReadFile(file)
		var now map[string]any
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		default:
			if now, err = parse(file, text); err != nil {
				return err
			}
		}
		if value, err = withSecrets(now, path, value); err != nil {
			return err
		}
		next, err := c.assure(text, path, value)
		if err != nil {
			return err
		}
		if string(next) == string(text) {
			return nil
		}
		if err := ReplaceFile(file, next, PastPowerLoss); err != nil {
			return c.unwritten(err)
		}
		return nil
	})
}

// unwritten returns the error for the file if it could not be replaced. If it cannot be replaced later
// either, that is an [*UneditableError]. A single file that is mounted into a container is busy.
func (c *Config) unwritten(err error) error {
	errno, ok := errors.AsType[syscall.Errno](err)
	if ok && (errors.Is(errno, fs.ErrPermission) || errno == syscall.EROFS || errno == syscall.EBUSY) {
		return &UneditableError{c.File, "it cannot be written: " + errno.Error(), "edit it where it comes from, or let chela write it and its folder"}
	}
	return fmt.Errorf("write the configuration: %w", err)
}
