package extension

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/coder/websocket"

	"chela/internal/engine/cdp"
)

// expectGreeted waits until the relay has handled the hello.
func (w *worker) expectGreeted(r *Relay) {
	w.t.Helper()
	for {
		f, err := w.read()
		if err != nil {
			w.t.Fatal(err)
		}
		if f.Ping != 0 { // the first ping is sent after the hello
			w.send(map[string]int64{"pong": f.Ping})
			return
		}
	}
}

// drive returns a connection to the tabs of a worker, which are announced on it.
func drive(t *testing.T, r *Relay) *cdp.Conn {
	t.Helper()
	transport, err := r.Connect(soon(t), "chrome")
	if err != nil {
		t.Fatal(err)
	}
	conn := cdp.NewConn(transport, cdp.Options{})
	t.Cleanup(func() { conn.Close() })
	call(t, conn.Root(), target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true)})
	return conn
}

func call[P, R any](t *testing.T, s *cdp.Session, c proto.Command[P, R], params P) R {
	t.Helper()
	got, err := cdp.Call(soon(t), s, c, params)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// next returns the next event of a session, which must have this method. Events of the domain Chela
// are skipped, unless the method is one.
func next(t *testing.T, s *cdp.Session, method string) json.RawMessage {
	t.Helper()
	ev, err := s.Events().Next(soon(t))
	for err == nil && ev.Method != method && strings.HasPrefix(ev.Method, "Chela.") {
		ev, err = s.Events().Next(soon(t))
	}
	if err != nil || ev.Method != method {
		t.Fatalf("got event %s %s, %v, want %s", ev.Method, ev.Params, err, method)
	}
	return json.RawMessage(ev.Params)
}

// attachedTab returns the session of the next tab that is announced.
func attachedTab(t *testing.T, conn *cdp.Conn) *cdp.Session {
	t.Helper()
	var ev struct{ SessionID string }
	json.Unmarshal(next(t, conn.Root(), "Target.attachedToTarget"), &ev)
	s := conn.Session(ev.SessionID)
	if s == nil {
		t.Fatalf("there is no session %q", ev.SessionID)
	}
	return s
}

func TestBrowserCommandsAreAnsweredHere(t *testing.T) {
	r, key, url := newRelay(t)
	join(t, url, key, 1, hello{Browser: "Chromium/156.0.1.2", UserAgent: "UA", Tabs: []Tab{tab(1, "http://a/"), tab(2, "http://b/")}})
	conn := drive(t, r)
	if v := call(t, conn.Root(), protobrowser.GetVersion, proto.Empty{}); v.Product != "Chromium/156.0.1.2" || v.UserAgent != "UA" {
		t.Errorf("version %+v", v)
	}
	targets := call(t, conn.Root(), target.GetTargets, target.GetTargetsParams{}).TargetInfos
	if len(targets) != 2 || targets[1].TargetID != "T2" || targets[1].URL != "http://b/" || targets[1].Title != "HTTP://B/" || !targets[1].Attached {
		t.Errorf("targets %+v", targets)
	}
	if w := call(t, conn.Root(), protobrowser.GetWindowForTarget, protobrowser.GetWindowForTargetParams{TargetID: "T1"}); w.WindowID != 7 {
		t.Errorf("window %+v", w)
	}
	_, err := cdp.Call(soon(t), conn.Root(), target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if refusal, ok := errors.AsType[*cdp.Error](err); !ok || !refusal.Unknown() || !strings.Contains(refusal.Message, "isolated") {
		t.Errorf("a browser context: %v", err)
	}
	s := attachedTab(t, conn)
	_, err = cdp.Call(soon(t), conn.Root(), storage.GetCookies, storage.GetCookiesParams{})
	if err == nil {
		t.Error("all cookies of the person were given")
	}
	call(t, s, runtime.RunIfWaitingForDebugger, proto.Empty{}) // answered without asking the worker
}

func TestFirstCommandAttachesATab(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	enabled := cdp.Send(s, page.Enable, page.EnableParams{})
	version := cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	w.reply(w.command("attach", 1), map[string]bool{"fresh": true})
	w.reply(w.command("Page.enable", 1), map[string]any{})
	f := w.command("Runtime.evaluate", 1)
	if string(f.Params) != `{"expression":"1"}` {
		t.Errorf("parameters %s", f.Params)
	}
	w.reply(f, map[string]any{"result": map[string]any{"type": "number", "value": 1}})
	if _, err := enabled.Wait(soon(t)); err != nil {
		t.Error(err)
	}
	if got, err := version.Wait(soon(t)); err != nil || string(got.Result.Value) != "1" {
		t.Errorf("got %+v, %v", got.Result, err)
	}
	w.event(1, "", "Page.loadEventFired", map[string]any{"timestamp": 1})
	next(t, s, "Page.loadEventFired")
}

func TestTabThatCannotBeAttachedSaysWhy(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	reply := cdp.Send(s, page.Enable, page.EnableParams{})
	w.send(map[string]any{"id": w.command("attach", 1).ID, "error": map[string]any{"code": 409, "message": "held by a frame of another extension"}})
	if _, err := reply.Wait(soon(t)); err == nil || !strings.Contains(err.Error(), "held by a frame") {
		t.Errorf("got %v", err)
	}
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.command("attach", 1) // the next command attaches again
}

func TestChildSessions(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Page.enable", 1), nil)
	info := map[string]any{"targetId": "F", "type": "iframe", "url": "", "title": "", "attached": true, "canAccessOpener": false}
	w.event(1, "", "Target.attachedToTarget", map[string]any{"sessionId": "C1", "targetInfo": info, "waitingForDebugger": true})
	w.event(1, "C1", "Target.attachedToTarget", map[string]any{"sessionId": "C2", "targetInfo": info, "waitingForDebugger": true})
	w.event(1, "C2", "Runtime.executionContextsCleared", map[string]any{})
	next(t, s, "Target.attachedToTarget")
	next(t, s, "Target.attachedToTarget")
	ev, err := s.Events().Next(soon(t))
	if err != nil || ev.Session.ID != "C2" || ev.Session.Parent.ID != "C1" || ev.Session.Parent.Parent != s {
		t.Fatalf("event %+v, %v", ev, err)
	}
	cdp.Send(ev.Session, runtime.RunIfWaitingForDebugger, proto.Empty{})
	if f := w.command("Runtime.runIfWaitingForDebugger", 1); f.Session != "C2" {
		t.Errorf("sent to session %q", f.Session)
	}
}

func TestTabsComeAndGo(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	root, one := conn.Root(), attachedTab(t, conn)
	w.change(map[string]any{"tab": tab(2, "http://b/")})
	two := attachedTab(t, conn)
	moved := tab(2, "http://c/")
	w.change(map[string]any{"tab": moved})
	if info := next(t, root, "Target.targetInfoChanged"); !strings.Contains(string(info), "http://c/") {
		t.Errorf("changed: %s", info)
	}
	w.change(map[string]any{"gone": 2})
	next(t, root, "Target.detachedFromTarget")
	if info := next(t, root, "Target.targetDestroyed"); string(info) != `{"targetId":"T2"}` {
		t.Errorf("gone: %s", info)
	}
	if _, err := cdp.Call(soon(t), two, page.Enable, page.EnableParams{}); !errors.Is(err, cdp.ErrDetached) {
		t.Errorf("a tab that is gone: %v", err)
	}

	cdp.Send(one, page.Enable, page.EnableParams{})
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Page.enable", 1), nil)
	w.change(map[string]any{"detached": 1, "reason": "target_closed"})
	next(t, root, "Target.detachedFromTarget")
	again := attachedTab(t, conn)
	if again.ID != one.ID || again == one {
		t.Errorf("after it was detached: %+v", again)
	}
	cdp.Send(again, page.Enable, page.EnableParams{})
	w.command("attach", 1)

	w.change(map[string]any{"tab": tab(3, "http://a/")})
	w.change(map[string]any{"replaced": []int{1, 3}})
	attachedTab(t, conn)
	next(t, root, "Target.detachedFromTarget")
	next(t, root, "Target.targetDestroyed")
	w.change(map[string]any{"unshared": 3, "reason": "cancelled"})
	next(t, root, "Target.detachedFromTarget")
	next(t, root, "Target.targetDestroyed")
	if list := r.Browsers(); list[0].SharedTabs != 0 || !list[0].Connected {
		t.Errorf("listed: %+v", list)
	}
}

func TestTabsAreOpenedAndClosed(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{})
	conn := drive(t, r)
	opened := cdp.Send(conn.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank", Background: new(true)})
	f := w.command("open", 0)
	w.change(map[string]any{"tab": tab(5, "about:blank")})
	w.reply(f, map[string]any{"tab": tab(5, "about:blank")})
	if got, err := opened.Wait(soon(t)); err != nil || got.TargetID != "T5" {
		t.Errorf("opened %+v, %v", got, err)
	}
	attachedTab(t, conn)
	closed := cdp.Send(conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: "T5"})
	f = w.command("close", 5)
	w.change(map[string]any{"gone": 5})
	w.reply(f, nil)
	if _, err := closed.Wait(soon(t)); err != nil {
		t.Error(err)
	}
	_, err := cdp.Call(soon(t), conn.Root(), target.ActivateTarget, target.ActivateTargetParams{TargetID: "T5"})
	if err == nil {
		t.Error("a tab that is gone was activated")
	}
}

func TestPopupIsUsedAsTheWorkerHasAttachedIt(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	attachedTab(t, conn)
	popup := tab(2, "")
	popup.Attached, popup.Opener, popup.Shared = true, 1, "popup"
	w.change(map[string]any{"tab": popup})
	w.event(2, "", "Fetch.requestPaused", map[string]any{"requestId": "r"})
	var ev struct{ TargetInfo struct{ OpenerID string } }
	params := next(t, conn.Root(), "Target.attachedToTarget")
	if json.Unmarshal(params, &ev); ev.TargetInfo.OpenerID != "T1" {
		t.Errorf("announced: %s", params)
	}
	s := conn.Session(firstRun + ".2")
	next(t, s, "Fetch.requestPaused")
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.command("Page.enable", 2)
}

// When a worker dies, replies are lost. Commands that may be carried out twice are sent again, in
// order.
func TestCommandsWithoutReply(t *testing.T) {
	r, key, url := newRelay(t)
	state := hello{Worker: "1", Tabs: []Tab{tab(1, "http://a/")}}
	w := join(t, url, key, 1, state)
	conn := drive(t, r)
	s := attachedTab(t, conn)
	enabled := cdp.Send(s, page.Enable, page.EnableParams{})
	evaluated := cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "act()"})
	focused := cdp.Send(s, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	uploaded := cdp.Send(s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{"/a"}})
	w.reply(w.command("attach", 1), nil)
	w.command("Page.enable", 1)
	w.command("Runtime.evaluate", 1)
	w.command("Page.setBypassCSP", 1)
	w.command("DOM.setFileInputFiles", 1)
	closed := cdp.Send(conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: "T1"})
	w.command("close", 1)
	w.conn.CloseNow()
	_, err := evaluated.Wait(soon(t))
	if !errors.Is(err, cdp.ErrUnconfirmed) {
		t.Errorf("what acts: %v", err)
	}
	if _, err := uploaded.Wait(soon(t)); !errors.Is(err, cdp.ErrUnconfirmed) {
		t.Errorf("an upload: %v", err)
	}
	if _, err := closed.Wait(soon(t)); !errors.Is(err, cdp.ErrUnconfirmed) {
		t.Errorf("closing a tab, whose page may ask whether it may be closed: %v", err)
	}
	waiting := cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "later()"})

	state.Tabs[0].Attached, state.Lost, state.Worker = true, true, "2"
	w = join(t, url, key, 2, state)
	for _, method := range []string{"Page.enable", "Page.setBypassCSP", "Runtime.evaluate"} {
		w.reply(w.command(method, 1), map[string]any{"result": map[string]any{"type": "undefined"}})
	}
	next(t, s, cdp.EventsMissed.Method)
	for _, wait := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := enabled.Wait(ctx); return err },
		func(ctx context.Context) error { _, err := focused.Wait(ctx); return err },
		func(ctx context.Context) error { _, err := waiting.Wait(ctx); return err },
	} {
		if err := wait(soon(t)); err != nil {
			t.Error(err)
		}
	}
}

