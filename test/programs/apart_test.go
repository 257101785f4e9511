package programs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"chela/test/service"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

// Two programs drive tabs of two sessions in one browser. Neither sees a target, a context, an event
// or a cookie jar of the other, or can name one.
func TestProgramsSeeOnlyTheirOwn(t *testing.T) {
	ada, bob := connect(t, shared, "ada"), connect(t, shared, "bob")
	for _, p := range []*program{ada, bob} {
		p.call("", "Target.setDiscoverTargets", fields{"discover": true})
		p.call("", "Target.setAutoAttach", fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	}
	adas, adaOn := ada.open(site.URL + "/form.html")
	bobs, bobOn := bob.open(site.URL + "/article.html")
	if got := ada.targets(); !slices.Equal(got, []string{adas}) {
		t.Errorf("ada sees %v", got)
	}
	for _, method := range []string{"Target.targetCreated", "Target.attachedToTarget"} {
		ada.awaitEvent("", method, adas)
		bob.awaitEvent("", method, bobs)
	}
	ada.call(adaOn, "Runtime.enable", nil)
	bob.call(bobOn, "Runtime.enable", nil)
	ada.eval(adaOn, "console.log('of ada')")
	bob.eval(bobOn, "console.log('of bob')")
	ada.awaitEvent(adaOn, "Runtime.consoleAPICalled", "of ada")
	bob.awaitEvent(bobOn, "Runtime.consoleAPICalled", "of bob")
	for _, foreign := range []string{bobs, bobOn, "of bob", "article.html"} {
		if ada.has(foreign) {
			t.Errorf("ada got an event with %s", foreign)
		}
	}
	if ada.has("of bob") || bob.has("of ada") || bob.has(adas) {
		t.Error("a program got an event of the other")
	}

	ada.fails(bobOn, "Runtime.evaluate", fields{"expression": "1"}, "Session with given id not found")
	ada.fails("", "Target.detachFromTarget", fields{"sessionId": bobOn}, "No session with given id")
	for _, method := range []string{"Target.attachToTarget", "Target.closeTarget", "Target.activateTarget", "Target.getTargetInfo", "Browser.getWindowForTarget"} {
		ada.fails("", method, fields{"targetId": bobs, "flatten": true}, "No target with given id")
	}
	ada.fails(adaOn, "Target.getTargetInfo", fields{"targetId": bobs}, "No target with given id")
	contexts := ada.call("", "Target.getBrowserContexts", nil)["browserContextIds"].([]any)
	if len(contexts) != 0 {
		t.Errorf("ada sees the browser contexts %v", contexts)
	}
	for method, why := range map[string]string{
		"Target.createBrowserContext": "share its cookies", "SystemInfo.getInfo": "this machine", "Tracing.start": "the tabs of others",
		"Target.exposeDevToolsProtocol": "drive the browser", "Browser.crash": "belongs to others", "Nothing.known": "wasn't found",
	} {
		if r := ada.try("", method, nil); r.Error == nil || r.Error.Code != -32601 || !contains(r.Error.Message, why) {
			t.Errorf("%s: %s %v", method, r.Result, r.Error)
		}
	}

	// chela lists what the program has opened, and where it went.
	list := shared.In("ada").OK(t, "GET /tabs", nil).Raw
	if !contains(list, adas) || !contains(list, "/form.html") {
		t.Errorf("chela lists %s", list)
	}

	ada.call("", "Browser.close", nil)
	if code := ada.ended(); code != websocket.StatusNormalClosure {
		t.Errorf("closed with %d", code)
	}
	if got := bob.eval(bobOn, "6 * 7"); got != "42" {
		t.Errorf("after ada has closed the browser, bob gets %s", got)
	}
	if again := connect(t, shared, "ada"); !slices.Equal(again.targets(), []string{adas}) {
		t.Errorf("ada's tabs are %v", again.targets())
	}
}

// A tab that a page opens belongs to the session of its opener.
func TestPopupsBelongToTheirOpener(t *testing.T) {
	opener, other := connect(t, shared, "opener"), connect(t, shared, "other")
	for _, p := range []*program{opener, other} {
		p.call("", "Target.setAutoAttach", fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	}
	target, on := opener.open(site.URL + "/form.html")
	opener.eval(on, "void open('/article.html')")
	opener.awaitEvent("", "Target.attachedToTarget", `"openerId":"`+target+`"`)
	if got := other.targets(); len(got) != 0 {
		t.Errorf("another session sees %v", got)
	}
	if other.has("Target") {
		t.Errorf("another session got %v", other.names())
	}
}

// While a person has taken over a tab, programs may look at it, and not touch it.
func TestTakenTabIsNotTouched(t *testing.T) {
	p := connect(t, shared, "taken")
	target, on := p.open(site.URL + "/form.html")
	p.call(on, "Debugger.enable", nil)
	shared.OK(t, "POST /takeover", args{"targetId": target})
	for _, c := range []struct {
		session, method string
		params          fields
	}{
		{on, "Page.navigate", fields{"url": "about:blank"}},
		{on, "Page.addScriptToEvaluateOnNewDocument", fields{"source": "document.title = 'changed'", "runImmediately": true}},
		{on, "Page.setWebLifecycleState", fields{"state": "frozen"}},
		{on, "Page.waitForDebugger", nil},
		{on, "Page.setInterceptFileChooserDialog", fields{"enabled": true}},
		{on, "Page.close", nil},
		{on, "Runtime.evaluate", fields{"expression": "1"}},
		{on, "Runtime.addBinding", fields{"name": "bound"}},
		{on, "Input.dispatchKeyEvent", fields{"type": "char", "text": "a"}},
		{on, "Emulation.setDeviceMetricsOverride", fields{"width": 300, "height": 200, "deviceScaleFactor": 1, "mobile": true}},
		{on, "Network.setCookie", fields{"name": "a", "value": "b", "url": site.URL}},
		{on, "Network.setBlockedURLs", fields{"urls": []string{"*"}}},
		{on, "Fetch.enable", nil},
		{on, "Debugger.enable", nil},
		{on, "Debugger.pause", nil},
		{on, "DOMStorage.clear", fields{"storageId": fields{"securityOrigin": site.URL, "isLocalStorage": true}}},
		{on, "Target.setAutoAttach", fields{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}},
		{on, "Storage.clearCookies", nil},
		{"", "Storage.setCookies", fields{"cookies": []fields{{"name": "a", "value": "b", "url": site.URL}}}},
		{"", "Storage.clearCookies", nil},
		{"", "Target.activateTarget", fields{"targetId": target}},
		{"", "Target.closeTarget", fields{"targetId": target}},
	} {
		p.fails(c.session, c.method, c.params, "a person has had the tab since")
	}
	other, beside := p.open(site.URL + "/form.html") // all tabs share their cookies
	p.fails(beside, "Network.clearBrowserCookies", nil, "a person has had the tab since")
	p.fails(beside, "Network.deleteCookies", fields{"name": "a", "url": site.URL}, "a person has had the tab since")
	p.call("", "Target.closeTarget", fields{"targetId": other})
	for method, params := range map[string]fields{
		"Page.captureScreenshot":          nil,
		"Page.bringToFront":               nil, // Puppeteer sends it before each screenshot
		"Page.getFrameTree":               nil,
		"DOM.getDocument":                 nil,
		"Accessibility.getFullAXTree":     nil,
		"Network.enable":                  nil,
		"Network.getCookies":              nil,
		"Runtime.enable":                  nil,
		"Runtime.runIfWaitingForDebugger": nil,
		"Input.dispatchMouseEvent":        {"type": "mouseReleased", "x": 1, "y": 1, "button": "left"}, // it ends a drag
		"Debugger.disable":                nil,
		"Fetch.disable":                   nil,
		"Target.setAutoAttach":            {"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true},
	} {
		p.call(on, method, params)
	}
	p.call("", "Storage.getCookies", nil)
	again := p.attach(target)
	p.call("", "Target.detachFromTarget", fields{"sessionId": again})
	shared.OK(t, "POST /giveback", args{"targetId": target})
	if got := p.eval(on, "document.title + innerWidth"); contains(got, "changed") || contains(got, "300") {
		t.Errorf("after the tab was given back: got %s", got)
	}
	p.call("", "Target.closeTarget", fields{"targetId": target})
}

// A program that has intercepted requests goes on with them while a person has the tab. Otherwise
// the person's page would wait for them.
func TestTakenTabGetsWhatIsIntercepted(t *testing.T) {
	p := connect(t, shared, "intercepting")
	target, on := p.open(site.URL + "/form.html")
	p.call(on, "Fetch.enable", nil)
	p.eval(on, "void fetch('/article.html').then(() => document.body.append('It came'))")
	var paused struct{ RequestID string }
	if err := json.Unmarshal(p.awaitEvent(on, "Fetch.requestPaused", "article.html").Params, &paused); err != nil {
		t.Fatal(err)
	}
	shared.OK(t, "POST /takeover", args{"targetId": target})
	p.call(on, "Fetch.continueRequest", fields{"requestId": paused.RequestID})
	shared.OK(t, "POST /expect", args{"targetId": target, "text": "It came"}).Has(t, "met", "true")
	shared.OK(t, "POST /giveback", args{"targetId": target})
}

// A tab that another session has leased is out of reach until the lease ends.
func TestLeasesAreHeeded(t *testing.T) {
	owner, guest := connect(t, shared, "owner"), connect(t, shared, "guest")
	target, on := owner.open("")
	guest.call("", "Target.setDiscoverTargets", fields{"discover": true})
	shared.In("guest").OK(t, "POST /tabs/"+target+"/lease", args{"ttlMs": 60000})
	guest.awaitEvent("", "Target.targetCreated", target)
	owner.awaitEvent("", "Target.detachedFromTarget", on)
	owner.fails("", "Target.attachToTarget", fields{"targetId": target, "flatten": true}, "No target with given id")
	guestOn := guest.attach(target)
	if got := guest.eval(guestOn, "6 * 7"); got != "42" {
		t.Errorf("who has leased the tab gets %s", got)
	}
	shared.In("guest").OK(t, "POST /tabs/"+target+"/lease", args{"ttlMs": 0})
	guest.awaitEvent("", "Target.detachedFromTarget", guestOn)
	owner.attach(target)
}

// The endpoint is for programs on this machine that have its secret, and for no page.
func TestWhoMayConnect(t *testing.T) {
	ws, address := endpoint(t, shared, "door")
	if again, _ := endpoint(t, shared, "door"); again != ws {
		t.Errorf("the endpoint was %s, and is %s", ws, again)
	}
	if other, _ := endpoint(t, shared, "next-door"); other == ws {
		t.Error("two sessions have one endpoint")
	}
	get := func(url string, header, value string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if header == "Host" {
			r.Host = value
		} else if header != "" {
			r.Header.Set(header, value)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		return a.StatusCode
	}
	for _, test := range []struct {
		url, header, value string
		status             int
	}{
		{address + "/json/version", "", "", 200},
		{address + "/json/version/", "", "", 200},
		{address + "/json/list", "Host", "localhost:1", 200},
		{address + "/json", "Host", "evil.example", 403},
		{address + "/json/version", "Origin", "http://evil.example", 403},
		{address + "/json/version", "Origin", "null", 403},
		{address + "/json/version", "Sec-Fetch-Site", "cross-site", 403},
		{strings.Replace(ws, "ws:", "http:", 1), "Origin", "http://127.0.0.1:1", 403},
		{address[:len(address)-1] + "/json/version", "", "", 404},
		{address + "x/json/version", "", "", 404},
	} {
		if status := get(test.url, test.header, test.value); status != test.status {
			t.Errorf("%s with %s %s: %d", test.url, test.header, test.value, status)
		}
	}
	p := dial(t, ws)
	_, on := p.open(site.URL + "/form.html")
	p.fails(on, "Page.navigate", fields{"url": address + "/json/list"}, "browsers never open the ports of chela")
	if got := p.eval(on, "fetch('"+address+"/json/list').then(() => 'reached', () => 'failed')"); got != "failed" {
		t.Errorf("a page has %s the endpoint", got)
	}
	shared.OK(t, "POST /sessions/end", args{"session": "door"})
	if code := p.ended(); code != websocket.StatusNormalClosure {
		t.Errorf("closed with %d", code)
	}
	if status := get(address+"/json/version", "", ""); status != 404 {
		t.Errorf("after the end of the session: %d", status)
	}
}

// The commands that programs send to tabs are in the list of calls. A command that is repeated is
// listed only once in a while.
func TestProgramsAreAmongTheCalls(t *testing.T) {
	p := connect(t, shared, "noted")
	target, on := p.open(site.URL + "/form.html")
	for range 3 {
		for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			p.call(on, "Input.dispatchMouseEvent", fields{"type": kind, "x": 5, "y": 5, "button": "left", "clickCount": 1})
		}
	}
	p.call(on, "Page.captureScreenshot", fields{"format": "jpeg"})
	p.call(on, "Page.addScriptToEvaluateOnNewDocument", fields{"source": "1"})
	p.call("", "Storage.getCookies", nil)
	root := p.call(on, "DOM.getDocument", nil)["root"].(map[string]any)["nodeId"]
	file := filepath.Join(service.UploadRoot(t), "noted.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	p.fails(on, "DOM.setFileInputFiles", fields{"nodeId": root, "files": []string{file}}, "") // a document takes no files
	p.call("", "Target.activateTarget", fields{"targetId": target})
	p.call("", "Target.closeTarget", fields{"targetId": target})
	var got []string
	all := shared.OK(t, "GET /calls", nil)
	for i := range all.Count("calls") {
		if at := fmt.Sprintf("calls.%d.", i); all.Text(at+"session") == "noted" && all.Text(at+"caller") == "program" {
			got = append(got, all.Text(at+"operation"))
		}
	}
	if want := []string{
		"Target.createTarget", "Page.navigate", "Input.dispatchMouseEvent", "Page.captureScreenshot", "Page.addScriptToEvaluateOnNewDocument", "Storage.getCookies",
		"DOM.getDocument", "DOM.setFileInputFiles", "Target.activateTarget", "Target.closeTarget",
	}; !slices.Equal(got, want) {
		t.Errorf("listed are %q, want %q", got, want)
	}
}
