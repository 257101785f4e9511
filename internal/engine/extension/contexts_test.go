package extension

import (
	"strings"
	"testing"
)

// A session that enables Runtime later gets an event for each context that exists, once.
func TestContextsAreAnnouncedAgain(t *testing.T) {
	w, _, one, other := two(t)
	created := func(id int) { w.event(1, "", "Runtime.executionContextCreated", fields{"context": fields{"id": id}}) }
	w.passes(one, "Runtime.enable", nil, "")
	for id := range 4 {
		created(id)
		next(t, one, "Runtime.executionContextCreated")
	}
	w.event(1, "", "Runtime.executionContextsCleared", fields{})
	next(t, one, "Runtime.executionContextsCleared")
	created(4)
	created(5)
	created(6)
	w.event(1, "", "Runtime.executionContextDestroyed", fields{"executionContextId": 5})
	for range 4 {
		one.Events().Next(soon(t))
	}
	w.passes(other, "Runtime.enable", nil, "")
	w.passes(other, "Runtime.enable", nil, "")
	created(7)
	next(t, one, "Runtime.executionContextCreated")
	for _, id := range []string{"4", "6", "7"} {
		if params := next(t, other, "Runtime.executionContextCreated"); !strings.Contains(string(params), `"id":`+id) {
			t.Errorf("announced %s, want %s", params, id)
		}
	}
	answered(t, ask(one, "Runtime.disable", nil))
	w.passes(one, "Runtime.enable", nil, "")
	for range 3 {
		next(t, one, "Runtime.executionContextCreated")
	}
}
