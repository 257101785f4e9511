package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"chela/internal/base/regular"
)

// Append appends to a file of the state, which it makes with mode 0600 if need be. If only a part
// could be written, it removes that part again.
func Append(file string, raw []byte) error {
	f, err := regular.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Write(raw); err != nil {
		return errors.Join(err, f.Truncate(before.Size()))
	}
	return f.Close()
}

// IsNoSpace reports whether an error means that the disk is full, or that the user's quota is used up.
func IsNoSpace(err error) bool {
	return slices.ContainsFunc(NoSpace, func(full error) bool { return errors.Is(err, full) })
}

// AppendLine appends a line to a file, as Append does. The last line of the file has no end if a
// process was killed while it wrote it. Then the new line begins after that part.
func AppendLine(file string, line []byte) error {
	line = append(line, '\n')
	last, err := lastByte(file)
	if err != nil {
		return err
	}
	if last != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	return Append(file, line)
}

// lastByte returns the last byte of a file; a line break if there is no file, or nothing in it.
func lastByte(file string) (byte, error) {
	f, err := regular.OpenFile(file, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return '\n', nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return '\n', err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], size-1)
	return last[0], err
}
