package extension

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// fields is an object of JSON.
type fields = map[string]any

// ask sends a command by its name.
func ask(s *cdp.Session, method string, params fields) *cdp.Reply[fields] {
	return cdp.Send(s, proto.Command[fields, fields]{Method: method}, params)
}

// answered returns the result of a command that the transport answers without the worker, or that
// the worker has answered.
func answered(t *testing.T, reply *cdp.Reply[fields]) fields {
	t.Helper()
	result, err := reply.Wait(soon(t))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// passes sends a command, answers it as the worker, which must get the parameters want, and
// returns.
func (w *worker) passes(s *cdp.Session, method string, params fields, want string) {
	w.t.Helper()
	reply := ask(s, method, params)
	w.gets(method, want)
	answered(w.t, reply)
}

// gets expects a command with these parameters, and answers it.
func (w *worker) gets(method, params string) frame {
	w.t.Helper()
	f := w.command(method, 1)
	if got := cmp.Or(string(f.Params), "{}"); !sameJSON(json.RawMessage(got), json.RawMessage(cmp.Or(params, "{}"))) {
		w.t.Errorf("%s: parameters %s, want %s", method, f.Params, params)
	}
	w.reply(f, nil)
	return f
}

// attachAgain returns one more session of tab 1.
func attachAgain(t *testing.T, conn *cdp.Conn) *cdp.Session {
	t.Helper()
	id := call(t, conn.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: "T1", Flatten: new(true)}).SessionID
	s := attachedTab(t, conn)
	if s.ID != string(id) {
		t.Fatalf("announced session %s, want %s", s.ID, id)
	}
	return s
}

// two returns two sessions with tab 1, to which the debugger is attached.
func two(t *testing.T) (w *worker, conn *cdp.Conn, one, other *cdp.Session) {
	t.Helper()
	r, key, url := newRelay(t)
	w = join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn = drive(t, r)
	one = attachedTab(t, conn)
	reply := ask(one, "Page.getFrameTree", nil)
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Page.getFrameTree", 1), nil)
	answered(t, reply)
	return w, conn, one, attachAgain(t, conn)
}

func detach(t *testing.T, conn *cdp.Conn, s *cdp.Session) {
	t.Helper()
	call(t, conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(s.ID)})
	if params := next(t, conn.Root(), "Target.detachedFromTarget"); !strings.Contains(string(params), s.ID) {
		t.Errorf("detached: %s", params)
	}
}

// A tab can have any number of sessions. When the last one ends, the debugger is detached.
func TestSessionsOfATab(t *testing.T) {
	w, conn, one, other := two(t)
	third := attachAgain(t, conn)
	if one.ID == other.ID || other.ID == third.ID {
		t.Fatalf("sessions %s, %s and %s", one.ID, other.ID, third.ID)
	}
	for _, s := range []*cdp.Session{one, other, third} {
		w.passes(s, "Page.getFrameTree", nil, "")
	}
	detach(t, conn, other)
	detach(t, conn, one)
	w.passes(third, "Page.getFrameTree", nil, "")
	again := attachAgain(t, conn)
	if again.ID != one.ID {
		t.Errorf("the first is free, and the next one is %s", again.ID)
	}
	detach(t, conn, again)
	detach(t, conn, third)
	w.command("detach", 1)
}

func TestOnlyFlatSessions(t *testing.T) {
	_, conn, one, _ := two(t)
	for _, reply := range []*cdp.Reply[fields]{
		ask(conn.Root(), "Target.attachToTarget", fields{"targetId": "T1"}),
		ask(one, "Target.setAutoAttach", fields{"autoAttach": true, "waitForDebuggerOnStart": false}),
	} {
		if _, err := reply.Wait(soon(t)); err == nil || !strings.Contains(err.Error(), "flat") {
			t.Errorf("got %v", err)
		}
	}
}

