// Package autostart installs a server as a service of its user, which the system starts at login:
// by systemd on Linux, by launchd on macOS.
package autostart

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chela/internal/base/config"
)

// A Server says how the service runs chela's server: its command line and environment.
type Server struct {
	Program string     // absolute path
	Args    []string   // arguments after Program
	Env     []Variable // variables that the server gets in addition to those of the system
	Log     string     // file for its output under launchd; systemd has a journal
	EnvFile string     // file with more variables, which need not exist; launchd does not read it

	// Namespaces says that Chromium's sandbox works with user namespaces. Otherwise Chromium needs
	// its older sandbox, a program with the setuid bit. Only if Namespaces is true may the service
	// forbid such programs to gain privileges.
	Namespaces bool
}

// A Variable is an environment variable.
type Variable struct{ Name, Value string }

// A Manager installs, removes and describes one service of the user, with systemd or launchd.
type Manager struct {
	name   string // name of the service
	folder string // folder for the files of the user's services
	kind   kind
}

// A kind has the commands and the file format of systemd or launchd.
type kind struct {
	system string // name of the program that runs services: systemd or launchd
	suffix string // file name extension of a service's file
	write  func(name string, s Server) string

	start, stop func(m *Manager) [][]string              // command lines that start or end the service; stop must succeed if the service does not run
	forget      func(m *Manager) [][]string              // command lines to run after the service's file was removed
	state       func(m *Manager) []string                // command line that prints the state of the service
	running     func(state string) (pid string, ok bool) // reads from the output of state whether the service runs
	packaged    func(m *Manager) []string                // command line that prints the state of a service that a system package has installed; nil: packages install none
	readPackage func(state string) (file string)         // reads from the output of packaged the path of the service's file; "" if the service is neither enabled nor running
	log         func(m *Manager, s Server) string        // a command line, for people, that shows what the service has written
}

// ErrNoSystem means that this system has neither systemd nor launchd.
var ErrNoSystem = errors.New("services are run by systemd or launchd, and this system has neither")

// For returns the manager for the service that uses a state directory. Each state directory has a
// service with a name of its own. The parameter usual is the default state directory; its service
// is just called chela. The parameter goos is an operating system, as in runtime.GOOS. The error is
// [ErrNoSystem], or says that the user has no home directory.
func For(goos, stateDir, usual string) (*Manager, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	name := "chela"
	if stateDir != usual {
		sum := sha256.Sum256([]byte(stateDir))
		name += "-" + hex.EncodeToString(sum[:4])
	}
	switch goos {
	case "linux":
		config := os.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(config) {
			config = filepath.Join(home, ".config")
		}
		return &Manager{name, filepath.Join(config, "systemd", "user"), systemd}, nil
	case "darwin":
		return &Manager{"dev." + name, filepath.Join(home, "Library", "LaunchAgents"), launchd}, nil
	}
	return nil, ErrNoSystem
}

// File returns the path of the service's file. System returns the name of the program that reads
// it, and Log says how to see what the service has written.
func (m *Manager) File() string        { return filepath.Join(m.folder, m.name+m.kind.suffix) }
func (m *Manager) System() string      { return m.kind.system }
func (m *Manager) Log(s Server) string { return m.kind.log(m, s) }

// Text returns the content of the service's file. It is an error if a value has a control
// character.
func (m *Manager) Text(s Server) (string, error) {
	values := append([]string{s.Program, s.Log, s.EnvFile}, s.Args...)
	for _, v := range s.Env {
		values = append(values, v.Value)
	}
	for _, value := range values {
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "", fmt.Errorf("%q has a control character in it", value)
		}
	}
	return m.kind.write(m.name, s), nil
}

// A NotStartedError means that the file of the service is written, but the request to run it has
// failed.
type NotStartedError struct {
	Commands []string // the command lines that start the service, to be run by hand
	Err      error
}

func (e *NotStartedError) Error() string {
	return "the service is written, and not started: " + e.Err.Error()
}
func (e *NotStartedError) Unwrap() error { return e.Err }