func TestEventsThatAreSentAgainCountOnce(t *testing.T) {
	r, key, url := newRelay(t)
	state := hello{Worker: "1", Tabs: []Tab{tab(1, "http://a/")}}
	w := join(t, url, key, 1, state)
	s := attachedTab(t, drive(t, r))
	w.event(1, "", "Page.frameResized", map[string]any{})
	next(t, s, "Page.frameResized")
	w.conn.CloseNow()
	w = join(t, url, key, 2, state)
	w.event(1, "", "Page.frameResized", map[string]any{}) // this event is sent again with number 1
	w.event(1, "", "Page.loadEventFired", map[string]any{"timestamp": 1})
	next(t, s, "Page.loadEventFired")
}

func TestStateIsComparedAfterALoss(t *testing.T) {
	r, key, url := newRelay(t)
	state := hello{Worker: "1", Tabs: []Tab{tab(1, "http://a/"), tab(2, "http://b/")}}
	w := join(t, url, key, 1, state)
	conn := drive(t, r)
	attachedTab(t, conn)
	attachedTab(t, conn)
	w.conn.CloseNow()
	join(t, url, key, 2, hello{Worker: "2", Lost: true, Tabs: []Tab{tab(2, "http://c/"), tab(3, "http://d/")}})
	next(t, conn.Root(), "Target.detachedFromTarget")
	if info := next(t, conn.Root(), "Target.targetDestroyed"); string(info) != `{"targetId":"T1"}` {
		t.Errorf("gone: %s", info)
	}
	next(t, conn.Root(), "Target.targetInfoChanged")
	attachedTab(t, conn)
}

