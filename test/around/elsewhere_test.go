package around

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"chela/internal/base/certificate"
	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A way is a server between chela and a browser, such as the server of somebody who lends browsers.
// It speaks TLS with a certificate that it has made itself, and wants a login and a token. It can
// end connections and refuse commands.
type way struct {
	*httptest.Server
	browser string // address of the browser

	mu     sync.Mutex // guards the rest
	conns  []*websocket.Conn
	refuse string // beginnings of the methods of commands that the server refuses as unknown
}

const (
	wayLogin = "me:s3cret"
	wayToken = "t0ken"
)

func newWay(t *testing.T, browser string) *way {
	w := &way{browser: browser}
	to, err := url.Parse(browser)
	if err != nil {
		t.Fatal(err)
	}
	questions := httputil.NewSingleHostReverseProxy(to) // forwards the Host of the request, which Chromium names in its answer
	w.Server = httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		switch {
		case name+":"+password != wayLogin || r.URL.Query().Get("token") != wayToken:
			rw.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/devtools/"):
			w.carry(rw, r)
		default:
			questions.ServeHTTP(rw, r)
		}
	}))
	t.Cleanup(func() { w.cut(); w.Close() })
	return w
}

// url returns the address at which a profile finds the browser.
func (w *way) url() string {
	return strings.Replace(w.Server.URL, "https://", "https://"+wayLogin+"@", 1) + "/?token=" + wayToken
}

// carry passes on the messages of a connection, in both directions.
func (w *way) carry(rw http.ResponseWriter, r *http.Request) {
	near, err := websocket.Accept(rw, r, nil)
	if err != nil {
		return
	}
	far, _, err := websocket.Dial(r.Context(), w.browser+r.URL.Path, nil)
	if err != nil {
		near.CloseNow()
		return
	}
	w.mu.Lock()
	w.conns = append(w.conns, near, far)
	w.mu.Unlock()
	near.SetReadLimit(-1)
	far.SetReadLimit(-1)
	go func() {
		for {
			_, message, err := far.Read(r.Context())
			if err != nil || near.Write(r.Context(), websocket.MessageText, message) != nil {
				near.CloseNow()
				return
			}
		}
	}()
	for {
		_, message, err := near.Read(r.Context())
		if err != nil {
			break
		}
		if answer := w.refused(message); answer != nil {
			near.Write(r.Context(), websocket.MessageText, answer)
		} else if far.Write(r.Context(), websocket.MessageText, message) != nil {
			break
		}
	}
	far.CloseNow()
}

// refused returns the answer to a command that the server is to refuse, and nil for any other
// message.
func (w *way) refused(message []byte) []byte {
	var c struct {
		ID        int64
		Method    string
		SessionID string
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if json.Unmarshal(message, &c) != nil || w.refuse == "" || !strings.HasPrefix(c.Method, w.refuse) || c.SessionID != "" {
		return nil
	}
	return fmt.Appendf(nil, `{"id":%d,"error":{"code":-32601,"message":"'%s' wasn't found"}}`, c.ID, c.Method)
}

// cut ends all connections.
func (w *way) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		c.CloseNow()
	}
	w.conns = nil
}

func (w *way) refuses(methods string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refuse = methods
}

