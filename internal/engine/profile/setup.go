package profile

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
	"chela/internal/base/hosts"
)

// These profiles always exist. The configuration may have settings for them, as for any other
// profile.
const (
	Default = config.Managed // a browser that chela starts
	User    = config.User    // the user's own Chrome
	Chrome  = config.Chrome  // the browser that the extension is in
)

// builtIn has the settings of the profiles that always exist, if the configuration has none for
// them.
var builtIn = map[string]config.Profile{
	Default: {CDPPort: firstPort},
	User:    {Driver: string(ExistingSession), AttachOnly: new(true)},
	Chrome:  {Driver: string(Extension)},
}

// A Driver says how the browser of a profile is reached.
type Driver string

// The drivers.
const (
	Managed         Driver = "chela"            // started by chela, or reached over the network at a URL
	ExistingSession Driver = "existing-session" // a Chrome that the user has started
	Extension       Driver = "extension"        // an extension in the user's browser
)

// driverOf returns the driver with the name that the configuration uses. OpenClaw's names are
// aliases.
func driverOf(name string) Driver {
	if name == "" || slices.Contains(config.Aliases, name) {
		return Managed
	}
	return Driver(name)
}

// Name returns OpenClaw's name of the driver, which its clients compare.
func (d Driver) Name() string {
	if d == Managed {
		return "openclaw"
	}
	return string(d)
}

// Transport returns OpenClaw's name for the transport of the driver's commands.
func (d Driver) Transport() string {
	switch d {
	case ExistingSession:
		return "chrome-mcp"
	case Extension:
		return "extension"
	}
	return "cdp"
}

// A Setup says how the browser of a profile is started or reached. It has the settings of the
// profile and, where these say nothing, those for all browsers.
type Setup struct {
	Name      string
	Driver    Driver
	IsDefault bool // calls that name no profile use this one
	Missing   bool // the profile was removed from the configuration, but its browser runs

	Port        int                     // the profile's debugging port, even if the browser does not open it; 0: none
	URL         string                  // URL of a browser that chela connects to; empty: none
	Pin         certificate.Fingerprint // fingerprint of the certificate at URL; the zero value: any certificate that the system trusts
	AttachOnly  bool                    // chela does not start the browser, and only connects to it
	Found       bool                    // a browser that chela has not started runs at URL on this machine, and chela connects to it
	UserDataDir string                  // user data directory of an existing session

	Executable        string // empty: the first that chrome.Find finds
	Headless          *bool  // nil: headless if there is no display
	headlessFrom      string // which settings have set Headless: profile or config
	NoSandbox         bool
	ExtraArgs         []string
	Color             string // #RRGGBB
	ExposeCDP         bool   // the browser opens Port, in addition to the pipe
	IgnoreHTTPSErrors bool
	Portable          bool   // the profile may move between machines, see [Keeper]
	Proxy             string // URL of the upstream proxy for its connections; empty: none
}

// exists reports whether there is a profile that has exactly this name.
func exists(c *config.Config, name string) bool {
	_, configured := c.Browser.Profiles[name]
	_, always := builtIn[name]
	return configured || always
}

// IsOfUser reports whether the user has started the browser of a profile and works with it. The
// profile must have exactly this name.
func IsOfUser(c *config.Config, name string) bool {
	settings, configured := c.Browser.Profiles[name]
	if !configured {
		settings = builtIn[name]
	}
	return Setup{Driver: driverOf(settings.Driver)}.IsOfUser()
}

// setupOf returns the setup of the profile that has exactly this name; false if there is none.
func setupOf(c *config.Config, name string) (Setup, bool) {
	if name == config.Render {
		return renderSetup(c), true
	}
	settings, ok := c.Browser.Profiles[name]
	if !ok {
		if settings, ok = builtIn[name]; !ok {
			return Setup{}, false
		}
		if name == Default {
			settings.CDPPort = defaultPort(c)
		}
	}
	all := c.Browser
	isDefault, attachOnly := name == all.ProfileName(""), all.AttachOnly
	if settings.AttachOnly != nil {
		attachOnly = *settings.AttachOnly
	}
	if settings.CDPURL == "" {
		settings.CDPFingerprint = cmp.Or(settings.CDPFingerprint, all.CDPFingerprint)
	}
	settings.CDPURL = urlOf(all.CDPURL, settings, isDefault, attachOnly)
	pin, _ := certificate.ParseFingerprint(settings.CDPFingerprint) // the configuration was checked when it was read, so this cannot fail
	s := Setup{
		Name: name, Driver: driverOf(settings.Driver), IsDefault: isDefault,
		Port: settings.CDPPort, URL: settings.CDPURL, Pin: pin, AttachOnly: attachOnly, UserDataDir: settings.UserDataDir,
		Executable: cmp.Or(settings.ExecutablePath, all.ExecutablePath),
		Headless:   all.Headless, headlessFrom: "config", NoSandbox: all.NoSandbox, ExtraArgs: all.ExtraArgs,
		Color: cmp.Or(settings.Color, all.Color), ExposeCDP: settings.ExposeCDP, IgnoreHTTPSErrors: settings.IgnoreHTTPSErrors,
		Portable: settings.Portable, Proxy: cmp.Or(settings.Proxy, all.Proxy),
	}
	if settings.Headless != nil {
		s.Headless, s.headlessFrom = settings.Headless, "profile"
	}
	s.Port, s.URL = completeEndpoint(s.Port, s.URL)
	return s, true
}

