package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/extension"
)

// relayOf returns a connection to the shared tabs of a browser, and the browser.
func relayOf(t *testing.T) (*person, *cdp.Conn) {
	t.Helper()
	port := unusedPort(t)
	r := extension.New(extension.Options{Dir: t.TempDir(), ID: extensionID, Address: fmt.Sprintf("127.0.0.1:%d", port)})
	t.Cleanup(func() { r.Close() })
	offer, err := r.Pair()
	if err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, port)
	p.request(fmt.Sprintf(`{do: "pair", digits: %q}`, offer.Digits))
	p.until("the browser is connected", func() bool { return r.Ready() == nil })
	transport, err := r.Connect(t.Context(), "chrome")
	if err != nil {
		t.Fatal(err)
	}
	conn := cdp.NewConn(transport, cdp.Options{})
	t.Cleanup(func() { conn.Close() })
	return p, conn
}

// A client is a user of the DevTools protocol with a session of its own, and what that session and
// those below it have reported.
type client struct {
	t    *testing.T
	conn *cdp.Conn
	s    *cdp.Session

	mu     sync.Mutex // guards the rest
	events []event
	from   int // index of the first event that is looked at

	continued int // number of requests that continueAll let go on
}

type event struct {
	s      *cdp.Session
	method string
	params m
}

// newClient attaches a session to a target, below another session.
func newClient(t *testing.T, conn *cdp.Conn, parent *cdp.Session, target string) *client {
	t.Helper()
	c := &client{t: t, conn: conn}
	attached := c.on(parent, "Target.attachToTarget", m{"targetId": target, "flatten": true})
	c.s = conn.Session(attached["sessionId"].(string))
	go func() {
		for {
			ev, err := c.s.Events().Next(t.Context())
			if err != nil {
				return
			}
			c.add(ev)
		}
	}()
	return c
}

func (c *client) add(ev cdp.Event) {
	params := m{}
	json.Unmarshal(ev.Params, &params)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, event{ev.Session, ev.Method, params})
}

// on sends a command to any session.
func (c *client) on(s *cdp.Session, method string, params m) m {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	result, err := cdp.Call(ctx, s, proto.Command[m, m]{Method: method}, params)
	if err != nil {
		c.t.Fatal(err)
	}
	return result
}

func (c *client) do(method string, params m) m {
	c.t.Helper()
	return c.on(c.s, method, params)
}

// value evaluates an expression.
func (c *client) value(expression string) any {
	c.t.Helper()
	answer := c.do("Runtime.evaluate", m{"expression": expression, "returnByValue": true, "awaitPromise": true})
	return answer["result"].(m)["value"]
}

// begin forgets the events so far, so that only later ones count.
func (c *client) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = len(c.events)
}

// sees waits for an event whose parameters have a text.
func (c *client) sees(method, text string) event {
	c.t.Helper()
	c.until(method+" with "+text, func() bool { return len(c.seen(method, text)) > 0 })
	return c.seen(method, text)[0]
}

// until waits for a condition.
func (c *client) until(what string, holds func() bool) {
	c.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			c.t.Fatalf("not in 20 s: %s; seen: %s", what, c.list())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *client) seen(method, text string) (found []event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ev := range c.events[c.from:] {
		raw, _ := json.Marshal(ev.params)
		if ev.method == method && strings.Contains(string(raw), text) {
			found = append(found, ev)
		}
	}
	return found
}

func (c *client) list() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for _, ev := range c.events[c.from:] {
		names = append(names, ev.method)
	}
	return strings.Join(slices.Compact(names), " ")
}