// A browser that somebody else has started is used as it is, and left as it was. No answer shows
// the secret parts of its address.
func TestBrowserElsewhere(t *testing.T) {
	long.Test(t)
	chromium.Skip(t)
	browser, end, err := chromium.StartElsewhere(t.TempDir(), chromium.Names(site))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	other := pages.Elsewhere(site.URL)
	address := site.URL + pages.HTML(`<iframe src="/frame.html?name=same&nest=inner"></iframe><iframe src="`+other+`/frame.html?name=other&nest=other-inner"></iframe>
		<script>onload = () => document.title = 'frames'</script>`)
	there := newTabThere(t, browser, address)
	way := newWay(t, browser)
	var log bytes.Buffer
	standard := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(standard)
	far := service.Own(t, fmt.Sprintf(`{browser: {defaultProfile: "far", profiles: {far: {cdpUrl: %[1]q, attachOnly: true, cdpFingerprint: %[2]q}, unknown: {cdpUrl: %[1]q, attachOnly: true}}}}`,
		way.url(), certificate.Of(way.Certificate())))
	var said strings.Builder
	ask := func(request string, args args) service.Answer {
		t.Helper()
		a := far.Do(t, request, args)
		said.WriteString(a.Raw)
		return a
	}
	unknown := ask("GET /tabs?profile=unknown", nil)
	unknown.Has(t, "running", "false")
	if unknown = ask("POST /start?profile=unknown", nil); unknown.Status != 409 || !strings.Contains(unknown.Text("hint"), "set cdpFingerprint beside cdpUrl: here it is "+certificate.Of(way.Certificate()).String()) {
		t.Errorf("without the fingerprint: %s", unknown.Raw)
	}
	isSeen(t, far)
	takenOver(t, far, there)
	outlivesCut(t, far, way, there)
	filesByContent(t, far)
	for _, request := range []string{"GET /", "GET /profiles", "GET /tabs", "GET /doctor"} {
		ask(request, nil)
	}
	stopped := ask("POST /stop", nil)
	stopped.Has(t, "stopped", "true")
	stopped.Has(t, "connected", "false")
	if got := tabsThere(t, browser); !strings.Contains(got, "|frames ") || strings.Contains(got, "about:blank") {
		t.Errorf("after stop the browser has %s", got)
	}
	lacksCommands(t, far, way, there)
	ask("POST /start?headless=true", nil).Fails(t, 400, "invalid_request", "is attach-only, remote, or existing-session.")
	way.Config.Handler = http.NotFoundHandler()
	way.cut()
	ask("POST /stop", nil)
	ask("POST /start", nil).Fails(t, 409, "conflict", `Browser attachOnly is enabled and profile "far" is not running.`)
	ask("GET /snapshot", nil).Fails(t, 409, "conflict", "")
	for _, secret := range []string{"s3cret", wayToken} {
		if strings.Contains(said.String(), secret) || strings.Contains(log.String(), secret) {
			t.Errorf("%s is told:\n%s\n%s", secret, said.String(), log.String())
		}
	}
}

// isSeen checks that a running browser is reported as running before any call has needed it.
// Nothing connects to the browser to find that out.
func isSeen(t *testing.T, far *service.Service) {
	t.Helper()
	named := regexp.MustCompile(`"summary":"(Headless)?Chrome/`)
	for range 2 {
		found := far.OK(t, "GET /doctor", nil)
		if !named.MatchString(found.Raw) || !strings.Contains(found.Raw, "the next call that needs it connects to it") {
			t.Errorf("before chela is connected: %s", found.Raw)
		}
		found.Has(t, "ok", "true")
		found.Has(t, "status.running", "true")
		status := far.OK(t, "GET /", nil)
		for field, want := range map[string]string{"running": "true", "cdpReady": "true", "cdpHttp": "true", "connected": "false", "pageReady": "false"} {
			status.Has(t, field, want)
		}
	}
	for _, p := range far.OK(t, "GET /profiles", nil).Get("profiles").([]any) {
		p := p.(map[string]any)
		if seen := p["name"] == "far"; p["running"] != seen || seen && p["connected"] != false {
			t.Errorf("listed as %v", p)
		}
	}
}

// newTabThere opens a tab as the browser's own user would, and returns its target id.
func newTabThere(t *testing.T, browser, address string) string {
	t.Helper()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPut, browser+"/json/new?"+url.QueryEscape(address), nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var tab struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&tab); err != nil {
		t.Fatal(err)
	}
	service.Eventually(t, "the tab has loaded", func() bool { return strings.Contains(tabsThere(t, browser), "|frames ") })
	return tab.ID
}

