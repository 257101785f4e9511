package vision

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"chela/internal/base/config"
)

// key returns the API key, or "" if the model needs none. It needs none if it has a BaseURL and no
// APIKey: servers of this machine and its network often ask for none. The environment variables of
// providers count only without a BaseURL, because their keys must be sent to the provider alone.
func (m Model) key() (string, error) {
	name, named := strings.CutPrefix(m.APIKey, config.FromEnvironment)
	switch p := m.protocol(); {
	case named && os.Getenv(name) == "":
		return "", fmt.Errorf("the variable %s, which apiKey names, is not set", name)
	case named:
		return os.Getenv(name), nil
	case m.APIKey != "":
		return m.APIKey, nil
	case m.BaseURL != "", p == nil:
		return "", nil
	default:
		for _, name := range p.variables {
			if key := os.Getenv(name); key != "" {
				return key, nil
			}
		}
		return "", fmt.Errorf("there is no apiKey, and %s is not set", strings.Join(p.variables, " or "))
	}
}

// withoutKey returns an error without the API key, which some providers repeat in their messages.
func (m Model) withoutKey(err error) error {
	key, _ := m.key()
	if key == "" || !strings.Contains(err.Error(), key) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), key, "(key)"))
}
