package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// load reads a configuration file with this text, in a state directory of its own.
func load(t *testing.T, text string, flags Flags) (*Config, error) {
	t.Helper()
	noEnvironment(t)
	flags.StateDir = t.TempDir()
	if text != "" {
		write(t, filepath.Join(flags.StateDir, "chela.json"), text)
	}
	return Load(flags)
}

// noEnvironment unsets the variables of this process that would affect a test.
func noEnvironment(t *testing.T) {
	t.Helper()
	for _, v := range Environment {
		for _, name := range []string{v.Name, v.OpenClaw} {
			if _, set := os.LookupEnv(name); set {
				t.Setenv(name, "")
			}
		}
	}
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
		// JSON5: keys without quotes, texts in single quotes, commas at the end of lists
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
	if p := c.Browser.SSRFPolicy; p == nil || len(p.AllowedHostnames) != 1 || p.DangerouslyAllowPrivateNetwork != nil {
		t.Errorf("ssrfPolicy: got %+v", p)
	}
	if c.Media.MaxMB != 5 || c.Media.MaxAgeHours != 24 {
		t.Errorf("media: got %+v", c.Media)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

// A file with a fault is refused. The error names the file, the line and the key.
func TestFileFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON5", "{\n browser: {\n  headless = true\n}}", "chela.json:3:"},
		{"no object", "[]", "chela.json:1: it must be an object, not a list"},
		{"wrong type", "{\n// a comment\nbrowser: {\n'headless': \"yes\"}}", "chela.json:4: browser.headless must be true or false, not a string"},
		{"wrong type in a list", `{browser: {extraArgs: "--x"}}`, "browser.extraArgs must be a list, not a string"},
		{"wrong type of an element", "{browser: {extraArgs: ['--x',\n 7]}}", "chela.json:2: browser.extraArgs[1] must be a string, not 7"},
		{"wrong type in a profile", "{browser: {profiles: {work: {\n\ncdpPort: 'x'}}}}", "chela.json:3: browser.profiles.work.cdpPort must be a whole number, not a string"},
		{"a profile that is none", `{browser: {profiles: {work: true}}}`, "browser.profiles.work must be an object, not true"},
		{"no host in the policy", "{browser: {ssrfPolicy: {blockedHostnames: ['a.example',\n 'http://b.example']}}}",
			`chela.json:2: browser.ssrfPolicy.blockedHostnames[1] is "http://b.example": want a name without scheme and port`},
		{"a proxy with a path", `{browser: {proxy: "http://user:secret@a.example/x"}}`, `browser.proxy is "http://user:xxxxx@a.example/x": want`},
		{"wrong type in the policy", `{browser: {ssrfPolicy: {allowedHostnames: "x"}}}`, "browser.ssrfPolicy.allowedHostnames must be a list, not a string"},
		{"the first of several", "{media: {maxMB: 'a'},\nbrowser: {color: 1}}", "chela.json:1: media.maxMB must be a number"},
		{"fraction", `{gateway: {port: 1.5}}`, "gateway.port must be a whole number, not 1.5"},
		{"no number", `{media: {maxMB: NaN}}`, "media.maxMB must be a number, not NaN"},
		{"port out of range", "{\ngateway: {port: 70000}}", "chela.json:2: gateway.port is 70000"},
		{"relay port out of range", `{gateway: {relayPort: -1}}`, "gateway.relayPort is -1"},
		{"an address that others reach", `{gateway: {bind: "0.0.0.0"}}`, `gateway.bind is "0.0.0.0"`},
		{"unknown mode", `{gateway: {auth: {mode: "open"}}}`, `gateway.auth.mode is "open"`},
		{"a token that is none", "{gateway: {auth: {\ntoken: '${TOKEN}'}}}", "chela.json:2: gateway.auth.token names a variable"},
		{"unknown meaning of refs", `{browser: {refs: "x"}}`, `browser.refs is "x": want carry or element`},
		{"unknown snapshot mode", `{browser: {snapshotDefaults: {mode: "x"}}}`, `browser.snapshotDefaults.mode is "x"`},
		{"unknown profile", `{browser: {defaultProfile: "work", profiles: {home: {}}}}`, `browser.defaultProfile is "work": there are the profiles home, chela, user, chrome`},
		{"a name that is none", `{browser: {profiles: {"My Work": {}}}}`, `browser.profiles.My Work is no name of a profile`},
		{"unknown driver", `{browser: {profiles: {a: {driver: "firefox"}}}}`, `browser.profiles.a.driver is "firefox"`},
		{"a fingerprint that is none", `{browser: {profiles: {a: {cdpFingerprint: "ab:cd"}}}}`, `browser.profiles.a.cdpFingerprint is "ab:cd": want 64 hexadecimal digits`},
		{"an address of another kind", `{browser: {profiles: {a: {cdpUrl: "ftp://x"}}}}`, `browser.profiles.a.cdpUrl must be http(s) or ws(s), got: ftp`},
		{"an address to listen on", `{browser: {profiles: {a: {cdpUrl: "http://0.0.0.0:18792"}}}}`, `browser.profiles.a.cdpUrl stands for all addresses`},
		{"another one", `{browser: {cdpUrl: "ws://[::]:18792"}}`, `browser.cdpUrl stands for all addresses`},
		{"a proxy that is none", `{browser: {proxy: "proxy:8080"}}`, `browser.proxy is "proxy:8080"`},
		{"a time that is none", `{browser: {tabCleanup: {idleMinutes: -1}}}`, `browser.tabCleanup.idleMinutes is -1`},
		{"too many calls", `{browser: {recorderLimits: {calls: 1000001}}}`, `browser.recorderLimits.calls is 1000001: want 1 to 1000000`},
		{"a time that is too long", `{browser: {recorderLimits: {hours: 3e6}}}`, `browser.recorderLimits.hours is 3e+06: want more than 0, at most 1000000`},
		{"a size that is too large", `{browser: {recorderLimits: {mb: 1e13}}}`, `browser.recorderLimits.mb is 1e+13: want more than 0, at most 1000000`},
		{"files that are kept too long", `{media: {maxAgeHours: 3e6}}`, `media.maxAgeHours is 3e+06: want more than 0, at most 1000000`},
		{"a server that never ends", `{gateway: {idleMinutes: 999999999}}`, `gateway.idleMinutes is 9.99999999e+08: want 0 to 1000000`},
		{"tabs that are kept too long", `{browser: {tabCleanup: {idleMinutes: 1e9}}}`, `browser.tabCleanup.idleMinutes is 1e+09: want 0 to 1000000`},
		{"too many tabs for too long", `{browser: {tabCleanup: {sweepMinutes: 1e9}}}`, `browser.tabCleanup.sweepMinutes is 1e+09: want more than 0, at most 1000000`},
		{"a description that takes too long", `{tools: {media: {image: {timeoutSeconds: 1e10}}}}`, `tools.media.image.timeoutSeconds is 1e+10: want 0 to 1000000`},
		{"too much of files", `{media: {maxMB: 1e13}}`, `media.maxMB is 1e+13: want more than 0, at most 1000000`},
		{"no time to answer", `{browser: {remoteCdpTimeoutMs: 0}}`, `browser.remoteCdpTimeoutMs is 0: want 1 or more`},
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
	c, err := load(t, `{
		browser: {heedless: true, Headless: true, idleMinutes: 4, ssrfPolicy: {x: 1}, profiles: {work: {colour: "red"}}},
		quux: {},
		agents: {list: [], defaults: {workspace: "~"}}, channels: {}, // OpenClaw's
	}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"chela.json:2: chela does not know the key browser.Headless: did you mean browser.headless?",
		"chela.json:2: chela does not know the key browser.heedless: did you mean browser.headless?",
		"chela.json:2: chela does not know the key browser.idleMinutes: did you mean gateway.idleMinutes?",
		"chela.json:2: chela does not know the key browser.profiles.work.colour: did you mean browser.profiles.work.color?",
		"chela.json:2: chela does not know the key browser.ssrfPolicy.x",
		"chela.json:3: chela does not know the key quux",
	}
	for i, warning := range c.Warnings {
		c.Warnings[i] = filepath.Base(warning)
	}
	if !slices.Equal(c.Warnings, want) {
		t.Errorf("got %s\nwant %s", strings.Join(c.Warnings, "\n"), strings.Join(want, "\n"))
	}
	if c.Browser.Headless != nil {
		t.Error("Headless has an effect, though it is unknown")
	}
}

func TestKeysThatAreNotInEffect(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{}`, ""},
		{`{browser: {ssrfPolicy: {}, defaultProfile: "openclaw"}}`, ""},
		{`{browser: {ssrfPolicy: null, defaultProfile: ""}}`, ""},
		{`{browser: {systemClipboard: true}}`, ""},
		{`{browser: {ssrfPolicy: {dangerouslyAllowPrivateNetwork: false}, proxy: "http://a"}}`, ""},
		{`{browser: {controlUrl: "http://a"}}`, ""},
		{`{browser: {visionEnabled: true, models: [{provider: "openai", model: "m"}]}, agents: {defaults: {imageMaxDimensionPx: 9}}}`, ""},
		{`{tools: {media: {image: {scope: {default: "deny"}, models: [{provider: "openai", profile: "x"}]}}}}`,
			"tools.media.image.models[0].profile tools.media.image.scope"},
		{`{browser: {profiles: {work: {mcpCommand: "x", color: "#123456"}}}}`, "browser.profiles.work.mcpCommand"},
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

// A file that --config names must exist; the default file need not.
func TestMissingFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.json")
	if _, err := load(t, "", Flags{File: missing}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a flag: got %v", err)
	}
	noEnvironment(t)
	t.Setenv("CHELA_CONFIG_PATH", missing)
	c, err := Load(Flags{StateDir: t.TempDir()})
	if err != nil || c.File != missing || len(c.Warnings) != 1 {
		t.Errorf("the environment: %+v, %v", c, err)
	}
}

// Relative paths in the file begin at its folder, wherever the process runs. That of a flag begins at
// the working directory.
func TestRelativePaths(t *testing.T) {
	const text = `{browser: {executablePath: "bin/chromium", profiles: {a: {executablePath: "a"}, b: {driver: "existing-session", userDataDir: "b"}}},
		fleet: {credentials: "n.creds", keyFile: "k", tls: {ca: "ca", cert: "c", key: "../key"}}, gateway: {tls: {cert: "g"}}}`
	c, err := load(t, text, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	f, profiles := c.Fleet, c.Browser.Profiles
	got := []string{c.Browser.ExecutablePath, profiles["a"].ExecutablePath, profiles["b"].UserDataDir, f.Credentials, f.KeyFile, f.TLS.CA, f.TLS.Cert, f.TLS.Key, c.CertificateFiles().Cert}
	for i, name := range []string{"bin/chromium", "a", "b", "n.creds", "k", "ca", "c", "../key", "g"} {
		if want := filepath.Join(filepath.Dir(c.File), name); got[i] != want {
			t.Errorf("got %s, want %s", got[i], want)
		}
	}
	if profiles["a"].UserDataDir != "" {
		t.Errorf("a path that is not set became %s", profiles["a"].UserDataDir)
	}
	c, err = load(t, text, Flags{Credentials: "flag.creds"})
	if want, _ := filepath.Abs("flag.creds"); err != nil || c.Fleet.Credentials != want {
		t.Errorf("got %s, want %s (%v)", c.Fleet.Credentials, want, err)
	}
}

// OpenClaw's file and variables have an effect if chela has no file or variable of its own.
func TestOpenClaw(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "openclaw.json"), `{
		"meta": {"lastTouchedVersion": "2026.9.6"},
		"gateway": {"mode": "local", "port": 19789, "bind": "lan", "auth": {"mode": "token", "token": "t"}, "tailscale": {"mode": "off"}},
		"browser": {
			"enabled": true, "defaultProfile": "openclaw", "color": "#FF4500", "remoteCdpTimeoutMs": 1500,
			"profiles": {
				"openclaw": {"cdpPort": 18800, "color": "#FF4500", "driver": "openclaw"},
				"work": {"cdpPort": 18801, "color": "#0066CC"},
			},
		},
		"agents": {"defaults": {"model": {"primary": "x"}, "sandbox": {"mode": "off", "browser": {"image": "x"}}}},
	}`)
	t.Setenv("OPENCLAW_STATE_DIR", dir)
	t.Setenv("OPENCLAW_BROWSER_HEADLESS", "1")
	t.Setenv("OPENCLAW_GATEWAY_PASSWORD", "p")
	c, err := Load(Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if c.State.Dir != dir || c.Port != 19791 || c.Explicit || c.Browser.Profiles["work"].CDPPort != 18801 || c.Browser.ProfileName("") != "openclaw" {
		t.Errorf("got %+v", c)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "gateway.bind is lan") {
		t.Errorf("warnings: %q", c.Warnings)
	}
	if headless := HeadlessByEnv(); headless == nil || !*headless {
		t.Error("OPENCLAW_BROWSER_HEADLESS has no effect")
	}
	t.Setenv("CHELA_HEADLESS", "0")
	t.Setenv("OPENCLAW_GATEWAY_PORT", "20000")
	t.Setenv("OPENCLAW_GATEWAY_TOKEN", "e")
	write(t, filepath.Join(dir, "chela.json"), `{}`)
	if c, err = Load(Flags{}); err != nil || filepath.Base(c.File) != "chela.json" || c.Port != 20002 || *HeadlessByEnv() {
		t.Errorf("beside a file of ours: %+v, %v", c, err)
	}
	if s, err := c.Secrets(); err != nil || s.Token() != "e" || s.Password != "p" {
		t.Errorf("secrets: %+v, %v", s, err)
	}
}

// Warnings and what has no effect are in the same order each time, also below names of profiles.
func TestReportIsInOrder(t *testing.T) {
	const text = `{browser: {profiles: {a: {x: 1, proxy: "http://a.test"}, b: {x: 1, proxy: "http://b.test"}, c: {x: 1, proxy: "http://c.test"}, d: {x: 1}}},
		gateway: {bind: "127.0.0.2", auth: {token: "short", password: "short"}, tls: {cert: "a", key: "b"}}}`
	var first []string
	for range 20 {
		c, err := load(t, text, Flags{})
		if err != nil {
			t.Fatal(err)
		}
		report := append(c.Weakened(), c.Report()...)
		for i, line := range report {
			report[i] = filepath.Base(line)
		}
		if first == nil {
			first = report
		}
		if !slices.Equal(report, first) {
			t.Fatalf("got\n%s\nafter\n%s", strings.Join(report, "\n"), strings.Join(first, "\n"))
		}
	}
}

func TestHomeInPaths(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{"~": home, "~" + string(filepath.Separator) + "b": filepath.Join(home, "b"), "~/a": filepath.Join(home, "a"), "~a": "~a", "a/~": "a/~", "": ""} {
		if got := fromHome(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

func TestRelayPort(t *testing.T) {
	for text, want := range map[string]int{
		`{}`: 18799, `{gateway: {port: 20000}}`: 20010, `{gateway: {port: 65530}}`: 65524, `{gateway: {relayPort: 5000}}`: 5000,
	} {
		c, err := load(t, text, Flags{})
		if err != nil || c.RelayPort() != want {
			t.Errorf("%s: port %d, %v, want %d", text, c.RelayPort(), err, want)
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
	if _, err := Load(Flags{StateDir: t.TempDir()}); err == nil || err.Error() != `CHELA_PORT is "eighty": want a number from 1 to 65535` {
		t.Errorf("CHELA_PORT=eighty: %v", err)
	}
	if _, err := Load(Flags{StateDir: t.TempDir(), Port: -1}); err == nil || err.Error() != `--port is "-1": want a number from 1 to 65535` {
		t.Errorf("--port -1: %v", err)
	}
}