func TestAnotherRunEndsTheTransport(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{})
	conn := drive(t, r)
	w.conn.CloseNow()
	join(t, url, key, 1, hello{Run: strings.Repeat("f", 32)})
	select {
	case <-conn.Done():
	case <-soon(t).Done():
		t.Fatal("the connection stays")
	}
	drive(t, r)
}

func TestTabsOfAnEarlierTransportAreAttachedAnew(t *testing.T) {
	r, key, url := newRelay(t)
	state := hello{Tabs: []Tab{tab(1, "http://a/")}}
	state.Tabs[0].Attached = true
	w := join(t, url, key, 1, state)
	w.reply(w.command("Fetch.disable", 1), nil)
	conn := drive(t, r)
	s := attachedTab(t, conn)
	call(t, s, runtime.RunIfWaitingForDebugger, proto.Empty{})
	refused := cdp.Send(s, page.Enable, page.EnableParams{})
	w.send(map[string]any{"id": w.command("reattach", 1).ID, "error": map[string]any{"code": 409, "message": "stopped"}})
	if _, err := refused.Wait(soon(t)); err == nil {
		t.Error("the tab was used although the person had stopped all agents")
	}
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.reply(w.command("reattach", 1), nil)
	w.reply(w.command("Page.enable", 1), nil)
	conn.Close()
	w.command("detach", 1)
	drive(t, r)
}

