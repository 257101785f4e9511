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
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

// A way leads to a browser, as the server of somebody who lends it. It wants a login and a token, and can end the
// connections and refuse commands.
type way struct {
	*httptest.Server
	browser string // where the browser is

	mu     sync.Mutex // guards the rest
	conns  []*websocket.Conn
	refuse string // methods that begin so are not known
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
	questions := httputil.NewSingleHostReverseProxy(to) // keeps the Host that it is called by, which Chromium names in its answer
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
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

// URL is where a profile finds the browser.
func (w *way) url() string {
	return strings.Replace(w.Server.URL, "http://", "http://"+wayLogin+"@", 1) + "/?token=" + wayToken
}

// carry carries the messages of a connection.
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

// refused is the answer to a command that the server does not know; nil for any other.
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

// A browser that somebody else has started is used as it is found, and left as it was. Nothing secret of its address is
// told.
func TestBrowserElsewhere(t *testing.T) {
	chromium.Skip(t)
	browser, end, err := chromium.StartElsewhere(t.TempDir(), chromium.Names(site))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	other := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	address := site.URL + pages.HTML(`<iframe src="/frame.html?name=same&nest=inner"></iframe><iframe src="`+other+`/frame.html?name=other&nest=other-inner"></iframe>
		<script>onload = () => document.title = 'frames'</script>`)
	there := newTabThere(t, browser, address)
	way := newWay(t, browser)
	var log bytes.Buffer
	standard := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(standard)
	far := service.Own(t, fmt.Sprintf(`{browser: {defaultProfile: "far", profiles: {far: {cdpUrl: %q, attachOnly: true}}}}`, way.url()))
	var said strings.Builder
	ask := func(request string, args args) service.Answer {
		t.Helper()
		a := far.Do(t, request, args)
		said.WriteString(a.Raw)
		return a
	}
	if found := far.OK(t, "GET /doctor", nil); !strings.Contains(found.Raw, `"summary":"Chrome/`) || found.Get("ok") != true {
		t.Errorf("before chela is connected: %s", found.Raw)
	}
	takenOver(t, far, there)
	outlivesCut(t, far, way, there)
	filesByContent(t, far)
	for _, request := range []string{"GET /", "GET /profiles", "GET /tabs", "GET /doctor"} {
		ask(request, nil)
	}
	ask("POST /stop", nil).Has(t, "stopped", "true")
	if got := tabsThere(t, browser); !strings.Contains(got, "|frames ") || strings.Contains(got, "about:blank") {
		t.Errorf("after stop the browser has %s", got)
	}
	knowsNothingOfBrowsers(t, far, way)
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
}

// outlivesCut checks that a connection that ends is made again, with the tabs as callers know them.
func outlivesCut(t *testing.T, far *service.Service, way *way, there string) {
	t.Helper()
	before := far.OK(t, "GET /tabs", nil)
	way.cut()
	service.Eventually(t, "the cut is noticed", func() bool { return far.OK(t, "GET /", nil).Text("running") == "false" })
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
	if file := filepath.Join(far.Dir, "browser", "far", "session.json"); exists(file) {
		t.Errorf("%s has been written", file)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// filesByContent checks uploads and downloads, which no folder is shared for.
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
	for link, want := range map[string]string{"Get": strings.Repeat("x", 20), "Blob": "of the page"} {
		a := tab.OK("POST /download", args{"ref": tab.Ref(`link "` + link), "path": link + ".txt"})
		if got, err := os.ReadFile(a.Text("download.path")); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
}

// knowsNothingOfBrowsers checks a server that has no commands for the whole browser.
func knowsNothingOfBrowsers(t *testing.T, far *service.Service, way *way) {
	t.Helper()
	way.refuses("Browser.")
	defer way.refuses("")
	far.OK(t, "POST /start", nil)
	tab := far.Open(t, site.URL+"/form.html")
	tab.Act("type", args{"ref": tab.Ref("textbox"), "text": "all the same"})
	tab.Do("POST /wait/download", nil).Fails(t, 501, "not_supported", "does not report downloads")
}
