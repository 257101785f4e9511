package relay

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/test/pages"
	"chela/test/service"
)

// Stop ends all calls that are under way, readings and waits included. Further calls are refused
// until the person presses Go on.
func TestStopEndsTurns(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+pages.HTML("<title>Mine</title><button>Go</button>"))
	ok(t, s, "GET /snapshot?profile=chrome&targetId="+tab, "")
	call := func(request, body string) service.Answer {
		a, err := s.TryText(t.Context(), request, body)
		if err != nil {
			t.Error(err)
		}
		return a
	}
	held := `{"kind": "evaluate", "fn": "() => { document.title = 'held'; return new Promise(() => {}) }", "targetId": %q}`
	calls := [][2]string{ // the first call keeps its turn; the wait runs beside it, and the other calls wait for its end
		{"POST /act?profile=chrome", fmt.Sprintf(held, tab)},
		{"POST /act?profile=chrome", fmt.Sprintf(`{"kind": "wait", "text": "never", "targetId": %q}`, tab)},
		{"POST /act?profile=chrome", fmt.Sprintf(`{"kind": "click", "ref": "e1", "targetId": %q}`, tab)},
		{"GET /snapshot?profile=chrome&targetId=" + tab, ""},
	}
	var working sync.WaitGroup
	for i, c := range calls {
		working.Go(func() {
			a := call(c[0], c[1])
			a.Fails(t, 423, "PERSON_IN_CONTROL", "the person has stopped all agents")
			a.Has(t, "reason", "stopped_by_person")
			a.AtOnce(t)
		})
		if i == 0 {
			p.until("the script runs", func() bool { return p.tab(p.idOf(tab))["title"] == "held" })
		}
	}
	p.request(`{do: "stop"}`)
	working.Wait()
	for _, c := range calls {
		call(c[0], c[1]).Fails(t, 423, "PERSON_IN_CONTROL", "the person has stopped all agents")
	}
	ok(t, s, "GET /tabs?profile=chrome", "")
	p.request(`{do: "go"}`)
	p.until("agents go on", func() bool { return call("GET /snapshot?profile=chrome&targetId="+tab, "").Status == 200 })
}

