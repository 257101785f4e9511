package config

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// A field of the configuration that may hold a secret has the struct tag `secret`. Its value says
// how the texts of the field are shown to those who may not see the secret, see redactions.

// A redaction returns what is shown of a value that may hold a secret. A value without a secret is
// shown as it is.
type redaction func(value string) string

// redactions has the redaction of each value of the struct tag `secret`.
var redactions = map[string]redaction{
	"value":     mask,
	"variable":  withoutSecret,
	"address":   withoutLogin,
	"addresses": withoutLogins,
	"endpoint":  withoutQuery,
	"hook":      onlyHost,
}

// masked is what is shown in place of a secret.
const masked = "(set)"

// mask returns what is shown in place of a secret.
func mask(secret string) string {
	if secret == "" {
		return ""
	}
	return masked
}

// withoutSecret hides a secret. The name of a variable is shown, because it is not secret.
func withoutSecret(value string) string {
	if strings.HasPrefix(value, FromEnvironment) {
		return value
	}
	return mask(value)
}

// withoutLogin returns an address without its password. Without a password, the user is the secret:
// NATS takes it as a token, and some proxies take it as a key.
func withoutLogin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" && strings.Contains(address, "@") {
		return "not readable"
	}
	if password, _ := u.User.Password(); u.User != nil && password == "" {
		u.User = url.User("xxxxx")
	}
	return u.Redacted()
}

// withoutLogins returns addresses, which are separated by commas, as withoutLogin does.
func withoutLogins(addresses string) string {
	all := strings.Split(addresses, ",")
	for i, each := range all {
		all[i] = withoutLogin(strings.TrimSpace(each))
	}
	return strings.Join(all, ",")
}

// withoutQuery returns the URL of an endpoint as [Redacted] does. It marks that something is hidden.
func withoutQuery(endpoint string) string {
	shown := Redacted(endpoint)
	if shown == endpoint {
		return endpoint
	}
	return shown + "?" + masked
}

// onlyHost hides all of a URL but its scheme and its host: services that take messages have their
// tokens in the path. Other texts are shown.
func onlyHost(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	shown := u.Scheme + "://" + u.Host
	if strings.TrimSuffix(text, "/") == shown {
		return text
	}
	return shown + "/" + masked
}

// isRedacted reports whether a value was returned by a redaction that has hidden something in it.
// The other texts are what withoutLogin puts before the host, in place of a password and of a user.
func isRedacted(value string) bool {
	return strings.HasSuffix(value, masked) || strings.Contains(value, ":xxxxx@") || strings.Contains(value, "/xxxxx@")
}

// eachSecret calls replace for each text of a value that may hold a secret, and puts the result in
// its place. The value stands at a path of the configuration file, has the form of the file, and is
// of type t. The function replace gets the path of the field that the text belongs to.
func eachSecret(t reflect.Type, value any, path string, replace func(path string, redact redaction, text string) string) {
	switch t.Kind() {
	case reflect.Pointer:
		eachSecret(t.Elem(), value, path, replace)
	case reflect.Struct:
		object, _ := value.(map[string]any)
		for name, below := range object {
			field, ok := fieldOf(t, name)
			if !ok {
				continue
			}
			if redact := redactions[field.Tag.Get("secret")]; redact != nil {
				object[name] = eachText(below, func(text string) string { return replace(join(path, name), redact, text) })
				continue
			}
			eachSecret(field.Type, below, join(path, name), replace)
		}
	case reflect.Map:
		object, _ := value.(map[string]any)
		for name, below := range object {
			eachSecret(t.Elem(), below, join(path, name), replace)
		}
	case reflect.Slice:
		list, _ := value.([]any)
		for i, each := range list {
			eachSecret(t.Elem(), each, fmt.Sprintf("%s[%d]", path, i), replace)
		}
	}
}

// eachText calls replace for each text of a value, puts the result in its place, and returns the
// value.
func eachText(value any, replace func(text string) string) any {
	switch v := value.(type) {
	case string:
		return replace(v)
	case map[string]any:
		for name, below := range v {
			v[name] = eachText(below, replace)
		}
	case []any:
		for i, below := range v {
			v[i] = eachText(below, replace)
		}
	}
	return value
}

// A RedactedError says that a new value of a key has a text that only stands for a secret, as
// [Config.Get] shows it. If it were written, the secret would be lost.
type RedactedError struct{ Key, Text string }

func (e *RedactedError) Error() string {
	return fmt.Sprintf("%s is %q, which only stands for a secret that is not shown", e.Key, e.Text)
}

// withSecrets returns the new value for a key of a configuration file. In a list of models,
// placeholders become the API keys that the file has, see restoreKeys. The error is a
// [*RedactedError] if another placeholder is left.
func withSecrets(file map[string]any, path []string, value any) (any, error) {
	restoreKeys(valueAt(file, path), value)
	var err error
	eachSecret(reflect.TypeFor[Config](), nested(path, value), "", func(path string, _ redaction, text string) string {
		if isRedacted(text) && err == nil {
			err = &RedactedError{path, text}
		}
		return text
	})
	return value, err
}

// restoreKeys puts the API keys of a stored list of models into a new list, where the new one has
// placeholders. A model with a placeholder gets a key only if all keys of stored models with its
// provider and its baseUrl are the same. So a key is never sent to where it was not sent before.
func restoreKeys(stored, next any) {
	from, _ := stored.([]any)
	to, _ := next.([]any)
	for _, each := range to {
		model, _ := each.(map[string]any)
		if model["apiKey"] != masked {
			continue
		}
		var keys []string
		for _, one := range from {
			known, _ := one.(map[string]any)
			key, has := known["apiKey"].(string)
			if has && known["provider"] == model["provider"] && known["baseUrl"] == model["baseUrl"] {
				keys = append(keys, key)
			}
		}
		if keys = slices.Compact(keys); len(keys) == 1 {
			model["apiKey"] = keys[0]
		}
	}
}

// valueAt returns the value at a path of a tree, nil if there is none.
func valueAt(tree any, path []string) any {
	for _, name := range path {
		object, _ := tree.(map[string]any)
		tree = object[name]
	}
	return tree
}

// nested returns a tree with only one value, which is at a path.
func nested(path []string, value any) any {
	for _, name := range slices.Backward(path) {
		value = map[string]any{name: value}
	}
	return value
}
