package dashboard

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"chela/internal/base/config"
)

// A Setting is a key of the configuration, as a form shows it.
type Setting struct {
	Key     string `json:"key"`
	Kind    string `json:"kind"` // bool, number, string, texts (a list of strings), list or any
	Doc     string `json:"doc"`
	Value   any    `json:"value"`             // the value in force, in the form of the configuration file
	Default any    `json:"default"`           // the value in force when the file does not have the key
	Secret  bool   `json:"secret,omitempty"`  // the value can be set, but is not shown, or only without its password
	InForce string `json:"inForce,omitempty"` // from when a changed value is in force, in words; "": the next call
	Later   bool   `json:"later,omitempty"`   // the setting has no effect yet
}

// Settings lists the keys of the configuration with their values. A key with <name>, for profiles or
// secrets, is listed once for each profile or secret of the configuration. A list is one value, so
// keys of its elements are not listed.
func Settings(c *config.Config) ([]Setting, error) {
	whole, err := c.Get("")
	if err != nil {
		return nil, err
	}
	list := []Setting{}
	add := func(key config.Key, path string) {
		s := settingOf(key, path, whole)
		s.Secret = key.Secret || isRedacted(c, s)
		list = append(list, s)
	}
	for _, key := range config.Keys() {
		switch {
		case strings.Contains(key.Path, "[]"):
		case strings.Contains(key.Path, "<name>"):
			for _, name := range namesOf(c, key) {
				add(key, strings.Replace(key.Path, "<name>", name, 1))
			}
		default:
			add(key, key.Path)
		}
	}
	return list, nil
}

// namesOf lists the names that can replace <name> in a key: the profiles or the secrets of the
// configuration.
func namesOf(c *config.Config, key config.Key) []string {
	if strings.HasPrefix(key.Path, "browser.secrets.") {
		return slices.Sorted(maps.Keys(c.Browser.Secrets))
	}
	return slices.Sorted(maps.Keys(c.Browser.Profiles))
}

func settingOf(key config.Key, path string, whole any) Setting {
	s := Setting{Key: path, Kind: key.Kind(), Doc: key.Doc, Default: key.Default, InForce: key.From.String(), Later: key.Later}
	if key.Type == reflect.TypeFor[[]string]() {
		s.Kind = "texts"
	}
	for _, name := range strings.Split(path, ".") {
		object, _ := whole.(map[string]any)
		whole = object[name]
	}
	s.Value = whole
	return s
}

// isRedacted reports whether a text is shown without a part that is secret. If a form offered it to
// be edited, what is shown in place of the secret would be saved.
func isRedacted(c *config.Config, s Setting) bool {
	if text, _ := s.Value.(string); text == "" {
		return false
	}
	whole, err := c.Get(s.Key)
	return err != nil || whole != s.Value
}
