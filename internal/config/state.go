package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A State is a state directory, with the files that a server and its clients share.
// The user's logins are in there, so other users must not be able to read it.
type State struct{ Dir string }

// StateAt returns the state directory: dir, or else $CHELA_STATE_DIR, or else ~/.chela.
func StateAt(dir string) (State, error) {
	dir = fromHome(cmp.Or(dir, Env("CHELA_STATE_DIR"), usualStateDir))
	dir, err := filepath.Abs(dir)
	return State{dir}, err
}

// UsualStateDir is the state directory of a user who names none.
func UsualStateDir() string { return fromHome(usualStateDir) }

const usualStateDir = "~/.chela"

// Make creates the state directory, and the one of the socket, with mode 0700. It is
// an error when one of them belongs to another user.
func (s State) Make() error {
	dirs := []string{s.Dir, filepath.Dir(s.Socket())} // mostly the same
	for _, dir := range slices.Compact(dirs) {
		if err := makePrivate(dir); err != nil {
			return fmt.Errorf("state directory: %w", err)
		}
	}
	return nil
}

// Beside returns the state directory of another server below this one, for a purpose of its
// own, and writes that server's configuration file. Settings are what stands in it.
func (s State) Beside(name string, settings any) (State, error) {
	other := State{filepath.Join(s.Dir, name)}
	if err := errors.Join(s.Make(), other.Make()); err != nil {
		return other, err
	}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return other, err
	}
	return other, replaceFile(filepath.Join(other.Dir, "chela.json"), text, PastPowerLoss)
}

// Log is the file that a server in the background writes its log to.
func (s State) Log() string { return filepath.Join(s.Dir, "server.log") }

// Media is the folder of pictures that operations made and of files that callers sent.
func (s State) Media() string { return filepath.Join(s.Dir, "media") }

// openClaw reports whether the state directory is OpenClaw's, whose browser chela
// can replace.
func (s State) openClaw() bool {
	_, err := os.Stat(filepath.Join(s.Dir, "openclaw.json"))
	return err == nil || filepath.Base(s.Dir) == ".openclaw"
}

// UserData is the user data directory of a profile's browser.
func (s State) UserData(profile string) string {
	return filepath.Join(s.Dir, "browser", profile, "user-data")
}

// ProfileFile is a file of a profile that is not the browser's, such as session.json.
func (s State) ProfileFile(profile, name string) string {
	return filepath.Join(s.Dir, "browser", profile, name)
}

// WriteProfileFile replaces a file of a profile with one of mode 0600, see replaceFile.
func (s State) WriteProfileFile(profile, name string, raw []byte, until Lasting) error {
	file := s.ProfileFile(profile, name)
	if err := makePrivate(filepath.Dir(file)); err != nil {
		return err
	}
	return replaceFile(file, raw, until)
}

// RemoveProfileFile removes a file of a profile. That there is none is no error.
func (s State) RemoveProfileFile(profile, name string) error {
	return removeFile(s.ProfileFile(profile, name))
}

func (s State) serverFile() string { return filepath.Join(s.Dir, "server.json") }

// maxSocketPath is the longest path of a Unix socket, in bytes, that all systems
// allow: 104 on macOS, 108 on Linux, both with a final NUL.
const maxSocketPath = 103

// shortTemp is where the sockets of state directories with long paths are. It is not
// $TMPDIR, which may be long, too, and may differ between the server and its clients.
const shortTemp = "/tmp"

// Socket is the Unix socket that the server answers on. Its path must be short, so
// for a long state directory it lies in a private directory of its own. Server and
// clients compute the same path from the directory alone.
func (s State) Socket() string {
	path := filepath.Join(s.Dir, "chela.sock")
	if len(path) <= maxSocketPath {
		return path
	}
	sum := sha256.Sum256([]byte(s.Dir))
	return filepath.Join(shortTemp, fmt.Sprintf("chela-%d-%s", os.Getuid(), hex.EncodeToString(sum[:8])), "chela.sock")
}

// Trust returns an error if the socket's directory belongs to another user, who could
// listen on the socket instead of the server.
func (s State) Trust() error {
	err := checkOwn(filepath.Dir(s.Socket()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A Server is the entry of a running server in the state directory.
type Server struct {
	PID     int    `json:"pid"`
	Port    int    `json:"port"`
	Version string `json:"version"`
	Config  string `json:"config,omitempty"` // path of its configuration file
}

// Announce writes the entry of the running server.
func (s State) Announce(server Server) error {
	raw, err := json.Marshal(server)
	if err != nil {
		return err
	}
	return replaceFile(s.serverFile(), raw, PastKill) // after a loss of power no server runs
}

// Server returns the entry of the last server, which may no longer run. A process
// that was killed leaves its entry behind; whether a server runs is seen by its
// socket.
func (s State) Server() (server Server, err error) {
	raw, err := os.ReadFile(s.serverFile())
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
	if err != nil || private(info) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// checkOwn returns an error unless dir belongs to the user, and so does the symbolic
// link if dir is one. Both are looked at, as the owner of a link can make it lead to
// any directory of the user.
func checkOwn(dir string) error {
	for _, stat := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
		info, err := stat(dir)
		if err != nil {
			return err
		}
		if !ours(info) {
			return fmt.Errorf("%s belongs to another user", dir)
		}
	}
	return nil
}
