package cli

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"chela/internal/base/regular"
)

// maxLog is the size in bytes at which a new log file is begun. One older file is kept. A server in
// the background may run for months, and nobody would remove old logs.
const maxLog = 1 << 20

// openLog opens a log file for reading and appending. Two writers append to the file: the log, and
// standard error of the server, to which the Go runtime writes the stack of a crash.
func openLog(path string) (*os.File, error) {
	return regular.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
}

// A boundedLog appends to a log file. When the file reaches maxLog, it is renamed to *.old, and a new
// one is begun.
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
// writes each entry by one call, so none is divided between two files. If no new file can be begun,
// the log goes on in the present one, and the next entry tries again.
func (l *boundedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size+int64(len(b)) > maxLog {
		l.rotateLocked()
	}
	n, err := l.file.Write(b)
	l.size += int64(n)
	return n, err
}

// rotateLocked renames the file to *.old and opens a new one under the old name. Standard error of the
// process is still the old file, so the stack of a crash would be there.
func (l *boundedLog) rotateLocked() {
	if err := os.Rename(l.path, l.path+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if old := l.file; l.open() == nil {
		old.Close()
	}
}

func (l *boundedLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