// defaultPort returns the debugging port of the profile [Default] if the configuration has no
// settings for it. If browser.cdpUrl is a URL of this machine, it returns the port in that URL. If
// it is a URL of another machine, it returns 0. Without a URL it returns a free port.
func defaultPort(c *config.Config) int {
	common := c.Browser.CDPURL
	switch {
	case common == "":
		return freePort(c)
	case !loopback(common):
		return 0
	}
	port, _ := completeEndpoint(0, common)
	return port
}

// urlOf returns the URL of a profile's browser: the profile's own, or else common, the value of
// browser.cdpUrl. The URL common counts only if its browser is on another machine, or another
// program on this one starts it. Then chela starts no browser, and the profile's port is a port of
// that machine. An existing session gets common only if it is the default profile.
func urlOf(common string, p config.Profile, isDefault, attachOnly bool) string {
	u, err := url.Parse(common)
	if p.CDPURL != "" || common == "" || err != nil {
		return p.CDPURL
	}
	switch driver := driverOf(p.Driver); {
	case driver == ExistingSession && isDefault:
		return common
	case driver != Managed, loopback(common) && !attachOnly:
		return ""
	case p.CDPPort > 0:
		u.Host = u.Hostname() // completeEndpoint adds the port
		if strings.Contains(u.Host, ":") {
			u.Host = "[" + u.Host + "]"
		}
	}
	return u.String()
}

// completeEndpoint derives the port of a browser's DevTools endpoint from its URL, or the URL from
// the port. A port in the URL has precedence. A WebSocket URL of one browser has an id that changes
// with each start. So if a port is given as well, the URL becomes that of the endpoint at the port,
// which knows the id.
func completeEndpoint(port int, raw string) (int, string) {
	u, err := url.Parse(raw)
	if raw == "" || err != nil {
		return port, raw
	}
	if port > 0 && (u.Scheme == "ws" || u.Scheme == "wss") && isOneBrowser(u.Path) {
		u.Scheme, u.Path = map[string]string{"ws": "http", "wss": "https"}[u.Scheme], ""
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(port))
		return port, u.String()
	}
	if p, err := strconv.Atoi(u.Port()); err == nil {
		return p, raw
	}
	if port > 0 {
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(port))
		return port, u.String()
	}
	if u.Scheme == "https" || u.Scheme == "wss" {
		return 443, raw
	}
	return 80, raw
}

// Remote reports whether the browser is on another machine.
func (s Setup) Remote() bool { return s.Driver == Managed && s.URL != "" && !loopback(s.URL) }

// Launched reports whether chela starts and ends the browser. With a URL of this machine it does,
// unless a browser already runs there, or attachOnly says that another program starts it.
func (s Setup) Launched() bool {
	return s.Driver == Managed && !s.AttachOnly && !s.Remote() && !s.Found
}

// mayBeFound reports whether a browser may run already at the profile's URL of this machine.
func (s Setup) mayBeFound() bool { return s.Launched() && s.URL != "" }

// Local reports whether the profile's data are in the state directory, so that chela may remove
// them.
func (s Setup) Local() bool { return s.Driver == Managed && !s.Remote() }

// CDPURL returns the address of the browser's DevTools endpoint, without the secrets that may be in
// it, or "" if it has none. A browser that chela starts opens the endpoint only with ExposeCDP.
func (s Setup) CDPURL() string {
	if s.Driver == Managed && s.URL == "" && s.Port > 0 {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port))
	}
	return config.Redacted(s.URL)
}

func loopback(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && hosts.IsLoopback(u.Hostname())
}

// openPort returns the debugging port that the browser opens; 0: none.
func (s Setup) openPort() int {
	if s.ExposeCDP {
		return s.Port
	}
	return 0
}

// checkPort returns a [*PortError] if another program uses a port that the profile needs. That is
// the port that the browser opens, or the one in a URL of the configuration.
func (s Setup) checkPort() error {
	if s.Port == 0 || !s.ExposeCDP && s.URL == "" {
		return nil
	}
	return checkPort(s.Name, s.Port)
}

// changedFrom lists the settings that differ between s, the current setup, and o, with which the
// browser was started. They apply from the next start.
func (s Setup) changedFrom(o Setup) (keys []string) {
	for _, each := range []struct {
		key  string
		same bool
	}{
		{"executablePath", s.Executable == o.Executable},
		{"headless", equalBools(s.Headless, o.Headless)},
		{"noSandbox", s.NoSandbox == o.NoSandbox},
		{"extraArgs", slices.Equal(s.ExtraArgs, o.ExtraArgs)},
		{"color", s.Color == o.Color},
		{"exposeCdp", s.openPort() == o.openPort()},
		{"proxy", s.Proxy == o.Proxy},
		{"ignoreHTTPSErrors", s.IgnoreHTTPSErrors == o.IgnoreHTTPSErrors},
		{"portable", s.Portable == o.Portable},
		{"cdpUrl", s.connectURL() == o.connectURL()},
		{"cdpFingerprint", s.Pin == o.Pin},
		{"userDataDir", s.UserDataDir == o.UserDataDir},
	} {
		if !each.same {
			keys = append(keys, each.key)
		}
	}
	return keys
}

func equalBools(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }
