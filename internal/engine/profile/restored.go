package profile

import (
	"reflect"
	"time"

	"chela/internal/engine/browser"
)

// Restored is what a profile has taken over from a browser that was lost together with
// its server, which was killed or crashed.
type Restored struct {
	Tabs     []string // handles, the most recently used first
	Cookies  int
	Settings bool      // there are settings of all tabs
	Saved    time.Time // when it was written last: what changed after that is lost
}

// restoredFrom returns the Restored of a memory; nil if there is nothing to report. Lost is when
// the memory of a lost browser was written; zero if the browser was stopped.
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

// Restored returns what was taken over from a server that was killed. It is nil if nothing was, or
// once [Profile.TakeRestored] has returned it.
func (p *Profile) Restored() *Restored {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.restored
}

// TakeRestored returns [Profile.Restored] only once, for the answer to a caller that uses what was
// restored.
func (p *Profile) TakeRestored() *Restored {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.restored
	p.restored = nil
	return r
}
