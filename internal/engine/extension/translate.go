package extension

import (
	"encoding/json"
	"time"
)

// Chromium does not let extensions send Runtime.terminateExecution. But they can pause a script,
// and Debugger.resume can terminate a paused script.

// endingTime is how long to wait until a script pauses. If no script runs, Chromium reports no
// pause, and the termination ends after this time.
const endingTime = 500 * time.Millisecond

// An ending is a termination of scripts that is under way.
type ending struct {
	asked   []request // the Runtime.terminateExecution commands that wait for a reply
	timer   *time.Timer
	enabled bool // Chromium has replied that the Debugger domain is enabled, so the page was not busy
}

// terminateLocked handles Runtime.terminateExecution for a session of chrome.debugger.
func (t *transport) terminateLocked(at place, r request) {
	if e := t.ending[at]; e != nil {
		e.asked = append(e.asked, r)
		return
	}
	e := &ending{asked: []request{r}}
	t.ending[at] = e
	t.peer.cdpLocked(at.tab, at.session, "Debugger.enable", nil, func(json.RawMessage, *failure) { e.enabled = true })
	t.peer.cdpLocked(at.tab, at.session, "Debugger.pause", nil, ignore)
	e.timer = time.AfterFunc(endingTime, func() {
		t.peer.mu.Lock()
		defer t.peer.mu.Unlock()
		t.endedLocked(at, e)
	})
}

// pausedLocked reports whether an event is only caused by terminateLocked, so that no session gets
// it. If the event says that the script has paused, pausedLocked terminates the script.
func (t *transport) pausedLocked(at place, method string) bool {
	e := t.ending[at]
	if e == nil {
		return false
	}
	switch method {
	case "Debugger.paused":
		e.enabled = true
		t.peer.cdpLocked(at.tab, at.session, "Debugger.resume", json.RawMessage(`{"terminateOnResume":true}`), func(json.RawMessage, *failure) {
			t.endedLocked(at, e)
		})
		return true
	case "Debugger.resumed", "Debugger.scriptParsed", "Debugger.scriptFailedToParse":
		return true
	}
	return false
}

// endedLocked ends the termination, and answers its commands. It disables the Debugger domain; this
// also withdraws the request to pause.
//
// While a script keeps a page busy, Chromium does not enable the Debugger domain. Then the script
// cannot be terminated, and the commands fail.
func (t *transport) endedLocked(at place, e *ending) {
	if t.ending[at] != e || t.peer.transport != t {
		return
	}
	e.timer.Stop()
	delete(t.ending, at)
	if d := t.debuggees[at]; d != nil && d.hasEnabled("Debugger") { // a session of another program uses the Debugger domain
		for _, r := range e.asked {
			t.resultLocked(r, empty)
		}
		return
	}
	if !e.enabled {
		for _, r := range e.asked {
			t.failLocked(r, -32000, "Runtime.terminateExecution is not possible while a script keeps the page busy: no extension can end it")
		}
		t.peer.cdpLocked(at.tab, at.session, "Debugger.disable", nil, ignore)
		return
	}
	t.peer.cdpLocked(at.tab, at.session, "Debugger.disable", nil, func(_ json.RawMessage, failed *failure) {
		for _, r := range e.asked {
			if failed != nil {
				t.failLocked(r, failed.Code, failed.Message)
			} else {
				t.resultLocked(r, empty)
			}
		}
	})
}

// ignore is the function for commands whose reply is not needed.
func ignore(json.RawMessage, *failure) {}
