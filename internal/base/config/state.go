package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"chela/internal/base/process"
)

// A State is a state directory, with the files that a server and its clients share. The user's
// logins are in there, so other users must not be able to read it.
type State struct{ Dir string }

// StateAt returns the state directory: dir, or else $CHELA_STATE_DIR, or else ~/.chela.
func StateAt(dir string) (State, error) {
	dir = fromHome(cmp.Or(dir, Env("CHELA_STATE_DIR"), usualStateDir))
	dir, err := filepath.Abs(dir)
	return State{dir}, err
}

// UsualStateDir returns the default state directory.
func UsualStateDir() string { return fromHome(usualStateDir) }

const usualStateDir = "~/.chela"

// Make creates the state directory and the directory of the socket, with mode 0700. It is an error
// when the state directory belongs to another user.
func (s State) Make() error {
	if err := makePrivate(s.Dir); err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	return s.makeSocketDir()
}

// Beside returns the state directory of another server, for a special purpose, inside this one. It
// writes that server's configuration file with the given settings.
func (s State) Beside(name string, settings any) (State, error) {
	other := State{filepath.Join(s.Dir, name)}
	if err := errors.Join(s.Make(), other.Make()); err != nil {
		return other, err
	}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return other, err
	}
	return other, ReplaceFile(filepath.Join(other.Dir, "chela.json"), text, PastPowerLoss)
}

// Log returns the file that a server in the background writes its log to.
func (s State) Log() string { return filepath.Join(s.Dir, "server.log") }

// Media returns the folder of pictures that operations made and of files that callers sent.
func (s State) Media() string { return filepath.Join(s.Dir, "media") }

// openClaw reports whether the state directory belongs to OpenClaw. Chela can be used there in
// place of OpenClaw's own browser.
func (s State) openClaw() bool {
	_, err := os.Stat(filepath.Join(s.Dir, openClawFile))
	return err == nil || filepath.Base(s.Dir) == ".openclaw"
}

// ProfileFolder returns the folder of all that is kept for a profile.
func (s State) ProfileFolder(profile string) string { return filepath.Join(s.Dir, "browser", profile) }

// MakeProfileFolder makes the folder of a profile, with mode 0700, unless it exists.
func (s State) MakeProfileFolder(profile string) error { return makePrivate(s.ProfileFolder(profile)) }

// UserData returns the user data directory of a profile's browser.
func (s State) UserData(profile string) string {
	return filepath.Join(s.ProfileFolder(profile), "user-data")
}

// ProfileFile returns the path of a file that chela keeps for a profile, such as session.json. The
// files of the browser are elsewhere, see UserData.
func (s State) ProfileFile(profile, name string) string {
	return filepath.Join(s.ProfileFolder(profile), name)
}

// WriteProfileFile replaces a file of a profile, see [ReplaceFile]. Only the server of the state
// directory does so, one write of a file at a time. So each temporary file that is there was left by
// a server that was killed.
func (s State) WriteProfileFile(profile, name string, raw []byte, until Lasting) error {
	if err := s.MakeProfileFolder(profile); err != nil {
		return err
	}
	file := s.ProfileFile(profile, name)
	removeLeftovers(file, 0)
	return ReplaceFile(file, raw, until)
}

// RemoveProfileFile removes a file of a profile. A missing file is no error.
func (s State) RemoveProfileFile(profile, name string) error {
	return removeFile(s.ProfileFile(profile, name))
}

// LimitsFile returns the file with what sessions of callers may do.
func (s State) LimitsFile() string { return filepath.Join(s.Dir, "limits.json") }

// WriteLimits replaces the file with what sessions of callers may do.
func (s State) WriteLimits(raw []byte) error { return ReplaceFile(s.LimitsFile(), raw, PastPowerLoss) }

func (s State) serverFile() string { return filepath.Join(s.Dir, "server.json") }

// A Server is the entry of a running server in the state directory.
type Server struct {
	PID     int    `json:"pid"`
	Port    int    `json:"port"`
	Version string `json:"version"`
	Config  string `json:"config,omitempty"`  // path of the server's configuration file
	Process string `json:"process,omitempty"` // name of the process, see [process.Self]
}

// Runs reports whether the process of this entry certainly runs. As the server keeps the lock of the
// state directory until it ends, it has the lock then.
func (s Server) Runs() bool {
	return strings.HasPrefix(s.Process, strconv.Itoa(s.PID)+".") && process.CertainlyRuns(s.Process)
}

// Announce writes the entry of the running server into the state directory.
func (s State) Announce(server Server) error {
	raw, err := json.Marshal(server)
	if err != nil {
		return err
	}
	return ReplaceFile(s.serverFile(), raw, PastKill) // the entry need not survive a loss of power, since no server runs after that
}

// Server returns the entry of the last server, which may no longer run. A process that was killed
// leaves its entry behind. Only the socket shows whether a server runs.
func (s State) Server() (server Server, err error) {
	raw, err := ReadFile(s.serverFile())
	if err != nil {
		return server, err
	}
	return server, json.Unmarshal(raw, &server)
}

// Withdraw removes the entry of the server, at its end.
func (s State) Withdraw() error {
	return removeFile(s.serverFile())
}

// makePrivate creates a directory with mode 0700, or changes its mode to that.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := checkOwn(dir); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || IsPrivate(info) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// checkOwn returns an error unless dir belongs to the user, and so does the symbolic
// link if dir is one. Both are looked at, because the owner of a link can make it lead to
// any directory of the user.
func checkOwn(dir string) error {
	for _, stat := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
		info, err := stat(dir)
		if err != nil {
			return err
		}
		if !isOurs(info) {
			return fmt.Errorf("%s belongs to another user", dir)
		}
	}
	return nil
}
