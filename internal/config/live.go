package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// A Live is the configuration of a running server: what [Live.Current] returns follows
// the file. It may be used by several goroutines.
type Live struct {
	flags Flags
	fixed bool // the file is not looked at

	mu      sync.Mutex // guards the rest
	current *Config    // in force
	seen    stamp      // of the file when it was last read
	wrong   string     // what was wrong with it then
}

// Open reads the configuration of a server. Errors are those of [Load]: a server does
// not start with a file that is wrong.
func Open(flags Flags) (*Live, error) {
	_, file, err := flags.locate()
	if err != nil {
		return nil, err
	}
	seen := look(file) // before it is read, so that a change meanwhile is noticed
	c, err := Load(flags)
	return &Live{flags: flags, current: c, seen: seen}, err
}

// Fixed returns a configuration that never changes.
func Fixed(c *Config) *Live { return &Live{fixed: true, current: c} }

// Current returns the configuration that is in force. Callers ask for it each time
// that they need a setting, and do not keep or change it. If the file was changed since
// the last time, it is read again. What only a start of the server can change stays as
// it was: the state directory, the port, gateway and media. If the file is wrong now,
// the last good configuration stays in force, with a warning in its Warnings.
//
// It costs one stat of the file, about a microsecond.
func (l *Live) Current() *Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fixed {
		return l.current
	}
	if now := look(l.current.File); !now.same(l.seen) {
		l.seen = now
		l.current = l.reloadLocked()
	}
	return l.current
}

// reloadLocked reads the file again, and returns what is in force from now on.
func (l *Live) reloadLocked() *Config {
	next, err := Load(l.flags)
	if err != nil {
		kept := *l.current
		kept.Warnings = []string{fmt.Sprintf("%v: what the file said before it was changed is in force", err)}
		if l.wrong != err.Error() {
			slog.Warn(kept.Warnings[0])
		}
		l.wrong = err.Error()
		return &kept
	}
	l.wrong = ""
	next.Gateway, next.Media = l.current.Gateway, l.current.Media
	next.Port, next.Explicit = l.current.Port, l.current.Explicit
	for _, warning := range next.Warnings {
		if !slices.Contains(l.current.Warnings, warning) {
			slog.Warn(warning)
		}
	}
	return next
}

// A stamp is by what a change of a file is noticed.
type stamp struct {
	info fs.FileInfo // nil: there is no file
	err  error       // it cannot be looked at
	at   time.Time
}

// tick is the longest time that file systems take from one time of a file to the next.
// A file that is written twice within it can have the same time and size.
const tick = 20 * time.Millisecond

// look returns the stamp of a file.
func look(path string) stamp {
	at := time.Now()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{at: at}
	}
	return stamp{info, err, at}
}

// same reports whether a file is certainly as it was before. Some editors replace a
// file, others write into it, so both its identity and its time and size are compared.
func (s stamp) same(before stamp) bool {
	if s.err != nil || before.err != nil || s.info == nil || before.info == nil {
		return s.err == nil && before.err == nil && s.info == nil && before.info == nil
	}
	return os.SameFile(s.info, before.info) && s.info.Size() == before.info.Size() &&
		s.info.ModTime().Equal(before.info.ModTime()) && before.at.Sub(before.info.ModTime()) > tick
}
