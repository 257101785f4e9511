// Package config reads the configuration of a server, and knows the files in its state directory.
//
// Flags have precedence over environment variables, these over the configuration file, and that
// over the defaults.
//
// types.go has a struct for each object of the file. The file is read as JSON5 and compared with
// these types (tree.go), with the lines of its keys (position.go). The decoder reports neither
// where a value is nor which keys it does not know. A file is edited only if it is JSON with
// comments (edit.go). If it is not, the profiles that chela makes are saved in another file
// (saved.go). A server asks for each setting when it needs it (live.go).
package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/base/hosts"
)

// Flags are the settings given on the command line; a zero value means not given.
type Flags struct {
	StateDir, File string
	Port           int
	NATS           string // URL of the NATS server of the fleet
	Credentials    string // file with the credentials for that server
}

// controlAboveGateway is the distance of the control port from gateway.port.
const controlAboveGateway = 2

// Load reads the configuration. Errors name the file, the line and the key that is wrong, see
// [FileError], or the flag or variable. A file that a flag names must exist. A setting that is
// absent from the file keeps its default, since the file is decoded into the defaults.
func Load(flags Flags) (*Config, error) {
	state, file, err := flags.locate()
	if err != nil {
		return nil, err
	}
	c := new(defaults())
	c.File, c.State = file, state
	if c.lines, err = c.readFile(flags.File != ""); err != nil {
		return nil, err
	}
	if e := c.check(); e != nil {
		return nil, c.keyFileError(e)
	}
	if err := c.Fleet.complete(flags); err != nil {
		return nil, err
	}
	c.findFiles()
	c.addWarnings()
	return c, c.choosePort(flags.Port)
}

// locate returns the state directory and the path of the configuration file, which need
// not exist.
func (f Flags) locate() (state State, file string, err error) {
	state, files, err := f.candidates()
	if err != nil {
		return state, "", err
	}
	if i := slices.IndexFunc(files, exists); i >= 0 {
		return state, files[i], nil
	}
	return state, files[0], nil
}

// candidates lists the possible paths of the configuration file; the first that exists is used. In
// OpenClaw's directory, OpenClaw's file is read if chela has no file there.
func (f Flags) candidates() (state State, files []string, err error) {
	state, err = StateAt(f.StateDir)
	if err != nil {
		return state, nil, err
	}
	if named := cmp.Or(f.File, Env("CHELA_CONFIG_PATH")); named != "" {
		file, err := AbsPath(named)
		return state, []string{file}, err
	}
	return state, []string{filepath.Join(state.Dir, "chela.json"), filepath.Join(state.Dir, openClawFile)}, nil
}

// Path returns the path of the configuration file. It need not exist, unless a flag names
// it: then the error is a [*FileError].
func (f Flags) Path() (string, error) {
	_, file, err := f.locate()
	if err == nil && f.File != "" && !exists(file) {
		err = missingFileError(file)
	}
	return file, err
}

// missingFileError returns the error for a file that must be there, and is not.
func missingFileError(file string) error {
	return &FileError{File: file, Problem: "there is no such file"}
}

// openClawFile is the name of OpenClaw's configuration file.
const openClawFile = "openclaw.json"

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// findFiles completes paths of the file, see fileOf.
func (c *Config) findFiles() {
	b, f := &c.Browser, &c.Fleet
	for _, path := range []*string{&b.ExecutablePath, &f.Credentials, &f.TLS.CA, &f.TLS.Cert, &f.TLS.Key, &f.KeyFile} {
		*path = c.fileOf(*path)
	}
	for name, p := range b.Profiles {
		p.ExecutablePath, p.UserDataDir = c.fileOf(p.ExecutablePath), c.fileOf(p.UserDataDir)
		b.Profiles[name] = p
	}
}

