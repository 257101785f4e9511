package programs

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

// What the network policy forbids is refused to a program, whichever way it takes. It may navigate,
// change a request, or answer one itself. That holds in a browser that chela has started, whose
// connections go through a proxy. It also holds in a browser that chela has connected to, where
// each request is judged.
func TestPolicyHolds(t *testing.T) {
	var reached atomic.Int32
	forbidden := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer forbidden.Close()
	bad := pages.Elsewhere(forbidden.URL)
	const policy = `ssrfPolicy: {dangerouslyAllowPrivateNetwork: true, blockedHostnames: ["localhost"]}`
	managed := func(t *testing.T) *service.Service {
		return service.Own(t, `{browser: {noSandbox: true, headless: true, `+policy+`}}`)
	}
	connected := func(t *testing.T) *service.Service {
		url, end, err := chromium.StartElsewhere(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(end)
		return service.Own(t, fmt.Sprintf(`{browser: {cdpUrl: %q, attachOnly: true, %s}}`, url, policy))
	}
	for name, start := range map[string]func(*testing.T) *service.Service{"a browser of chela": managed, "a browser that was there": connected} {
		t.Run(name, func(t *testing.T) {
			p := connect(t, start(t), "ada")
			_, on := p.open(site.URL + "/form.html")
			for url, why := range map[string]string{
				bad: "blockedHostnames", "file:///etc/passwd": "unsupported protocol", "chrome://version": "unsupported protocol",
				"javascript:1": "unsupported protocol", "view-source:" + site.URL: "unsupported protocol", "http://a:b@c.test": "credentials",
			} {
				p.fails(on, "Page.navigate", fields{"url": url}, why)
				p.fails("", "Target.createTarget", fields{"url": url}, why)
			}
			if n := len(p.targets()); n != 1 {
				t.Errorf("%d tabs are open", n)
			}

			p.call(on, "Fetch.enable", fields{"patterns": []any{fields{"urlPattern": "*/article.html"}, fields{"urlPattern": bad + "/*"}}})
			p.eval(on, "void fetch('/article.html').then(() => console.log('done'), () => console.log('failed'))")
			paused := requestID(t, p.awaitEvent(on, "Fetch.requestPaused", "/article.html"))
			p.fails(on, "Fetch.continueRequest", fields{"requestId": paused, "url": bad}, "blockedHostnames")
			p.call(on, "Runtime.enable", nil)
			p.call(on, "Fetch.failRequest", fields{"requestId": paused, "errorReason": "Aborted"})
			p.awaitEvent(on, "Runtime.consoleAPICalled", "failed")

			p.eval(on, fmt.Sprintf("void (location = %q)", bad+"/page"))
			paused = requestID(t, p.awaitEvent(on, "Fetch.requestPaused", bad+"/page"))
			p.fails(on, "Fetch.fulfillRequest", fields{"requestId": paused, "responseCode": 200, "body": base64.StdEncoding.EncodeToString([]byte("mine"))}, "blockedHostnames")
			p.fails(on, "Fetch.continueRequest", fields{"requestId": paused, "url": site.URL + "/article.html"}, "blockedHostnames")
			p.fails(on, "Fetch.continueRequest", fields{"requestId": paused, "headers": []any{fields{"name": "a b", "value": "c"}}}, "Invalid header")
			p.fails(on, "Fetch.fulfillRequest", fields{"requestId": paused, "responseCode": 200}, "blockedHostnames")
			p.call(on, "Fetch.continueRequest", fields{"requestId": paused})
			p.fails(on, "Fetch.fulfillRequest", fields{"requestId": paused, "responseCode": 200}, "Invalid InterceptionId")
			p.call(on, "Fetch.disable", nil)
			service.Eventually(t, "the tab keeps its page", func() bool { return p.eval(on, "location.pathname") == "/form.html" })
			if n := reached.Load(); n != 0 {
				t.Errorf("the forbidden server was asked %d times", n)
			}
		})
	}
}

func requestID(t *testing.T, e event) string {
	t.Helper()
	_, id, _ := strings.Cut(string(e.Params), `"requestId":"`)
	id, _, ok := strings.Cut(id, `"`)
	if !ok {
		t.Fatalf("no id in %s", e.Params)
	}
	return id
}

// A page that the policy forbids later stays open, but a program gets no more of it: neither messages
// nor pictures nor titles. It may leave the page, and then gets those of the next one.
func TestNothingComesOfAForbiddenPage(t *testing.T) {
	const settings = `{browser: {noSandbox: true, headless: true, ssrfPolicy: {dangerouslyAllowPrivateNetwork: true, blockedHostnames: [%s]}}}`
	var steps atomic.Int32
	var saved atomic.Value
	counter := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/paused" {
			body, _ := io.ReadAll(r.Body)
			saved.Store(r.Method + " " + string(body))
			return
		}
		steps.Add(1)
	}))
	defer counter.Close()
	s := service.Own(t, fmt.Sprintf(settings, ""))
	p := connect(t, s, "ada")
	target, on := p.open(pages.Elsewhere(site.URL) + pages.HTML(fmt.Sprintf(`<body><script>
		n = 0, setInterval(() => {
			window.report?.("secret " + ++n), document.body.textContent = document.title = n, fetch(%[1]q, {mode: "no-cors"})
			fetch(%[1]q + "/paused", {method: "POST", body: "secret", mode: "no-cors"})
		}, 20)
	</script>`, counter.URL)))
	p.call(on, "Runtime.enable", nil)
	p.call(on, "Runtime.addBinding", fields{"name": "report"})
	p.call(on, "Page.startScreencast", fields{"format": "jpeg", "quality": 1})
	p.awaitEvent(on, "Runtime.bindingCalled", "secret")
	p.call(on, "Fetch.enable", fields{"patterns": []any{fields{"urlPattern": "*/paused"}}})
	p.awaitEvent(on, "Fetch.requestPaused", "secret")
	picture := p.awaitEvent(on, "Page.screencastFrame", "")
	if err := os.WriteFile(filepath.Join(s.Dir, "chela.json"), fmt.Appendf(nil, settings, `"localhost"`), 0o600); err != nil {
		t.Fatal(err)
	}
	service.Eventually(t, "commands are refused", func() bool { return p.try(on, "Runtime.evaluate", fields{"expression": "1"}).Error != nil })
	_, number, _ := strings.Cut(string(picture.Params), `"sessionId":`)
	var session int
	fmt.Sscan(number, &session)
	p.call(on, "Page.screencastFrameAck", fields{"sessionId": session})
	had, began := len(p.names()), steps.Load()
	p.call("", "Target.setDiscoverTargets", fields{"discover": true})
	p.attach(target)
	for _, info := range p.call("", "Target.getTargets", nil)["targetInfos"].([]any) {
		if title := info.(map[string]any)["title"]; title != "" {
			t.Errorf("the program is told the title %v", title)
		}
	}
	service.Eventually(t, "the page goes on", func() bool { return steps.Load() > began+5 })
	p.mu.Lock()
	events := p.events[had:]
	p.mu.Unlock()
	paused := ""
	for _, e := range events {
		switch {
		case bytes.Contains(e.Params, []byte(`"title":"`)) && !bytes.Contains(e.Params, []byte(`"title":""`)):
			t.Errorf("the program got the title in %s %s", e.Method, e.Params)
		case e.Method == "Runtime.bindingCalled", e.Method == "Page.screencastFrame",
			!strings.HasPrefix(e.Method, "Target.") && bytes.Contains(e.Params, []byte("secret")): // the address of the target has the script
			t.Errorf("the program got %s %s", e.Method, e.Params)
		case e.Method == "Fetch.requestPaused":
			paused = requestID(t, e)
		}
	}
	if paused == "" {
		t.Fatal("the program does not know of the requests that wait for it")
	}
	p.call(on, "Fetch.continueRequest", fields{"requestId": paused, "method": "PUT", "postData": "bWluZQ==", "headers": []any{}})
	service.Eventually(t, "the request is sent", func() bool { return saved.Load() != nil })
	if got := saved.Load(); got != "POST secret" {
		t.Errorf("the page's request became %s", got)
	}
	p.call(on, "Page.navigate", fields{"url": site.URL + "/form.html"})
	service.Eventually(t, "the next page is read", func() bool { return p.try(on, "Runtime.evaluate", fields{"expression": "1"}).Error == nil })
	p.eval(on, "report('mine')")
	p.awaitEvent(on, "Runtime.bindingCalled", "mine")
}

