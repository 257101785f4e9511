package extension

import (
	"slices"
	"strconv"
)

// A session is with a debuggee, or with the whole browser. A user of the transport can have several
// sessions with a debuggee. As in Chromium, each session has events, settings, scripts, bindings
// and objects of its own. All of these end with the session, and so do the sessions below it.
type session struct {
	id     string
	on     *debuggee // the debuggee of the session; nil: the session is with the whole browser
	parent *session  // the session below which it was attached; nil: none

	enabled  map[string]bool // domains that the session has enabled
	auto     *autoAttach     // parameters of its last Target.setAutoAttach; nil: none
	fetch    *interest       // parameters of its last Fetch.enable; nil: none, or Fetch was disabled
	bindings map[string]bool // names of the bindings that the session has added
	scripts  map[string]bool // identifiers of scripts for new documents
	prefix   string          // comes before the names of the session's object groups; "": the first session of the debuggee
	groups   map[string]bool // names of the session's object groups, with the prefix, as Chromium knows them
}

// openLocked adds a session to a debuggee. The session gets the id of nameLocked if no other
// session has that id and the parent is no session of another program. Only chela's own sessions
// get such ids, and they come first in the debuggee's list.
func (t *transport) openLocked(d *debuggee, parent *session) *session {
	s := &session{
		id: t.nameLocked(d), on: d, parent: parent,
		enabled: map[string]bool{}, bindings: map[string]bool{}, scripts: map[string]bool{}, groups: map[string]bool{},
	}
	if t.sessions[s.id] != nil || parent != nil && parent.prefix != "" {
		t.numberLocked(s)
		d.sessions = append(d.sessions, s)
	} else {
		d.sessions = slices.Insert(d.sessions, 0, s)
	}
	t.sessions[s.id] = s
	return s
}

func (t *transport) numberLocked(s *session) {
	t.numbered++
	number := strconv.Itoa(t.numbered)
	s.id += "." + number
	s.prefix = number + ":"
}

// announceLocked opens a session with a tab, and sends Target.attachedToTarget to its parent.
func (t *transport) announceLocked(d *debuggee, parent *session) *session {
	s := t.openLocked(d, parent)
	t.sayAttachedLocked(s, t.infoLocked(t.peer.tabs[d.tab]), false)
	return s
}

// sayAttachedLocked sends Target.attachedToTarget for a session, to its parent.
func (t *transport) sayAttachedLocked(s *session, info any, waiting bool) {
	t.emitLocked(s.parent.name(), "Target.attachedToTarget", encode(map[string]any{"sessionId": s.id, "targetInfo": info, "waitingForDebugger": waiting}))
}

// sayDetachedLocked sends Target.detachedFromTarget for a session, to its parent.
func (t *transport) sayDetachedLocked(s *session) {
	t.emitLocked(s.parent.name(), "Target.detachedFromTarget", encode(map[string]any{"sessionId": s.id}))
}

// name returns the id of a session; it is "" for nil.
func (s *session) name() string {
	if s == nil {
		return ""
	}
	return s.id
}

// closeLocked ends a session, takes back its settings, and sends Target.detachedFromTarget. The
// debuggee is not removed.
func (t *transport) closeLocked(s *session) {
	t.sayDetachedLocked(s)
	t.endLocked(s)
}

func (t *transport) endLocked(s *session) {
	delete(t.sessions, s.id)
	d := s.on
	if d == nil {
		for _, below := range t.childrenLocked(s) {
			t.endLocked(below)
		}
		return
	}
	d.sessions = without(d.sessions, s)
	if d.isTab() && len(d.sessions) == 0 { // detaching the debugger from the tab removes all settings
		t.forgetBelowLocked(d)
		if d.state == attached {
			t.letGoLocked(d)
		}
		return
	}
	for _, below := range t.childrenLocked(s) {
		t.endLocked(below)
	}
	if d.isTab() && (d.state != attached || d.stale) { // the debugger was not attached, so nothing was set
		return
	}
	t.letRunLocked(s)
	t.stopInterceptingLocked(s)
	t.stopAutoAttachLocked(s)
	t.unsetLocked(s, "")
	t.removeScriptsLocked(s)
	t.removeBindingsLocked(s)
	t.releaseObjectsLocked(s)
	t.leaveDomainsLocked(s)
}

// attachToBrowserLocked handles Target.attachToBrowserTarget: it opens a session with the whole
// browser.
func (t *transport) attachToBrowserLocked(r request) {
	s := &session{id: t.peer.about.Run + ".browser", parent: t.sessions[r.Session]}
	t.numberLocked(s)
	t.sessions[s.id] = s
	info := map[string]any{"targetId": "browser", "type": "browser", "title": "", "url": "", "attached": true, "canAccessOpener": false}
	t.sayAttachedLocked(s, info, false)
	t.resultLocked(r, encode(map[string]string{"sessionId": s.id}))
}

// attachToLocked handles Target.attachToTarget. Unlike announceLocked, it first attaches the
// debugger to the tab, so that the caller gets an error if that is not possible.
func (t *transport) attachToLocked(r request) {
	params := paramsOf[struct {
		Flatten bool `json:"flatten"`
	}](r.Params)
	if !params.Flatten {
		t.failLocked(r, -32602, onlyFlat)
		return
	}
	tab := t.namedLocked(r)
	if tab == nil {
		return
	}
	d := t.ofTabLocked(tab.ID)
	t.whenAttachedLocked(d, func(failed *failure) {
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		parent := t.sessions[r.Session]
		if parent.name() != r.Session {
			return // the asking session has ended meanwhile
		}
		t.resultLocked(r, encode(map[string]string{"sessionId": t.announceLocked(d, parent).id}))
	})
}

const onlyFlat = "Only flat sessions are supported with the extension: flatten must be true"

// detachFromLocked handles Target.detachFromTarget for a session with a tab. If it is the tab's
// last session, the debugger is detached.
func (t *transport) detachFromLocked(r request) {
	params := paramsOf[struct {
		SessionID string `json:"sessionId"`
	}](r.Params)
	s := t.sessions[params.SessionID]
	if s == nil || s.parent.name() != r.Session {
		t.failLocked(r, -32602, "No session with given id")
		return
	}
	t.closeLocked(s)
	t.resultLocked(r, empty)
}

func without(list []*session, s *session) []*session {
	return slices.DeleteFunc(slices.Clone(list), func(other *session) bool { return other == s })
}