// Stop also stops programs at the endpoint of a session, readings included. Nothing that they have
// subscribed to comes. They may still release
// what they hold, such as the requests that they have paused, and end the input that they have begun.
func TestStopEndsPrograms(t *testing.T) {
	site := newSite(t)
	s, p := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+"/one")
	at, err := s.In("alpha").TryText(t.Context(), "POST /cdp?profile=chrome", "{}")
	if err != nil {
		t.Fatal(err)
	}
	listed := func() (page struct{ Title, WebSocketDebuggerURL string }) {
		list, err := http.Get(at.Text("httpUrl") + "/json/list")
		if err != nil {
			t.Fatal(err)
		}
		defer list.Body.Close()
		pages := []any{&page}
		if err := json.NewDecoder(list.Body).Decode(&pages); err != nil || len(pages) != 1 {
			t.Fatalf("%s\nlists %v, %v", at.Raw, pages, err)
		}
		return page
	}
	program, _, err := websocket.Dial(t.Context(), listed().WebSocketDebuggerURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer program.CloseNow()
	id, stopped := 0.0, false
	command := func(method string, params m) any {
		id++
		if err := send(program, m{"id": id, "method": method, "params": params}); err != nil {
			t.Fatal(err)
		}
		for {
			reply, err := receive(t.Context(), program)
			if err != nil {
				t.Fatal(err)
			}
			if stopped && reply["method"] == "Runtime.bindingCalled" {
				t.Errorf("after Stop: %v", reply)
			}
			if failed, _ := reply["error"].(m); reply["id"] == id {
				return failed["message"]
			}
		}
	}
	script := m{"expression": "document.title"}
	command("Fetch.enable", m{})
	if got := command("Input.setIgnoreInputEvents", m{"ignore": true}); !strings.Contains(fmt.Sprint(got), "is refused") {
		t.Errorf("the page ignores the person's input: %v", got)
	}
	middle := m{"type": "mouseReleased", "x": 10, "y": 10, "button": "middle", "clickCount": 1}
	if got := command("Input.dispatchMouseEvent", middle); !strings.Contains(fmt.Sprint(got), "middle button could paste") {
		t.Errorf("the middle button: %v", got)
	}
	if got := command("Runtime.evaluate", script); got != nil {
		t.Fatalf("before Stop: %v", got)
	}
	mouse := func(kind string) m { return m{"type": kind, "x": 10, "y": 10, "button": "left", "clickCount": 1} }
	if got := command("Input.dispatchMouseEvent", mouse("mousePressed")); got != nil {
		t.Fatalf("before Stop: %v", got)
	}
	command("Runtime.enable", m{})
	command("Runtime.addBinding", m{"name": "report"})
	command("Runtime.evaluate", m{"expression": "setInterval(() => { document.title += '+', report(document.title) }, 20)"})
	p.request(`{do: "stop"}`)
	p.until("scripts are refused", func() bool { return command("Runtime.evaluate", script) == "the person has stopped all agents" })
	stopped = true
	title := func() string { return p.tab(p.idOf(tab))["title"].(string) }
	began := len(title())
	p.until("the page goes on", func() bool { return len(title()) > began+5 })
	if got := listed().Title; got != "" {
		t.Errorf("after Stop, the list has the title %s", got)
	}
	for _, method := range []string{"Page.captureScreenshot", "DOM.getDocument", "Page.navigate", "Page.handleJavaScriptDialog"} {
		if got := command(method, m{}); got != "the person has stopped all agents" {
			t.Errorf("%s: %v", method, got)
		}
	}
	if got := command("Input.dispatchMouseEvent", mouse("mouseMoved")); got != "the person has stopped all agents" {
		t.Errorf("a move: %v", got)
	}
	for method, params := range map[string]m{
		"Fetch.disable": {}, "Debugger.disable": {}, "Page.screencastFrameAck": {"sessionId": 1},
		"Input.dispatchMouseEvent": mouse("mouseReleased"), "Input.dispatchKeyEvent": {"type": "keyUp", "key": "a"},
		"Input.dispatchTouchEvent": {"type": "touchCancel", "touchPoints": []any{}}, "Input.setInterceptDrags": {"enabled": false},
	} {
		if got := command(method, params); got == "the person has stopped all agents" {
			t.Errorf("%s: %v", method, got)
		}
	}
	stopped = false
	p.request(`{do: "go"}`)
	p.until("the program goes on", func() bool { return command("Runtime.evaluate", script) == nil })
}

// A film that was begun before Stop has no picture of the time in which agents are stopped.
func TestStopEndsFilms(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+pages.HTML("<script>setInterval(() => document.body.textContent = document.title += '+', 20)</script>"))
	ok(t, s, "POST /trace/start?profile=chrome", `{"snapshots": false}`)
	title := func() string { return p.tab(p.idOf(tab))["title"].(string) }
	pass := func(what string) {
		t.Helper()
		began := len(title())
		p.until(what, func() bool { return len(title()) > began+20 })
	}
	pass("the page is filmed")
	p.request(`{do: "stop"}`)
	p.until("calls are refused", func() bool {
		a, err := s.TryText(t.Context(), "GET /snapshot?profile=chrome&targetId="+tab, "")
		return err == nil && a.Status == http.StatusLocked
	})
	from := time.Now().UnixMicro()
	pass("the page goes on")
	to := time.Now().UnixMicro()
	p.request(`{do: "go"}`)
	p.until("the page is read", func() bool {
		a, err := s.TryText(t.Context(), "GET /snapshot?profile=chrome&targetId="+tab, "")
		return err == nil && a.Status == http.StatusOK
	})
	path := ok(t, s, "POST /trace/stop?profile=chrome", "").Text("path")
	defer os.Remove(path)
	trace, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	pictures := 0
	for _, f := range trace.File {
		var at int64
		if _, number, is := strings.Cut(f.Name, "-"); !is || !strings.HasPrefix(f.Name, "screencast/") {
			continue
		} else if _, err := fmt.Sscanf(number, "%d.jpeg", &at); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if pictures++; from < at && at < to {
			t.Errorf("%s is of the time after Stop", f.Name)
		}
	}
	if pictures == 0 {
		t.Error("there are no pictures")
	}
}

