package extension

import "testing"

// Events go to the sessions that have enabled their domain. When the last of these sessions ends,
// the domain is disabled.
func TestDomainsOfSessions(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Page.enable", nil, "")
	w.passes(other, "Log.enable", nil, "")
	w.passes(other, "Page.enable", nil, "")
	w.event(1, "", "Log.entryAdded", fields{})
	w.event(1, "", "Network.dataReceived", fields{})
	w.event(1, "", "Page.loadEventFired", fields{})
	w.event(1, "", "Inspector.targetCrashed", fields{}) // this event needs no enable
	for _, method := range []string{"Page.loadEventFired", "Inspector.targetCrashed"} {
		next(t, one, method)
	}
	for _, method := range []string{"Log.entryAdded", "Page.loadEventFired", "Inspector.targetCrashed"} {
		next(t, other, method)
	}
	answered(t, ask(one, "Page.disable", nil))
	w.event(1, "", "Page.loadEventFired", fields{})
	next(t, other, "Page.loadEventFired")
	w.passes(one, "Log.enable", nil, "")
	detach(t, conn, other)
	w.gets("Page.disable", "")
	w.event(1, "", "Log.entryAdded", fields{})
	next(t, one, "Log.entryAdded")
	w.passes(one, "Log.disable", nil, "")
}

// If a tab has only one session, the session gets every event, since Chromium has filtered them.
func TestOnlySessionGetsAll(t *testing.T) {
	w, conn, one, other := two(t)
	detach(t, conn, other)
	w.event(1, "", "Network.dataReceived", fields{})
	next(t, one, "Network.dataReceived")
}
