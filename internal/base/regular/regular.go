// Package regular reads files whose paths somebody else has chosen. Such a path may lead to
// anything, such as a pipe that nobody writes to, or an endless device.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrOther says that a path leads to something else than a regular file, or to one that is too large
// to be read. It is in a [*fs.PathError].
var ErrOther = errors.New("it is not a regular file, or it is too large")

// ReadFile reads a regular file of at most maxBytes, and never waits for a writer. The error is a
// [*fs.PathError].
func ReadFile(path string, maxBytes int64) ([]byte, error) {
	f, err := OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrOther}
	}
	return io.ReadAll(io.LimitReader(f, maxBytes)) // the file may have grown beyond the limit meanwhile
}

// OpenFile opens a regular file, as [os.OpenFile] does, and never waits for another process. The
// error is a [*fs.PathError].
func OpenFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag|syscall.O_NONBLOCK, mode) // without O_NONBLOCK, opening a pipe would wait for its other end
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrOther}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
