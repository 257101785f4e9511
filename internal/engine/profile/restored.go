package profile

import (
	"reflect"
	"time"

	"chela/internal/engine/browser"
)

// Restored describes what a profile has restored after its browser was lost together with the
// server, which was killed or crashed.
type Restored struct {
	Tabs     []string // handles, the most recently used first
	Cookies  int
	Settings bool      // settings of all tabs were restored
	Saved    time.Time // when the session file was last written: later changes are lost
}

// restoredFrom lists what the next browser restores from m: saved tabs, cookies and settings. The
// parameter lost is the time at which m was written, if the last browser was lost. If that browser
// was stopped, lost is zero and the result is nil. The result is also nil if there is nothing to
// restore.
func restoredFrom(m browser.Memory, lost time.Time) *Restored {
	if lost.IsZero() {
		return nil
	}
	r := &Restored{Cookies: len(m.Cookies), Settings: !reflect.ValueOf(m.Settings).IsZero(), Saved: lost}
	for _, t := range m.Tabs {
		r.Tabs = append(r.Tabs, t.ID)
	}
	if len(r.Tabs) == 0 && r.Cookies == 0 && !r.Settings {
		return nil
	}
	return r
}

// Restored returns what was restored after the last server was killed. It is nil if nothing was, or
// once [Profile.TakeRestored] has returned it.
func (p *Profile) Restored() *Restored {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.restored
}

// TakeRestored returns what [Profile.Restored] returns, but only once. It is for the answer to the
// first call that uses what was restored.
func (p *Profile) TakeRestored() *Restored {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.restored
	p.restored = nil
	return r
}
