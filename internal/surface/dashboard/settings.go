package dashboard

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chela/internal/base/config"
)

// A Setting is a key of the configuration, as a form shows it.
type Setting struct {
	Key     string `json:"key"`
	Kind    string `json:"kind"` // bool, number, string, list or any
	Doc     string `json:"doc"`
	Value   any    `json:"value"`   // the value in force, in the form of the configuration file
	Default any    `json:"default"` // the value in force when the file does not have the key
	Secret  bool   `json:"secret,omitempty"`
	Later   bool   `json:"later,omitempty"` // the setting has no effect yet
}

// secretKeys are keys whose values are never shown, but can be set.
var secretKeys = []string{"gateway.auth.token", "gateway.auth.password", "browser.controlToken", "agents.defaults.sandbox.browser.token"}

// Settings lists the keys of the configuration with their values. A key with <name>, for profiles or
// secrets, is listed once for each profile or secret of the configuration. A list is one value, so
// keys of its elements are not listed.
func Settings(c *config.Config) ([]Setting, error) {
	whole, err := c.Get("")
	if err != nil {
		return nil, err
	}
	list := []Setting{}
	for _, key := range config.Keys() {
		switch {
		case strings.Contains(key.Path, "[]"):
		case strings.Contains(key.Path, "<name>"):
			for _, name := range namesOf(c, key) {
				list = append(list, settingOf(key, strings.Replace(key.Path, "<name>", name, 1), whole))
			}
		default:
			list = append(list, settingOf(key, key.Path, whole))
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
	s := Setting{Key: path, Kind: key.Kind(), Doc: key.Doc, Default: key.Default, Secret: slices.Contains(secretKeys, path), Later: key.Later}
	for _, name := range strings.Split(path, ".") {
		object, _ := whole.(map[string]any)
		whole = object[name]
	}
	s.Value = whole
	return s
}

// Text returns a value in the form that [config.Live.Set] takes and that a person writes on the
// command line. A string is written as it is, all else as JSON.
func Text(value json.RawMessage) string {
	var text string
	if err := json.Unmarshal(value, &text); err != nil || string(value) == "null" {
		return string(value)
	}
	return text
}
