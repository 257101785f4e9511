package cli

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// maxLog is the size in bytes at which a new log file is begun. One older file is kept. A server in
// the background may run for months, and nobody looks after its log.
const maxLog = 1 << 20

// openLog opens a log file to read it and append to it. All who write to it append: the log, and
// standard error of the server, on which the Go runtime writes the stack of a crash.
func openLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
}

// A boundedLog appends to a log file; a full one is renamed to *.old.
type boundedLog struct {
	path string

	mu   sync.Mutex // guards the rest
	file *os.File
	size int64
}

// openBoundedLog opens a log file to append to it.
func openBoundedLog(path string) (*boundedLog, error) {
	l := &boundedLog{path: path}
	return l, l.open()
}

func (l *boundedLog) open() error {
	file, err := openLog(l.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Write appends an entry, to a new file if the present one would become too large. Package slog
// writes each entry by one call, so none is divided between two files.
func (l *boundedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size+int64(len(b)) > maxLog {
		if err := l.rotateLocked(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(b)
	l.size += int64(n)
	return n, err
}

// rotateLocked begins a new file. The new file is opened under the old name. Standard error of the
// process still leads to the old file, in which a crash would be found.
func (l *boundedLog) rotateLocked() error {
	if err := l.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(l.path, l.path+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return l.open()
}

func (l *boundedLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
