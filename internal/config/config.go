// Package config reads the configuration of a server, and knows the files in its
// state directory.
//
// Flags have precedence over environment variables, these over the configuration
// file, and that over the defaults.
package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/lazyregexp"
)

// A Config is the settings of one server. Its exported structs have the shape
// of the configuration file.
type Config struct {
	Gateway Gateway `json:"gateway"`
	Browser Browser `json:"browser"`
	Media   Media   `json:"media"`

	File     string   `json:"-"` // the configuration file, which may not exist
	State    State    `json:"-"`
	Port     int      `json:"-"` // the control port
	Explicit bool     `json:"-"` // the port was set by a flag or the environment: take no other
	Warnings []string `json:"-"` // about the file: its unknown keys
}

// Gateway says how the server is reached.
type Gateway struct {
	Port        int     `json:"port"` // the control port is two above it
	Bind        string  `json:"bind"` // loopback, and nothing else
	Auth        Auth    `json:"auth"`
	IdleMinutes float64 `json:"idleMinutes"` // idle time after which a server started by a command ends; 0: never
}

// Auth says which secrets the control port accepts.
type Auth struct {
	Mode     string `json:"mode"`
	Token    string `json:"token"`
	Password string `json:"password"`
}

// Browser says how browsers are started and what callers may do with them.
type Browser struct {
	Enabled          bool             `json:"enabled"`
	AttachOnly       bool             `json:"attachOnly"` // no browser is started
	Headless         *bool            `json:"headless"`   // nil: by whether there is a display
	NoSandbox        bool             `json:"noSandbox"`
	ExecutablePath   string           `json:"executablePath"`
	ExtraArgs        []string         `json:"extraArgs"`
	EvaluateEnabled  bool             `json:"evaluateEnabled"`
	SystemClipboard  bool             `json:"systemClipboard"`  // callers use the clipboard of a browser with windows, which is the user's
	AgentsSeeSecrets bool             `json:"agentsSeeSecrets"` // the agent tool shows cookies and tokens of requests to models that ask for them
	SnapshotDefaults SnapshotDefaults `json:"snapshotDefaults"`
	DefaultProfile   string           `json:"defaultProfile"`
	Color            string           `json:"color"`
	SSRFPolicy       json.RawMessage  `json:"ssrfPolicy"` // kept as it is, for the network policy
	Proxy            string           `json:"proxy"`      // proxy server that all browsers use; empty: none
	TabCleanup       TabCleanup       `json:"tabCleanup"`

	Profiles map[string]Profile `json:"profiles"` // by name; those that are always there are in it only if the file has them
}

// A Profile is what the file says about one named browser. What it leaves out applies
// as [Browser] has it for all of them.
type Profile struct {
	CDPPort           int      `json:"cdpPort,omitempty"` // of a managed browser: its debugging port, kept for it; 0: none yet
	CDPURL            string   `json:"cdpUrl,omitempty"`  // http, https, ws or wss: a browser that chela connects to
	Driver            string   `json:"driver,omitempty"`  // chela, existing-session or extension; empty: chela
	Headless          *bool    `json:"headless,omitempty"`
	ExecutablePath    string   `json:"executablePath,omitempty"`
	AttachOnly        *bool    `json:"attachOnly,omitempty"`
	UserDataDir       string   `json:"userDataDir,omitempty"` // of an existing session only
	MCPCommand        string   `json:"mcpCommand,omitempty"`  // of an existing session: the program that connects to it, and its arguments
	MCPArgs           []string `json:"mcpArgs,omitempty"`
	Color             string   `json:"color,omitempty"` // #RRGGBB
	Proxy             string   `json:"proxy,omitempty"`
	ExposeCDP         bool     `json:"exposeCdp,omitempty"`         // a debugging port is opened, beside the pipe
	IgnoreHTTPSErrors bool     `json:"ignoreHTTPSErrors,omitempty"` // pages load though their certificates are not valid
}

// TabCleanup says when tabs that belong to a session are closed without its asking.
type TabCleanup struct {
	Enabled           bool    `json:"enabled"`
	IdleMinutes       float64 `json:"idleMinutes"`       // a tab is closed when it was not used for so long; 0: never
	MaxTabsPerSession int     `json:"maxTabsPerSession"` // above it, those that were not used for longest are closed; 0: no limit
	SweepMinutes      float64 `json:"sweepMinutes"`      // longest time from when a tab is idle until it is closed
}

// SnapshotDefaults apply to snapshots that ask for nothing in particular.
type SnapshotDefaults struct {
	Mode string `json:"mode"`
}

// Media limits what is kept of pictures, downloads and files that callers sent, see
// package media.
type Media struct {
	MaxAgeHours float64 `json:"maxAgeHours"`
	MaxMB       float64 `json:"maxMB"`
}

// Flags are the settings given on the command line; a zero value means not given.
type Flags struct {
	StateDir, File string
	Port           int
}

// controlAboveGateway is the distance of the control port from gateway.port.
const controlAboveGateway = 2

// Load reads the configuration. Errors name the file and the key that is wrong. A
// setting that is absent from the file keeps its default, since the file is decoded
// into the defaults. The token from the environment is not in the file, so it can
// come from a store of secrets.
func Load(flags Flags) (*Config, error) {
	state, file, err := flags.locate()
	if err != nil {
		return nil, err
	}
	c := &Config{
		Gateway: Gateway{Port: 18789, IdleMinutes: 60},
		Browser: Browser{
			Enabled: true, EvaluateEnabled: true, DefaultProfile: "chela", Color: "#FF4500",
			TabCleanup: TabCleanup{Enabled: true, IdleMinutes: 120, MaxTabsPerSession: 8, SweepMinutes: 5},
		},
		Media: Media{MaxAgeHours: 24, MaxMB: 1000},
		File:  file,
		State: state,
	}
	if err := c.readFile(); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	c.Gateway.Auth.Token = cmp.Or(os.Getenv("CHELA_TOKEN"), c.Gateway.Auth.Token)
	c.Browser.ExecutablePath = fromHome(c.Browser.ExecutablePath)
	return c, c.choosePort(flags.Port)
}

