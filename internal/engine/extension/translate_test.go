package extension

import "testing"

// A script is terminated for the session that asks. The Debugger domain stays enabled for another
// session that uses it.
func TestTerminationLeavesADebugger(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Debugger.enable", nil, "")
	ended := ask(other, "Runtime.terminateExecution", nil)
	w.gets("Debugger.enable", "")
	w.gets("Debugger.pause", "")
	w.event(1, "", "Debugger.paused", fields{})
	w.gets("Debugger.resume", `{"terminateOnResume":true}`)
	answered(t, ended)
	w.event(1, "", "Debugger.scriptParsed", fields{})
	next(t, one, "Debugger.scriptParsed")
	detach(t, conn, one)
	w.gets("Debugger.disable", "")
}