// A tab that an earlier server has left with an open dialog stays paused until the dialog has closed.
// So the next transport misses no request of it. If no transport uses the tab then, its requests
// go on.
func TestTabWithADialogStaysPaused(t *testing.T) {
	begin := func(t *testing.T) (*Relay, *worker) {
		r, key, url := newRelay(t)
		state := hello{Tabs: []Tab{tab(1, "http://a/")}}
		state.Tabs[0].Attached, state.Tabs[0].Dialog = true, json.RawMessage(`{"type":"alert"}`)
		w := join(t, url, key, 1, state)
		if f, err := w.read(); err != nil || f.Ping == 0 { // the first ping follows all commands of the greeting
			t.Fatalf("got %s%s, %v", f.Do, f.Method, err)
		}
		return r, w
	}
	closeDialog := func(w *worker) { w.event(1, "", "Page.javascriptDialogClosed", map[string]any{"result": true}) }
	t.Run("nothing drives the browser", func(t *testing.T) {
		_, w := begin(t)
		closeDialog(w)
		w.command("Fetch.disable", 1)
	})
	t.Run("the tab is not used", func(t *testing.T) {
		r, w := begin(t)
		drive(t, r)
		closeDialog(w)
		w.command("Fetch.disable", 1)
	})
	t.Run("the tab is used", func(t *testing.T) {
		r, w := begin(t)
		conn := drive(t, r)
		s := attachedTab(t, conn)
		cdp.Send(s, page.Enable, page.EnableParams{})
		w.send(map[string]any{"id": w.command("reattach", 1).ID, "error": map[string]any{"code": 409, "message": "dialog"}})
		w.reply(w.command("Page.enable", 1), nil)
		closeDialog(w)
		next(t, s, "Page.javascriptDialogOpening")
		next(t, s, "Page.javascriptDialogClosed")
		conn.Close()
		w.command("detach", 1)
	})
}

