package extension

import (
	"strings"
	"testing"
)

func TestScriptsEndWithTheirSession(t *testing.T) {
	w, conn, one, other := two(t)
	for i, s := range []string{"1", "2", "3"} {
		from := other
		if i == 0 {
			from = one
		}
		reply := ask(from, "Page.addScriptToEvaluateOnNewDocument", fields{"source": "x"})
		w.reply(w.command("Page.addScriptToEvaluateOnNewDocument", 1), fields{"identifier": s})
		answered(t, reply)
	}
	w.passes(other, "Page.removeScriptToEvaluateOnNewDocument", fields{"identifier": "2"}, `{"identifier":"2"}`)
	detach(t, conn, other)
	w.gets("Page.removeScriptToEvaluateOnNewDocument", `{"identifier":"3"}`)
}

// A binding is called for each session that has added it.
func TestBindingsOfSessions(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Runtime.addBinding", fields{"name": "a"}, `{"name":"a"}`)
	w.passes(other, "Runtime.addBinding", fields{"name": "a"}, `{"name":"a"}`)
	w.passes(other, "Runtime.addBinding", fields{"name": "b"}, `{"name":"b"}`)
	w.event(1, "", "Runtime.bindingCalled", fields{"name": "b"})
	w.event(1, "", "Runtime.bindingCalled", fields{"name": "a"})
	next(t, other, "Runtime.bindingCalled")
	next(t, other, "Runtime.bindingCalled")
	next(t, one, "Runtime.bindingCalled")
	answered(t, ask(one, "Runtime.removeBinding", fields{"name": "a"}))
	w.passes(one, "Runtime.addBinding", fields{"name": "a"}, `{"name":"a"}`)
	detach(t, conn, other)
	w.gets("Runtime.removeBinding", `{"name":"b"}`)
}

// Each session releases only its own groups of objects. Those of a session that ends are released.
func TestObjectsOfSessions(t *testing.T) {
	w, conn, one, other := two(t)
	evaluate := fields{"expression": "x", "objectGroup": "g"}
	w.passes(one, "Runtime.evaluate", evaluate, `{"expression":"x","objectGroup":"g"}`)
	w.passes(other, "Runtime.evaluate", evaluate, `{"expression":"x","objectGroup":"1:g"}`)
	w.passes(other, "Runtime.evaluate", fields{"expression": "x"}, `{"expression":"x","objectGroup":"1:"}`)
	w.passes(other, "Runtime.callFunctionOn", fields{"objectId": "7"}, `{"objectId":"7"}`)
	w.passes(other, "Runtime.releaseObjectGroup", fields{"objectGroup": "g"}, `{"objectGroup":"1:g"}`)
	detach(t, conn, other)
	w.gets("Runtime.releaseObjectGroup", `{"objectGroup":"1:"}`)
}

// A session cannot remove the scripts of another one.
func TestScriptOfAnotherSession(t *testing.T) {
	w, _, one, other := two(t)
	reply := ask(one, "Page.addScriptToEvaluateOnNewDocument", fields{"source": "x"})
	w.reply(w.command("Page.addScriptToEvaluateOnNewDocument", 1), fields{"identifier": "1"})
	answered(t, reply)
	if _, err := ask(other, "Page.removeScriptToEvaluateOnNewDocument", fields{"identifier": "1"}).Wait(soon(t)); err == nil || !strings.Contains(err.Error(), "Script not found") {
		t.Errorf("got %v", err)
	}
	w.passes(one, "Page.removeScriptToEvaluateOnNewDocument", fields{"identifier": "1"}, `{"identifier":"1"}`)
}
