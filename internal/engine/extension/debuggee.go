package extension

import (
	"encoding/json"
	"strconv"

	"chela/internal/engine/cdp"
)

// A place says where chrome.debugger sends a command: to a tab, or to one of its child sessions.
type place struct {
	tab     int
	session string // child session of chrome.debugger; empty: the tab's own
}

// A debuggee is a shared tab, or a frame or worker below it. The extension has one session of
// chrome.debugger with each debuggee. From it the transport makes any number of sessions. They are
// kept in the order in which they were attached, except that chela's own comes first.
type debuggee struct {
	place
	parent *debuggee // the debuggee that this one is below; nil: this is a tab
	// sessions has the sessions with the debuggee, chela's own first; it is empty while none is
	// attached.
	sessions []*session

	state    attaching         // whether the debugger is attached; only for a tab
	stale    bool              // an earlier transport has attached the tab and may have left settings in it
	held     []func(*failure)  // functions that run when the tab is attached, see whenAttachedLocked
	starting map[*session]bool // sessions for which this child is still paused

	settings  map[string][]written      // values that sessions have set, by the method that sets them, see settings.go
	contexts  []executionContext        // script contexts that exist, see contexts.go
	documents map[string]*document      // documents by frame id, see lifecycle.go
	paused    map[string]*pausedRequest // paused requests by request id, see fetch.go
	responses map[string][]*session     // sessions that want a request paused when its response comes
}

// attaching says how far a tab is attached to the debugger.
type attaching int

const (
	detached attaching = iota
	underWay
	attached
)

func (d *debuggee) isTab() bool { return d.session == "" }

// nameLocked returns the id of the first session of a debuggee. For a tab it stays the same as long
// as the extension runs, even if the server restarts. The isolated world of chela's page script is
// named by this id. So a later transport finds that world again, and the refs of elements in it.
func (t *transport) nameLocked(d *debuggee) string {
	if d.isTab() {
		return t.peer.about.Run + "." + strconv.Itoa(d.tab)
	}
	return d.session
}

func (t *transport) addLocked(tab *Tab) *debuggee {
	d := newDebuggee(place{tab.ID, ""}, nil)
	if tab.Attached {
		d.state = attached
	}
	t.debuggees[d.place] = d
	return d
}

func newDebuggee(at place, parent *debuggee) *debuggee {
	return &debuggee{
		place: at, parent: parent, starting: map[*session]bool{}, settings: map[string][]written{},
		documents: map[string]*document{}, paused: map[string]*pausedRequest{}, responses: map[string][]*session{},
	}
}

func (t *transport) ofTabLocked(tab int) *debuggee { return t.debuggees[place{tab, ""}] }

var errUnshared = &failure{cdp.Unshared, "no longer shared"}

// requestLocked handles a command of a session with a debuggee. The first command for a tab
// attaches the debugger to the tab. Runtime.runIfWaitingForDebugger does not: a tab without the
// debugger is not paused, so the command has nothing to do.
func (t *transport) requestLocked(s *session, r request) {
	d := s.on
	if !d.isTab() || d.state == attached && !d.stale {
		t.forwardLocked(s, r)
		return
	}
	if (d.state == detached || d.stale) && r.Method == "Runtime.runIfWaitingForDebugger" {
		t.resultLocked(r, empty)
		return
	}
	t.whenAttachedLocked(d, func(failed *failure) {
		switch {
		case failed != nil:
			t.failLocked(r, failed.Code, failed.Message)
		case t.sessions[s.id] == s:
			t.forwardLocked(s, r)
		}
	})
}

// whenAttachedLocked attaches the debugger to a tab if it is not attached, and then calls the
// function done. The argument of done is nil, or says why the tab cannot be attached. If several
// functions wait, they are called in order.
func (t *transport) whenAttachedLocked(d *debuggee, done func(failed *failure)) {
	if d.state == attached && !d.stale {
		done(nil)
		return
	}
	d.held = append(d.held, done)
	if d.state != underWay {
		t.attachLocked(d)
	}
}