// The same holds for a dialog that has opened since the hello, if the connection breaks then.
func TestTabWithALaterDialogStaysPaused(t *testing.T) {
	_, key, url := newRelay(t)
	state := hello{Worker: "1", Tabs: []Tab{tab(1, "http://a/"), tab(2, "http://b/")}}
	state.Tabs[0].Attached = true
	w := join(t, url, key, 1, state)
	w.command("Fetch.disable", 1)
	w.event(1, "", "Page.javascriptDialogOpening", map[string]any{"type": "alert"})
	w.event(2, "", "Page.javascriptDialogClosed", map[string]any{"result": true})
	w.command("Fetch.disable", 2) // both events were handled
	again := join(t, url, key, 2, state)
	again.n = w.n
	again.reply(again.command("Fetch.disable", 1), nil) // these have no reply yet, so they are sent again
	again.reply(again.command("Fetch.disable", 2), nil)
	if f, err := again.read(); err != nil || f.Ping == 0 {
		t.Fatalf("got %s%s for tab %d, %v", f.Do, f.Method, f.Tab, err)
	}
	again.event(1, "", "Page.javascriptDialogClosed", map[string]any{"result": true})
	again.command("Fetch.disable", 1)
}

// While nothing drives the browser, no request of a tab is paused: nobody would continue it.
func TestTabsLoadWhileNothingDrivesTheBrowser(t *testing.T) {
	r, key, url := newRelay(t)
	r.awayTime = 10 * time.Millisecond
	state := hello{Worker: "1", Tabs: []Tab{tab(1, "http://a/"), tab(2, "http://b/")}, Children: []child{{Tab: 2, Session: "C", Info: empty}}}
	state.Tabs[1].Attached = true
	w := join(t, url, key, 1, state) // a server that was killed has attached the second tab
	expect := func() {
		t.Helper()
		w.reply(w.command("Fetch.disable", 2), nil)
		f := w.command("Fetch.disable", 2)
		if w.reply(f, nil); f.Session != "C" {
			t.Errorf("sent to session %q", f.Session)
		}
	}
	expect()
	conn := drive(t, r)
	w.conn.CloseNow()
	select {
	case <-conn.Done(): // the extension was away for too long
	case <-soon(t).Done():
		t.Fatal("the connection stays")
	}
	w = join(t, url, key, 2, state)
	expect()
	conn = drive(t, r)
	if s := attachedTab(t, conn); s.ID == firstRun+".2" {
		detach(t, conn, s)
	} else {
		detach(t, conn, attachedTab(t, conn))
	}
	w.command("detach", 2) // although no command was sent to the tab
}

func TestDetachingTellsTheWorkerOnlyIfItHasAttached(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	s := attachedTab(t, conn)
	call(t, conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(s.ID)})
	next(t, conn.Root(), "Target.detachedFromTarget")
	again := func() *cdp.Reply[target.AttachToTargetResult] {
		return cdp.Send(conn.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: "T1", Flatten: new(true)})
	}
	reply := again()
	w.send(map[string]any{"id": w.command("attach", 1).ID, "error": map[string]any{"code": 409, "message": "held"}})
	_, err := reply.Wait(soon(t))
	if refusal, ok := errors.AsType[*cdp.Error](err); !ok || refusal.Code != cdp.Withheld || refusal.Message != "held" {
		t.Errorf("a tab that is held: %v", err)
	}
	reply = again()
	w.reply(w.command("attach", 1), nil)
	got, err := reply.Wait(soon(t))
	s = attachedTab(t, conn)
	if err != nil || string(got.SessionID) != s.ID {
		t.Errorf("attached to %s, %v, want %s", got.SessionID, err, s.ID)
	}
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.reply(w.command("Page.enable", 1), nil)
	cdp.Send(conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: target.SessionID(s.ID)})
	w.command("detach", 1)
}

