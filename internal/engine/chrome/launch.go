// Package chrome runs a Chromium. It finds or installs one, prepares its profile directory, starts
// it so that it cannot outlive chela, and reports how it ended.
//
// chela drives a browser over a pipe, so other programs find no port to connect to, unless the
// profile is set to open one. The browser runs in a process group that ends with chela
// (process.go). Its preferences turn off prompts to a user, such as the dialog for an HTTP login
// (preferences.go).
package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"chela/internal/base/program"
)

// Options say which browser is started, with which profile and flags.
type Options struct {
	Executable  Executable
	UserDataDir string // created if missing; used by one browser at a time
	LockHeld    bool   // the caller holds the lock without which nobody starts a browser on UserDataDir, see claim
	Headless    bool
	NoSandbox   bool     // browser.noSandbox is configured; see [WithoutSandbox]
	Port        int      // debugging port on 127.0.0.1 for other programs, beside the pipe; 0: none
	ExtraArgs   []string // flags of the user, placed after those of chela
	Proxy       string   // URL of the proxy on this machine for all traffic; empty: none, or the one in ExtraArgs
	ProfileName string   // shown in the window frame and in Chromium's own pages; empty: Chromium's default
	Color       string   // color of the window frame, #RRGGBB; empty: Chromium's default

	IgnoreCertificates bool // the browser accepts certificates that are not valid
}

// byPort is true on Windows, where a new process cannot be given extra pipes. There the browser
// listens on a loopback port that it chooses itself.
var byPort = runtime.GOOS == "windows"

// Launch starts a browser. The context limits the start only: the browser runs until it exits or
// [Process.Terminate] ends it. Launch does not wait until the browser answers the DevTools
// protocol: the caller waits for the reply to its first command, or for [Process.Exited]. Errors
// are a [*LockedError] and an [*ExitError], or come from the file system and from exec.
func Launch(ctx context.Context, o Options) (*Process, error) {
	dir, err := filepath.Abs(o.UserDataDir)
	if err != nil {
		return nil, err
	}
	o.UserDataDir = dir
	if err := prepare(o); err != nil {
		return nil, err
	}
	cmd := exec.Command(o.Executable.Path, arguments(o)...)
	cmd.Env = environment(program.Environment(), dir)
	p := &Process{UserDataDir: dir, exited: make(chan struct{})}
	if err := p.start(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Executable.Path, err)
	}
	if byPort {
		if p.WebSocketURL, err = p.endpoint(ctx); err != nil {
			return nil, errors.Join(err, p.Terminate(context.WithoutCancel(ctx)))
		}
	}
	return p, nil
}

// prepare creates the user data directory, removes what a dead browser left in it, and writes the
// files that Chromium reads when it starts. The directory has cookies and passwords: only its user
// may read it. The directory is claimed before anything in it is changed, since the files may
// belong to a running browser. The error is a [*LockedError], or comes from the file system.
func prepare(o Options) error {
	if err := os.MkdirAll(o.UserDataDir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(o.UserDataDir, 0o700); err != nil { // the folder may have existed with other permissions
		return err
	}
	if err := claim(o.UserDataDir, o.LockHeld); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(o.UserDataDir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := forgetTabs(o.UserDataDir); err != nil {
		return err
	}
	if err := writePrograms(o.UserDataDir); err != nil {
		return err
	}
	return writePreferences(o)
}
