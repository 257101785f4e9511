package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/wall/secret"
)

// sessionFileName is the file with the [browser.Memory] of a profile, see [Setup.lasting]. It has the
// user's logins in it, so only the owner may read it (mode 0600).
const sessionFileName = "session.json"

// A savedSession is the content of the session file. The file exists while a browser runs, and
// after one was lost by a crash or with its server. After a stop it exists if the browser has left
// something, such as session cookies.
type savedSession struct {
	Version int  `json:"version"`           // see [config.StateVersion]
	Stopped bool `json:"stopped,omitempty"` // the browser was stopped, and not lost
	browser.Memory
}

// A sessionStore reads and writes the session file of a profile. The running browser writes it or,
// if none runs, the profile. If the file cannot be read or written, that is logged, and browsers
// run without it.
//
// A call that has changed something waits until the file is written, but not until it is on disk:
// that takes milliseconds. So a change whose call was answered outlives the end of the server, even
// by kill -9. After a loss of power the last changes may be missing. What a stop leaves is on disk
// before the stop is answered.
type sessionStore struct {
	state   config.State
	profile string

	mu      sync.Mutex // guards the rest; held while the file is written
	failing bool       // the last write has failed, and that was logged
	newer   error      // a newer version of chela has written the file, so it is not overwritten: a [*config.NewerError]
}

// read returns the memory in the file for the next browser. If the last browser was lost together
// with its server, the result lost is the time when the file was written. The content of a file
// that cannot be read is lost, except that of a newer version of chela: see checkVersion.
func (s *sessionStore) read() (m browser.Memory, lost time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newer = nil
	path := s.state.ProfileFile(s.profile, sessionFileName)
	raw, err := config.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, lost
	}
	var r savedSession
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if s.newer = config.CheckVersion(path, r.Version); s.newer != nil {
		return m, lost
	}
	if err != nil {
		slog.Warn("what the last browser has left is lost: its file cannot be read", "profile", s.profile, "file", path, "error", err)
		return m, lost
	}
	r.Clean()
	if info, err := os.Stat(path); err == nil && !r.Stopped {
		lost = info.ModTime()
	}
	return r.Memory, lost
}

// checkVersion returns a [*config.NewerError] if a newer version of chela has written the file. A
// browser that started without its logins and tabs would overwrite them, so none is started.
func (s *sessionStore) checkVersion() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newer
}

// save writes the memory of a browser that runs or was lost. The server goes on if that fails, and
// logs only the first of several errors.
func (s *sessionStore) save(m browser.Memory) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.writeLocked(m, false, config.PastKill)
	if err != nil && !s.failing {
		slog.Warn("the session cannot be written: tabs and logins would be lost in a crash", "profile", s.profile, "error", err)
	}
	s.failing = err != nil
	return err
}

// close writes the memory of a browser that was stopped. The error comes from the file system.
func (s *sessionStore) close(m browser.Memory) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, err := json.Marshal(m)
	switch {
	case err != nil:
	case s.newer != nil: // no browser has run since the newer chela, whose file stays
	case string(raw) == "{}":
		err = s.state.RemoveProfileFile(s.profile, sessionFileName)
	default:
		err = s.writeLocked(m, true, config.PastPowerLoss)
	}
	if err != nil {
		return fmt.Errorf("keep what the browser has left: %w", err)
	}
	return nil
}

// reset does what close does, even if a newer chela has written the file: the file has logins that
// the user has removed.
func (s *sessionStore) reset(m browser.Memory) error {
	s.mu.Lock()
	s.newer = nil
	s.mu.Unlock()
	return s.close(m)
}

// writeLocked writes the file without secrets. If the address of a tab has one, the tab is opened again
// without it. A cookie that has one is lost.
func (s *sessionStore) writeLocked(m browser.Memory, stopped bool, until config.Lasting) error {
	if s.newer != nil {
		return s.newer
	}
	raw, err := json.Marshal(savedSession{config.StateVersion, stopped, m})
	if err != nil {
		return err
	}
	return s.state.WriteProfileFile(s.profile, sessionFileName, secret.MaskBytes(raw), until)
}
