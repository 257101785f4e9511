package browser

import (
	"cmp"
	"slices"
	"time"

	"chela/internal/engine/page"
)

// A GiveBack tells agents how a person has used a tab, after the person has given the tab back.
type GiveBack struct {
	Took  time.Duration `json:"took"`            // how long the person had the tab
	At    time.Time     `json:"at"`              // when the use ended
	Note  string        `json:"note,omitempty"`  // the person's message to the agents
	From  string        `json:"from"`            // address of the tab when the person got it
	To    string        `json:"to"`              // address of the tab when it was given back
	Heard []string      `json:"heard,omitempty"` // keys of the sessions that have been informed
}

// giveBackTime is how long after a GiveBack a session is still informed of it.
const giveBackTime = 24 * time.Hour

// maxHeard is how many sessions are informed of a GiveBack at most.
const maxHeard = 256

// maxNotes limits, in bytes, the notes of successive GiveBacks that no session was informed of, see
// givenBackLocked.
const maxNotes = 8000

// takeover records the use of a tab by persons.
type takeover struct {
	control *page.Control // whether a person has the tab; shared by all pages of the tab, even in the next browser
	from    string        // address of the tab when the person got it
	last    *GiveBack     // the last use that has ended; nil: there was none
}

// TakeOver gives a tab to a person until a time, even if a session has leased it. If another person
// has the tab, the use goes on with the new name and the new end. But a guest cannot take the tab
// from another person: the error is a [*page.TakenError]. Calls of agents that touch the tab end
// now, and further ones are refused, with a [*page.TakenError]. Keys and mouse buttons that others
// hold are released: the person's clicks are made without them.
func (t *Tab) TakeOver(to page.TakeOver) (page.TakeOver, error) {
	p, taken, goesOn, err := t.giveToPerson(to)
	if err != nil {
		return page.TakeOver{}, err
	}
	p.Interrupt(&page.TakenError{TakeOver: taken})
	if !goesOn {
		p.ReleaseHeld()
	}
	return taken, nil
}

// giveToPerson records that a person has the tab. It reports whether the same person had it before.
func (t *Tab) giveToPerson(to page.TakeOver) (_ *page.Page, _ page.TakeOver, goesOn bool, err error) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	t.endTakeoverLocked()
	switch taken := t.control.Taken(); {
	case taken == (page.TakeOver{}):
		to.Since, t.from = time.Now(), t.page.URL()
	case to.Guest != "" && to.Guest != taken.Guest:
		return nil, page.TakeOver{}, false, &page.TakenError{TakeOver: taken, ToGuest: true}
	default:
		to.Since, goesOn = taken.Since, to.Guest == taken.Guest
	}
	t.control.Set(to)
	t.noteTakeoverLocked()
	return t.page, to, goesOn, nil
}

// CheckTaken returns a [*page.TakenError] if a person has taken over the tab.
func (t *Tab) CheckTaken() error { return t.control.Taken().Check() }

// takenOver returns the use of the tab by a person, if a person has it now.
func (s SavedTab) takenOver() page.TakeOver {
	if s.Control != nil {
		return s.Control.Taken()
	}
	return s.ofFormerServer().At(time.Now())
}

// ofFormerServer returns the use of the tab by a person that a former server has saved. A guest's use
// has ended, since shares end with their server.
func (s SavedTab) ofFormerServer() page.TakeOver {
	if now := time.Now(); s.Person.Guest != "" && now.Before(s.Person.Until) {
		s.Person.Until = now
	}
	return s.Person
}

// GiveBack ends a person's use of the tab, with a note to the agents. It returns how long the use
// was, or false if no person has the tab. If guest is the id of a share, GiveBack ends only the use
// by a guest of that share.
func (t *Tab) GiveBack(guest, note string) (took time.Duration, had bool) {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	t.endTakeoverLocked()
	taken := t.control.Taken()
	if taken == (page.TakeOver{}) || guest != "" && guest != taken.Guest {
		return 0, false
	}
	took = time.Since(taken.Since)
	t.givenBackLocked(GiveBack{Took: took, At: time.Now(), Note: note, From: t.from, To: t.page.URL()})
	t.control.Set(page.TakeOver{})
	return took, true
}

// EndGuest ends the use of the tab by a guest of a share. If the browser of t was lost, the tab in the
// next browser reports the use to agents.
func (t *Tab) EndGuest(share string) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	t.control.EndGuest(share)
	t.noteTakeoverLocked()
}

// endTakeoverLocked ends the use of the tab by a person if its time is over, as if the tab was
// given back at that time.
func (t *Tab) endTakeoverLocked() {
	last := t.control.Last()
	if last == (page.TakeOver{}) || time.Now().Before(last.Until) {
		return
	}
	t.givenBackLocked(GiveBack{Took: last.Until.Sub(last.Since), At: last.Until, From: t.from, To: t.page.URL()})
	t.control.Set(page.TakeOver{})
}

// givenBackLocked records a GiveBack as the last one. If no session was informed of the GiveBack
// before, the two are merged, so that no note is lost.
func (t *Tab) givenBackLocked(g GiveBack) {
	if before := t.last; before != nil && len(before.Heard) == 0 {
		g.Took, g.From = g.Took+before.Took, before.From
		if note := before.Note + "\n" + g.Note; before.Note != "" && g.Note != "" && len(note) <= maxNotes {
			g.Note = note
		} else {
			g.Note = cmp.Or(g.Note, before.Note)
		}
	}
	t.last = &g
	t.noteTakeoverLocked()
}

// noteTakeoverLocked is called when a person's use of the tab begins, changes or ends. It plans to
// write the [Memory], and wakes callers that follow tabs.
func (t *Tab) noteTakeoverLocked() {
	t.browser.kept.raise()
	t.browser.notifyLocked()
}

// Hear returns the last GiveBack of the tab if the session was not informed of it yet, and records
// that the session is informed now. Otherwise it returns nil.
func (s Session) Hear(t *Tab) *GiveBack {
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	t.endTakeoverLocked()
	g := t.last
	if g == nil || s.person || time.Since(g.At) > giveBackTime || len(g.Heard) == maxHeard || slices.Contains(g.Heard, s.key) {
		return nil
	}
	heard := *g
	heard.Heard = append(slices.Clone(g.Heard), s.key)
	t.last = &heard
	s.browser.kept.raise()
	return g
}

// endTakeovers ends all uses of tabs by persons when the browser was closed, so that nobody waits
// for a person.
func (b *Browser) endTakeovers() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs.list {
		if t.control.Last() != (page.TakeOver{}) {
			t.control.Set(page.TakeOver{})
		}
	}
}

// restoreTakeover restores the records of persons who took over the tab, from a SavedTab.
func (t *Tab) restoreTakeover(s SavedTab) {
	t.from, t.last = s.PersonFrom, s.GivenBack
	if s.Control != nil {
		t.control = s.Control
	} else {
		t.control.Set(s.ofFormerServer())
	}
	t.page.ControlledBy(t.control)
}