// locate returns the state directory and the path of the configuration file.
func (f Flags) locate() (state State, file string, err error) {
	state, err = StateAt(f.StateDir)
	return state, cmp.Or(f.File, os.Getenv("CHELA_CONFIG_PATH"), filepath.Join(state.Dir, "chela.json")), err
}

// Downloads is the folder that downloads are saved in; "" means the one in the
// temporary folder. When chela runs in OpenClaw's state directory, it is a folder in
// there, since OpenClaw's own tool takes files only from its media folders. Files are
// moved there when they are complete.
func (c *Config) Downloads() string {
	if c.State.openClaw() {
		return filepath.Join(c.State.Media(), "downloads")
	}
	return ""
}

// onlyProfile are the names of the one profile that there is.
var onlyProfile = []string{"", "chela", "openclaw", "clawd"}

// NotInEffect lists the keys of the file that are set but have no effect, so that
// users who rely on them are warned.
func (c *Config) NotInEffect() []string {
	keys := []string{}
	if policy := strings.TrimSpace(string(c.Browser.SSRFPolicy)); policy != "" && policy != "null" && policy != "{}" {
		keys = append(keys, "browser.ssrfPolicy")
	}
	if !slices.Contains(onlyProfile, c.Browser.DefaultProfile) {
		keys = append(keys, "browser.defaultProfile")
	}
	return keys
}

// Idle is the time without calls after which a server that was started by a
// command, and not by "chela serve", ends; 0 means never.
func (c *Config) Idle() time.Duration {
	return time.Duration(c.Gateway.IdleMinutes * float64(time.Minute))
}

// Secrets returns the token and the password that the control port accepts; an
// empty one is never accepted. Where the settings have none, it creates a token
// at the first call and keeps it in the state directory. Errors are those of the
// token file, and a missing password where the mode asks for one.
func (c *Config) Secrets() (token, password string, err error) {
	auth := c.Gateway.Auth
	switch auth.Mode {
	case "password", "trusted-proxy":
		if auth.Password == "" {
			return "", "", fmt.Errorf("%s: gateway.auth.mode is %s, but gateway.auth.password is not set", c.File, auth.Mode)
		}
		return "", auth.Password, nil
	case "token", "none":
		auth.Password = ""
	}
	if auth.Token == "" {
		auth.Token, err = c.State.token()
	}
	return auth.Token, auth.Password, err
}

// choosePort sets the control port, by the flag, the environment or the file. A named
// port is Explicit: clients expect the server there, so if it is taken the server
// does not choose another.
func (c *Config) choosePort(flag int) error {
	named := strconv.Itoa(flag)
	if flag == 0 {
		named = os.Getenv("CHELA_PORT")
	}
	if named == "" {
		c.Port = c.Gateway.Port + controlAboveGateway
		return nil
	}
	port, err := strconv.Atoi(named)
	if err != nil || port < 1 || port > 65535 {
		return fmt.Errorf("%q is not a port: want a number from 1 to 65535", named)
	}
	c.Port, c.Explicit = port, true
	return nil
}

var hexColor = lazyregexp.New(`^#[0-9A-Fa-f]{6}$`)

// check reports values that have the right type but are out of range. Errors name the
// key and what it may be; Load adds the file.
func (c *Config) check() error {
	switch {
	case c.Gateway.Port < 1 || c.Gateway.Port > 65535-controlAboveGateway:
		return fmt.Errorf("gateway.port is %d: want 1 to %d", c.Gateway.Port, 65535-controlAboveGateway)
	case !slices.Contains([]string{"", "auto", "loopback", "localhost", "127.0.0.1", "::1"}, c.Gateway.Bind):
		const why = "since whoever reaches it can use your browser and its logins"
		return fmt.Errorf("gateway.bind is %q: chela listens on loopback only, %s", c.Gateway.Bind, why)
	case !slices.Contains([]string{"", "token", "none", "password", "trusted-proxy"}, c.Gateway.Auth.Mode):
		return fmt.Errorf("gateway.auth.mode is %q: want token or password", c.Gateway.Auth.Mode)
	case c.Gateway.IdleMinutes < 0:
		return fmt.Errorf("gateway.idleMinutes is %v: want 0 or more", c.Gateway.IdleMinutes)
	case c.Media.MaxAgeHours <= 0 || c.Media.MaxMB <= 0:
		return fmt.Errorf("media.maxAgeHours and media.maxMB must be above 0")
	case !slices.Contains([]string{"", "efficient"}, c.Browser.SnapshotDefaults.Mode):
		return fmt.Errorf("browser.snapshotDefaults.mode is %q: want efficient", c.Browser.SnapshotDefaults.Mode)
	case !hexColor().MatchString(c.Browser.Color):
		return fmt.Errorf("browser.color is %q: want #RRGGBB", c.Browser.Color)
	}
	return nil
}

// fromHome returns path with a leading ~ replaced by the home directory. A shell does
// so for its words, but not for text in a file. If the home directory is unknown, the
// path stays as it is.
func fromHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if home, err := os.UserHomeDir(); ok && err == nil {
		return filepath.Join(home, rest)
	}
	return path
}
