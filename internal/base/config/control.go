package config

import (
	"bytes"
)

// A Control is the server that commands call if they name none.
type Control struct {
	URL, Fingerprint string

	config *Config
}

// Control returns the server that browser.controlUrl names. If the key is not set, the URL of the
// result is empty. Most commands need nothing else of the configuration. To save them time, a file
// that does not contain the key is not decoded. It returns the errors of [Load].
func (f Flags) Control() (Control, error) {
	_, file, err := f.locate()
	if err != nil {
		return Control{}, err
	}
	if text, err := ReadFile(file); err != nil || !bytes.Contains(text, []byte("controlUrl")) {
		return Control{}, nil // a server that is started reports a file that cannot be read
	}
	c, err := Load(f)
	if err != nil {
		return Control{}, err
	}
	return c.Control(), nil
}

// Control returns the server that browser.controlUrl names.
func (c *Config) Control() Control {
	return Control{c.Browser.ControlURL, c.Browser.ControlFingerprint, c}
}

// LocalPort returns the port of a server on this machine; 0 for one elsewhere.
func (c Control) LocalPort() int { return localPort(c.URL) }

// Token returns the token for that server, "" if there is none. The error names a variable that is
// not set.
func (c Control) Token() (string, error) {
	return resolveSecret("browser.controlToken", c.config.Browser.ControlToken)
}

// Wrong returns the error about a key below browser, with the file and the line of the key.
func (c Control) Wrong(key string, err error) error { return c.config.Wrong("browser."+key, err) }
