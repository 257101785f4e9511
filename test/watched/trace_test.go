package watched

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/media"
	"chela/test/pages"
	"chela/test/service"
)

// A traced is a trace as the viewer reads it.
type traced struct {
	testing.TB
	files    map[string]string
	lines    []map[string]any
	requests []map[string]any
}

// readTrace reads a trace, and removes it.
func readTrace(t *testing.T, path string) *traced {
	t.Helper()
	defer os.Remove(path)
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	read := &traced{TB: t, files: map[string]string{}}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		read.files[f.Name] = string(content)
	}
	read.lines, read.requests = read.jsonLines("trace.trace"), read.jsonLines("trace.network")
	return read
}

func (tr *traced) jsonLines(name string) (values []map[string]any) {
	tr.Helper()
	for line := range strings.Lines(tr.files[name]) {
		var value map[string]any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			tr.Fatalf("%s: %v in %s", name, err, line)
		}
		values = append(values, value)
	}
	return values
}

// of returns the lines of a type.
func (tr *traced) of(kind string) (found []map[string]any) {
	for _, line := range tr.lines {
		if line["type"] == kind {
			found = append(found, line)
		}
	}
	return found
}

// call returns the id of the call with this title, which the trace must have once.
func (tr *traced) call(title string) string {
	tr.Helper()
	var ids []string
	for _, line := range tr.of("before") {
		if line["title"] == title {
			ids = append(ids, line["callId"].(string))
		}
	}
	if len(ids) != 1 {
		tr.Fatalf("%d calls are %q in\n%s", len(ids), title, tr.titles())
	}
	return ids[0]
}

func (tr *traced) titles() string {
	var titles []string
	for _, line := range tr.of("before") {
		titles = append(titles, line["title"].(string))
	}
	return strings.Join(titles, "\n")
}

// snapshots returns the snapshots of a call in a phase, of all frames.
func (tr *traced) snapshots(call, phase string) (found []map[string]any) {
	for _, line := range tr.of("frame-snapshot") {
		s := line["snapshot"].(map[string]any)
		if s["callId"] == call && s["phase"] == phase {
			found = append(found, s)
		}
	}
	return found
}

// entry returns the request whose address ends with suffix.
func (tr *traced) entry(suffix string) map[string]any {
	tr.Helper()
	for _, line := range tr.requests {
		entry := line["snapshot"].(map[string]any)
		if strings.HasSuffix(entry["request"].(map[string]any)["url"].(string), suffix) {
			return entry
		}
	}
	tr.Fatalf("there is no request to %s in %s", suffix, tr.files["trace.network"])
	return nil
}

func asJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

const tracedPage = `<title>Traced</title><link rel=stylesheet href=/style.css>
	<h1>Traced</h1><input aria-label=Name><input aria-label=Pass type=password value=hidden>
	<button onclick="console.warn('pressed', 1); document.querySelector('h1').textContent = 'Pressed'; sends()">Press</button>
	<button onclick="window.open('/popup')">Open</button>
	<button onclick="null.x">Fail</button>
	<div id=host></div><iframe src=/inner></iframe>
	<script>
		function sends() {
			const secret = ['very', 'secret'].join('-'), fetch = (...args) => window.fetch(...args).then(r => r.text());
			fetch('/login?a=1&access_token=' + secret, {method: 'POST', body: JSON.stringify({user: 'ada', password: secret})});
			fetch('/login', {method: 'POST', body: new URLSearchParams({user: 'ada', password: secret})});
			fetch('/data', {headers: {Authorization: 'Bearer abc', 'X-API-Key': secret}});
		}
		host.attachShadow({mode: 'open'}).innerHTML = '<b>in the shadow</b>';
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('b { color: teal; }');
		host.shadowRoot.adoptedStyleSheets = [sheet];
	</script>`

