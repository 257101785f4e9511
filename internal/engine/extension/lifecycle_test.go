package extension

import (
	"strings"
	"testing"
)

// A session that enables lifecycle events later gets those of the present documents. Chromium does
// not get the command, because it would repeat the events for the first session as well.
func TestLifecycleIsAnnouncedAgain(t *testing.T) {
	w, conn, one, other := two(t)
	event := func(frame, loader, name string) {
		w.event(1, "", "Page.lifecycleEvent", fields{"frameId": frame, "loaderId": loader, "name": name})
		next(t, one, "Page.lifecycleEvent")
	}
	w.passes(one, "Page.enable", nil, "")
	w.passes(other, "Page.enable", nil, "")
	w.passes(one, lifecycleSetting, fields{"enabled": true}, `{"enabled":true}`)
	event("F", "old", "load")
	for _, name := range []string{"init", "commit", "DOMContentLoaded", "firstPaint"} {
		event("F", "new", name)
	}
	event("gone", "x", "load")
	w.event(1, "", "Page.frameDetached", fields{"frameId": "gone"})
	next(t, one, "Page.frameDetached")
	next(t, other, "Page.frameDetached")
	answered(t, ask(other, lifecycleSetting, fields{"enabled": true}))
	event("F", "new", "load")
	for _, name := range []string{"commit", "DOMContentLoaded", "load"} {
		if params := string(next(t, other, "Page.lifecycleEvent")); !strings.Contains(params, name) || !strings.Contains(params, "new") {
			t.Errorf("announced %s, want %s", params, name)
		}
	}
	detach(t, conn, other)
	w.passes(one, lifecycleSetting, fields{"enabled": false}, `{"enabled":false}`)
}

// Commands that act in a page are not sent again after the connection was lost.
func TestIsRepeatable(t *testing.T) {
	for method, want := range map[string]bool{
		"Network.enable": true, "DOM.getDocument": true, "Emulation.setUserAgentOverride": true, "Fetch.continueRequest": true,
		"Runtime.evaluate": false, "Input.insertText": false, "DOM.setFileInputFiles": false, "Page.setDocumentContent": false, "Debugger.setVariableValue": false,
	} {
		if got := isRepeatable(method); got != want {
			t.Errorf("%s: got %v", method, got)
		}
	}
}