// Stop releases the keys and mouse buttons that agents hold: the person works on without them.
func TestStopReleasesWhatIsHeld(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+pages.HTML("<title>-</title><script>up = [], onkeyup = onmouseup = (e) => { up.push(e.type); document.title = up.sort().join() }</script>"))
	for _, act := range []string{`"kind": "keydown", "key": "Shift"`, `"kind": "mouseDown"`} {
		ok(t, s, "POST /act?profile=chrome", fmt.Sprintf(`{"targetId": %q, %s}`, tab, act))
	}
	p.request(`{do: "stop"}`)
	p.until("both are released", func() bool { return p.tab(p.idOf(tab))["title"] == "keyup,mouseup" })
}

// The middle button may paste what the person has selected in any program, so it is refused as the
// clipboard is.
func TestMiddleButton(t *testing.T) {
	site := newSite(t)
	s, _ := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+"/one")
	for _, act := range []string{`"kind": "clickCoords", "x": 1, "y": 1`, `"kind": "mouseDown"`, `"kind": "mouseUp"`} {
		a, err := s.TryText(t.Context(), "POST /act?profile=chrome", fmt.Sprintf(`{"targetId": %q, "button": "middle", %s}`, tab, act))
		if err != nil {
			t.Fatal(err)
		}
		a.Fails(t, 501, "not_supported", "the middle button could paste what the user has selected, and the browser has windows")
		has(t, a, "click it with Control; otherwise start the browser headless, or set browser.systemClipboard to true in ")
	}
}

// The person sees that an agent acts, and where. Readings show nothing.
func TestActsAreSeen(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	tab := openIn(t, s.In("alpha"), site.URL+pages.HTML("<title>Mine</title><button>Go</button><input aria-label=Name>"))
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId="+tab, ""), `[ref=e1]`)
	worker := p.attach(p.workers()[0])
	p.ask(worker, `drawn = [], send = chrome.debugger.sendCommand, chrome.debugger.sendCommand = (at, method, params) => {
		if (method.startsWith("Overlay.")) drawn.push(method + " " + (params?.width ?? ""));
		return send.call(chrome.debugger, at, method, params);
	}, 1`)
	seen := func() string { return p.ask(worker, `drawn.join()`).(string) }
	ok(t, s, "GET /snapshot?profile=chrome&targetId="+tab, "")
	ok(t, s, "POST /screenshot?profile=chrome", fmt.Sprintf(`{"ref": "e1", "targetId": %q}`, tab))
	if got := seen(); got != "" {
		t.Errorf("a reading shows %s", got)
	}
	for i, act := range []string{`"kind": "click", "ref": "e1"`, `"kind": "type", "ref": "e2", "text": "Ada"`} {
		ok(t, s, "POST /act?profile=chrome", fmt.Sprintf(`{"targetId": %q, %s}`, tab, act))
		p.until(act+" is shown", func() bool {
			return p.ask(worker, `drawn.filter((each) => /highlightRect [1-9]/.test(each)).length`) == float64(i+1)
		})
		if title := p.in(`return chrome.action.getTitle({})`); title != "chela: an agent is at work" {
			t.Errorf("the button says %v", title)
		}
		p.until("it fades", func() bool { return p.ask(worker, `drawn.at(-1).trim()`) == "Overlay.disable" })
	}
	list := ok(t, s, "GET /calls?profile=chrome", "")
	for _, want := range []string{`"operation":"click","tabId":"t1","site":"http://127.0.0.1`, `"operation":"snapshot"`, `"session":"alpha"`, `"caller":"http"`} {
		has(t, list, want)
	}
	p.until("the button says that nobody acts", func() bool { return p.in(`return chrome.action.getTitle({})`) == "chela: 1 shared" })
}