// If a tab closes while a command is carried out, the command fails because its session ends, not
// with Chromium's error.
func TestCommandThatClosesItsTab(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	closing := cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "close()"})
	w.reply(w.command("attach", 1), nil)
	w.send(map[string]any{"id": w.command("Runtime.evaluate", 1).ID, "error": map[string]any{"code": -32000, "message": "Detached while handling command."}})
	w.send(map[string]any{"n": 1, "change": map[string]any{"gone": 1}})
	if _, err := closing.Wait(soon(t)); !errors.Is(err, cdp.ErrDetached) {
		t.Errorf("got %v, want %v", err, cdp.ErrDetached)
	}
}

// Events from before the hello may be sent again to a new server. They must not undo what the hello
// says.
func TestReportsFromBeforeTheHello(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{N: 2, Tabs: []Tab{tab(1, "http://a/")}})
	old := tab(1, "http://a/")
	old.Attached = true
	w.send(map[string]any{"n": 2, "change": map[string]any{"tab": old}})
	s := attachedTab(t, drive(t, r))
	cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	w.reply(w.command("attach", 1), nil)
	w.command("Runtime.evaluate", 1)
}

// If the extension says that its debugger is not attached to a tab, the tab is announced again. The
// next command attaches it.
func TestTabThatTheExtensionHasNotAttached(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	s := attachedTab(t, conn)
	asked := cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	w.reply(w.command("attach", 1), nil)
	w.send(map[string]any{"id": w.command("Runtime.evaluate", 1).ID, "error": map[string]any{"code": 409, "message": "not attached"}})
	if _, err := asked.Wait(soon(t)); !errors.Is(err, cdp.ErrDetached) {
		t.Errorf("got %v, want %v", err, cdp.ErrDetached)
	}
	next(t, conn.Root(), "Target.detachedFromTarget")
	cdp.Send(attachedTab(t, conn), runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	w.reply(w.command("attach", 1), nil)
	w.command("Runtime.evaluate", 1)
}

func TestTerminateExecutionByAPause(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	ended := cdp.Send(s, runtime.TerminateExecution, proto.Empty{})
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Debugger.enable", 1), nil)
	w.reply(w.command("Debugger.pause", 1), nil)
	w.event(1, "", "Debugger.paused", map[string]any{})
	if f := w.command("Debugger.resume", 1); string(f.Params) != `{"terminateOnResume":true}` {
		t.Errorf("resumed with %s", f.Params)
	} else {
		w.reply(f, nil)
	}
	w.reply(w.command("Debugger.disable", 1), nil)
	if _, err := ended.Wait(soon(t)); err != nil {
		t.Error(err)
	}
	ended = cdp.Send(s, runtime.TerminateExecution, proto.Empty{}) // no script runs now
	for _, method := range []string{"Debugger.enable", "Debugger.pause", "Debugger.disable"} {
		w.reply(w.command(method, 1), nil)
	}
	if _, err := ended.Wait(soon(t)); err != nil {
		t.Error(err)
	}
}

// While a script keeps a page busy, the Debugger domain cannot be enabled, so the script cannot be
// terminated.
func TestTerminateExecutionOfABusyPage(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	ended := cdp.Send(s, runtime.TerminateExecution, proto.Empty{})
	w.reply(w.command("attach", 1), nil)
	for _, method := range []string{"Debugger.enable", "Debugger.pause", "Debugger.disable"} {
		w.command(method, 1)
	}
	if _, err := ended.Wait(soon(t)); err == nil || !strings.Contains(err.Error(), "keeps the page busy") {
		t.Errorf("got %v", err)
	}
}

func TestOneConnectionOfAKey(t *testing.T) {
	r, key, url := newRelay(t)
	first := join(t, url, key, 5, hello{})
	first.expectGreeted(r)
	answering := make(chan frame, 1)
	go func() { // the first worker answers pings until it is replaced
		for {
			f, err := first.read()
			if err != nil {
				close(answering)
				return
			}
			first.conn.Write(context.Background(), websocket.MessageText, encode(map[string]int64{"pong": f.Ping}))
		}
	}()
	for _, row := range []struct {
		run        string
		generation int64
	}{{firstRun, 5}, {firstRun, 4}, {strings.Repeat("e", 32), 9}} {
		w := dial(t, url)
		if f := w.prove(key, row.run, row.generation); f.Status != 409 {
			t.Errorf("%+v: got %+v", row, f)
		}
		w.refused(409)
	}
	second := join(t, url, key, 6, hello{})
	if f, err := second.read(); err != nil || f.Ping == 0 { // a ping that the second worker does not answer
		t.Fatal(f, err)
	}
	select {
	case <-answering:
	case <-soon(t).Done():
		t.Error("the earlier connection stays")
	}
	r.answerTime = 50 * time.Millisecond
	third := join(t, url, key, 6, hello{})
	third.expectGreeted(r)
}

func TestConnectSaysWhyNot(t *testing.T) {
	r, key, url := newRelay(t)
	r.joinTime = time.Millisecond
	if _, err := r.Connect(soon(t), "chrome"); err != ErrAway {
		t.Errorf("nobody is connected: %v", err)
	}
	join(t, url, key, 1, hello{}).expectGreeted(r)
	drive(t, r)
	if _, err := r.Connect(soon(t), "chrome"); err != ErrBusy {
		t.Errorf("it is driven already: %v", err)
	}
	r.Revoke(key.ID)
	if _, err := r.Connect(soon(t), "chrome"); err != ErrUnpaired {
		t.Errorf("nobody is paired: %v", err)
	}
}

// A profile drives the browser that it drove last, also after a restart of the server. If that one
// does not come, the profile takes the one that has shared tabs, or was paired first.
func TestWhichBrowserIsDriven(t *testing.T) {
	r, first, url := newRelay(t)
	second, _ := r.Grant("Edge on Linux")
	third, _ := r.Grant("Brave on Linux")
	drives := func(profile string) (is string, end func()) {
		t.Helper()
		driver, err := r.Connect(soon(t), profile)
		if err != nil {
			t.Fatal(err)
		}
		return driver.(*transport).peer.key.Name, func() { driver.Close() }
	}
	expect := func(when, want string) {
		t.Helper()
		got, end := drives("chrome")
		end()
		if got != want {
			t.Errorf("%s it drives %s, want %s", when, got, want)
		}
	}
	join(t, url, second, 1, hello{}).expectGreeted(r)
	expect("when one is connected", second.Name)
	_, end := drives("another") // that does not count for the first profile
	end()
	join(t, url, first, 1, hello{}).expectGreeted(r)
	join(t, url, third, 1, hello{Tabs: []Tab{tab(1, "http://a.test/")}}).expectGreeted(r)
	expect("when all are", second.Name)
	got, end := drives("other")
	if got != third.Name {
		t.Errorf("another profile drives %s, want that with a shared tab", got)
	}
	defer end()
	r.mu.Lock()
	away := r.peers[second.ID]
	delete(r.peers, second.ID)
	r.mu.Unlock()
	defer away.close(ErrAway)
	back := time.AfterFunc(0, func() {
		r.mu.Lock()
		r.peers[second.ID] = away
		r.mu.Unlock()
		r.notify()
	})
	defer back.Stop()
	expect("when it comes late", second.Name)
	r.joinTime = time.Millisecond
	r.mu.Lock()
	delete(r.peers, second.ID)
	r.mu.Unlock()
	expect("when it does not come", first.Name)
	r.mu.Lock()
	r.peers[second.ID] = away
	r.mu.Unlock()
	expect("when it comes after that", first.Name)
}

func TestBrowserThatIsAwayIsSilent(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{})
	conn := drive(t, r)
	if conn.Silent() {
		t.Error("while it is connected")
	}
	w.conn.CloseNow()
	for ctx := soon(t); !conn.Silent(); time.Sleep(time.Millisecond) { // true after silentAfter
		if ctx.Err() != nil {
			t.Fatal("not while it is away")
		}
	}
	join(t, url, key, 2, hello{}).expectGreeted(r)
	if conn.Silent() {
		t.Error("when it is back")
	}
}