// addWarnings adds warnings about values that are valid but have another effect than they seem to
// have.
func (c *Config) addWarnings() {
	warn := func(format string, args ...any) { c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...)) }
	if file := Env("CHELA_CONFIG_PATH"); file != "" && !exists(c.File) {
		warn("%s: there is no such file", c.File)
	}
	if slices.Contains(outsideBinds, c.Gateway.Bind) {
		warn("%s: gateway.bind is %s, but chela listens on loopback only", c.File, c.Gateway.Bind)
	}
	if !c.Gateway.bindsOutside() && c.Gateway.TLS != (TLS{}) {
		warn("%s: gateway.tls is set, and has no effect without gateway.bind", c.File)
	}
	if c.lacksPassword() {
		warn("%s: gateway.auth.mode %s", c.File, noPassword)
	}
	if c.Gateway.bindsOutside() {
		c.warnOfGuesses(warn)
	}
	if p := c.Browser.SSRFPolicy; p != nil {
		for _, list := range p.lists() {
			for _, entry := range hosts.Ignored(list.key, list.entries) {
				warn("%s: %s[%d] is %q, which means no host and has no effect", c.File, entry.Key, entry.Index, entry.Entry)
			}
		}
	}
	for _, pair := range c.Browser.samePort() {
		warn("%s: the profiles %s and %s expose the same cdpPort, so their browsers cannot run at once", c.File, pair[0], pair[1])
	}
	if enabled := c.Browser.VisionEnabled; enabled != nil && *enabled && len(c.Vision()) == 0 {
		warn("%s: browser.visionEnabled is true, but no model is configured that describes pictures", c.File)
	}
	if value := Env("CHELA_HEADLESS"); value != "" && HeadlessByEnv() == nil {
		warn("CHELA_HEADLESS is %q and has no effect: want 1 or 0", value)
	}
}

// Report returns what the user should know about the configuration: why a changed file has no
// effect, the warnings, and the settings without effect.
func (c *Config) Report() []string {
	report := slices.Clone(c.Warnings)
	if c.Outdated != "" {
		report = slices.Insert(report, 0, c.Outdated)
	}
	for _, key := range c.notInEffect {
		report = append(report, fmt.Sprintf("%s: %s is set, but not in effect", c.File, key))
	}
	return report
}

// Downloads returns the folder that downloads are saved in; "" means the one in the temporary
// folder. When chela runs in OpenClaw's state directory, it is a folder in there, since OpenClaw's
// own tool takes files only from its media folders. Files are moved there when they are complete.
func (c *Config) Downloads() string {
	if c.State.openClaw() {
		return filepath.Join(c.State.Media(), "downloads")
	}
	return ""
}

// NotInEffect lists the keys of the file that are set but have no effect, so that users who rely on
// them are warned.
func (c *Config) NotInEffect() []string { return slices.Clone(c.notInEffect) }

// Idle returns the time without calls after which a server that was started by a command, and not
// by "chela serve", ends; 0 means never.
func (c *Config) Idle() time.Duration {
	return time.Duration(c.Gateway.IdleMinutes * float64(time.Minute))
}

// secrets returns the token and the password that the environment sets or, if it sets none, the
// file.
func (c *Config) secrets() (token, password string) {
	return cmp.Or(Env("CHELA_TOKEN"), c.Gateway.Auth.Token), cmp.Or(Env("CHELA_PASSWORD"), c.Gateway.Auth.Password)
}

// choosePort sets the control port, from the flag, the environment or the file. In the file,
// browser.controlUrl may name a port of this machine. A port that the user has set is Explicit:
// clients expect the server there. If such a port is taken, the server does not choose another one.
func (c *Config) choosePort(flag int) error {
	name, port := "--port", strconv.Itoa(flag)
	if flag == 0 {
		name, port = "CHELA_PORT", Env("CHELA_PORT")
	}
	if port != "" {
		port, err := parsePort(name, port, 65535)
		c.Port, c.Explicit = port, true
		return err
	}
	const gatewayPort = "OPENCLAW_GATEWAY_PORT"
	if gateway := Env(gatewayPort); gateway != "" {
		port, err := parsePort(gatewayPort, gateway, 65535-controlAboveGateway)
		c.Port = port + controlAboveGateway
		return err
	}
	if port := localPort(c.Browser.ControlURL); port != 0 {
		c.Port, c.Explicit = port, true
		return nil
	}
	c.Port = c.Gateway.Port + controlAboveGateway
	return nil
}

// relayAboveControl is the distance of the relay's port from the control port.
const relayAboveControl = 8

// RelayPort returns the port at which the extension of a browser reaches the server.
func (c *Config) RelayPort() int {
	switch {
	case c.Gateway.RelayPort != 0:
		return c.Gateway.RelayPort
	case c.Port > 65535-relayAboveControl:
		return c.Port - relayAboveControl
	}
	return c.Port + relayAboveControl
}

// parsePort reads a port, which is at most highest. The error begins with name, which says where the
// text comes from.
func parsePort(name, text string, highest int) (int, error) {
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > highest {
		return 0, fmt.Errorf("%s is %q: want a number from 1 to %d", name, text, highest)
	}
	return port, nil
}

// AbsPath returns the absolute path of a file, which may begin with ~.
func AbsPath(path string) (string, error) { return filepath.Abs(fromHome(path)) }

// fromHome returns path with a leading ~ replaced by the home directory. A shell does so for its
// words, but not for text in a file. The home directories of other users (~name) are not looked up.
// If the home directory is unknown, the path stays as it is.
func fromHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
