package config

import (
	"fmt"
	"os"
	"strings"
)

// checkSandbox is the part of [Config.check] about the sandbox of agents.
func (c *Config) checkSandbox() *keyError {
	const key = "agents.defaults.sandbox.browser."
	s := c.Agents.Defaults.Sandbox.Browser
	switch {
	case !isURL(s.URL, CDPSchemes):
		return wrongf(key+"url", "must be http(s) or ws(s), got: %s", schemeOf(s.URL))
	case isVariable(s.Token):
		return wrongf(key+"token", "names a variable: write env:NAME")
	}
	return nil
}

// Secret returns the token for the server at URL; "" if there is none. The error names a variable
// that is not set.
func (s SandboxBrowser) Secret() (string, error) {
	return resolveSecret("agents.defaults.sandbox.browser.token", s.Token)
}

// resolveSecret returns the secret in the value of a key. The value env:NAME stands for the
// variable NAME. The error names a variable that is not set.
func resolveSecret(key, value string) (string, error) {
	name, named := strings.CutPrefix(value, FromEnvironment)
	if !named {
		return value, nil
	}
	secret := os.Getenv(name)
	if secret == "" {
		return "", fmt.Errorf("the variable %s, which %s names, is not set", name, key)
	}
	return secret, nil
}
