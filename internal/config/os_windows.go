package config

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// On Windows the access lists of the user's directories, which files in them inherit,
// keep other users out.
func ours(fs.FileInfo) bool    { return true }
func private(fs.FileInfo) bool { return true }

// lockFile waits until f is locked for this process.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