// tabsThere are the titles and addresses of the tabs that the browser has.
func tabsThere(t *testing.T, browser string) string {
	t.Helper()
	res, err := http.Get(browser + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var tabs []struct{ Type, Title, URL string }
	if err := json.NewDecoder(res.Body).Decode(&tabs); err != nil {
		t.Fatal(err)
	}
	all := "|"
	for _, tab := range tabs {
		if tab.Type == "page" {
			all += tab.Title + " " + tab.URL + "|"
		}
	}
	return all
}

// takenOver checks that a tab that was there, with its frames, is used like any other.
func takenOver(t *testing.T, far *service.Service, there string) {
	t.Helper()
	far.OK(t, "GET /tabs", nil).Has(t, "running", "true")
	far.OK(t, "GET /", nil).Has(t, "attachOnly", "true")
	if found := far.OK(t, "GET /doctor", nil); strings.Contains(found.Raw, ", pid") || !strings.Contains(found.Raw, "by a WebSocket") {
		t.Errorf("while chela is connected: %s", found.Raw)
	}
	tab := far.Tab(t, there)
	if text := tab.Snapshot(); strings.Contains(text, "not read") || strings.Count(text, `button "Press"`) != 4 {
		t.Errorf("of the tab that was there:\n%s", text)
	}
	opened := far.Open(t, site.URL+"/form.html")
	opened.OK("POST /tabs/action", args{"action": "label", "label": "mine"})
	opened.OK("POST /set/timezone", args{"timezoneId": "Asia/Tokyo"})
	if recorded := far.OK(t, "GET /recorder?targetId="+opened.ID, nil); recorded.Text("entries.0.op") != "open" {
		t.Errorf("recorded: %s", recorded.Raw)
	}
	viewer := far.View(t, url.Values{"targetId": {opened.ID}})
	viewer.Next("title", nil)
	opened.Eval("void (document.title = 'given by a script')")
	viewer.Next("title", func(m service.Message) bool { return m.Text("title") == "given by a script" })
}

// outlivesCut checks that a connection is made again after it has ended, and that callers find
// their tabs as before.
func outlivesCut(t *testing.T, far *service.Service, way *way, there string) {
	t.Helper()
	before := far.OK(t, "GET /tabs", nil)
	way.cut()
	service.Eventually(t, "the cut is noticed", func() bool { return far.OK(t, "GET /", nil).Text("connected") == "false" })
	tab := far.Tab(t, "mine")
	if got := tab.Eval("Intl.DateTimeFormat().resolvedOptions().timeZone"); got != "Asia/Tokyo" {
		t.Errorf("after the cut the time zone is %s", got)
	}
	tab.Act("type", args{"ref": tab.Ref("textbox"), "text": "again"})
	far.Tab(t, there).Snapshot()
	after := far.OK(t, "GET /tabs", nil)
	for i := range before.Count("tabs") {
		id := before.Text(fmt.Sprintf("tabs.%d.tabId", i))
		if !strings.Contains(after.Raw, fmt.Sprintf("%q", id)) {
			t.Errorf("%s is not listed after the cut: %s", id, after.Raw)
		}
	}
	file := filepath.Join(far.Dir, "browser", "far", "session.json")
	kept, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(kept), `"lastTab"`) {
		t.Errorf("%s has %s, %v", file, kept, err)
	}
	for _, word := range []string{"http", "mine", "Tokyo"} { // addresses, labels and settings
		if strings.Contains(string(kept), word) {
			t.Errorf("%s has %q: %s", file, word, kept)
		}
	}
}

