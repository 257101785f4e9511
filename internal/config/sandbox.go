package config

import (
	"fmt"
	"os"
	"strings"

	"chela/internal/vision"
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

// Secret returns the token for the server at URL; "" if there is none. The error names a variable that
// is not set.
func (s SandboxBrowser) Secret() (string, error) {
	name, named := strings.CutPrefix(s.Token, vision.FromEnvironment)
	if !named {
		return s.Token, nil
	}
	token := os.Getenv(name)
	if token == "" {
		return "", fmt.Errorf("the variable %s, which agents.defaults.sandbox.browser.token names, is not set", name)
	}
	return token, nil
}

// withoutToken is s without its token, but with the name of a variable that has it.
func (s SandboxBrowser) withoutToken() SandboxBrowser {
	if !strings.HasPrefix(s.Token, vision.FromEnvironment) {
		s.Token = hidden(s.Token)
	}
	return s
}
