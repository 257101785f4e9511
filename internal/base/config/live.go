package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Live is the configuration of a running server: what [Live.Current] returns follows
// the file. It may be used by several goroutines.
type Live struct {
	flags Flags
	files []string // the paths that the configuration file may have, see candidates; nil: the configuration never changes
	saved string   // the file with saved profiles

	mu      sync.Mutex // guards the rest
	current *Config    // the configuration that is in force
	seen    []stamp    // state of the files when they were last read
	failed  time.Time  // when they were last read, if that has failed; otherwise zero
	changed func()     // called after a change; may be nil
}

// Open reads the configuration of a server. It returns the errors of [Load]: a server does not
// start with a wrong file.
func Open(flags Flags) (*Live, error) {
	state, files, err := flags.candidates()
	if err != nil {
		return nil, err
	}
	l := &Live{flags: flags, files: files, saved: state.profilesFile()}
	l.seen = l.stamps() // before the files are read, so that a change meanwhile is noticed
	l.current, err = Load(flags)
	return l, err
}

// Fixed returns a configuration that never changes.
func Fixed(c *Config) *Live { return &Live{current: c} }

// OnChange sets the function that is called, in a goroutine of its own, when [Live.Current] finds
// that the configuration in force has changed. It replaces the function set before.
func (l *Live) OnChange(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed = fn
}

// Current returns the configuration that is in force. Callers ask for it each time that they need a
// setting, and do not keep or change it. If the file was changed since the last time, it is read
// again. What only a start of the server can change stays as it was: the state directory, the port,
// and keys with [FromServer]. If the file is wrong now, empty or gone, the last good configuration
// stays in force, and its Outdated says why. It is then read again after retryAfter even if it has not
// changed: what prevents that need not be in the file.
//
// It costs two or three calls of stat, a few microseconds.
func (l *Live) Current() *Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files == nil {
		return l.current
	}
	now := l.stamps()
	isDue := !l.failed.IsZero() && time.Since(l.failed) >= retryAfter
	if slices.EqualFunc(now, l.seen, stamp.same) && !isDue {
		return l.current
	}
	next, err := l.reloadLocked()
	l.seen = now
	if err != nil {
		l.failed, l.current = time.Now(), l.current.outdated(err)
		return l.current
	}
	l.failed, l.current = time.Time{}, next
	if l.changed != nil {
		go l.changed()
	}
	return l.current
}

// retryAfter is how long [Live.Current] does not read files again that were wrong and have not changed.
const retryAfter = time.Second

// Reread returns the configuration as the files have it now, also what takes effect only at the next
// start of the server.
func (l *Live) Reread() (*Config, error) { return Load(l.flags) }

// Set sets a key in the configuration file, as [SetValue] does, and returns the configuration with the new
// value. It is in force from the next call of [Live.Current] on.
func (l *Live) Set(key string, value any) (*Config, error) { return SetValue(l.flags, key, value) }

// State returns the state directory, which only a start of the server can change.
func (l *Live) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current.State
}

// outdated returns c, which stays in force because of err, with the reason in Outdated.
func (c *Config) outdated(err error) *Config {
	why := fmt.Sprintf("%v: what it said before is in force", err)
	if why == c.Outdated {
		return c
	}
	slog.Warn(why)
	kept := *c
	kept.Outdated = why
	return &kept
}

// reloadLocked reads the files again, and returns the configuration that is to be in force. It
// returns the errors of [Load], and an error if a file is gone.
func (l *Live) reloadLocked() (*Config, error) {
	next, err := Load(l.flags)
	if err == nil {
		err = l.checkGoneLocked(next)
	}
	if err != nil {
		return nil, err
	}
	if waiting := keepStarted("", reflect.ValueOf(l.current).Elem(), reflect.ValueOf(next).Elem(), fromCall); len(waiting) > 0 {
		next.Warnings = append(next.Warnings, fmt.Sprintf("%s: changed, and not in effect until the server is started again: %s", next.File, strings.Join(waiting, ", ")))
	}
	next.Port, next.Explicit = l.current.Port, l.current.Explicit
	known := l.current.Report()
	for _, warning := range next.Report() {
		if !slices.Contains(known, warning) {
			slog.Warn(warning)
		}
	}
	return next, nil
}

// checkGoneLocked returns an error if a file that was read is gone, unless a candidate with
// precedence has replaced it. The user may have removed it by mistake, or another program may be
// replacing it just now.
func (l *Live) checkGoneLocked(next *Config) error {
	place := func(c *Config) int {
		if !c.fileRead {
			return len(l.files)
		}
		return slices.Index(l.files, c.File)
	}
	switch {
	case place(next) > place(l.current):
		return missingFileError(l.current.File)
	case l.current.savedRead && !next.savedRead:
		return missingFileError(l.saved)
	}
	return nil
}

// stamps returns the stamps of the configuration files, up to the first one that exists, and the
// stamp of the file with the saved profiles.
func (l *Live) stamps() []stamp {
	stamps := make([]stamp, 0, len(l.files)+1)
	for _, file := range l.files {
		stamps = append(stamps, stampOf(file))
		if stamps[len(stamps)-1].info != nil {
			break
		}
	}
	return append(stamps, stampOf(l.saved))
}

// A stamp is compared to find out whether a file has changed.
type stamp struct {
	info fs.FileInfo // nil: there is no file
	err  error       // why the file cannot be looked at, or nil
	at   time.Time
}

// tick is the largest step of the times that file systems give to files. A file that is written
// twice within one step can have the same time and size.
const tick = 20 * time.Millisecond

// stampOf returns the stamp of a file.
func stampOf(path string) stamp {
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
		s.info.ModTime().Equal(before.info.ModTime()) && before.at.Sub(before.info.ModTime()).Abs() > tick
}