// Sessions that are opened while the tab is being attached wait for the same attachment.
func TestSessionsOfATabThatIsBeingAttached(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	one := attachedTab(t, conn)
	first := ask(one, "Page.getFrameTree", nil)
	second := ask(conn.Root(), "Target.attachToTarget", fields{"targetId": "T1", "flatten": true})
	w.reply(w.command("attach", 1), nil)
	w.gets("Page.getFrameTree", "")
	answered(t, first)
	if id := answered(t, second)["sessionId"]; id == one.ID || id != attachedTab(t, conn).ID {
		t.Errorf("session %v", id)
	}
}

// If all sessions end while the tab is being attached, the tab is detached afterwards.
func TestSessionEndsWhileTheTabIsAttached(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	one := attachedTab(t, conn)
	ask(one, "Page.getFrameTree", nil)
	f := w.command("attach", 1)
	detach(t, conn, one)
	w.reply(f, nil)
	w.command("detach", 1)
}

// When the debugger is detached from a tab, all sessions end. Chela's own is announced again.
func TestDetachedTabWithSessions(t *testing.T) {
	w, conn, one, other := two(t)
	w.change(fields{"detached": 1})
	for _, s := range []*cdp.Session{one, other} {
		var ev struct{ SessionID string }
		if json.Unmarshal(next(t, conn.Root(), "Target.detachedFromTarget"), &ev); ev.SessionID != s.ID {
			t.Errorf("detached %s, want %s", ev.SessionID, s.ID)
		}
	}
	if again := attachedTab(t, conn); again.ID != one.ID {
		t.Errorf("announced %s, want %s", again.ID, one.ID)
	}
}

// A program may open a session with the browser, and its other sessions below that. They end with
// it.
func TestSessionsBelowOneWithTheBrowser(t *testing.T) {
	w, conn, one, _ := two(t)
	root := conn.Root()
	whole := func(on *cdp.Session) *cdp.Session {
		t.Helper()
		id := answered(t, ask(on, "Target.attachToBrowserTarget", nil))["sessionId"].(string)
		s := conn.Session(id)
		if next(t, on, "Target.attachedToTarget"); s == nil || s.Parent != on {
			t.Fatalf("session %s is not below %s", id, on.ID)
		}
		return s
	}
	program := whole(root)
	below := whole(program)
	for _, parent := range []*cdp.Session{program, below} {
		id := answered(t, ask(parent, "Target.attachToTarget", fields{"targetId": "T1", "flatten": true}))["sessionId"].(string)
		s := conn.Session(id)
		if s == nil || s.Parent != parent {
			t.Fatalf("session %s is not below %s", id, parent.ID)
		}
		if _, err := ask(root, "Target.detachFromTarget", fields{"sessionId": id}).Wait(soon(t)); err == nil {
			t.Error("a session was detached by who has not attached it")
		}
		w.passes(s, "Page.enable", nil, "")
	}
	if v := answered(t, ask(below, "Browser.getVersion", nil)); v["protocolVersion"] != "1.3" {
		t.Errorf("version %v", v)
	}
	detach(t, conn, program)
	w.gets("Page.disable", "")
	w.passes(one, "Page.enable", nil, "")
	if conn.Session(below.ID) != nil {
		t.Error("the session below stays")
	}
}

// chela's own session has the id of the tab, even if a program was attached to the tab before.
func TestNameOfATabIsKept(t *testing.T) {
	w, conn, one, other := two(t)
	detach(t, conn, one)
	detach(t, conn, other)
	w.command("detach", 1)
	program := conn.Session(answered(t, ask(conn.Root(), "Target.attachToBrowserTarget", nil))["sessionId"].(string))
	next(t, conn.Root(), "Target.attachedToTarget")
	reply := ask(program, "Target.attachToTarget", fields{"targetId": "T1", "flatten": true})
	w.reply(w.command("attach", 1), nil)
	if id := answered(t, reply)["sessionId"]; id == one.ID {
		t.Error("the program has the name of the tab")
	}
	if again := attachAgain(t, conn); again.ID != one.ID {
		t.Errorf("chela's session is %s, want %s", again.ID, one.ID)
	}
}
