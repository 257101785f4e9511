package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// TabInfo is a tab in a list of tabs.
type TabInfo struct {
	TargetID    op.Handle   `json:"targetId" doc:"target id; changes when the browser replaces the target" tool:"-"`
	Title       op.PageText `json:"title" doc:"title of the page"`
	URL         op.PageText `json:"url" doc:"address of the page"`
	WSURL       string      `json:"wsUrl,omitempty" doc:"DevTools endpoint of the tab, if exposeCdp is set" tool:"-"`
	Unavailable string      `json:"urlUnavailableReason,omitempty" doc:"why url is empty: navigation_blocked" tool:"-"`
	Type        string      `json:"type" doc:"always page" tool:"-"`
	Suggested   op.Handle   `json:"suggestedTargetId" doc:"name to use for the tab in calls: its label, or else its handle" tool:"-"`
	TabID       op.Handle   `json:"tabId" doc:"handle of the tab (t1), which never changes"`
	Label       string      `json:"label,omitempty" doc:"label of the tab"`
	TakenFrom   op.Handle   `json:"labelTakenFrom,omitempty" doc:"in an answer that gives the label: the tab that had it before, and now has none"`
	Current     bool        `json:"current,omitempty" doc:"in a list: calls of this session that name no tab use this one"`
	Session     string      `json:"session,omitempty" doc:"session that the tab belongs to" tool:"if other"`
	Other       bool        `json:"other,omitempty" doc:"the tab belongs to another session; calls of this session have to name it by its handle"`
	Unowned     bool        `json:"unowned,omitempty" doc:"the tab belongs to no session: it is not known who opened it"`
	Users       bool        `json:"users,omitempty" doc:"the user has opened the tab, in a browser that chela has not started"`
	Isolated    bool        `json:"isolated,omitempty" doc:"the tab shares cookies, storage and permissions only with the tabs of its session" tool:"-"`
	LeasedTo    string      `json:"leasedTo,omitempty" doc:"session that has leased the tab for itself"`
	LeasedUntil *time.Time  `json:"leasedUntil,omitempty" doc:"when the lease ends"`
	Person      *TakenOver  `json:"person,omitempty" doc:"a person has taken over the tab: calls that touch it wait"`
	Crashed     bool        `json:"crashed,omitempty" doc:"the page crashed; the next call on the tab opens its address again"`
	LoadFailed  op.PageText `json:"loadFailed,omitempty" doc:"of a new tab: why its page could not be loaded, and the address"`
	HTTPStatus  string      `json:"httpStatus,omitempty" doc:"of a new tab: the HTTP status of its page in words, unless it is a success: 404 Not Found"`
	Dialog      *DialogInfo `json:"dialog,omitempty" doc:"of a new tab: the dialog that it shows, which blocks it and other tabs of its site"`
}

// newTab describes a tab that a page has opened, and what stands in the way of its use.
func newTab(ctx context.Context, tab *browser.Tab) TabInfo {
	t, p := TabOf(ctx, tab.Info()), tab.Page()
	t.HTTPStatus = ReachedBy(p.ArrivalSince(0)).StatusText
	if failed := loadFailure(ctx, p); failed != nil {
		t.LoadFailed = failed.Message
	}
	if waiting := dialogList(p.Dialogs().Pending); len(waiting) > 0 {
		t.Dialog = &waiting[0]
	}
	return t
}

// reached says for a person what the tab shows, or why it shows nothing.
func (t TabInfo) reached() string {
	text := string(cmp.Or(t.LoadFailed, t.URL))
	if t.LoadFailed == "" && t.HTTPStatus != "" {
		text += ": " + t.HTTPStatus
	}
	return text
}

// opened says for a person that a page has opened the tab.
func (t TabInfo) opened() string {
	text := fmt.Sprintf("new tab %s: %s", t.TabID, t.reached())
	if t.Dialog != nil {
		text += ", which asks " + t.Dialog.Title()
	}
	return text
}

