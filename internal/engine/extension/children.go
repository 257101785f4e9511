package extension

import (
	"cmp"
	"encoding/json"
	"slices"
)

// autoAttach has the parameters of Target.setAutoAttach, by which a session asks to be attached to
// the cross-site frames and the workers below its debuggee.
type autoAttach struct {
	AutoAttach             bool `json:"autoAttach"`
	WaitForDebuggerOnStart bool `json:"waitForDebuggerOnStart"`
	Flatten                bool `json:"flatten"`
	Filter                 []struct {
		Type    string `json:"type"`
		Exclude bool   `json:"exclude"`
	} `json:"filter"`
}

// wants reports whether the session is attached to a target of this type. The first entry of the
// filter that has this type, or has no type, decides.
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

// autoAttachBelowLocked handles Target.setAutoAttach of a session. It attaches the session to the
// existing frames and workers below its debuggee, since Chromium would not announce these again.
// Later ones follow as Chromium attaches them.
func (t *transport) autoAttachBelowLocked(s *session, r request) {
	asked := new(paramsOf[autoAttach](r.Params))
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

// autoAttachOfAll returns parameters of Target.setAutoAttach that cover what all sessions of the
// debuggee have asked for. The second result is false if the debuggee has only one session, or if
// no session has asked. The parameters have no filter, since Chromium would apply one filter for
// all sessions. The transport applies the filter of each session itself.
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

// stopAutoAttachLocked is called when a session has ended. It sends Target.setAutoAttach with what
// the other sessions have asked for.
func (t *transport) stopAutoAttachLocked(s *session) {
	if s.auto == nil || !s.auto.AutoAttach {
		return
	}
	params, _ := s.on.autoAttachOfAll()
	t.sendLocked(s.on, "Target.setAutoAttach", params)
}

// knownBelowLocked lists the frames and workers below a debuggee that Chromium has announced.
func (t *transport) knownBelowLocked(d *debuggee) (list []child) {
	for _, k := range t.peer.children {
		if k.Tab == d.tab && k.Parent == d.session {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b child) int { return cmp.Compare(a.Session, b.Session) })
	return list
}

// childOfLocked returns the debuggee for the child k of the debuggee parent. If there is none, it
// adds one.
func (t *transport) childOfLocked(parent *debuggee, k child) *debuggee {
	at := place{k.Tab, k.Session}
	if t.debuggees[at] == nil {
		t.debuggees[at] = newDebuggee(at, parent)
	}
	return t.debuggees[at]
}

// childAttachedLocked handles Target.attachedToTarget: Chromium has attached chrome.debugger to a
// frame or worker. Each session with the parent that wants such a target gets a session with the
// frame or worker.
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

// attachChildLocked attaches s to a child (a frame or worker) if s wants that. The session s is
// with the child's parent, and the new session is below s. If waiting is true, the child is paused.
func (t *transport) attachChildLocked(s *session, c *debuggee, k child, waiting bool) {
	var info struct{ Type string }
	json.Unmarshal(k.Info, &info)
	unasked := s.auto == nil && len(s.on.sessions) == 1 // no session has sent Target.setAutoAttach: another command has attached the child
	if !unasked && !s.auto.wants(info.Type) || slices.ContainsFunc(c.sessions, func(o *session) bool { return o.parent == s }) {
		return
	}
	below := t.openLocked(c, s)
	if waiting = waiting && (s.auto == nil || s.auto.WaitForDebuggerOnStart); waiting {
		c.starting[below] = true
	}
	t.sayAttachedLocked(below, k.Info, waiting)
}

// childDetachedLocked handles Target.detachedFromTarget: a frame or worker has gone.
func (t *transport) childDetachedLocked(d *debuggee, m message) bool {
	var ev struct{ SessionID string }
	json.Unmarshal(m.Params, &ev)
	if c := t.debuggees[place{d.tab, ev.SessionID}]; c != nil {
		t.dropLocked(c)
	}
	return false
}

// childLocked handles a frame or worker that was attached or has gone while events were lost. The
// parameter came is true if it was attached.
func (t *transport) childLocked(k child, came bool) {
	if c := t.debuggees[place{k.Tab, k.Session}]; !came && c != nil {
		t.dropLocked(c)
	} else if d := t.debuggees[place{k.Tab, k.Parent}]; came && d != nil {
		t.childCameLocked(d, k, false)
	}
}

// runLocked handles Runtime.runIfWaitingForDebugger for a session with a paused child. The child
// runs when all sessions for which it was paused have sent the command.
func (t *transport) runLocked(s *session, r request) {
	delete(s.on.starting, s)
	if len(s.on.starting) > 0 {
		t.resultLocked(r, empty)
		return
	}
	t.passLocked(s, r)
}

// letRunLocked is called when a session has ended. If a paused child was waiting only for this
// session, it lets the child run.
func (t *transport) letRunLocked(s *session) {
	if !s.on.starting[s] {
		return
	}
	if delete(s.on.starting, s); len(s.on.starting) == 0 {
		t.sendLocked(s.on, "Runtime.runIfWaitingForDebugger", nil)
	}
}

// childrenLocked returns the sessions that were attached below a session.
func (t *transport) childrenLocked(s *session) (list []*session) {
	for _, below := range t.sessions {
		if below.parent == s {
			list = append(list, below)
		}
	}
	return list
}

// detachChildrenLocked ends the sessions that were attached below a session automatically.
func (t *transport) detachChildrenLocked(s *session) {
	for _, below := range t.childrenLocked(s) {
		t.closeLocked(below)
	}
}

// detachChildLocked handles Target.detachFromTarget of the session s, for a session below it. If
// that is the last session of the child, the command goes to Chromium, which detaches the child and
// reports it.
func (t *transport) detachChildLocked(s *session, r request) {
	params := paramsOf[struct {
		SessionID string `json:"sessionId"`
	}](r.Params)
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
