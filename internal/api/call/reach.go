package call

import (
	"context"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/frame"
	"chela/internal/op"
	"chela/internal/record/trace"
)

// On names the browser and the tab that a request is about. Requests on a tab embed it.
type On struct {
	InProfile
	TargetID string `json:"targetId,omitempty" doc:"the tab: its handle (t1), label, or target id; the current tab when left out" tool:"t1 or label"`
	RefMode  string `json:"refMode,omitempty" enum:"carry,element" doc:"what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs" tool:"-"`
}

// InProfile names the profile whose browser a request is about.
type InProfile struct {
	Profile string `json:"profile,omitempty" flag:"browser-profile,profile" doc:"browser profile; the default one when left out"`
}

// A Way says how a call finds the tab that it is about, and what it wants there.
type Way struct {
	On
	Place *int // index in the list of tabs, from 0; used instead of a name

	// With OnlyOpen, Reach opens no tab and does not change which tab is the current one. It starts
	// no browser, except in the place of one that was lost, whose tabs then open again. If no browser
	// runs, a tab that the call names is not found.
	OnlyOpen bool

	// Blind says that a call reads nothing of the page and does nothing to it, so the policy may
	// forbid the page.
	Blind bool

	// Leased says that it does not matter whether another session has leased the tab.
	Leased bool

	// Renew opens a crashed page again. If Renew is nil, the page stays as it is.
	Renew func(context.Context, *browser.Tab) error

	latest time.Time // until when the call waits for a person who has the tab; zero: until its deadline
}

// Reach finds a tab and does something with it. All operations on a tab find it by this function.
// So each sees only the tabs that its session may use, is in the trace, and reads no page that the
// network policy forbids. It waits for a person who has taken over the tab. If the browser is lost,
// do may be called again with a tab of the next browser.
//
// It returns the errors of starting the browser, of finding the tab, of Renew and of do, and a
// [*guard.Refused].
func (s *Service) Reach(ctx context.Context, w Way, do func(browser.Session, *browser.Tab) error) error {
	in := s.InBrowser
	if w.OnlyOpen {
		in = s.inRunning
	}
	return in(ctx, w.InProfile, func(b *browser.Browser) error {
		if err := checkGuest(ctx, b.Describe().Paired); err != nil {
			return err
		}
		session := Session(ctx, b)
		tab, err := w.find(ctx, session)
		if err != nil {
			return err
		}
		trace.Of(ctx).On(tab)
		noteOf(ctx).on(tab)
		if err := s.keepAgain(ctx, b.Settings()); err != nil {
			return err
		}
		if err := tab.Page().AwaitGiveBack(ctx, w.untilTaken(ctx)); err != nil {
			return err
		}
		if w.Renew != nil {
			if err := w.Renew(ctx, tab); err != nil {
				return err
			}
		}
		if !w.Blind {
			if refused := tab.Page().Unreadable(); refused != nil {
				return refused
			}
		}
		return do(session, tab)
	})
}

// checkGuest returns an error for a call of a guest whose tab was shared in another browser. A profile
// may drive several paired browsers one after the other, and each has tabs with the same handles.
func checkGuest(ctx context.Context, browser string) error {
	if guest := op.GuestOf(ctx); guest != (op.Guest{}) && guest.Browser != browser {
		return op.Errorf(op.Unauthorized, "the tab is not shared any more").Hinted("ask for another link")
	}
	return nil
}

// untilTaken returns when the call gives up waiting for a person who has taken over its tab.
func (w Way) untilTaken(ctx context.Context) time.Time {
	if w.latest.IsZero() {
		return frame.Deadline(ctx)
	}
	return w.latest
}

// find returns the tab, which is never nil without an error.
func (w Way) find(ctx context.Context, session browser.Session) (*browser.Tab, error) {
	switch {
	case w.Place != nil:
		return tabAt(ctx, session, *w.Place)
	case !w.OnlyOpen:
		return session.Tab(ctx, w.TargetID)
	}
	find := session.Find
	if w.Leased {
		find = session.FindLeased
	}
	tab, err := find(w.TargetID)
	if tab == nil && err == nil {
		err = op.NoTab("tab not found").Hinted("list the tabs")
	}
	return tab, err
}

// tabAt returns the tab at a place of the list, as the list is now: its order changes with each use
// of a tab. Only the tabs of the caller's session have a place. The order of other tabs changes
// with calls of other sessions. So a place among them could mean another tab by the time of the
// call.
func tabAt(ctx context.Context, session browser.Session, place int) (*browser.Tab, error) {
	own, others := separate(ctx, session.Tabs(ctx))
	if place < len(own) {
		return session.Find(own[place].ID)
	}
	missing := op.NoTab("tab not found").Hinted("list the tabs: there are %d", len(own))
	if len(others) > 0 {
		missing.Hinted("list the tabs: there are %d with a place; one of another session is named by its id", len(own))
	}
	return nil, missing
}
