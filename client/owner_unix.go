//go:build unix

package client

import (
	"os"
	"syscall"
)

// checkOwner returns an error if the directory of a socket belongs to another user. That user could
// listen there in place of the server. It returns nil if the directory does not exist: no server
// runs.
func checkOwner(dir string) error {
	for _, stat := range []func(string) (os.FileInfo, error){os.Lstat, os.Stat} {
		info, err := stat(dir)
		if err != nil {
			return nil
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Getuid() {
			return &unsafeError{dir + " belongs to another user", "call the server of that user by its URL, with its token"}
		}
	}
	return nil
}
