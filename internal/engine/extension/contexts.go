package extension

import (
	"encoding/json"
	"slices"
)

// An executionContext is a script context that Chromium has announced and that still exists.
type executionContext struct {
	id        int64
	announced message // the event that announced it
}

func (t *transport) contextCreatedLocked(d *debuggee, m message) bool {
	var ev struct{ Context struct{ ID int64 } }
	if json.Unmarshal(m.Params, &ev) == nil {
		d.contexts = append(d.contexts, executionContext{ev.Context.ID, m})
	}
	return true
}

func (t *transport) contextDestroyedLocked(d *debuggee, m message) bool {
	var ev struct{ ExecutionContextID int64 }
	if json.Unmarshal(m.Params, &ev) == nil {
		d.contexts = slices.DeleteFunc(d.contexts, func(c executionContext) bool { return c.id == ev.ExecutionContextID })
	}
	return true
}

func (t *transport) contextsClearedLocked(d *debuggee, m message) bool {
	d.contexts = nil
	return true
}

// replayContextsLocked sends Runtime.executionContextCreated for each script context to a session
// that has enabled the Runtime domain.
func (t *transport) replayContextsLocked(s *session) {
	for _, c := range s.on.contexts {
		t.emitLocked(s.id, c.announced.Method, c.announced.Params)
	}
}