func TestBrowserThatStaysAwayIsGone(t *testing.T) {
	r, key, url := newRelay(t)
	r.awayTime = 10 * time.Millisecond
	w := join(t, url, key, 1, hello{})
	conn := drive(t, r)
	w.conn.CloseNow()
	select {
	case <-conn.Done():
		if !errors.Is(conn.Err(), ErrAway) {
			t.Error(conn.Err())
		}
	case <-soon(t).Done():
		t.Fatal("the connection stays")
	}
}

// A short absence does not count together with an earlier one, even if no worker could say hello in
// between the two.
func TestAbsencesDoNotAddUp(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Worker: "a"})
	drive(t, r)
	p := r.peer(key)
	leave := func(w *worker) {
		w.conn.CloseNow()
		for p.connected() {
			select {
			case <-time.After(time.Millisecond):
			case <-soon(t).Done():
				t.Fatal("the relay has not noticed that the worker died")
			}
		}
	}
	leave(w)
	silent := dial(t, url)
	silent.prove(key, firstRun, 2)
	leave(silent)
	w = join(t, url, key, 3, hello{Worker: "b"})
	w.expectGreeted(r)
	leave(w)
	p.expire() // as the timer of the first absence does
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.transport == nil {
		t.Error("the browser counts as gone")
	}
}

