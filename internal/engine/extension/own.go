package extension

import (
	"encoding/json"
	"slices"
)

// Scripts for new documents, bindings and objects belong to the session that made them, and are
// removed when it ends. Chromium itself would keep them: to it, all these sessions are the one
// session of chrome.debugger, which goes on.

func (t *transport) addScriptLocked(s *session, r request) {
	t.callLocked(s, r, func(result json.RawMessage) {
		var added struct{ Identifier string }
		json.Unmarshal(result, &added)
		if s.scripts[added.Identifier] = true; t.sessions[s.id] != s { // the session has ended meanwhile
			t.removeScriptsLocked(s)
		}
	})
}

func (t *transport) removeScriptLocked(s *session, r request) {
	params := paramsOf[struct {
		Identifier string `json:"identifier"`
	}](r.Params)
	if !s.scripts[params.Identifier] {
		t.failLocked(r, -32000, "Script not found")
		return
	}
	delete(s.scripts, params.Identifier)
	t.passLocked(s, r)
}

func (t *transport) removeScriptsLocked(s *session) {
	for id := range s.scripts {
		t.sendLocked(s.on, "Page.removeScriptToEvaluateOnNewDocument", encode(map[string]string{"identifier": id}))
	}
	clear(s.scripts)
}

func (t *transport) addBindingLocked(s *session, r request) {
	s.bindings[bindingOf(r.Params)] = true
	t.passLocked(s, r)
}

func (t *transport) removeBindingLocked(s *session, r request) {
	name := bindingOf(r.Params)
	if delete(s.bindings, name); s.on.hasBinding(name) {
		t.resultLocked(r, empty)
		return
	}
	t.passLocked(s, r)
}

func (t *transport) removeBindingsLocked(s *session) {
	for name := range s.bindings {
		if delete(s.bindings, name); !s.on.hasBinding(name) {
			t.sendLocked(s.on, "Runtime.removeBinding", encode(map[string]string{"name": name}))
		}
	}
}

func (d *debuggee) hasBinding(name string) bool {
	return slices.ContainsFunc(d.sessions, func(s *session) bool { return s.bindings[name] })
}

// bindingCalledLocked sends Runtime.bindingCalled to the sessions that have added the binding, even
// if they have not enabled the Runtime domain.
func (t *transport) bindingCalledLocked(d *debuggee, m message) bool {
	if len(d.sessions) == 1 {
		return true
	}
	name := bindingOf(m.Params)
	for _, s := range d.sessions {
		if s.bindings[name] {
			t.emitLocked(s.id, m.Method, m.Params)
		}
	}
	return false
}

func bindingOf(params json.RawMessage) string {
	return paramsOf[struct {
		Name string `json:"name"`
	}](params).Name
}

// ownObjectsLocked keeps the remote objects of the sessions apart: it puts the session's prefix
// before the name of the object group. The first session has no prefix. Otherwise one session could
// release the objects of another. Objects without a group also get one, so that they can be
// released when the session ends.
func (t *transport) ownObjectsLocked(s *session, r request) {
	if s.prefix == "" {
		t.passLocked(s, r)
		return
	}
	fields := map[string]json.RawMessage{}
	json.Unmarshal(r.Params, &fields)
	var group string
	json.Unmarshal(fields["objectGroup"], &group)
	if group == "" && fields["objectId"] != nil { // without a group, Chromium uses the group of the given object
		t.passLocked(s, r)
		return
	}
	group = s.prefix + group
	fields["objectGroup"] = encode(group)
	r.Params = encode(fields)
	if s.groups[group] = true; r.Method == "Runtime.releaseObjectGroup" {
		delete(s.groups, group)
	}
	t.passLocked(s, r)
}

func (t *transport) releaseObjectsLocked(s *session) {
	for group := range s.groups {
		t.sendLocked(s.on, "Runtime.releaseObjectGroup", encode(map[string]string{"objectGroup": group}))
	}
}
