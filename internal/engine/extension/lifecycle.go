package extension

import (
	"encoding/json"
	"slices"
)

// A document has the lifecycle events that Chromium has reported for the document of a frame.
type document struct {
	loader string // loader id of the document
	events []lifecycleEvent
}

type lifecycleEvent struct {
	name      string
	announced message // the event Page.lifecycleEvent
}

// replayed lists the lifecycle events that Chromium repeats for a document when a session enables
// lifecycle events.
var replayed = []string{"commit", "DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"}

func (t *transport) lifecycleLocked(d *debuggee, m message) bool {
	var ev struct{ FrameID, LoaderID, Name string }
	if json.Unmarshal(m.Params, &ev) != nil {
		return true
	}
	doc := d.documents[ev.FrameID]
	if doc == nil || doc.loader != ev.LoaderID {
		doc = &document{loader: ev.LoaderID}
		d.documents[ev.FrameID] = doc
	}
	doc.events = slices.DeleteFunc(doc.events, func(e lifecycleEvent) bool { return e.name == ev.Name })
	if slices.Contains(replayed, ev.Name) {
		doc.events = append(doc.events, lifecycleEvent{ev.Name, m})
	}
	return true
}

func (t *transport) frameDetachedLocked(d *debuggee, m message) bool {
	var ev struct{ FrameID string }
	json.Unmarshal(m.Params, &ev)
	delete(d.documents, ev.FrameID)
	return true
}

// setLifecycleLocked switches the lifecycle events of a session on or off. When Chromium gets the
// command, it repeats the events of the present documents, and all sessions would get them again.
// So the command is sent only if no other session has the events switched on. Otherwise the session
// gets the remembered events.
func (t *transport) setLifecycleLocked(s *session, r request) {
	others := slices.ContainsFunc(s.on.sessions, func(o *session) bool { return o != s && s.on.hasAsked(o, lifecycleSetting) })
	if !others {
		t.passLocked(s, r)
		return
	}
	if s.on.hasAsked(s, lifecycleSetting) {
		for _, doc := range s.on.documents {
			for _, e := range doc.events {
				t.emitLocked(s.id, e.announced.Method, e.announced.Params)
			}
		}
	}
	t.resultLocked(r, empty)
}