func (p *peer) connected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.link != nil
}

// If the worker dies, a command without a reply is sent to the next worker, and so on until there
// is a reply.
func TestSetupSurvivesAWorkerThatDiesAfterEachMessage(t *testing.T) {
	r, key, url := newRelay(t)
	state := hello{Worker: "0", Tabs: []Tab{tab(1, "http://a/")}}
	w := join(t, url, key, 1, state)
	s := attachedTab(t, drive(t, r))
	enabled := cdp.Send(s, page.Enable, page.EnableParams{})
	script := cdp.Send(s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "x"})
	for i, c := range []struct {
		what     string
		answered func() error // waits until the reply has come
	}{
		{"attach", func() error { return nil }}, // the next command comes after the reply
		{"Page.enable", func() error { _, err := enabled.Wait(soon(t)); return err }},
		{"Page.addScriptToEvaluateOnNewDocument", func() error { _, err := script.Wait(soon(t)); return err }},
	} {
		w.command(c.what, 1)
		w.conn.CloseNow()
		state.Worker, state.Lost = string(rune('a'+i)), true
		w = join(t, url, key, int64(i+2), state)
		w.reply(w.command(c.what, 1), map[string]any{"identifier": "1"})
		state.Tabs[0].Attached = true
		if err := c.answered(); err != nil {
			t.Error(err)
		}
	}
}

// The end of the server does not wait for browsers that read nothing any more, however many they are.
func TestEndDespiteBrowsersThatHang(t *testing.T) {
	r, key, url := newRelay(t)
	r.pingTime = time.Hour // or else the relay notices that they hang, and ends their connections
	other, err := r.Grant("Another one")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []Key{key, other} {
		join(t, url, key, 1, hello{}).expectGreeted(r)
		r.peer(key).link.out.put(make([]byte, maxFrame))
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Close() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-soon(t).Done():
		t.Error("the relay waits for browsers that hang")
	}
}

// When the server ends, it detaches the debugger from all tabs before it closes the connection.
func TestTabsAreDetachedAtTheEnd(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	cdp.Send(attachedTab(t, conn), page.Enable, page.EnableParams{})
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Page.enable", 1), nil)
	ended := make(chan error, 1)
	go func() {
		conn.Close()
		ended <- r.Close()
	}()
	w.command("detach", 1)
	if _, err := w.read(); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("closed with %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A parameter that is given twice, as name and NAME, is read as Chromium reads it.
func TestParametersInAnotherCase(t *testing.T) {
	asked := paramsOf[autoAttach](json.RawMessage(`{"autoAttach":true,"filter":[{"type":"service_worker","exclude":true},{}],"Filter":[{}]}`))
	if asked.wants("service_worker") || !asked.wants("worker") {
		t.Errorf("read as %+v", asked)
	}
	if asked := paramsOf[autoAttach](json.RawMessage(`{"autoattach":true}`)); asked.AutoAttach {
		t.Errorf("read as %+v", asked)
	}
}
