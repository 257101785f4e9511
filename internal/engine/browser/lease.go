package browser

import (
	"fmt"
	"time"

	"chela/internal/engine/page"
)

// A Lease gives a session the sole use of a tab, for a time. It ends by itself, since the caller
// that has taken it may be gone.
type Lease struct {
	Session string    `json:"session"` // key of the session that has the lease
	Until   time.Time `json:"until"`
}

// A LeasedError says that another session has leased a tab.
type LeasedError struct {
	Tab string // handle of the leased tab
	Lease
}

func (e *LeasedError) Error() string {
	return fmt.Sprintf("tab %s is leased by session %s until %s", e.Tab, e.Session, e.Until.Format(time.TimeOnly))
}

// leaseLocked returns the lease that the tab has at this time, or the zero Lease.
func (t *Tab) leaseLocked(now time.Time) Lease { return t.lease.at(now) }

// at returns the lease if it is still valid at this time, else the zero Lease.
func (l Lease) at(now time.Time) Lease {
	if now.Before(l.Until) {
		return l
	}
	return Lease{}
}

// admitLocked returns a [*LeasedError] if another session has leased the tab, and a [*NoTabError]
// if the session does not see the tab. The person who has taken over the tab is admitted in spite
// of a lease.
func (s Session) admitLocked(t *Tab) error {
	if !s.seesLocked(t) {
		return &NoTabError{Name: t.ID}
	}
	if s.person && t.control.Taken() != (page.TakeOver{}) {
		return nil
	}
	if l := t.leaseLocked(time.Now()); l != (Lease{}) && l.Session != s.key {
		return &LeasedError{t.ID, l}
	}
	return nil
}

// Admit returns an error if the session may not use the tab: a [*LeasedError] or a [*NoTabError]. A
// call that has waited for its turn asks again. Meanwhile the tab may have been leased, or the
// session limited to some hosts.
func (s Session) Admit(t *Tab) error {
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	return s.admitLocked(t)
}

// Lease gives the session the sole use of a tab from now on. Calls of others on the tab are refused
// with a [*LeasedError], even those of the session that owns it. Calls that are already at work on
// the tab go on. A lease replaces an earlier lease of the session; a ttl of 0 ends the lease. If
// another session has leased the tab, the error is a [*LeasedError].
func (s Session) Lease(t *Tab, ttl time.Duration) (Lease, error) {
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	if err := s.admitLocked(t); err != nil {
		return Lease{}, err
	}
	now := time.Now()
	t.lease = Lease{s.key, now.Add(ttl)}
	s.browser.kept.raise()
	s.browser.notifyLocked()
	return t.leaseLocked(now), nil
}
