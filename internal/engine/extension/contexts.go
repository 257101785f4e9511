package extension

import (
	"encoding/json"
	"slices"
)

// An executionContext is one that Chromium has announced, and that is still there.
type executionContext struct {
	id        int64
	announced message // Runtime.executionContextCreated
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

// replayContextsLocked announces the contexts to a session that has enabled Runtime.
func (t *transport) replayContextsLocked(s *session) {
	for _, c := range s.on.contexts {
		t.emitLocked(s.id, c.announced.Method, c.announced.Params)
	}
}
