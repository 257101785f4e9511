package browser

import (
	"log/slog"
	"slices"
	"time"

	"chela/internal/engine/page"
)

// A Cleanup has the rules by which chela closes tabs of sessions by itself, because agents forget
// to close tabs or to end their session. Tabs of calls without a session are never closed. Nor are
// the user's tabs in a browser that chela has not launched. A tab that belongs to no session is
// closed when it is idle.
type Cleanup struct {
	Idle    time.Duration // a tab is closed when it was unused for this long; 0: never
	MaxTabs int           // limit for one session: the tabs beyond it that were unused for longest are closed; 0: no limit
	Grace   time.Duration // how long a session may have more than MaxTabs
}

// sweeping says when tabs are next checked against a [Cleanup]. The browser's mu guards it.
type sweeping struct {
	limits func() Cleanup // returns the limits in force now; nil: nothing is closed
	timer  *time.Timer    // runs the next check; nil: none is planned
}

// A sweep is the result of checking all tabs against a [Cleanup].
type sweep struct {
	close   []*Tab
	expired []*BrowserContext // of isolated sessions that have no tabs and were unused for Cleanup.Idle
	next    time.Time         // time of the next check; zero: no session has a tab, so none is needed
}

// inUseLocked reports whether a call is at work in the tab, a session has leased it, or a person has
// taken it over. Such a tab is never closed by a sweep.
func (t *Tab) inUseLocked(now time.Time) bool {
	return t.page.Occupied() || t.leaseLocked(now) != (Lease{}) || t.control.Taken() != (page.TakeOver{})
}

// sweep decides which tabs of sessions are closed now. If a session has too many tabs, the first
// sweep only records that. Tabs are closed only when there have been too many for longer than
// c.Grace. So an agent that opens a dozen pages at once can read them.
func (l *tabList) sweep(c Cleanup, now time.Time) (s sweep) {
	later := func(at time.Time) {
		if s.next.IsZero() || at.Before(s.next) {
			s.next = at
		}
	}
	owned := map[string][]*Tab{}
	for _, t := range l.list {
		if t.belongsTo("") || t.ofUser || t.closing {
			continue
		}
		if t.inUseLocked(now) {
			t.used = now
		}
		if c.Idle > 0 && !now.Before(t.used.Add(c.Idle)) {
			s.close = append(s.close, t)
			continue
		}
		if c.Idle > 0 {
			later(t.used.Add(c.Idle))
		}
		if !t.unowned {
			owned[t.owner] = append(owned[t.owner], t)
		}
	}
	for key, u := range l.uses {
		swept := l.isSwept(u.current) || slices.ContainsFunc(s.close, func(t *Tab) bool { return t.ID == u.current })
		switch idle := u.last.Add(c.Idle); {
		case key == "" || owned[key] != nil || c.Idle == 0:
		case u.context == nil && swept: // a call that names no tab learns why its tab has gone
		case u.context == nil && !now.Before(idle):
			delete(l.uses, key)
		case u.context == nil:
		case !now.Before(idle): // the session stays isolated: its next tabs get a new BrowserContext, never the user's cookies
			s.expired = append(s.expired, u.context)
		default:
			later(idle)
		}
	}
	for key, tabs := range owned {
		u := l.of(key)
		switch {
		case c.MaxTabs == 0 || len(tabs) <= c.MaxTabs:
			u.tooMany = time.Time{}
		case u.tooMany.IsZero():
			u.tooMany = now
			later(now.Add(c.Grace))
		case now.Before(u.tooMany.Add(c.Grace)):
			later(u.tooMany.Add(c.Grace))
		default:
			slices.SortFunc(tabs, func(a, b *Tab) int { return b.used.Compare(a.used) })
			unused := slices.DeleteFunc(tabs[c.MaxTabs:], func(t *Tab) bool { return t.inUseLocked(now) })
			s.close = append(s.close, unused...)
			u.tooMany = time.Time{}
			if len(tabs)-len(unused) > c.MaxTabs {
				u.tooMany = now
				later(now.Add(c.Grace))
			}
		}
	}
	return s
}

// sweepLocked closes tabs as [tabList.sweep] decides, and plans the next check. It is called when a
// session gets one more tab, when the [Cleanup] may have changed, and then by its timer. Using a tab
// does not move the timer: the check then comes too early, and plans another one.
func (b *Browser) sweepLocked() {
	if b.sweeping.limits == nil {
		return
	}
	s := b.tabs.sweep(b.sweeping.limits(), time.Now())
	for _, t := range s.close {
		slog.Info("a tab is closed: it was not used for long, or its session has too many", "tab", t.ID, "session", t.owner)
		b.tabs.noteSwept(t.ID)
		b.noteClosingLocked(t, t.page.ID)
	}
	b.closeSweptLocked(s.close)
	for _, bc := range s.expired {
		bc.disposeLocked()
	}
	if b.sweeping.timer != nil {
		b.sweeping.timer.Stop()
		b.sweeping.timer = nil
	}
	if !s.next.IsZero() && !b.background.ended {
		b.sweeping.timer = time.AfterFunc(time.Until(s.next), func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.sweepLocked()
		})
	}
}

// closeSweptLocked closes tabs in the background. Before that, it writes the [Memory] without them:
// otherwise the next browser would open them again.
func (b *Browser) closeSweptLocked(tabs []*Tab) {
	if len(tabs) == 0 {
		return
	}
	b.background.beginLocked(func() {
		b.saver.save(b)
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, t := range tabs {
			b.discardLocked(t)
		}
	})
}

// maxSwept limits how many handles of tabs that a sweep has closed are remembered.
const maxSwept = 100

// isSwept reports whether a sweep has closed the tab with a handle, if that is remembered.
func (l *tabList) isSwept(id string) bool { return slices.Contains(l.swept, id) }

// noteSwept records the handle of a tab that a sweep has closed, so that an error can say so later.
func (l *tabList) noteSwept(id string) {
	l.swept = append(l.swept[max(0, len(l.swept)-maxSwept+1):], id)
}