// tracedSite serves a page with everything that a trace can hold.
func tracedSite(t *testing.T) string {
	mux := http.NewServeMux()
	serve := func(path, kind, content string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "very-secret"})
			io.WriteString(w, content)
		})
	}
	serve("/{$}", "text/html", tracedPage)
	serve("/style.css", "text/css", "h1 { color: red; }")
	serve("/data", "application/json", "{}")
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-CSRF-Token", "very-secret")
		io.WriteString(w, "{}")
	})
	serve("/inner", "text/html", "<p>inside</p>")
	serve("/popup", "text/html", "<p>popup</p>")
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// A trace has the calls with their errors, what all frames showed before and after, and files that
// came before it began. It also has pictures, console, requests without secrets, and tabs that the
// page opened.
func TestTrace(t *testing.T) {
	s := mortal
	tab := s.Open(t, tracedSite(t))
	tab.Do("POST /trace/stop", nil).Fails(t, 409, "conflict", "Error: No active trace. Start a trace before stopping it.")
	started := tab.OK("POST /trace/start", nil)
	started.Has(t, "ok", "true")
	if started.Text("targetId") == "" || started.Text("url") == "" {
		t.Errorf("the answer does not name the tab: %s", started.Raw)
	}
	tab.Do("POST /trace/start", nil).Fails(t, 409, "conflict", "Error: Trace already running. Stop the current trace before starting a new one.")

	name, press := tab.Ref("Name"), tab.Ref("Press")
	tab.Act("type", args{"ref": name, "text": "Ada"})
	tab.Act("click", args{"ref": press})
	tab.Do("POST /act", args{"kind": "click", "ref": "e99"}).Fails(t, 404, "unknown_ref", "e99")
	tab.Click("Fail", nil)
	tab.Act("batch", args{"actions": []args{{"kind": "hover", "ref": press}, {"kind": "press", "key": "Tab"}}})
	tab.OK("POST /cookies/set", args{"name": "own", "value": "very-secret", "url": tab.Eval("location.href")})
	popup := tab.Click("Open", nil).Text("newTabs.0.tabId")
	s.Tab(t, popup).Act("wait", args{"text": "popup"})

	tab.Do("POST /trace/stop", args{"path": "../x.zip"}).Fails(t, 400, "invalid_request", "Invalid path: must stay within trace directory")
	s.Do(t, "POST /trace/stop", args{"targetId": "t99"}).Fails(t, 404, "not_found", "t99")
	tr := readTrace(t, tab.OK("POST /trace/stop", nil).Text("path"))

	first := tr.lines[0]
	if first["type"] != "context-options" || first["version"] != 9.0 || first["origin"] != "library" {
		t.Errorf("it begins with %v", first)
	}
	for title, parts := range map[string][]string{
		"type " + name + " Ada": {`["INPUT",{`, `"__playwright_value_":"Ada"`},
		"click " + press:        {`"Pressed"`, `"__playwright_target__":"` + tr.call("click "+press)},
	} {
		shown := asJSON(tr.snapshots(tr.call(title), "before")) + asJSON(tr.snapshots(tr.call(title), "after"))
		for _, part := range parts {
			if !strings.Contains(shown, part) {
				t.Errorf("%s is not in what was shown before and after %q: %s", part, title, shown)
			}
		}
	}
	checkFirstSnapshots(t, tr)
	checkWhatHappened(t, tr)
	failed := tr.call("click e99")
	for _, line := range tr.of("after") {
		if line["callId"] == failed && !strings.Contains(asJSON(line["error"]), "e99") {
			t.Errorf("the failed call ended so: %v", line)
		}
	}
	tr.call("cookies set own [secret]")
	whole := tr.call("batch")
	for _, line := range tr.of("before") {
		if title := line["title"]; (title == "hover "+press || title == "press Tab") && line["parentId"] != whole {
			t.Errorf("%v is no part of the batch", line)
		}
	}
	if pages := tr.of("event"); !slices.ContainsFunc(pages, func(line map[string]any) bool { return line["method"] == "page" && line["pageId"] != tab.ID }) {
		t.Errorf("the popup is missing in %v", pages)
	}
	if text := tr.files["trace.network"] + tr.files["trace.trace"]; strings.Contains(text, "very-secret") || strings.Contains(text, "Bearer abc") {
		t.Error("a secret is in the trace")
	}
	nothingLeft(t)
}