// Install writes the service's file, and makes the system run the service now and at each login. A
// service that runs already is started again. The error is a [*NotStartedError], or comes from
// writing the file.
func (m *Manager) Install(ctx context.Context, s Server) error {
	text, err := m.Text(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(m.folder, 0o700); err != nil {
		return err
	}
	if err := config.ReplaceFile(m.File(), []byte(text), config.PastPowerLoss); err != nil {
		return err
	}
	if err := m.run(ctx, m.kind.start(m)); err != nil {
		var commands []string
		for _, line := range m.kind.start(m) {
			if line[0] != untilFailure {
				commands = append(commands, strings.TrimPrefix(strings.Join(line, " "), optional+" "))
			}
		}
		return &NotStartedError{commands, err}
	}
	return nil
}

// Uninstall ends the service and removes the files that [Manager.Install] and the system have
// written for it. It reports whether there was a service. The files are removed even if the system
// does not answer.
func (m *Manager) Uninstall(ctx context.Context) (was bool, err error) {
	if _, err := os.Lstat(m.File()); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	stopped := m.run(ctx, m.kind.stop(m))
	if err := os.Remove(m.File()); err != nil {
		return true, err
	}
	os.Remove(filepath.Join(m.folder, "default.target.wants", filepath.Base(m.File()))) // the link that enabling has made; systemd removes it, but may not have answered
	if stopped != nil {
		return true, fmt.Errorf("the service is removed, but %s could not be told to end it: %w", m.kind.system, stopped)
	}
	return true, m.run(ctx, m.kind.forget(m))
}

// A State describes a service.
type State struct {
	Installed bool
	Package   string // path of the service's file, if a system package has installed it; "" if [Manager.Install] has
	Changed   bool   // the file differs from what [Manager.Install] would write now
	Running   bool
	PID       string // process id of the server, if it runs and the system reports the id
	Problem   error  // why the system did not report whether the server runs
}

// State returns whether the service is installed and runs. The error comes from reading its file.
func (m *Manager) State(ctx context.Context, s Server) (State, error) {
	text, err := config.ReadFile(m.File())
	if errors.Is(err, fs.ErrNotExist) {
		return m.packaged(ctx), nil
	}
	if err != nil {
		return State{}, err
	}
	want, err := m.Text(s)
	is := State{Installed: true, Changed: err != nil || want != string(text)}
	out, err := output(ctx, m.kind.state(m))
	if err != nil {
		is.Problem = err
	}
	is.PID, is.Running = m.kind.running(out)
	return is, nil
}

// packaged returns the state of a service whose file a system package has installed for all users. If
// this user has neither enabled nor started it, it counts as not installed.
func (m *Manager) packaged(ctx context.Context) (is State) {
	if m.kind.packaged == nil {
		return is
	}
	out, err := output(ctx, m.kind.packaged(m))
	if err != nil {
		return is
	}
	if is.Package = m.kind.readPackage(out); is.Package != "" {
		is.Installed = true
		is.PID, is.Running = m.kind.running(out)
	}
	return is
}

// These are put before the first word of a command line, and are not a part of the command.
const (
	optional     = "-" // a failure of the command is ignored
	untilFailure = "+" // the command is repeated until it fails, but not for longer than exitTime+killTime
)

// exitTime is how long the system lets the server take to end. Then it kills the server, for which
// killTime is enough.
const (
	exitTime = 15 * time.Second
	killTime = 5 * time.Second
)

// run runs command lines one after the other, until one fails.
func (m *Manager) run(ctx context.Context, lines [][]string) error {
	for _, line := range lines {
		switch line[0] {
		case optional:
			output(ctx, line[1:])
		case untilFailure:
			awaitFailure(ctx, line[1:])
		default:
			if _, err := output(ctx, line); err != nil {
				return err
			}
		}
	}
	return nil
}

func awaitFailure(ctx context.Context, line []string) {
	ctx, cancel := context.WithTimeout(ctx, exitTime+killTime)
	defer cancel()
	for {
		if _, err := output(ctx, line); err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// output runs a command line and returns its standard output. The error contains what the command
// has written.
func output(ctx context.Context, line []string) (string, error) {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("there is no %s here", line[0])
	}
	if err != nil {
		why := strings.TrimSpace(said.String())
		if why == "" {
			why = err.Error()
		}
		return out.String(), fmt.Errorf("%s: %s", strings.Join(line, " "), strings.ReplaceAll(why, "\n", " "))
	}
	return out.String(), nil
}
