package extension

import (
	"encoding/json"
	"slices"
	"strconv"
)

// A session is one of those that users of the transport have with a debuggee. As in Chromium, each
// has its own events, settings, scripts, bindings and objects, which end with it.
type session struct {
	id     string
	on     *debuggee
	parent *session // it has attached this one automatically; nil: the browser's

	enabled  map[string]bool // domains
	auto     *autoAttach     // after Target.setAutoAttach
	fetch    *interest       // after Fetch.enable
	bindings map[string]bool
	scripts  map[string]bool // identifiers of scripts for new documents
	prefix   string          // of its groups of objects
	groups   map[string]bool // with the prefix
}

// openLocked adds a session to a debuggee. The first has the name of the debuggee as its id.
func (t *transport) openLocked(d *debuggee, parent *session) *session {
	s := &session{
		id: t.nameLocked(d), on: d, parent: parent,
		enabled: map[string]bool{}, bindings: map[string]bool{}, scripts: map[string]bool{}, groups: map[string]bool{},
	}
	if t.sessions[s.id] != nil {
		t.numbered++
		number := strconv.Itoa(t.numbered)
		s.id += "." + number
		s.prefix = number + ":"
	}
	d.sessions = append(d.sessions, s)
	t.sessions[s.id] = s
	return s
}

// announceLocked attaches a session to a tab, and says so.
func (t *transport) announceLocked(d *debuggee) *session {
	s := t.openLocked(d, nil)
	info := t.infoLocked(t.peer.tabs[d.tab])
	t.emitLocked("", "Target.attachedToTarget", encode(map[string]any{"sessionId": s.id, "targetInfo": info, "waitingForDebugger": false}))
	return s
}

// sayDetachedLocked says that a session has ended.
func (t *transport) sayDetachedLocked(s *session) {
	to := ""
	if s.parent != nil {
		to = s.parent.id
	}
	t.emitLocked(to, "Target.detachedFromTarget", encode(map[string]any{"sessionId": s.id}))
}

// closeLocked ends a session, and takes back what it has set. The debuggee itself goes on.
func (t *transport) closeLocked(s *session) {
	t.sayDetachedLocked(s)
	t.endLocked(s)
}

func (t *transport) endLocked(s *session) {
	d := s.on
	delete(t.sessions, s.id)
	d.sessions = without(d.sessions, s)
	if d.isTab() && len(d.sessions) == 0 { // all goes with the attachment
		t.forgetBelowLocked(d)
		return
	}
	for _, below := range t.childrenLocked(s) {
		t.endLocked(below)
	}
	if d.isTab() && (d.state != attached || d.stale) { // nothing was set
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

// attachToLocked attaches a tab for somebody who wants to use it. So it says at once if that is not
// possible.
func (t *transport) attachToLocked(r request) {
	var params struct{ Flatten bool }
	json.Unmarshal(r.Params, &params)
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
		t.resultLocked(r, encode(map[string]string{"sessionId": t.announceLocked(d).id}))
	})
}

const onlyFlat = "Only flat sessions are supported with the extension: flatten must be true"

// detachFromLocked ends a session of a tab. Chromium detaches the tab with its last one. If nothing
// was sent by it, Chromium has not attached the tab.
func (t *transport) detachFromLocked(r request) {
	var params struct{ SessionID string }
	json.Unmarshal(r.Params, &params)
	s := t.sessions[params.SessionID]
	if s == nil || s.parent != nil || !s.on.isTab() {
		t.failLocked(r, -32602, "No session with given id")
		return
	}
	t.closeLocked(s)
	if d := s.on; len(d.sessions) == 0 && d.state != apart && !d.stale {
		t.letGoLocked(d)
	}
	t.resultLocked(r, empty)
}

func without(list []*session, s *session) []*session {
	return slices.DeleteFunc(slices.Clone(list), func(other *session) bool { return other == s })
}
