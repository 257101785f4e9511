package config

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// isOurs and IsPrivate are always true. On Windows the access lists of the user's directories,
// which files in them inherit, keep other users out.
func isOurs(fs.FileInfo) bool    { return true }
func IsPrivate(fs.FileInfo) bool { return true }

// syncDir does nothing: Windows syncs no directories. NTFS writes names to its log itself.
func syncDir(string) error { return nil }

// tryLockFile locks f for this process, if no other one has locked it.
func tryLockFile(f *os.File) (ok bool, err error) {
	const now = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), now, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// lockFile waits until f is locked for this process.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
