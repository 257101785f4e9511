package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSocketPath is the longest path of a Unix socket, in bytes, that all systems allow. The limit
// is 104 on macOS and 108 on Linux, both with a final NUL.
const maxSocketPath = 103

// shortTemp is where the sockets of state directories with long paths are. It is not $TMPDIR, which
// may be long as well.
const shortTemp = "/tmp"

// socketName is the name of the socket in its directory.
const socketName = "chela.sock"

// Socket returns the Unix socket that the server answers on. Paths of sockets must be short. So for
// a long state directory the socket is in a private directory elsewhere, see makeSocketDir. That
// directory does not exist before [State.Make].
func (s State) Socket() string {
	if path := filepath.Join(s.Dir, socketName); len(path) <= maxSocketPath {
		return path
	}
	dir, err := s.socketDir()
	if err != nil {
		dir = string(filepath.Separator) // only root can create a socket in the root directory
	}
	return filepath.Join(dir, socketName)
}

// Trust returns an error if the directory of the socket belongs to another user, who could
// listen on the socket instead of the server.
func (s State) Trust() error {
	dir := filepath.Dir(s.Socket())
	if dir != s.Dir {
		return nil // Socket calls socketDir, which has checked the owner
	}
	if err := checkOwn(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// makeSocketDir makes the directory of the socket for a long state directory. It has a random name,
// which a file in the state directory tells clients. Another user could take a name that is known
// before, and keep the server from starting.
func (s State) makeSocketDir() error {
	if filepath.Dir(s.Socket()) == s.Dir {
		return nil
	}
	if _, err := s.socketDir(); err == nil {
		return nil
	}
	err := os.MkdirAll(shortTemp, 0o700) // some systems do not have this directory
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(shortTemp, "chela-socket-") // the new directory has mode 0700
	}
	if err != nil {
		return fmt.Errorf("directory of the socket: %w", err)
	}
	return ReplaceFile(s.socketFile(), []byte(dir), PastKill) // a reboot empties /tmp, so the file need not survive one
}

// socketDir returns the directory that makeSocketDir has made. It is an error if the directory is
// missing, or if another user has put one in its place.
func (s State) socketDir() (string, error) {
	raw, err := ReadFile(s.socketFile())
	if err != nil {
		return "", err
	}
	dir := strings.TrimSpace(string(raw))
	return dir, checkOwn(dir)
}

func (s State) socketFile() string { return filepath.Join(s.Dir, "socket-directory") }
