// Package chrome runs one Chromium: finds or installs it, prepares its profile
// directory, starts it so that it cannot outlive us, and says how it ended.
package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Options say what is started, and how it looks.
type Options struct {
	Executable    Executable
	UserDataDir   string // made if there is none; one browser at a time
	Headless      bool
	NoSandbox     bool     // asked for; see [WithoutSandbox]
	ExtraArgs     []string // the user's, after ours
	DownloadDir   string   // kept as Chromium has it when empty
	Width, Height int      // of new windows; Chromium decides when zero
	ProfileName   string   // shown by Chromium
	Color         string   // of the window frame, #RRGGBB
}

// byPort is true where a process cannot be given the two ends of a pipe:
// there the browser listens on a loopback port of its choice.
var byPort = runtime.GOOS == "windows"

// Launch starts a browser. Ctx limits the start, not the life: a browser lives
// until it exits or [Process.Terminate] ends it. It is not yet known to
// answer: who speaks with it first waits for that and for [Process.Exited].
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
	cmd.Env = environment(os.Environ(), dir)
	p := &Process{dir: dir, exited: make(chan struct{})}
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

// prepare makes the user-data directory ready for a browser to use.
func prepare(o Options) error {
	if err := os.MkdirAll(o.UserDataDir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(o.UserDataDir, 0o700); err != nil { // it may have been there
		return err
	}
	if err := claim(o.UserDataDir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(o.UserDataDir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return seed(o)
}