// checkFirstSnapshots looks at the first snapshots of the two frames, which are whole.
func checkFirstSnapshots(t *testing.T, tr *traced) {
	t.Helper()
	first := tr.snapshots("call@1", "before")
	if len(first) != 2 {
		first = tr.snapshots("call@2", "before") // the refused call also counts
	}
	if len(first) != 2 {
		t.Fatalf("the first call has %d snapshots before it, want those of two frames", len(first))
	}
	main, inner := first[0], first[1]
	if main["isMainFrame"] != true || !strings.Contains(asJSON(inner), "inside") {
		t.Errorf("the frames are\n%s\n%s", asJSON(main), asJSON(inner))
	}
	for _, part := range []string{
		`"src":"/snapshot/` + inner["frameId"].(string),
		`["template",{"__playwright_shadow_root_":"open"},["B",{},"in the shadow"],["template",{"__playwright_style_sheet_":"b { color: teal; }"}]]`,
		`"__playwright_value_":"••••••"`,
	} {
		if !strings.Contains(asJSON(main), part) {
			t.Errorf("%s is not in %s", part, asJSON(main))
		}
	}
	if text := asJSON(main); strings.Contains(text, "SCRIPT") || strings.Contains(text, "onclick") || strings.Contains(text, "hidden") {
		t.Errorf("the snapshot has scripts, or a password: %s", text)
	}
}

// checkWhatHappened looks for the console, an error, requests and pictures.
func checkWhatHappened(t *testing.T, tr *traced) {
	t.Helper()
	if console := asJSON(tr.of("console")); !strings.Contains(console, "pressed 1") || !strings.Contains(console, `"messageType":"warning"`) {
		t.Errorf("the console is %s", console)
	}
	if events := asJSON(tr.of("event")); !strings.Contains(events, "pageError") || !strings.Contains(events, "TypeError") {
		t.Errorf("the events are %s", events)
	}
	if request := asJSON(tr.entry("/data")); !strings.Contains(request, "Bearer [secret]") || !strings.Contains(request, `"status":200`) {
		t.Errorf("the request is %s", request)
	}
	file := tr.entry("/style.css")["response"].(map[string]any)["content"].(map[string]any)["_file"]
	if content := tr.files[fmt.Sprint(file)]; content != "h1 { color: red; }" {
		t.Errorf("the style sheet is %q, in %v", content, file)
	}
	pictures := tr.of("screencast-frame")
	if len(pictures) == 0 {
		t.Fatal("there are no pictures")
	}
	if name := pictures[0]["file"].(string); !strings.HasPrefix(name, "screencast/") || !strings.HasPrefix(tr.files[name], "\xff\xd8") {
		t.Errorf("%s is no JPEG", name)
	}
}

