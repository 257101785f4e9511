package profile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"reflect"

	"chela/internal/browser"
	"chela/internal/config"
)

// A session is the file session.json of a profile, with what its next browser
// takes over from the last: tabs and cookies of one that was lost, session
// cookies of one that was stopped, and of both which origins were shown. It has the
// user's logins in it, so only the owner may read it (mode 0600). If it cannot be read
// or written, that is logged, and browsers run all the same.
type session struct {
	state   config.State
	profile string
}

func (p *Profile) session() session { return session{p.config.Current().State, p.Name} }

// read returns what is in the file, nothing if there is none.
func (s session) read() (m browser.Memory) {
	raw, err := s.state.Session(s.profile)
	if errors.Is(err, fs.ErrNotExist) {
		return m
	}
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		slog.Warn("the tabs and logins of the last browser are lost: its session cannot be read", "profile", s.profile, "error", err)
		return browser.Memory{}
	}
	return m
}

// write replaces the file, or removes it if there is nothing to keep. The number
// of the newest handle alone is not worth a file: handles are only unique within
// the life of a server.
func (s session) write(m browser.Memory) {
	var raw []byte
	if len(m.Tabs) > 0 || len(m.Cookies) > 0 || len(m.Origins) > 0 || !reflect.ValueOf(m.Settings).IsZero() {
		var err error
		if raw, err = json.Marshal(m); err != nil {
			slog.Warn("the session cannot be written", "profile", s.profile, "error", err)
			return
		}
	}
	if err := s.state.KeepSession(s.profile, raw); err != nil {
		slog.Warn("the session cannot be written: tabs and logins would be lost in a crash", "profile", s.profile, "error", err)
	}
}
