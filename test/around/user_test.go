package around

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A userBrowser is a user's own browser. Somebody else has started it, and its directory has a file
// that names its port.
type userBrowser struct {
	dir     string
	process *chrome.Process
	conn    *cdp.Conn
}

func startUserBrowser(t *testing.T, urls ...string) userBrowser {
	t.Helper()
	executable, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	u, port := userBrowser{dir: t.TempDir()}, free.Addr().(*net.TCPAddr).Port
	u.process, err = chrome.Launch(t.Context(), chrome.Options{
		Executable: executable, UserDataDir: u.dir, Headless: chromium.Headless(), NoSandbox: true, Port: port,
	})
	if err != nil {
		t.Fatal(err)
	}
	u.conn = cdp.NewConn(cdp.Pipe(u.process.Out, u.process.In), cdp.Options{Class: func(string) cdp.Class { return 0 }})
	t.Cleanup(func() { u.end() })
	for _, url := range urls {
		if _, err := cdp.Call(t.Context(), u.conn.Root(), target.CreateTarget, target.CreateTargetParams{URL: url}); err != nil {
			t.Fatal(err)
		}
	}
	u.namePort(t, port)
	return u
}

// namePort writes the file that a browser writes when its user allows programs to drive it.
// Chromium itself writes the file only for a port that it has chosen.
func (u userBrowser) namePort(t *testing.T, port int) {
	t.Helper()
	var res *http.Response
	service.Eventually(t, "Chromium answers at its port", func() bool {
		var err error
		res, err = http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
		return err == nil
	})
	defer res.Body.Close()
	var version struct {
		WebSocket string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(res.Body).Decode(&version); err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(version.WebSocket, "ws://"), "/")
	if err := os.WriteFile(filepath.Join(u.dir, "DevToolsActivePort"), fmt.Appendf(nil, "%d\n/%s", port, path), 0o600); err != nil {
		t.Fatal(err)
	}
}

// port is the port by which the browser is driven.
func (u userBrowser) port(t *testing.T) (port int) {
	t.Helper()
	named, err := os.ReadFile(filepath.Join(u.dir, "DevToolsActivePort"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(named), &port); err != nil {
		t.Fatal(err)
	}
	return port
}

func (u userBrowser) end() {
	u.conn.Close()
	u.process.Terminate(context.Background())
}

// isAttached reports whether somebody is attached to a page.
func (u userBrowser) isAttached(t *testing.T) bool {
	t.Helper()
	res, err := cdp.Call(t.Context(), u.conn.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(res.TargetInfos, func(info *target.Info) bool { return info.Type == "page" && info.Attached })
}

// A tab that the user has just opened is read when its document has come.
func TestTabOfTheUserThatLoads(t *testing.T) {
	long.Test(t)
	t.Parallel()
	attached := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-attached:
			time.Sleep(1500 * time.Millisecond) // a slow answer
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<p>Loaded"))
	}))
	t.Cleanup(func() { slow.CloseClientConnections(); slow.Close() })
	u := startUserBrowser(t, slow.URL)
	s := service.Own(t, fmt.Sprintf(`{browser: {ssrfPolicy: {dangerouslyAllowPrivateNetwork: true}, profiles: {user: {driver: "existing-session", attachOnly: true, userDataDir: %q}}}}`, u.dir))
	tabs, tab := s.OK(t, "GET /tabs?profile=user", nil), ""
	for i := range tabs.Count("tabs") {
		if strings.HasPrefix(tabs.Text(fmt.Sprintf("tabs.%d.url", i)), slow.URL) {
			tab = tabs.Text(fmt.Sprintf("tabs.%d.tabId", i))
		}
	}
	service.Eventually(t, "nobody is attached to the user's tab", func() bool { return !u.isAttached(t) })
	read := make(chan string, 1)
	go func() {
		answer, err := s.Try(t.Context(), "GET /snapshot?profile=user&targetId="+tab, nil)
		read <- fmt.Sprint(answer.Raw, err)
	}()
	service.Eventually(t, "the tab is attached", func() bool { return u.isAttached(t) })
	close(attached)
	if got := <-read; !strings.Contains(got, "Loaded") {
		t.Errorf("the user's tab shows %s", got)
	}
}

// When chela attaches to a busy tab of the user, the tab has the address with which it is listed.
// So the first call does not say that the address has changed.
func TestBusyTabOfTheUser(t *testing.T) {
	long.Test(t)
	t.Parallel()
	begun := make(chan struct{})
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/slow" {
			close(begun)
			time.Sleep(4 * time.Second)
			return
		}
		io.WriteString(w, `<p>Here<script>onload = () => setTimeout(() => {
			const slow = new XMLHttpRequest();
			slow.open('GET', '/slow', false); // nothing else runs until the answer comes
			slow.send();
		})</script>`)
	}))
	defer busy.Close()
	u := startUserBrowser(t, busy.URL)
	<-begun
	s := service.Own(t, fmt.Sprintf(`{browser: {ssrfPolicy: {dangerouslyAllowPrivateNetwork: true}, profiles: {user: {driver: "existing-session", attachOnly: true, userDataDir: %q}}}}`, u.dir))
	tabs := s.OK(t, "GET /tabs?profile=user", nil)
	for i := range tabs.Count("tabs") {
		at := fmt.Sprintf("tabs.%d.", i)
		if strings.HasPrefix(tabs.Text(at+"url"), busy.URL) {
			a := s.OK(t, "GET /snapshot?profile=user&timeoutMs=20000&targetId="+tabs.Text(at+"tabId"), nil)
			if !strings.Contains(a.Text("snapshot"), "Here") || a.Get("urlChanged") != nil {
				t.Errorf("answered %s", a.Raw)
			}
			return
		}
	}
	t.Errorf("the tabs are %s", tabs.Raw)
}