// In a browser that chela has connected to, chela's judge is nearer to the network than a program
// is. The program gets a request first. The judge then decides on the request as the program has
// changed it.
func TestJudgeIsNearerToTheNetwork(t *testing.T) {
	var reached atomic.Int32
	forbidden := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer forbidden.Close()
	bad := pages.Elsewhere(forbidden.URL)
	url, end, err := chromium.StartElsewhere(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	s := service.Own(t, fmt.Sprintf(`{browser: {cdpUrl: %q, attachOnly: true, ssrfPolicy: {dangerouslyAllowPrivateNetwork: true, blockedHostnames: ["localhost"]}}}`, url))
	p := connect(t, s, "ada")
	_, on := p.open(site.URL + "/form.html")
	p.call(on, "Runtime.enable", nil)
	p.call(on, "Fetch.enable", fields{"patterns": []any{fields{"urlPattern": "*"}}})
	p.eval(on, fmt.Sprintf("void fetch(%q, {mode: 'no-cors'}).then(() => console.log('loaded'), () => console.log('failed'))", bad))
	paused := requestID(t, p.awaitEvent(on, "Fetch.requestPaused", bad))
	p.call(on, "Fetch.continueRequest", fields{"requestId": paused})
	p.awaitEvent(on, "Runtime.consoleAPICalled", "failed")
	if n := reached.Load(); n != 0 {
		t.Errorf("the forbidden server was asked %d times", n)
	}
}

// Scripts of programs are refused while the configuration forbids scripts, and files outside of the
// folders for uploads always are.
func TestScriptsAndFiles(t *testing.T) {
	s := service.Own(t, `{browser: {noSandbox: true, headless: true, evaluateEnabled: false}}`)
	p := connect(t, s, "ada")
	_, on := p.open(site.URL + "/form.html")
	for _, method := range []string{
		"Runtime.evaluate", "Runtime.callFunctionOn", "Page.addScriptToEvaluateOnNewDocument", "Page.createIsolatedWorld", "Debugger.enable",
		"DOM.setNodeName", "DOM.setOuterHTML", "Page.setDocumentContent",
	} {
		p.fails(on, method, fields{"expression": "1"}, "disabled by config (browser.evaluateEnabled=false)")
	}
	p.fails(on, "Page.reload", fields{"scriptToEvaluateOnLoad": "1"}, "disabled by config")
	p.fails(on, "Fetch.continueRequest", fields{"requestId": "1", "url": site.URL + "/script.js"}, "disabled by config")
	p.call(on, "DOM.getDocument", nil)

	p = connect(t, shared, "files")
	_, on = p.open(site.URL + "/html?is=<input type=file>")
	root := p.call(on, "DOM.getDocument", nil)["root"].(map[string]any)["nodeId"]
	input := p.call(on, "DOM.querySelector", fields{"nodeId": root, "selector": "input"})["nodeId"]
	p.fails(on, "DOM.setFileInputFiles", fields{"nodeId": input, "files": []string{"/etc/passwd"}}, "must stay within")
	p.fails(on, "Input.dispatchDragEvent", fields{"type": "drop", "x": 1, "y": 1, "data": fields{"items": []any{}, "files": []string{"/etc/passwd"}, "dragOperationsMask": 1}}, "setFileInputFiles")
	file := filepath.Join(service.UploadRoot(t), "programs.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	p.call(on, "DOM.setFileInputFiles", fields{"nodeId": input, "files": []string{file}})
	if got := p.eval(on, "document.querySelector('input').files[0].text()"); got != "hello" {
		t.Errorf("the page reads %q", got)
	}
	had := copiesOf(t, "programs.txt")
	p.fails(on, "DOM.setFileInputFiles", fields{"nodeId": root, "files": []string{file}}, "")
	if got := copiesOf(t, "programs.txt"); had == 0 || got != had {
		t.Errorf("there were %d copies of the file, and now %d", had, got)
	}
	p.fails(on, "Security.setIgnoreCertificateErrors", fields{"ignore": true}, "chela's configuration")
	p.fails(on, "Security.setOverrideCertificateErrors", fields{"override": true}, "chela's configuration")
	p.call(on, "Security.setIgnoreCertificateErrors", fields{"ignore": false})
	for _, method := range []string{"HeapProfiler.takeHeapSnapshot", "Tracing.start", "Storage.clearDataForOrigin", "Page.crash", "Page.startScreenRecording", "IndexedDB.enable", "Emulation.addScreen", "Unheard.of"} {
		if r := p.try(on, method, nil); r.Error == nil || !contains(r.Error.Message, "is refused") {
			t.Errorf("%s: %s %v", method, r.Result, r.Error)
		}
	}
}

// copiesOf counts the copies of a file that pages may read.
func copiesOf(t *testing.T, name string) (n int) {
	filepath.WalkDir(filepath.Dir(service.UploadRoot(t)), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == name && strings.Contains(path, "/staged-") {
			n++
		}
		return nil
	})
	return n
}

// A session that may open only some hosts is held to them. It sees the cookies of no other, and
// nothing that another has put on the clipboard.
func TestLimitedSession(t *testing.T) {
	mortal.In("limited").OK(t, "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"127.0.0.1"}})
	other := connect(t, mortal, "free")
	_, on := other.open(site.URL + "/form.html")
	other.call(on, "Network.setCookie", fields{"name": "of", "value": "others", "url": site.URL})
	p := connect(t, mortal, "limited")
	elsewhere := pages.Elsewhere(site.URL)
	_, on = p.open(site.URL + "/form.html")
	p.fails(on, "Page.navigate", fields{"url": elsewhere}, "policy allow-hosts")
	p.fails("", "Target.createTarget", fields{"url": elsewhere}, "policy allow-hosts")
	if got := p.eval(on, fmt.Sprintf("fetch(%q, {mode: 'no-cors'}).then(() => 'reached', () => 'failed')", elsewhere)); got != "failed" {
		t.Errorf("the page has %s another host", got)
	}
	if got := p.call("", "Storage.getCookies", nil)["cookies"].([]any); len(got) != 0 {
		t.Errorf("it reads the cookies %v", got)
	}
	if got := other.call("", "Storage.getCookies", nil)["cookies"].([]any); len(got) != 1 {
		t.Errorf("another session reads the cookies %v", got)
	}
	for _, event := range []fields{
		{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2},
		{"type": "rawKeyDown", "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "commands": []string{"paste"}},
	} {
		p.fails(on, "Input.dispatchKeyEvent", event, "may not use the clipboard")
	}
	p.call(on, "Input.dispatchKeyEvent", fields{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "text": "v"})
	mortal.In("limited").Do(t, "POST /cdp", args{"session": "free"}).Fails(t, 403, "forbidden", "may not use another session")
	if n := len(p.targets()); n != 2 {
		t.Errorf("it sees %d tabs", n)
	}
}
