package extension

import (
	"cmp"
	"encoding/json"
	"slices"
)

// autoAttach is what a session has said by Target.setAutoAttach: it wants sessions with the frames of
// other sites and the workers below its debuggee.
type autoAttach struct {
	AutoAttach             bool
	WaitForDebuggerOnStart bool
	Flatten                bool
	Filter                 []struct {
		Type    string
		Exclude bool
	}
}

// wants reports whether a session is to be attached to a target of a type. The first entry of the
// filter that fits decides.
func (a *autoAttach) wants(kind string) bool {
	if a == nil || !a.AutoAttach {
		return false
	}
	for _, entry := range a.Filter {
		if entry.Type == "" || entry.Type == kind {
			return !entry.Exclude
		}
	}
	return a.Filter == nil
}

// autoAttachBelowLocked attaches a session to what is below its debuggee, now and later. Chromium would
// not announce again what is there already.
func (t *transport) autoAttachBelowLocked(s *session, r request) {
	asked := &autoAttach{}
	json.Unmarshal(r.Params, asked)
	if asked.AutoAttach && !asked.Flatten {
		t.failLocked(r, -32602, onlyFlat)
		return
	}
	s.auto = asked
	if asked.AutoAttach {
		for _, k := range t.knownBelowLocked(s.on) {
			t.attachChildLocked(s, t.childOfLocked(s.on, k), k, false)
		}
	}
	if params, merged := s.on.autoAttachOfAll(); merged {
		if !asked.AutoAttach {
			t.detachChildrenLocked(s)
		}
		r.Params = params
	}
	t.passLocked(s, r)
}

// autoAttachOfAll is what follows from what several sessions have asked for. It is false if at most
// one has. The filters apply here, since Chromium has one for all.
func (d *debuggee) autoAttachOfAll() (json.RawMessage, bool) {
	all, count := autoAttach{}, 0
	for _, s := range d.sessions {
		if s.auto != nil && s.auto.AutoAttach {
			count++
			all.AutoAttach = true
			all.WaitForDebuggerOnStart = all.WaitForDebuggerOnStart || s.auto.WaitForDebuggerOnStart
		}
	}
	return encode(map[string]bool{"autoAttach": all.AutoAttach, "waitForDebuggerOnStart": all.WaitForDebuggerOnStart, "flatten": true}), len(d.sessions) > 1 && count > 0
}

// stopAutoAttachLocked takes back what a session that has ended had asked for.
func (t *transport) stopAutoAttachLocked(s *session) {
	if s.auto == nil || !s.auto.AutoAttach {
		return
	}
	params, _ := s.on.autoAttachOfAll()
	t.sendLocked(s.on, "Target.setAutoAttach", params)
}

// knownBelowLocked lists the children of a debuggee that Chromium has announced.
func (t *transport) knownBelowLocked(d *debuggee) (list []child) {
	for _, k := range t.peer.children {
		if k.Tab == d.tab && k.Parent == d.session {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b child) int { return cmp.Compare(a.Session, b.Session) })
	return list
}

// childOfLocked returns the debuggee of a child.
func (t *transport) childOfLocked(parent *debuggee, k child) *debuggee {
	at := place{k.Tab, k.Session}
	if t.debuggees[at] == nil {
		t.debuggees[at] = newDebuggee(at, parent)
	}
	return t.debuggees[at]
}

// childAttachedLocked takes a frame or worker to which Chromium has attached us. It is attached to the
// sessions of its parent that want it.
func (t *transport) childAttachedLocked(d *debuggee, m message) bool {
	var ev struct {
		SessionID          string
		WaitingForDebugger bool
	}
	if json.Unmarshal(m.Params, &ev) != nil {
		return false
	}
	if k, ok := t.peer.children[ev.SessionID]; ok {
		t.childCameLocked(d, k, ev.WaitingForDebugger)
	}
	return false
}

func (t *transport) childCameLocked(d *debuggee, k child, waiting bool) {
	c := t.childOfLocked(d, k)
	for _, s := range slices.Clone(d.sessions) {
		t.attachChildLocked(s, c, k, waiting)
	}
	if waiting && len(c.starting) == 0 {
		t.sendLocked(c, "Runtime.runIfWaitingForDebugger", nil)
	}
}

// attachChildLocked attaches a session of the parent to a child, if it wants that.
func (t *transport) attachChildLocked(s *session, c *debuggee, k child, waiting bool) {
	var info struct{ Type string }
	json.Unmarshal(k.Info, &info)
	unasked := s.auto == nil && len(s.on.sessions) == 1 // it was attached by another command
	if !unasked && !s.auto.wants(info.Type) || slices.ContainsFunc(c.sessions, func(o *session) bool { return o.parent == s }) {
		return
	}
	below := t.openLocked(c, s)
	if waiting = waiting && (s.auto == nil || s.auto.WaitForDebuggerOnStart); waiting {
		c.starting[below] = true
	}
	t.sayAttachedLocked(below, k.Info, waiting)
}

// childDetachedLocked takes a child that has gone.
func (t *transport) childDetachedLocked(d *debuggee, m message) bool {
	var ev struct{ SessionID string }
	json.Unmarshal(m.Params, &ev)
	if c := t.debuggees[place{d.tab, ev.SessionID}]; c != nil {
		t.dropLocked(c)
	}
	return false
}

// childLocked takes a child that has come or gone while events were missing.
func (t *transport) childLocked(k child, came bool) {
	if c := t.debuggees[place{k.Tab, k.Session}]; !came && c != nil {
		t.dropLocked(c)
	} else if d := t.debuggees[place{k.Tab, k.Parent}]; came && d != nil {
		t.childCameLocked(d, k, false)
	}
}

// runLocked lets a child run for a session. It runs when all sessions that it waits for have said so.
func (t *transport) runLocked(s *session, r request) {
	delete(s.on.starting, s)
	if len(s.on.starting) > 0 {
		t.resultLocked(r, empty)
		return
	}
	t.passLocked(s, r)
}

// letRunLocked has a child wait no longer for a session that has ended.
func (t *transport) letRunLocked(s *session) {
	if !s.on.starting[s] {
		return
	}
	if delete(s.on.starting, s); len(s.on.starting) == 0 {
		t.sendLocked(s.on, "Runtime.runIfWaitingForDebugger", nil)
	}
}

// childrenLocked are the sessions that a session has attached.
func (t *transport) childrenLocked(s *session) (list []*session) {
	for _, below := range t.sessions {
		if below.parent == s {
			list = append(list, below)
		}
	}
	return list
}

// detachChildrenLocked ends the sessions that a session has attached automatically.
func (t *transport) detachChildrenLocked(s *session) {
	for _, below := range t.childrenLocked(s) {
		t.closeLocked(below)
	}
}

// detachChildLocked ends a session that the asking one has attached automatically. Chromium detaches
// the child with its last session, and says so.
func (t *transport) detachChildLocked(s *session, r request) {
	var params struct{ SessionID string }
	json.Unmarshal(r.Params, &params)
	below := t.sessions[params.SessionID]
	switch {
	case below == nil || below.parent != s:
		t.failLocked(r, -32602, "No session with given id")
	case len(below.on.sessions) == 1:
		r.Params = encode(map[string]string{"sessionId": below.on.session})
		t.passLocked(s, r)
	default:
		t.closeLocked(below)
		t.resultLocked(r, empty)
	}
}
