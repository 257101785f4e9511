package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/browser"
	"chela/internal/config"
)

// The files in which a profile keeps what its next browser takes over from the last.
// They have the user's logins in them, so only the owner may read them (mode 0600).
//
// The session is there while a browser runs, and after one that was lost: by a crash, or
// with its server. It has all of the memory, and says more than the other files, whatever
// they have. When a browser is stopped the session is removed; what stays is in the
// others, each of which is there only if it has something.
const (
	sessionFile  = "session.json"
	cookiesFile  = "cookies.json"  // those that are not on the disk, as those of a session never are
	originsFile  = "origins.json"  // whose storage the browser may have
	isolatedFile = "isolated.json" // keys of the sessions that have cookies and storage of their own, and which hosts they may open
)

// A session is these files of a profile. If they cannot be read or written, that is
// logged, and browsers run all the same.
type session struct {
	state   config.State
	profile string
}

func (p *Profile) session() session { return session{p.config.State(), p.Name} }

// read returns what the next browser takes over, and when that was written if the last
// one was lost together with its server. What cannot be read is lost.
func (s session) read() (m browser.Memory, lost time.Time) {
	if s.readFile(sessionFile, &m) {
		if info, err := os.Stat(s.state.ProfileFile(s.profile, sessionFile)); err == nil {
			lost = info.ModTime()
		}
		return m, lost
	}
	m = browser.Memory{}
	for _, file := range []string{cookiesFile, originsFile, isolatedFile} {
		s.readFile(file, &m)
	}
	return m, lost
}

// readFile reports whether the file was there and could be read.
func (s session) readFile(name string, m *browser.Memory) bool {
	raw, err := os.ReadFile(s.state.ProfileFile(s.profile, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err == nil {
		err = json.Unmarshal(raw, m)
	}
	m.Cookies = slices.DeleteFunc(m.Cookies, func(c *network.Cookie) bool { return c == nil })
	if err != nil {
		slog.Warn("what the last browser has left is lost: its file cannot be read", "profile", s.profile, "file", name, "error", err)
	}
	return err == nil
}

// keep writes what is left of a browser that has ended.
func (s session) keep(m browser.Memory, stopped bool) {
	if !stopped {
		s.write(m)
	} else if err := s.close(m); err != nil {
		slog.Warn("the browser was stopped", "profile", s.profile, "error", err)
	}
}

// write replaces the session of a browser that runs or was lost. It does so also if there
// is nothing in it any more: cookies that were deleted may still be in the other files. Calls
// wait for it, so it does not wait for the disk.
func (s session) write(m browser.Memory) {
	if err := s.writeFile(sessionFile, m, true, config.PastKill); err != nil {
		slog.Warn("the session cannot be written: tabs and logins would be lost in a crash", "profile", s.profile, "error", err)
	}
}

// close keeps what is left of a browser that was stopped. The session is removed last: if
// the server is killed before that, nothing is lost. The error is that of the file system.
func (s session) close(m browser.Memory) error {
	err := errors.Join(
		s.writeFile(cookiesFile, browser.Memory{Cookies: m.Cookies}, len(m.Cookies) > 0, config.PastPowerLoss),
		s.writeFile(originsFile, browser.Memory{Origins: m.Origins}, len(m.Origins) > 0, config.PastPowerLoss),
		s.writeFile(isolatedFile, browser.Memory{Isolated: m.Isolated, Hosts: m.Hosts}, len(m.Isolated) > 0, config.PastPowerLoss),
	)
	if err == nil {
		err = s.state.RemoveProfileFile(s.profile, sessionFile)
	}
	if err != nil {
		err = fmt.Errorf("keep what the browser has left: %w", err)
	}
	return err
}

// writeFile replaces a file, or removes it if it is not needed.
func (s session) writeFile(name string, m browser.Memory, needed bool, until config.Lasting) error {
	if !needed {
		return s.state.RemoveProfileFile(s.profile, name)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.state.WriteProfileFile(s.profile, name, raw, until)
}