// enable asks for all that the test looks at.
func (c *client) enable(s *cdp.Session) {
	c.t.Helper()
	for _, method := range []string{"Page.enable", "Runtime.enable", "Network.enable"} {
		c.on(s, method, nil)
	}
	c.on(s, "Page.setLifecycleEventsEnabled", m{"enabled": true})
	c.on(s, "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
}

// frame returns the session of a frame of another site. A new one is enabled before it runs.
func (c *client) frame() *cdp.Session {
	c.t.Helper()
	ev := c.sees("Target.attachedToTarget", `"type":"iframe"`)
	s := c.conn.Session(ev.params["sessionId"].(string))
	c.enable(s)
	return s
}

// twoSites serves pages by their paths. Some have a frame of another site. The function asked
// returns the headers of the last request for a path.
func twoSites(t *testing.T) (site string, asked func(path string) http.Header) {
	var mu sync.Mutex
	headers := map[string]http.Header{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		headers[r.URL.Path] = r.Header
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
		if strings.HasPrefix(r.URL.Path, "/framed") {
			fmt.Fprintf(w, `<iframe src="http://other.test:%s/inner%s"></iframe>`, r.Host[strings.Index(r.Host, ":")+1:], r.URL.Path)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, func(path string) http.Header {
		mu.Lock()
		defer mu.Unlock()
		return headers[path]
	}
}

// Two sessions of a tab see the same by the extension as by Chromium's own endpoint.
func TestSessionsOfOneTab(t *testing.T) {
	p, shared := relayOf(t)
	for name, conn := range map[string]*cdp.Conn{"Chromium": p.Conn, "extension": shared} {
		t.Run(name, func(t *testing.T) {
			site, asked := twoSites(t)
			root := &client{t: t, conn: conn}
			target := root.on(conn.Root(), "Target.createTarget", m{"url": site + "/start", "background": true})["targetId"].(string)
			one := newClient(t, conn, conn.Root(), target)
			one.enable(one.s)
			one.do("Page.navigate", m{"url": site + "/framed1"})
			one.on(one.frame(), "Runtime.runIfWaitingForDebugger", nil)
			one.sees("Page.frameNavigated", "/inner/framed1")

			// The second session is below a session with the browser, as sessions of programs are.
			program := conn.Session(root.on(conn.Root(), "Target.attachToBrowserTarget", nil)["sessionId"].(string))
			two := newClient(t, conn, program, target)
			hearsWhatIsThere(t, two, site)
			navigatesForBoth(one, two, strings.Replace(site, "127.0.0.1", "third.test", 1)+"/framed2")
			bindingsAndObjects(t, one, two)
			pauseRequests(t, one, two, asked)
			two.do("Network.setExtraHTTPHeaders", m{"headers": m{"X-Two": "2"}})
			two.do("Page.addScriptToEvaluateOnNewDocument", m{"source": "window.ofTwo = 1"})
			one.do("Network.setExtraHTTPHeaders", m{"headers": m{"X-One": "1"}})
			root.on(conn.Root(), "Target.detachFromTarget", m{"sessionId": program.ID})
			goesOnAlone(t, one, site+"/framed3", asked)
		})
	}
}

// hearsWhatIsThere attaches the second session to what the first has loaded.
func hearsWhatIsThere(t *testing.T, two *client, site string) {
	t.Helper()
	two.enable(two.s)
	two.sees("Runtime.executionContextCreated", site)
	two.sees("Page.lifecycleEvent", `"name":"load"`)
	frame := two.frame()
	two.sees("Runtime.executionContextCreated", "http://other.test")
	two.on(frame, "Runtime.runIfWaitingForDebugger", nil)
	if got := two.on(frame, "Runtime.evaluate", m{"expression": "document.title"}); !strings.Contains(fmt.Sprint(got), "/inner/framed1") {
		t.Errorf("the frame of the second session: %v", got)
	}
}

// navigatesForBoth checks that one session navigates and both see it. A new frame runs when both
// sessions have let it run. Chromium reports the frame to the second session when the first has let
// it run.
func navigatesForBoth(one, two *client, url string) {
	one.t.Helper()
	both := []*client{one, two}
	for _, c := range both {
		c.begin()
	}
	two.do("Page.navigate", m{"url": url})
	for _, c := range both {
		c.sees("Network.requestWillBeSent", "/framed2")
		c.sees("Page.frameNavigated", "/framed2")
		c.sees("Runtime.executionContextCreated", "third.test")
	}
	waiting := slices.Clone(both)
	one.until("both have let the frame run", func() bool {
		waiting = slices.DeleteFunc(waiting, func(c *client) bool {
			if len(c.seen("Target.attachedToTarget", `"waitingForDebugger":true`)) == 0 {
				return false
			}
			c.on(c.frame(), "Runtime.runIfWaitingForDebugger", nil)
			return true
		})
		return len(waiting) == 0
	})
	for _, c := range both {
		c.sees("Network.responseReceived", "/inner/framed2")
		c.sees("Page.lifecycleEvent", `"name":"load"`)
		c.sees("Runtime.executionContextCreated", "other.test")
	}
}

// pauseRequests has both sessions pause requests. The second session answers a request that the
// first one continues. Another request stays paused for the second.
func pauseRequests(t *testing.T, one, two *client, asked func(string) http.Header) {
	t.Helper()
	for _, c := range []*client{one, two} {
		c.begin()
		c.do("Fetch.enable", m{"patterns": []m{{"urlPattern": "*/paused*"}}})
	}
	two.do("Runtime.evaluate", m{"expression": `answer = fetch("/paused/1").then((r) => r.text()), 1`})
	one.until("the second session answers the request", func() bool {
		one.continueAll()
		held := two.seen("Fetch.requestPaused", "/paused/1")
		for _, ev := range held {
			two.do("Fetch.fulfillRequest", m{"requestId": ev.params["requestId"], "responseCode": 200, "body": "bW9ja2Vk"})
		}
		return len(held) > 0
	})
	if got := one.value(`answer`); got != "mocked" || asked("/paused/1") != nil {
		t.Errorf("answered by the second session: %v, asked %v", got, asked("/paused/1"))
	}
	one.do("Runtime.evaluate", m{"expression": `answer = fetch("/paused/2"), 1`})
	one.until("the second session holds a request", func() bool {
		one.continueAll()
		return len(two.seen("Fetch.requestPaused", "/paused/2")) > 0
	})
}

// continueAll continues the requests that are paused for the session.
func (c *client) continueAll() {
	c.t.Helper()
	held := c.seen("Fetch.requestPaused", "")
	for ; c.continued < len(held); c.continued++ {
		c.do("Fetch.continueRequest", m{"requestId": held[c.continued].params["requestId"]})
	}
}

// goesOnAlone uses the first session when the second has ended. What the second held goes on, and what
// it had set is taken back.
func goesOnAlone(t *testing.T, one *client, url string, asked func(string) http.Header) {
	t.Helper()
	one.until("a request that the second session held goes on", func() bool {
		one.continueAll()
		return asked("/paused/2") != nil
	})
	one.do("Fetch.disable", nil)
	one.begin()
	one.do("Page.navigate", m{"url": url})
	one.on(one.frame(), "Runtime.runIfWaitingForDebugger", nil)
	one.sees("Page.frameNavigated", "/inner/framed3")
	one.sees("Page.lifecycleEvent", `"name":"load"`)
	if sent := asked("/framed3"); sent.Get("X-One") != "1" || sent.Get("X-Two") != "" {
		t.Errorf("headers of the sessions: %v", sent)
	}
	if got := one.value(`typeof ofTwo`); got != "undefined" {
		t.Errorf("the script of the second session still runs: %v", got)
	}
}

// bindingsAndObjects tests that a binding is called where it was added, and that objects are released
// where they were made.
func bindingsAndObjects(t *testing.T, one, two *client) {
	t.Helper()
	one.do("Runtime.addBinding", m{"name": "ofOne"})
	two.do("Runtime.addBinding", m{"name": "ofTwo"})
	two.value(`ofOne("a"), ofTwo("b"), 1`)
	one.sees("Runtime.bindingCalled", `"a"`)
	two.sees("Runtime.bindingCalled", `"b"`)
	if got := append(one.seen("Runtime.bindingCalled", `"b"`), two.seen("Runtime.bindingCalled", `"a"`)...); len(got) > 0 {
		t.Errorf("called at the wrong session: %v", got)
	}
	object := one.do("Runtime.evaluate", m{"expression": "({kept: 7})", "objectGroup": "group"})["result"].(m)["objectId"]
	two.do("Runtime.evaluate", m{"expression": "({})", "objectGroup": "group"})
	two.do("Runtime.releaseObjectGroup", m{"objectGroup": "group"})
	got := one.do("Runtime.callFunctionOn", m{"objectId": object, "functionDeclaration": "function() { return this.kept }"})
	if got["result"].(m)["value"] != 7.0 {
		t.Errorf("an object of the first session: %v", got)
	}
}