// TabOf describes a tab in the answer of a call. Callers should name a tab by its label or its
// handle, since the target id changes when Chromium replaces the target. A label is known only in
// the session of its tab, see [browser.Session].
func TabOf(ctx context.Context, info browser.Info) TabInfo {
	own := info.Owner == op.Session(ctx) && !info.Unowned
	t := TabInfo{
		TargetID: op.Handle(info.TargetID), Title: words.Shown(info.Title), URL: words.Shown(info.URL), Type: "page",
		Suggested: op.Handle(info.ID), TabID: op.Handle(info.ID), Label: info.Label, Current: info.Current, Session: info.Owner, Unowned: info.Unowned, Other: !own, Users: info.OfUser, Isolated: info.Isolated, Crashed: info.Crashed,
	}
	if info.Port != 0 && !info.Crashed {
		t.WSURL = fmt.Sprintf("ws://127.0.0.1:%d/devtools/page/%s", info.Port, info.TargetID)
	}
	if info.Lease != (browser.Lease{}) {
		t.LeasedTo, t.LeasedUntil = info.Lease.Session, &info.Lease.Until
	}
	t.Person = takenOver(info.Person)
	if info.Refused {
		t.URL, t.Title, t.Unavailable = "", "", "navigation_blocked"
	}
	if info.Label != "" && own {
		t.Suggested = op.Handle(info.Label)
	}
	return t
}

// LabelFrom adds that the tab has just got its label. The parameter before is the handle of the tab
// that had it until then; "" if none had it.
func (t TabInfo) LabelFrom(before string) TabInfo {
	t.TakenFrom = op.Handle(before)
	return t
}

// LabelText returns the label for a person, with the tab that had it before.
func (t TabInfo) LabelText() string {
	if t.TakenFrom == "" {
		return t.Label
	}
	return fmt.Sprintf("%s, taken from %s", t.Label, t.TakenFrom)
}

// Tabs lists the tabs of a browser, the most recently used first, and those of the call's session
// before the others. It reports whether the browser runs. The tabs of a browser that was lost open
// again when they are used.
func (s *Service) Tabs(ctx context.Context, in InProfile) (running bool, list []TabInfo, err error) {
	p, b, err := s.Running(in)
	if err == nil && b == nil {
		b, err = listedBrowser(ctx, p)
	}
	if err != nil {
		return false, nil, err
	}
	if b != nil {
		if open := Session(ctx, b).Tabs(ctx); p.Running() == b {
			return true, tabsOf(ctx, open), nil
		}
	}
	return false, tabsOf(ctx, p.Remembered(ctx, op.Session(ctx))), nil
}

// listedBrowser returns the browser of a profile that chela does not start itself. If that browser
// runs, listedBrowser connects to it, so that the tabs are listed. It returns nil for a profile
// whose browser chela starts.
func listedBrowser(ctx context.Context, p *profile.Profile) (*browser.Browser, error) {
	s := p.AskedSetup(ctx)
	if !s.Connected() {
		return nil, nil
	}
	if s.OwnPort() {
		if _, err := s.FindUser(); err != nil {
			return nil, nil // the user's browser does not run
		}
		return startedBrowser(ctx, p)
	}
	if _, err := p.Ask(ctx); err != nil {
		return nil, nil
	}
	b, err := startedBrowser(ctx, p)
	if _, waits := errors.AsType[*profile.RepeatedError](err); waits || explainReach(err) != nil {
		return nil, nil // the next call that needs the browser reports the error
	}
	return b, err
}

// tabsOf lists the tabs of the caller's session first, and then the others. It is never
// nil, as OpenClaw has an empty list where no tab is open.
func tabsOf(ctx context.Context, infos []browser.Info) []TabInfo {
	list := []TabInfo{}
	own, others := separate(ctx, infos)
	for _, info := range slices.Concat(own, others) {
		list = append(list, TabOf(ctx, info))
	}
	return list
}

// separate separates the tabs of a call's session from those of other sessions.
func separate(ctx context.Context, all []browser.Info) (own, others []browser.Info) {
	for _, info := range all {
		if info.Owner == op.Session(ctx) && !info.Unowned {
			own = append(own, info)
		} else {
			others = append(others, info)
		}
	}
	return own, others
}
