package config

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// load reads a configuration file with this text, in a state directory of its own.
func load(t *testing.T, text string, flags Flags) (*Config, error) {
	t.Helper()
	for _, name := range []string{"CHELA_CONFIG_PATH", "CHELA_STATE_DIR", "CHELA_PORT", "CHELA_TOKEN"} {
		if _, set := os.LookupEnv(name); set {
			t.Setenv(name, "")
		}
	}
	flags.StateDir = t.TempDir()
	if text != "" {
		write(t, filepath.Join(flags.StateDir, "chela.json"), text)
	}
	return Load(flags)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDefaults(t *testing.T) {
	c, err := load(t, "", Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 18791 || c.Explicit || !c.Browser.Enabled || !c.Browser.EvaluateEnabled || c.Browser.Headless != nil || c.Idle() != time.Hour {
		t.Errorf("got %+v", c)
	}
}

func TestFile(t *testing.T) {
	c, err := load(t, `{
		// as the documentation of such files writes them
		gateway: {port: 19000, auth: {token: 'secret'}, idleMinutes: 0.5},
		browser: {headless: false, extraArgs: ["--lang=de",], ssrfPolicy: {allowedHostnames: ["localhost"]}, snapshotDefaults: {mode: "efficient"}},
		media: {maxMB: 5},
	}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Port != 19002 || c.Explicit || c.Gateway.Auth.Token != "secret" || c.Idle() != 30*time.Second {
		t.Errorf("gateway: got %+v, port %d", c.Gateway, c.Port)
	}
	if c.Browser.Headless == nil || *c.Browser.Headless || len(c.Browser.ExtraArgs) != 1 || c.Browser.SnapshotDefaults.Mode != "efficient" {
		t.Errorf("browser: got %+v", c.Browser)
	}
	if got := string(c.Browser.SSRFPolicy); got != `{"allowedHostnames":["localhost"]}` {
		t.Errorf("ssrfPolicy: got %s", got)
	}
	if c.Media.MaxMB != 5 || c.Media.MaxAgeHours != 24 {
		t.Errorf("media: got %+v", c.Media)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

func TestFileFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON5", "{\n browser: {\n  headless = true\n}}", "chela.json:3:"},
		{"wrong type", `{browser: {headless: "yes"}}`, "browser.headless must be true or false, not string"},
		{"wrong type in a list", `{browser: {extraArgs: "--x"}}`, "browser.extraArgs must be a list, not string"},
		{"fraction", `{gateway: {port: 1.5}}`, "gateway.port must be a whole number"},
		{"port out of range", `{gateway: {port: 70000}}`, "gateway.port is 70000"},
		{"an address that others reach", `{gateway: {bind: "0.0.0.0"}}`, `gateway.bind is "0.0.0.0"`},
		{"unknown mode", `{gateway: {auth: {mode: "open"}}}`, `gateway.auth.mode is "open"`},
		{"unknown snapshot mode", `{browser: {snapshotDefaults: {mode: "x"}}}`, `browser.snapshotDefaults.mode is "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(t, test.text, Flags{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "chela.json") {
				t.Errorf("got %v, want %q and the file", err, test.want)
			}
		})
	}
}

func TestUnknownKeysAreWarnings(t *testing.T) {
	c, err := load(t, `{browser: {heedless: true, ssrfPolicy: {x: 1}}, agents: {}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(c.Warnings, "\n")
	if len(c.Warnings) != 2 || !strings.Contains(got, "browser.heedless") || !strings.Contains(got, "agents") {
		t.Errorf("got %q, want one for browser.heedless and one for agents", got)
	}
}

func TestKeysThatAreNotInEffect(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{}`, ""},
		{`{browser: {ssrfPolicy: {}, defaultProfile: "openclaw"}}`, ""},
		{`{browser: {ssrfPolicy: null, defaultProfile: ""}}`, ""},
		{`{browser: {systemClipboard: true}}`, ""},
		{`{browser: {ssrfPolicy: {dangerouslyAllowPrivateNetwork: false}}}`, "browser.ssrfPolicy"},
		{`{browser: {ssrfPolicy: {blockedHostnames: ["localhost"]}, defaultProfile: "user"}}`, "browser.ssrfPolicy browser.defaultProfile"},
	} {
		c, err := load(t, test.text, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.NotInEffect(), " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestPortOrder(t *testing.T) {
	tests := []struct {
		name, env string
		flag      int
		want      int
		explicit  bool
	}{
		{"file", "", 0, 20002, false},
		{"environment beats file", "19999", 0, 19999, true},
		{"flag beats environment", "19999", 19998, 19998, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "chela.json"), `{gateway: {port: 20000}}`)
			t.Setenv("CHELA_PORT", test.env)
			c, err := Load(Flags{StateDir: dir, Port: test.flag})
			if err != nil || c.Port != test.want || c.Explicit != test.explicit {
				t.Errorf("got %d, explicit %v, %v; want %d, %v", c.Port, c.Explicit, err, test.want, test.explicit)
			}
		})
	}
	t.Setenv("CHELA_PORT", "eighty")
	if _, err := Load(Flags{StateDir: t.TempDir()}); err == nil {
		t.Error("CHELA_PORT=eighty is accepted")
	}
}

func TestSecrets(t *testing.T) {
	tests := []struct {
		name, text, env string
		token, password string // "made": a new one
	}{
		{"none configured", ``, "", "made", ""},
		{"token", `{gateway: {auth: {token: "t"}}}`, "", "t", ""},
		{"environment beats file", `{gateway: {auth: {token: "t"}}}`, "e", "e", ""},
		{"both", `{gateway: {auth: {token: "t", password: "p"}}}`, "", "t", "p"},
		{"only tokens", `{gateway: {auth: {mode: "token", token: "t", password: "p"}}}`, "", "t", ""},
		{"only passwords", `{gateway: {auth: {mode: "password", token: "t", password: "p"}}}`, "", "", "p"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.text != "" {
				write(t, filepath.Join(dir, "chela.json"), test.text)
			}
			t.Setenv("CHELA_TOKEN", test.env)
			c, err := Load(Flags{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			token, password, err := c.Secrets()
			if err != nil {
				t.Fatal(err)
			}
			if test.token == "made" {
				again, _, _ := c.Secrets()
				if len(token) != len(rand.Text()) || again != token {
					t.Errorf("made %q, then %q", token, again)
				}
			} else if token != test.token {
				t.Errorf("got token %q, want %q", token, test.token)
			}
			if password != test.password {
				t.Errorf("got password %q, want %q", password, test.password)
			}
		})
	}
}