// filesByContent checks uploads and downloads when chela and the browser share no folder.
func filesByContent(t *testing.T, far *service.Service) {
	t.Helper()
	tab := far.Open(t, site.URL+pages.HTML(`<input type=file aria-label=Pick multiple onchange="Promise.all([...this.files].map(f => f.text())).then(all => document.title = all.map(text => text.length + text.slice(-3)))">
		<input type=file aria-label=Folder webkitdirectory>
		<a href="/file?name=a.txt&bytes=20" download>Get</a><a id=b download=b.txt>Blob</a><form action="/file" method=post><button>Post</button></form>
		<script>b.href = URL.createObjectURL(new Blob(['of the page']))</script>`))
	one, two := far.Upload(t, "one.txt", "first"), far.Upload(t, "two.txt", strings.Repeat("x", 1<<20)+"end")
	tab.OK("POST /hooks/file-chooser", args{"ref": tab.Ref("Pick"), "paths": []string{one, two}})
	service.Eventually(t, "the page has read the files", func() bool { return tab.Eval("document.title") == "5rst,1048579end" })
	three := far.Upload(t, "three.txt", "third")
	tab.Do("POST /hooks/file-chooser", args{"inputRef": tab.Ref("Folder"), "paths": []string{three}}).Fails(t, 501, "not_supported", "")
	filesAtTheBound(t, tab)
	for link, want := range map[string]string{"Get": strings.Repeat("x", 20), "Blob": "of the page"} {
		a := tab.OK("POST /download", args{"ref": tab.Ref(`link "` + link), "path": link + ".txt"})
		if got, err := os.ReadFile(a.Text("download.path")); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
}

// filesAtTheBound checks that files with 50 MB in total are refused before any of them is read. The
// files are sparse.
func filesAtTheBound(t *testing.T, tab *service.Tab) {
	t.Helper()
	folder, err := os.MkdirTemp(service.UploadRoot(t), "around-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	var paths []string
	for i, size := range []int64{20 << 20, 30 << 20} {
		paths = append(paths, filepath.Join(folder, fmt.Sprintf("%d.bin", i)))
		if err := os.WriteFile(paths[i], nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(paths[i], size); err != nil {
			t.Fatal(err)
		}
	}
	tab.Do("POST /hooks/file-chooser", args{"inputRef": tab.Ref("Pick"), "paths": paths}).
		Fails(t, 413, "too_large", "Cannot transfer files larger than 50Mb to a browser not co-located with the server")
}

// lacksCommands checks servers between chela and a browser that lack the commands for the whole
// browser, as some do. Operations that do not need these commands succeed, and the others are
// refused.
func lacksCommands(t *testing.T, far *service.Service, way *way, there string) {
	t.Helper()
	defer way.refuses("")
	type call struct {
		request string
		args    args
	}
	cookie := args{"cookie": args{"name": "a", "value": "b", "url": site.URL}}
	for _, test := range []struct {
		methods string
		refused []call
	}{
		{"Browser.", []call{{"POST /wait/download", nil}, {"POST /permissions/grant", args{"origin": site.URL, "permissions": []string{"geolocation"}}}}},
		{"Storage.", []call{{"GET /cookies", nil}, {"POST /cookies/set", cookie}, {"POST /cookies/clear", nil}}},
		{"Target.attachToTarget", nil},
		{"Target.createTarget", []call{{"POST /tabs/open", args{"url": site.URL}}}},
	} {
		far.OK(t, "POST /stop", nil)
		way.refuses(test.methods)
		far.OK(t, "POST /start", nil)
		tab := far.Tab(t, there)
		tab.OK("POST /navigate", args{"url": site.URL + "/form.html"})
		tab.Act("type", args{"ref": tab.Ref("textbox"), "text": "all the same"})
		for _, c := range test.refused {
			far.Do(t, c.request, c.args).Fails(t, 501, "not_supported", "")
		}
	}
	way.refuses("")
	far.In("limited").Do(t, "POST /tabs/open", args{"url": site.URL, "isolated": true, "allowHosts": []string{"127.0.0.1"}}).
		Fails(t, 501, "not_supported", "the hosts of a session cannot be limited")
	for _, methods := range []string{"Target.setAutoAttach", "Target."} {
		far.OK(t, "POST /stop", nil)
		way.refuses(methods)
		service.Eventually(t, "the next try is possible", func() bool {
			a := far.Do(t, "POST /start", nil)
			a.Fails(t, 409, "conflict", "")
			return strings.Contains(a.Text("hint"), "does not let the tabs of a browser be driven") && !strings.Contains(a.Text("hint"), "next try")
		})
	}
}
