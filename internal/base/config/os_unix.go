//go:build unix

package config

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// isOurs reports whether the file belongs to the user who runs this process.
func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// IsPrivate reports whether the mode of the file keeps all other users out.
func IsPrivate(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }

// syncDir waits until the names in a directory are on the disk.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// tryLockFile locks f for this process, if no other one has locked it.
func tryLockFile(f *os.File) (ok bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// lockFile waits until f is locked for this process.
func lockFile(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