// attachLocked has the extension attach its debugger to a tab. If an earlier transport has left the
// debugger attached, it is detached and attached again, so that no settings of that time are left.
func (t *transport) attachLocked(d *debuggee) {
	what := "attach"
	if d.stale {
		what = "reattach"
	}
	d.state = underWay
	t.peer.doLocked(what, map[string]any{"tab": d.tab}, func(_ json.RawMessage, failed *failure) {
		if t.ofTabLocked(d.tab) != d {
			return // the tab has gone, and dropLocked has called the waiting functions
		}
		tab := t.peer.tabs[d.tab]
		open := d.stale && failed != nil && failed.Message == "dialog"
		if d.stale && failed == nil {
			t.peer.dropChildrenLocked(d.tab)
		}
		switch {
		case d.stale && failed != nil && failed.Message == "stopped": // the extension has not detached the tab
			d.state = attached
		case failed == nil || open:
			d.state, d.stale, tab.Attached, failed = attached, false, true, nil
		default:
			d.state, d.stale = detached, false
		}
		t.releaseLocked(d, failed)
		if d.state != attached {
			return
		}
		if len(d.sessions) == 0 { // all sessions ended meanwhile
			t.letGoLocked(d)
			return
		}
		if open && tab.Dialog != nil { // attaching again would lose an open dialog, so the tab stayed attached: report the dialog
			t.eventLocked(message{Tab: d.tab, Method: "Page.javascriptDialogOpening", Params: tab.Dialog})
		}
	})
}

// releaseLocked calls the functions that wait until a tab is attached, see whenAttachedLocked.
func (t *transport) releaseLocked(d *debuggee, failed *failure) {
	held := d.held
	d.held = nil
	for _, done := range held {
		done(failed)
	}
}

// letGoLocked detaches the debugger from a tab.
func (t *transport) letGoLocked(d *debuggee) {
	d.state = detached
	tab := t.peer.tabs[d.tab]
	tab.Attached, tab.Dialog = false, nil
	t.peer.dropChildrenLocked(d.tab)
	t.peer.doLocked("detach", map[string]any{"tab": d.tab}, ignore)
}

// tabLocked handles a tab that is new, or has changed. The parameter was is the tab's former state;
// nil: the tab is new.
func (t *transport) tabLocked(was, tab *Tab) {
	d := t.ofTabLocked(tab.ID)
	if was == nil || was.Name != tab.Name {
		t.sharedLocked(tab)
	}
	switch {
	case d == nil:
		if d = t.addLocked(tab); t.auto {
			t.announceLocked(d, nil)
		}
	case was.Target != tab.Target:
		t.goneLocked(was)
		t.tabLocked(nil, tab)
		return
	case was.URL != tab.URL || was.Title != tab.Title:
		t.emitLocked("", "Target.targetInfoChanged", encode(map[string]any{"targetInfo": t.infoLocked(tab)}))
	}
	if d.state == detached && tab.Attached { // the extension has attached the debugger by itself
		d.state = attached
	}
}

// goneLocked handles a tab that was closed, or is no longer shared.
func (t *transport) goneLocked(tab *Tab) {
	if d := t.ofTabLocked(tab.ID); d != nil {
		t.dropLocked(d)
	}
	t.emitLocked("", "Target.targetDestroyed", encode(map[string]any{"targetId": tab.target()}))
}

// detachedLocked handles a tab from which the debugger was detached. The sessions with the tab end.
// If chela had a session with it, a new one is announced, and its first command attaches the tab
// again. Other programs must attach again themselves.
func (t *transport) detachedLocked(tab *Tab) {
	d := t.ofTabLocked(tab.ID)
	if d == nil {
		return
	}
	announced := t.sessions[t.nameLocked(d)] != nil
	t.dropLocked(d)
	if fresh := t.addLocked(tab); announced {
		t.announceLocked(fresh, nil)
	}
}

// dropLocked forgets a debuggee that is gone, with all frames and workers below it. It sends
// Target.detachedFromTarget for the debuggee's sessions. As in Chromium, there is no event for the
// sessions below.
func (t *transport) dropLocked(d *debuggee) {
	for _, s := range d.sessions {
		t.sayDetachedLocked(s)
	}
	t.forgetLocked(d)
	t.releaseLocked(d, errUnshared)
}

// forgetLocked forgets a debuggee with its sessions, and the debuggees below it. It sends no
// events.
func (t *transport) forgetLocked(d *debuggee) {
	for _, s := range d.sessions {
		delete(t.sessions, s.id)
	}
	delete(t.debuggees, d.place)
	t.forgetBelowLocked(d)
}

func (t *transport) forgetBelowLocked(d *debuggee) {
	for _, below := range t.debuggees {
		if below.parent == d {
			t.forgetLocked(below)
		}
	}
}

// resumedLocked sends [cdp.EventsMissed] to the first session of each attached tab.
func (t *transport) resumedLocked() {
	for _, d := range t.debuggees {
		if d.isTab() && d.state == attached && len(d.sessions) > 0 {
			t.emitLocked(d.sessions[0].id, cdp.EventsMissed.Method, nil)
		}
	}
}

// target returns the id of the tab's target. For a tab whose target id is not known, such as some
// discarded tabs, the id is made up.
func (tab *Tab) target() string {
	if tab.Target == "" {
		return "tab-" + strconv.Itoa(tab.ID)
	}
	return tab.Target
}