// pages lists the addresses that the browser shows, and marks those to which somebody is attached.
func (u userBrowser) pages(t *testing.T) (list []string) {
	t.Helper()
	res, err := cdp.Call(t.Context(), u.conn.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range res.TargetInfos {
		if path := strings.TrimPrefix(info.URL, pages.Elsewhere(site.URL)); info.Type == "page" && path != info.URL {
			list = append(list, fmt.Sprint(path, map[bool]string{true: " attached"}[info.Attached]))
		}
	}
	slices.Sort(list)
	return list
}

// A user's tabs stay the user's: they are used when a call names them, and left as they were.
func TestTheUsersBrowser(t *testing.T) {
	t.Parallel()
	here := pages.Elsewhere(site.URL)
	u := startUserBrowser(t, here+"/form.html", here+"/text.html")
	const settings = `{browser: {ssrfPolicy: {allowedHostnames: ["localhost"]%s}, profiles: {user: {driver: "existing-session", attachOnly: true, userDataDir: %q}}}}`
	s := service.Own(t, fmt.Sprintf(settings, "", u.dir))
	before := s.OK(t, "GET /?profile=user", nil)
	before.Has(t, "running", "true")
	before.Has(t, "connected", "false")
	s.OK(t, "GET /doctor?profile=user", nil).Has(t, "ok", "true")
	tabs := s.OK(t, "GET /tabs?profile=user", nil)
	if tabs.Count("tabs") < 2 || tabs.Text("tabs.0.users") != "true" {
		t.Fatalf("the tabs are %s", tabs.Raw)
	}
	service.Eventually(t, "nobody is attached to the user's tabs", func() bool { return slices.Equal(u.pages(t), []string{"/form.html", "/text.html"}) })
	form := ""
	for i := range tabs.Count("tabs") {
		if tabs.Text(fmt.Sprintf("tabs.%d.url", i)) == here+"/form.html" {
			form = tabs.Text(fmt.Sprintf("tabs.%d.tabId", i))
		}
	}
	agent := s.In("agent")
	snapshot := agent.OK(t, "GET /snapshot?profile=user&targetId="+form, nil)
	if !strings.Contains(snapshot.Text("snapshot"), "textbox") || snapshot.Text("urlChanged") != "" {
		t.Errorf("the user's tab shows %s", snapshot.Raw)
	}
	status := s.OK(t, "GET /?profile=user", nil)
	status.Has(t, "egress", "best-effort")
	status.Has(t, "userDataDir", u.dir)
	status.Has(t, "pid", "")
	// A tab that the agent opens is beside the user's tabs.
	opened := agent.OK(t, "POST /tabs/open", args{"profile": "user", "url": here + "/popup.html"})
	own := opened.Text("tabId")
	agent.Do(t, "POST /navigate", args{"profile": "user", "targetId": own, "url": site.URL}).
		Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
	// Nor does any browser get to the port by which chela drives this one, whatever the policy allows.
	for _, profile := range []string{"user", "chela"} {
		s.Do(t, "POST /tabs/open", args{"profile": profile, "url": fmt.Sprintf("http://localhost:%d/json/list", u.port(t))}).
			Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
	}
	for range 3 { // Chromium would never make the second picture of a tab in the background
		agent.OK(t, "POST /screenshot", args{"profile": "user", "targetId": own})
	}
	if got, want := u.pages(t), []string{"/form.html attached", "/popup.html attached", "/text.html"}; !slices.Equal(got, want) {
		t.Errorf("while they are used: %q", got)
	}
	s.OK(t, "POST /sessions/end?profile=user", args{"session": "agent"})
	if got, want := u.pages(t), []string{"/form.html attached", "/text.html"}; !slices.Equal(got, want) {
		t.Errorf("after the session: %q", got)
	}
	s.OK(t, "POST /stop", args{"profile": "user"}).Has(t, "stopped", "true")
	service.Eventually(t, "Chromium has noticed that the connection was closed", func() bool {
		return slices.Equal(u.pages(t), []string{"/form.html", "/text.html"})
	})
	write(t, s, fmt.Sprintf(settings, ", dangerouslyAllowPrivateNetwork: false", u.dir))
	s.Do(t, "POST /start?profile=user", nil).Fails(t, 400, "navigation_blocked", "strict browser SSRF policy cannot be enforced")
	write(t, s, fmt.Sprintf(settings, "", u.dir))
	u.end()
	s.Do(t, "POST /start?profile=user", nil).Fails(t, 409, "conflict", `Browser tabs are unavailable for profile="user".`)
	write(t, s, fmt.Sprintf(settings, "", t.TempDir()))
	s.Do(t, "GET /snapshot?profile=user", nil).Fails(t, 409, "conflict", `No browser tabs found for profile="user".`)
	s.OK(t, "GET /tabs?profile=user", nil).Has(t, "running", "false")
}

// write replaces the configuration.
func write(t *testing.T, s *service.Service, settings string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, "chela.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
}
