package profile

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
)

// A name means a profile of the configuration, a profile that is always there, or an alias.
func TestNamed(t *testing.T) {
	own := config.Browser{Profiles: map[string]config.Profile{"work": {}, "clawd": {}}}
	second := config.Browser{DefaultProfile: "work", Profiles: own.Profiles}
	for _, s := range []struct {
		name     string
		settings config.Browser
		want     string // "": no browser has the name
	}{
		{"", own, "chela"}, {"chela", own, "chela"}, {"openclaw", own, "chela"}, {"clawd", own, "clawd"},
		{"work", own, "work"}, {"user", own, "user"}, {"chrome", own, "chrome"}, {"other", own, ""}, {"WORK", own, ""},
		{"", second, "work"}, {"openclaw", second, "chela"}, {"clawd", config.Browser{}, "chela"},
		{"", config.Browser{DefaultProfile: "clawd"}, "chela"},
		{"__proto__", own, ""}, {"../work", own, ""},
	} {
		m := managerOf(t, s.settings)
		p, err := m.Named(s.name)
		if s.want == "" {
			want := &UnknownError{s.name, []string{"clawd", "work", "chela", "user", "chrome"}}
			if got, ok := errors.AsType[*UnknownError](err); !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v", s.name, err)
			}
			continue
		}
		if err != nil || p.Name != s.want || p != m.mustName(t, s.name) {
			t.Errorf("%q: %v, %v; want %s", s.name, p, err, s.want)
		}
	}
}