// nothingLeft checks that no folder of a trace is left.
func nothingLeft(t *testing.T) {
	t.Helper()
	roots, err := media.Locate(media.Places{Media: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(roots.Temp, fmt.Sprintf("staged-%d.*", os.Getpid()), "*", "trace.*"))
	if len(left) > 0 {
		t.Errorf("there are %v", left)
	}
}

// Without pictures and snapshots a trace has neither; it may be saved under a name, and
// again under the same. A trace ends with its browser.
func TestTraceOptions(t *testing.T) {
	s := service.Own(t, "")
	tab := s.Open(t, tracedSite(t))
	name := fmt.Sprintf("around-trace-%d.zip", os.Getpid())
	for range 2 {
		tab.OK("POST /trace/start", args{"screenshots": false, "snapshots": false, "sources": true})
		tab.OK("GET /snapshot", nil)
		stopped := tab.OK("POST /trace/stop", args{"path": name})
		if filepath.Base(stopped.Text("path")) != name || stopped.Text("targetId") == "" {
			t.Errorf("it is saved as %s", stopped.Raw)
		}
		tr := readTrace(t, stopped.Text("path"))
		if len(tr.of("screencast-frame"))+len(tr.of("frame-snapshot")) > 0 || len(tr.of("before")) != 1 {
			t.Errorf("it has %s", tr.files["trace.trace"])
		}
	}
	tab.OK("POST /trace/start", nil)
	taken := fmt.Sprintf("around-taken-%d", os.Getpid())
	saved := tab.OK("POST /trace/stop", args{"path": name}).Text("path")
	inTheWay := filepath.Join(filepath.Dir(saved), taken)
	t.Cleanup(func() { os.Remove(saved); os.Remove(inTheWay) }) // the folder belongs to all servers
	if err := os.MkdirAll(filepath.Join(inTheWay, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	tab.OK("POST /trace/start", nil)
	if a := tab.Do("POST /trace/stop", args{"path": taken}); a.Status == 200 {
		t.Errorf("it was saved where a folder is: %s", a.Raw)
	}
	os.RemoveAll(inTheWay)
	tab.OK("POST /trace/stop", args{"path": taken}) // the recording was not lost
	tab.OK("POST /trace/start", nil)
	s.OK(t, "POST /stop", nil)
	s.Do(t, "POST /trace/stop", nil).Fails(t, 409, "conflict", "No active trace")
	nothingLeft(t)
}

// A page that the policy forbids meanwhile is in no further snapshot, and no call can read it.
func TestTraceOfAForbiddenPage(t *testing.T) {
	const settings = `{browser: {noSandbox: true, headless: true, ssrfPolicy: {dangerouslyAllowPrivateNetwork: true, blockedHostnames: [%s]}}}`
	s := service.Own(t, fmt.Sprintf(settings, ""))
	tab := s.Open(t, pages.Elsewhere(site.URL)+pages.HTML("<p>secret</p>"))
	tab.OK("POST /trace/start", args{"screenshots": false})
	if err := os.WriteFile(filepath.Join(s.Dir, "chela.json"), fmt.Appendf(nil, settings, `"localhost"`), 0o600); err != nil {
		t.Fatal(err)
	}
	service.Eventually(t, "the page is not read", func() bool { return tab.Do("GET /snapshot", nil).Status == 400 })
	tr := readTrace(t, tab.OK("POST /trace/stop", nil).Text("path"))
	last := tr.of("before")[len(tr.of("before"))-1]["callId"].(string)
	if got := tr.snapshots(last, "after"); len(got) > 0 {
		t.Errorf("the refused call has %d snapshots", len(got))
	}
}

// Values whose names look secret are in no answer about requests, unless the caller asks for them.
func TestSecretsOfRequests(t *testing.T) {
	tab := shared.Open(t, tracedSite(t))
	tab.Click("Press", nil)
	tab.OK("POST /response/body", args{"url": "/data", "past": true})
	answered := tab.OK("POST /response/body", args{"url": "/login?a=1", "past": true})
	list := tab.OK("GET /requests", nil)
	answers := []service.Answer{answered, list}
	for _, each := range list.Get("requests").([]any) {
		one := each.(map[string]any)
		if url := one["url"].(string); !strings.Contains(url, "/login") && !strings.Contains(url, "/data") {
			continue
		}
		path := "GET /requests/" + one["id"].(string)
		answers = append(answers, tab.OK(path, nil))
		if open := tab.OK(path, args{"secrets": true}); !strings.Contains(open.Raw, "very-secret") {
			t.Errorf("the secrets are not where they were asked for: %s", open.Raw)
		}
	}
	if len(answers) != 5 {
		t.Errorf("%d requests: %s", len(answers)-2, list.Raw)
	}
	for _, a := range answers {
		if strings.Contains(a.Raw, "very-secret") || !strings.Contains(a.Raw, "[secret]") {
			t.Errorf("got %s", a.Raw)
		}
	}
}

// The list of requests of a tab can be answered as an HTTP archive (HAR), by a parameter.
func TestHAR(t *testing.T) {
	tab := shared.Open(t, tracedSite(t))
	tab.Click("Press", nil)
	service.Eventually(t, "the request is answered", func() bool {
		return strings.Contains(tab.OK("GET /requests", args{"format": "har"}).Raw, "/data")
	})
	har := tab.OK("GET /requests", args{"format": "har"})
	har.Has(t, "log.version", "1.2")
	har.Has(t, "log.pages.0.id", "page_1")
	har.Has(t, "log.entries.0.request.method", "GET")
	har.Has(t, "log.entries.0.response.status", "200")
	har.Has(t, "log.entries.0.pageref", "page_1")
	if strings.Contains(har.Raw, "very-secret") || strings.Contains(har.Raw, "Bearer abc") {
		t.Error("a secret is in the archive")
	}
	if open := tab.OK("GET /requests", args{"format": "har", "secrets": true}); !strings.Contains(open.Raw, "Bearer abc") {
		t.Error("the secrets are not in the archive that is to have them")
	}
}
