package extension

import (
	"encoding/json"
	"strconv"

	"chela/internal/engine/cdp"
)

// A place says where chrome.debugger sends a command: to a tab, or to one of its child sessions.
type place struct {
	tab     int
	session string // of a child; empty: the tab's own
}

// A debuggee is a shared tab, or a frame or worker below it. chrome.debugger has one session for it.
// The transport makes any number from that. They are kept in the order in which they were attached,
// with chela's own before those of programs.
type debuggee struct {
	place
	parent   *debuggee // nil: it is a tab
	sessions []*session

	state    attaching         // of a tab
	stale    bool              // an earlier transport has attached the tab, and left settings
	held     []func(*failure)  // what waits until the tab is attached
	starting map[*session]bool // of a child: sessions for which Chromium still holds it

	settings  map[string][]written // by the method that sets them, see settings.go
	contexts  []executionContext
	documents map[string]*document      // by frame, see lifecycle.go
	paused    map[string]*pausedRequest // by request id, see fetch.go
	responses map[string][]*session     // who wants to see the response of a request
}

// attaching says how far a tab is attached to the debugger.
type attaching int

const (
	apart attaching = iota
	underWay
	attached
)

func (d *debuggee) isTab() bool { return d.session == "" }

// nameLocked is the id of the first session of a debuggee. For a tab it stays the same for a run of
// the extension. So does the world that chela's script has in the page, which is named by it, and
// with that world the refs.
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

// requestLocked handles a command of a session. The first one for a tab attaches it. What only lets a
// tab run that was announced to us does not: nothing holds it.
func (t *transport) requestLocked(s *session, r request) {
	d := s.on
	if !d.isTab() || d.state == attached && !d.stale {
		t.forwardLocked(s, r)
		return
	}
	if (d.state == apart || d.stale) && r.Method == "Runtime.runIfWaitingForDebugger" {
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

// whenAttachedLocked attaches a tab if it is not attached, and then calls done: failed is nil, or says
// why the tab cannot be attached. Those who wait are called in order.
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

// attachLocked attaches a tab. One that an earlier transport has left attached is attached anew, so
// that nothing set there is left.
func (t *transport) attachLocked(d *debuggee) {
	what := "attach"
	if d.stale {
		what = "reattach"
	}
	d.state = underWay
	t.peer.doLocked(what, map[string]any{"tab": d.tab}, func(_ json.RawMessage, failed *failure) {
		if t.ofTabLocked(d.tab) != d {
			return // what waited has its answer
		}
		tab := t.peer.tabs[d.tab]
		open := d.stale && failed != nil && failed.Message == "dialog"
		if d.stale && failed == nil {
			t.peer.dropChildrenLocked(d.tab)
		}
		d.state, d.stale = apart, false
		if failed != nil && !open {
			t.releaseLocked(d, failed)
			return
		}
		d.state, tab.Attached = attached, true
		t.releaseLocked(d, nil)
		if len(d.sessions) == 0 { // they ended meanwhile
			t.letGoLocked(d)
			return
		}
		if open && tab.Dialog != nil { // a dialog that is open would be lost by attaching anew
			t.eventLocked(message{Tab: d.tab, Method: "Page.javascriptDialogOpening", Params: tab.Dialog})
		}
	})
}

// releaseLocked calls those who waited until a tab was attached.
func (t *transport) releaseLocked(d *debuggee, failed *failure) {
	held := d.held
	d.held = nil
	for _, done := range held {
		done(failed)
	}
}

// letGoLocked detaches a tab.
func (t *transport) letGoLocked(d *debuggee) {
	d.state = apart
	t.peer.tabs[d.tab].Attached = false
	t.peer.dropChildrenLocked(d.tab)
	t.peer.doLocked("detach", map[string]any{"tab": d.tab}, func(json.RawMessage, *failure) {})
}

// tabLocked takes it that a tab is new or has changed.
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
	if d.state == apart && tab.Attached { // by the extension
		d.state = attached
	}
}

// goneLocked takes it that a tab is closed, or shared no more.
func (t *transport) goneLocked(tab *Tab) {
	if d := t.ofTabLocked(tab.ID); d != nil {
		t.dropLocked(d)
	}
	t.emitLocked("", "Target.targetDestroyed", encode(map[string]any{"targetId": tab.target()}))
}

// detachedLocked takes it that the debugger of a tab was detached. If it was announced, it is
// announced anew: the next command for it attaches it. Sessions of others must be attached again.
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

// dropLocked forgets a debuggee that has gone, with all below it, and says so to its sessions. The
// sessions below have gone with their parents, as in Chromium.
func (t *transport) dropLocked(d *debuggee) {
	for _, s := range d.sessions {
		t.sayDetachedLocked(s)
	}
	t.forgetLocked(d)
	t.releaseLocked(d, errUnshared)
}

// forgetLocked is dropLocked that says nothing.
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

// resumedLocked says to the first session of each attached tab that events may be missing.
func (t *transport) resumedLocked() {
	for _, d := range t.debuggees {
		if d.isTab() && d.state == attached && len(d.sessions) > 0 {
			t.emitLocked(d.sessions[0].id, cdp.EventsMissed.Method, nil)
		}
	}
}

// target is the id of the tab's target. Chromium names none for some tabs that were discarded.
func (tab *Tab) target() string {
	if tab.Target == "" {
		return "tab-" + strconv.Itoa(tab.ID)
	}
	return tab.Target
}