// Settings of a profile take precedence over those of all browsers.
func TestSetup(t *testing.T) {
	yes, no := true, false
	b := config.Browser{
		Headless: &yes, ExecutablePath: "/bin/all", Color: "#FF4500", AttachOnly: true, NoSandbox: true, ExtraArgs: []string{"--x"},
		DefaultProfile: "work",
		Profiles: map[string]config.Profile{"work": {
			CDPPort: 18805, Headless: &no, ExecutablePath: "/bin/own", Color: "#0066CC", AttachOnly: &no, ExposeCDP: true, IgnoreHTTPSErrors: true,
		}},
	}
	c := &config.Config{Browser: b}
	for name, want := range map[string]Setup{
		"work": {
			Name: "work", Driver: Managed, IsDefault: true, Port: 18805, Executable: "/bin/own", Headless: &no, headlessFrom: "profile",
			NoSandbox: true, ExtraArgs: b.ExtraArgs, Color: "#0066CC", ExposeCDP: true, IgnoreHTTPSErrors: true,
		},
		"chela": {
			Name: "chela", Driver: Managed, Port: 18800, AttachOnly: true, Executable: "/bin/all", Headless: &yes, headlessFrom: "config",
			NoSandbox: true, ExtraArgs: b.ExtraArgs, Color: "#FF4500",
		},
		"user": {
			Name: "user", Driver: ExistingSession, AttachOnly: true, Executable: "/bin/all", Headless: &yes, headlessFrom: "config",
			NoSandbox: true, ExtraArgs: b.ExtraArgs, Color: "#FF4500",
		},
	} {
		if got, ok := setupOf(c, name); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

// Where a browser is, and what chela may do with it, follows from its URL, port and driver.
func TestEndpoints(t *testing.T) {
	yes := true
	for _, s := range []struct {
		name                    string
		settings                config.Profile
		port                    int
		url                     string // the address as users see it
		launched, remote, local bool
	}{
		{"a port", config.Profile{CDPPort: 18801}, 18801, "http://127.0.0.1:18801", true, false, true},
		{"neither", config.Profile{}, 0, "", true, false, true},
		{"OpenClaw's driver", config.Profile{Driver: "openclaw", CDPPort: 18801}, 18801, "http://127.0.0.1:18801", true, false, true},
		{"a URL elsewhere", config.Profile{CDPURL: "http://10.0.0.42:9222"}, 9222, "http://10.0.0.42:9222", false, true, false},
		{"a URL here", config.Profile{CDPURL: "http://127.0.0.1:18800"}, 18800, "http://127.0.0.1:18800", true, false, true},
		{"a URL here, of another program",
			config.Profile{CDPURL: "http://[::1]:9333", AttachOnly: &yes}, 9333, "http://[::1]:9333", false, false, true},
		{"the port of the URL counts", config.Profile{CDPURL: "http://far.test:1", CDPPort: 2}, 1, "http://far.test:1", false, true, false},
		{"a port beside a URL without one", config.Profile{CDPURL: "http://far.test", CDPPort: 2}, 2, "http://far.test:2", false, true, false},
		{"no port", config.Profile{CDPURL: "http://far.test"}, 80, "http://far.test", false, true, false},
		{"no port, encrypted", config.Profile{CDPURL: "wss://far.test/x"}, 443, "wss://far.test/x", false, true, false},
		{"one run of a browser",
			config.Profile{CDPURL: "ws://far.test:7/devtools/browser/1-2", CDPPort: 9}, 9, "http://far.test:9", false, true, false},
		{"one run, without a port",
			config.Profile{CDPURL: "ws://far.test:7/devtools/browser/1"}, 7, "ws://far.test:7/devtools/browser/1", false, true, false},
		{"a token", config.Profile{CDPURL: "wss://u:p@far.test/?token=t"}, 443, "wss://far.test/", false, true, false},
		{"the user's own", config.Profile{Driver: "existing-session", AttachOnly: &yes}, 0, "", false, false, false},
		{"the extension's", config.Profile{Driver: "extension"}, 0, "", false, false, false},
	} {
		c := &config.Config{Browser: config.Browser{Profiles: map[string]config.Profile{"p": s.settings}}}
		got, _ := setupOf(c, "p")
		if got.Port != s.port || got.CDPURL() != s.url || got.Launched() != s.launched || got.Remote() != s.remote || got.Local() != s.local {
			t.Errorf("%s: %d %q launched %v, remote %v, local %v", s.name, got.Port, got.CDPURL(), got.Launched(), got.Remote(), got.Local())
		}
	}
}

// A URL for all profiles counts for those that have none of their own.
func TestCommonURL(t *testing.T) {
	for _, s := range []struct {
		name, common, profile string
		port                  int
		url                   string
		launched              bool
	}{
		{"elsewhere", "http://far.test:9222", "chela", 9222, "http://far.test:9222", false},
		{"elsewhere, with the port of the profile", "http://far.test:9222", "work", 18801, "http://far.test:18801", false},
		{"elsewhere, without a port in either", "https://[fd00::1]", "bare", 443, "https://[fd00::1]", false},
		{"elsewhere, IPv6", "http://[fd00::1]:9222", "work", 18801, "http://[fd00::1]:18801", false},
		{"one run of a browser", "ws://far.test:7/devtools/browser/1", "work", 18801, "http://far.test:18801", false},
		{"a profile with its own", "http://far.test:9222", "own", 1, "http://near.test:1", false},
		{"the extension's", "http://far.test:9222", "chrome", 0, "", false},
		{"an existing session", "http://far.test:9222", "user", 0, "", false},
		{"here", "http://127.0.0.1:18792", "chela", 18792, "http://127.0.0.1:18792", true},
		{"here, of another profile", "http://127.0.0.1:18792", "work", 18801, "http://127.0.0.1:18801", true},
		{"here, of another program", "http://localhost:9333", "attached", 9333, "http://localhost:9333", false},
	} {
		c := &config.Config{Browser: config.Browser{CDPURL: s.common, Profiles: map[string]config.Profile{
			"work": {CDPPort: 18801}, "bare": {}, "own": {CDPURL: "http://near.test:1"}, "attached": {AttachOnly: new(true)},
		}}}
		got, ok := setupOf(c, s.profile)
		if !ok || got.Port != s.port || got.CDPURL() != s.url || got.Launched() != s.launched {
			t.Errorf("%s: %d %q launched %v", s.name, got.Port, got.CDPURL(), got.Launched())
		}
	}
}

// The fingerprint of a certificate belongs to the URL that it was set with.
func TestPin(t *testing.T) {
	one, other := certificate.Fingerprint{1}, certificate.Fingerprint{2}
	c := &config.Config{Browser: config.Browser{CDPURL: "wss://far.test", CDPFingerprint: one.String(), Profiles: map[string]config.Profile{
		"common": {}, "own": {CDPURL: "wss://near.test"}, "pinned": {CDPURL: "wss://near.test", CDPFingerprint: other.String()},
	}}}
	for name, want := range map[string]certificate.Fingerprint{"common": one, "own": {}, "pinned": other} {
		if got, _ := setupOf(c, name); got.Pin != want {
			t.Errorf("%s: %s", name, got.Pin)
		}
	}
}

func TestChangedFrom(t *testing.T) {
	yes, alsoYes, no := true, true, false
	was := Setup{Name: "work", Headless: &yes, Color: "#FF4500", Port: 1, ExtraArgs: []string{"--x"}}
	same, other := was, was
	same.Headless, same.Port, same.IsDefault = &alsoYes, 2, true // the port does not count while it is not open
	if got := same.changedFrom(was); got != nil {
		t.Errorf("got %v", got)
	}
	other.Headless, other.ExposeCDP, other.ExtraArgs = &no, true, nil
	if got := other.changedFrom(was); !slices.Equal(got, []string{"headless", "extraArgs", "exposeCdp"}) {
		t.Errorf("got %v", got)
	}
}

// The list of profiles names changed keys that wait for the next start of the browser. These are the
// keys that say so in the configuration.
func TestKeysOfTheStart(t *testing.T) {
	yes := true
	changed := Setup{
		Executable: "x", Headless: &yes, NoSandbox: true, ExtraArgs: []string{"--x"}, Color: "#FF4500", Port: 1, ExposeCDP: true, Proxy: "http://x", IgnoreHTTPSErrors: true,
		Portable: true, AttachOnly: true, URL: "http://x", Pin: certificate.Fingerprint{1}, UserDataDir: "/x",
	}.changedFrom(Setup{})
	for _, key := range config.Keys() {
		_, name, inProfile := strings.Cut(key.Path, "browser.profiles.<name>.")
		if name == "cdpPort" { // it is open only with exposeCdp, which is named then
			continue
		}
		if inProfile && slices.Contains(changed, name) != (key.From == config.FromBrowser) {
			t.Errorf("%s is in force %q, and these apply from the next start: %v", key.Path, key.From, changed)
		}
	}
	if len(changed) != 12 {
		t.Errorf("got %v", changed)
	}
}

// A profile that was removed from the configuration keeps the setup with which its browser was
// started. It is no longer the default profile.
func TestMissing(t *testing.T) {
	was := Setup{Name: "work", IsDefault: true, Port: 18801, Color: "#0066CC"}
	p := &Profile{Name: "work", config: config.Fixed(&config.Config{}), launched: was}
	want := was
	want.Missing, want.IsDefault = true, false
	if got := p.Setup(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
