package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chela/internal/base/regular"
)

// Lasting says what a written file survives. To survive a loss of power, it must be flushed to the
// disk, which takes milliseconds. Files that are written during calls, and whose loss costs little,
// are not flushed.
type Lasting bool

const (
	PastKill      Lasting = false // the file outlives this process, however it ends, but not a loss of power
	PastPowerLoss Lasting = true  // the file also outlives a loss of power, or a crash of the system
)

// ReplaceFile writes a file that only the user can read, see [ReplaceWithMode]. It is the one function
// by which files of the state directory, and the configuration, are written.
func ReplaceFile(path string, data []byte, until Lasting) error {
	return ReplaceWithMode(path, data, private, until)
}

// private is the mode of files that only the user can read.
const private fs.FileMode = 0o600

// ReplaceWithMode writes a file atomically: to a temporary file, then renamed. A reader at the same
// time gets the old or the new file, and never a part. After an error, the old file is there, and no
// part of the new one. Several processes may write a file at once; the last one counts.
func ReplaceWithMode(path string, data []byte, mode fs.FileMode, until Lasting) error {
	removeLeftovers(path, abandonedAge)
	f, err := os.CreateTemp(filepath.Dir(path), temporaryPattern(path)) // the new file is private
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != private {
		err = f.Chmod(mode)
	}
	if err == nil && until == PastPowerLoss {
		err = f.Sync() // otherwise the name could be on the disk before the content
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if until == PastPowerLoss {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// removeFile removes a file. It also removes the temporary files of processes that were killed while
// they replaced it. A missing file is no error.
func removeFile(path string) error {
	removeLeftovers(path, 0)
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// abandonedAge is the age at which a temporary file certainly belongs to a process that has ended.
const abandonedAge = time.Minute

// temporaryPattern returns the pattern of the names of the temporary files for a file.
func temporaryPattern(path string) string { return "." + filepath.Base(path) + ".*.new" }

// removeLeftovers removes temporary files that are at least this old, since they would accumulate.
// A file that cannot be removed stays.
func removeLeftovers(path string, age time.Duration) {
	dir := filepath.Dir(path)
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if left, _ := filepath.Match(temporaryPattern(path), entry.Name()); !left {
			continue
		}
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) >= age {
			os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}

// maxFile limits how much of a file is read, in bytes. The files that chela writes are far smaller.
const maxFile = 1 << 30

// ReadFile reads a file of the state directory, or the configuration. Whatever else has got to the
// path, such as a pipe that nobody writes to, is an error and is not waited for.
func ReadFile(path string) ([]byte, error) { return regular.ReadFile(path, maxFile) }
