package extension

import (
	"encoding/json"
	"strings"
	"testing"

	"chela/internal/engine/cdp"
)

const flatten = `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":true}`

var wait = fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}

func (w *worker) child(parent, id, kind string) {
	w.event(1, parent, "Target.attachedToTarget", fields{
		"sessionId": id, "waitingForDebugger": true,
		"targetInfo": fields{"targetId": "F" + id, "type": kind, "url": "", "title": "", "attached": true, "canAccessOpener": false},
	})
}

// attachedBelow returns the session of the next child that is announced to a session.
func attachedBelow(t *testing.T, conn *cdp.Conn, parent *cdp.Session) (s *cdp.Session, waiting bool) {
	t.Helper()
	var ev struct {
		SessionID          string
		WaitingForDebugger bool
	}
	json.Unmarshal(next(t, parent, "Target.attachedToTarget"), &ev)
	if s = conn.Session(ev.SessionID); s == nil || s.Parent != parent {
		t.Fatalf("session %s is not below %s", ev.SessionID, parent.ID)
	}
	return s, ev.WaitingForDebugger
}

// Each session has sessions of its own with the frames and workers of its tab. A new child runs
// when no session holds it any more.
func TestChildrenOfSessions(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Target.setAutoAttach", wait, flatten)
	w.passes(other, "Target.setAutoAttach", wait, flatten)
	w.child("", "C1", "iframe")
	first, waiting := attachedBelow(t, conn, one)
	second, too := attachedBelow(t, conn, other)
	if first.ID != "C1" || !waiting || !too {
		t.Errorf("first session %s, waiting %v and %v", first.ID, waiting, too)
	}
	answered(t, ask(second, "Runtime.runIfWaitingForDebugger", nil))
	reply := ask(first, "Runtime.runIfWaitingForDebugger", nil)
	if f := w.gets("Runtime.runIfWaitingForDebugger", ""); f.Session != "C1" {
		t.Errorf("session %s runs", f.Session)
	}
	answered(t, reply)

	w.passes(second, "Page.enable", nil, "")
	w.event(1, "C1", "Page.loadEventFired", fields{})
	if ev, err := other.Events().Next(soon(t)); err != nil || ev.Session != second {
		t.Errorf("event %v, %v", ev, err)
	}
	w.passes(second, "Target.setAutoAttach", wait, flatten)
	w.child("C1", "C2", "worker")
	attachedBelow(t, conn, second)
	w.event(1, "", "Target.detachedFromTarget", fields{"sessionId": "C1"})
	next(t, one, "Target.detachedFromTarget")
	next(t, other, "Target.detachedFromTarget")
	w.passes(one, "Page.enable", nil, "") // this reply is read after the event has been handled
	if conn.Session(second.ID) != nil {
		t.Error("the session stays")
	}
}

// A session that sends Target.setAutoAttach when children exist is attached to them, and does not
// pause them.
func TestLateSessionGetsChildren(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Target.setAutoAttach", wait, flatten)
	w.child("", "C1", "iframe")
	w.child("", "C2", "worker")
	first, _ := attachedBelow(t, conn, one)
	attachedBelow(t, conn, one)
	onlyFrames := fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": []fields{{"type": "worker", "exclude": true}, {}}}
	w.passes(other, "Target.setAutoAttach", onlyFrames, flatten)
	late, waiting := attachedBelow(t, conn, other)
	if waiting || !strings.HasPrefix(late.ID, "C1.") {
		t.Errorf("session %s, waiting %v", late.ID, waiting)
	}
	answered(t, ask(late, "Runtime.runIfWaitingForDebugger", nil))
	w.passes(first, "Runtime.runIfWaitingForDebugger", nil, "")

	answered(t, ask(other, "Target.detachFromTarget", fields{"sessionId": late.ID}))
	next(t, other, "Target.detachedFromTarget")
	w.passes(first, "Page.enable", nil, "")
	reply := ask(one, "Target.detachFromTarget", fields{"sessionId": first.ID})
	w.gets("Target.detachFromTarget", `{"sessionId":"C1"}`)
	answered(t, reply)
}

// When a session ends, it no longer holds children back, and its sessions with children end.
func TestChildrenEndWithTheirSession(t *testing.T) {
	w, conn, one, other := two(t)
	w.passes(one, "Target.setAutoAttach", wait, flatten)
	w.passes(other, "Target.setAutoAttach", wait, flatten)
	w.child("", "C1", "iframe")
	first, _ := attachedBelow(t, conn, one)
	second, _ := attachedBelow(t, conn, other)
	w.passes(second, "Page.enable", nil, "")
	answered(t, ask(first, "Runtime.runIfWaitingForDebugger", nil))
	detach(t, conn, other)
	if f := w.gets("Runtime.runIfWaitingForDebugger", ""); f.Session != "C1" {
		t.Errorf("session %s runs", f.Session)
	}
	w.gets("Page.disable", "")
	w.gets("Target.setAutoAttach", flatten)
	w.passes(first, "Page.enable", nil, "")
}

// A child runs at once if no session wants it to be paused.
func TestUnwantedChildRuns(t *testing.T) {
	w, _, one, _ := two(t)
	w.passes(one, "Target.setAutoAttach", fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": []fields{{"type": "iframe"}}}, flatten)
	w.child("", "C1", "worker")
	w.gets("Runtime.runIfWaitingForDebugger", "")
}

// Chromium reports the end of a frame, and not that of the frames in it.
func TestFramesInAFrameThatHasGoneAreForgotten(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	attachedTab(t, conn)
	w.child("", "C1", "iframe")
	w.child("C1", "C2", "iframe")
	w.child("C2", "C3", "iframe")
	w.child("", "C4", "iframe")
	w.event(1, "", "Target.detachedFromTarget", fields{"sessionId": "C1"})
	w.change(fields{"tab": tab(2, "http://b/")})
	attachedTab(t, conn)
	p := r.peers[key.ID]
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, there := p.children["C4"]; len(p.children) != 1 || !there {
		t.Errorf("known are %v", p.children)
	}
}
