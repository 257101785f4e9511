package contract

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/test/chromium"
)

// Errors of requests about profiles have the same text as in OpenClaw.
func TestProfileRequests(t *testing.T) {
	// While this server runs, the port of the profile gone is closed to the browsers of all chelas of
	// the user. So it is a port that no other test opens.
	s := own(t, `{"browser": {"profiles": {"far": {"cdpUrl": "http://10.0.0.42:9222"},
		"gone": {"cdpUrl": "http://127.0.0.1:3", "attachOnly": true}}}}`)
	const create, remote = "POST /profiles/create", "is attach-only, remote, or existing-session."
	for _, test := range []struct {
		request, body string
		status        int
		code, message string
	}{
		{create, `{}`, 400, "invalid_request", "name is required"},
		{create, `{"name": "Bad Name"}`, 400, "invalid_request", "invalid profile name: use lowercase letters, numbers, and hyphens only"},
		{create, `{"name": "` + strings.Repeat("a", 65) + `"}`, 400, "invalid_request", "invalid profile name: use lowercase"},
		{create, `{"name": "-x"}`, 400, "invalid_request", "invalid profile name: use lowercase"},
		{create, `{"name": "openclaw"}`, 409, "conflict", `profile "openclaw" already exists`},
		{create, `{"name": "x1", "driver": "zzz"}`, 400, "invalid_request", `unsupported profile driver "zzz"; use "openclaw", "clawd", or "existing-session"`},
		{create, `{"name": "x1", "userDataDir": "/tmp"}`, 400, "invalid_request", "driver=existing-session is required when userDataDir is provided"},
		{create, `{"name": "x1", "userDataDir": "/nope", "driver": "existing-session"}`, 400, "invalid_request", "browser user data directory not found: /nope"},
		{create, `{"name": "x1", "cdpUrl": "zzz"}`, 400, "invalid_request", "Invalid URL"},
		{create, `{"name": "x1", "cdpUrl": "ftp://a"}`, 400, "invalid_request", "browser.profiles.cdpUrl must be http(s) or ws(s), got: ftp"},
		{create, `{"name": "x1", "color": "red"}`, 400, "invalid_request", "invalid profile color"},
		{"DELETE /profiles/nope", "", 404, "not_found", `profile "nope" not found`},
		{"DELETE /profiles/Bad%20N", "", 400, "invalid_request", "invalid profile name"},
		{"DELETE /profiles/openclaw", "", 400, "invalid_request", `cannot delete the default profile "openclaw"; change browser.defaultProfile first`},
		{"DELETE /profiles/user", "", 404, "not_found", `profile "user" not found`},
		{"POST /reset-profile?profile=far", "", 400, "invalid_request", `reset-profile is only supported for local profiles (profile "far" is remote).`},
		{"POST /reset-profile?profile=user", "", 400, "invalid_request", `reset-profile is only supported for local profiles (profile "user" is remote).`},
		{"POST /start?profile=user&headless=true", "", 400, "invalid_request", remote},
		{"POST /start?profile=far&headless=true", "", 400, "invalid_request", remote},
		{"POST /start?profile=gone", "", 409, "conflict", `Browser attachOnly is enabled and profile "gone" is not running.`},
		{"POST /start?profile=user", "", 409, "conflict", `No browser tabs found for profile="user".`},
		{"POST /start?profile=chrome", "", 409, "conflict", `the tabs of profile "chrome" are not shared: no browser is paired`},
		{"GET /snapshot?profile=chrome", "", 409, "conflict", `the tabs of profile "chrome" are not shared: no browser is paired`},
		{"POST /tabs/focus?profile=user", `{"targetId": "t1"}`, 409, "conflict", `No browser tabs found for profile="user".`},
		{"POST /tabs/focus", `{"targetId": "t1"}`, 409, "conflict", "browser not running"},
	} {
		s.do(t, test.request, test.body).Fails(t, test.status, test.code, test.message)
	}
	s.ok(t, "POST /stop?profile=far", "").Has(t, "stopped", "true")
	s.ok(t, "GET /tabs?profile=user", "").Has(t, "running", "false")
	s.ok(t, "GET /doctor?profile=user", "").Has(t, "ok", "false")
	s.ok(t, "GET /tabs?profile=gone", "").Has(t, "running", "false")
	if found := s.ok(t, "GET /doctor?profile=gone", ""); found.Text("ok") != "false" || !strings.Contains(found.Raw, "start the browser with --remote-debugging-port") {
		t.Errorf("of a browser that is not there: %s", found.Raw)
	}
}

// A person pairs the extension in their browser. Here no browser has the extension.
func TestExtensionIsPaired(t *testing.T) {
	port := freePort(t)
	s := own(t, fmt.Sprintf(`{"gateway": {"relayPort": %d}}`, port))
	if n := s.ok(t, "GET /extension", "").Count("browsers"); n != 0 {
		t.Errorf("%d browsers are paired", n)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Error("the relay listens though nothing is paired")
	}
	offer := s.ok(t, "POST /extension/pair", "")
	if code := offer.Text("code"); len(code) != 6 || strings.Trim(code, "0123456789") != "" {
		t.Errorf("offered: %s", offer.Raw)
	}
	answer, err := http.Get("http://" + address + "/extension")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("the relay answers a stranger with %s", answer.Status)
	}
	s.do(t, "DELETE /extension/0123456789abcdef", "").Fails(t, 404, "not_found", "no paired browser has the id")
	folder := s.ok(t, "GET /extension/path", "").Text("path")
	if _, err := os.Stat(filepath.Join(folder, "manifest.json")); err != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(filepath.Join(folder, "host.json")); err != nil || !strings.Contains(string(raw), fmt.Sprintf(`"port":%d`, port)) {
		t.Errorf("the extension is told %s, %v", raw, err)
	}
	unpaired := s.do(t, "POST /start?profile=chrome", "")
	unpaired.Fails(t, 409, "conflict", "no browser is paired")
	if hint := unpaired.Text("hint"); !strings.Contains(hint, "run chela extension install") || !strings.Contains(hint, "chrome://extensions") {
		t.Errorf("the hint is %s", hint)
	}
	s.ok(t, "GET /tabs?profile=chrome", "").Has(t, "running", "false")
	status := s.ok(t, "GET /?profile=chrome", "")
	status.Has(t, "transport", "extension")
	status.Has(t, "driver", "extension")
	found := s.ok(t, "GET /doctor?profile=chrome", "")
	found.Has(t, "ok", "false")
	for _, want := range []string{"chela answers at " + address, "no browser is paired with", "unpacked is of this version", "a browser is paired by six digits"} {
		if !strings.Contains(found.Raw, want) {
			t.Errorf("the doctor does not say that %s: %s", want, found.Raw)
		}
	}
}

// Profiles are made and deleted while the server runs; each has a browser of its own.
func TestProfiles(t *testing.T) {
	headless := "false"
	if chromium.Headless() {
		headless = "true"
	}
	port := freePort(t)
	s := own(t, fmt.Sprintf(`{"browser": {"noSandbox": true, "headless": %s, "profiles": {
		"chela": {"cdpPort": %d, "exposeCdp": true, "ignoreHTTPSErrors": true}}}}`, headless, port))
	made := s.ok(t, "POST /profiles/create", `{"name": "work", "color": "#0066CC"}`)
	for name, want := range map[string]any{
		"ok": true, "profile": "work", "transport": "cdp", "cdpPort": 18800.0, "cdpUrl": "http://127.0.0.1:18800",
		"userDataDir": nil, "color": "#0066CC", "isRemote": false,
	} {
		if got, there := made.Lookup(name); !there || got != want {
			t.Errorf("%s of the new profile is %v, want %v", name, got, want)
		}
	}
	opened := s.ok(t, "POST /tabs/open", `{"url": "`+site.URL+`/form.html", "profile": "work"}`)
	opened.Has(t, "resolvedProfile", "work")
	s.do(t, "POST /tabs/open?profile=work", `{"url": "about:blank", "profile": "nope"}`).Fails(t, 400, "invalid_request", "profile is given twice")
	s.ok(t, "POST /tabs/open?profile=work", `{"url": "about:blank", "profile": "work"}`).Has(t, "resolvedProfile", "work")
	s.ok(t, "POST /tabs/open", `{"url": "`+site.URL+`/text.html"}`).Has(t, "resolvedProfile", "chela")
	s.ok(t, "POST /cookies/set?profile=work", `{"cookie": {"name": "who", "value": "work", "url": "`+site.URL+`"}}`)
	if got := s.ok(t, "GET /cookies", ""); got.Count("cookies") != 0 {
		t.Errorf("the cookie of one profile is in another: %s", got.Raw)
	}
	list := s.ok(t, "GET /profiles", "")
	list.Has(t, "profiles.0.name", "chela")
	list.Has(t, "profiles.0.tabCount", "1")
	list.Has(t, "profiles.1.name", "work")
	list.Has(t, "profiles.1.tabCount", "2")
	checkExposed(t, s, port)

	from := filepath.Join(s.Dir, "browser", "work", "user-data")
	reset := s.ok(t, "POST /reset-profile?profile=work", "")
	reset.Has(t, "moved", "true")
	reset.Has(t, "from", from)
	if _, err := os.Stat(filepath.Join(reset.Text("to"), "Default")); err != nil || filepath.Base(reset.Text("to")) != "user-data" {
		t.Errorf("moved to %s: %v", reset.Text("to"), err)
	}
	again := s.ok(t, "POST /reset-profile?profile=work", "")
	again.Has(t, "moved", "false")
	if _, there := again.Lookup("to"); there {
		t.Errorf("there was nothing to move: %s", again.Raw)
	}
	s.ok(t, "GET /", "").Has(t, "running", "true") // the other browser was left alone

	const blank = `{"url": "about:blank", "profile": "work"}`
	s.ok(t, "POST /tabs/open", blank).Has(t, "tabId", "t3") // t1 and t2 were closed: an agent that knows them must not get another tab
	s.ok(t, "DELETE /profiles/work", "").Has(t, "deleted", "true")
	s.do(t, "GET /?profile=work", "").Fails(t, 404, "not_found", `Profile "work" not found. Available profiles: chela, user, chrome`)
	if left, err := os.Stat(filepath.Dir(from)); err == nil {
		t.Errorf("of the deleted profile there is %s", left.Name())
	}
	s.ok(t, "POST /profiles/create", `{"name": "work"}`)
	s.ok(t, "POST /tabs/open", blank).Has(t, "tabId", "t4")
	// A record of calls is no data of a browser that somebody else has started.
	s.ok(t, "POST /profiles/create", `{"name": "near", "cdpUrl": "http://127.0.0.1:1"}`)
	if err := os.MkdirAll(filepath.Join(s.Dir, "browser", "near", "recorder"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.ok(t, "DELETE /profiles/near", "").Has(t, "deleted", "false")
}

// checkExposed checks a profile whose debugging port is open, and that loads pages whose
// certificates are not valid.
func checkExposed(t *testing.T, s *service, port int) {
	t.Helper()
	status := s.ok(t, "GET /", "")
	for name, want := range map[string]string{
		"cdpHttp": "true", "exposeCdp": "true", "ignoreHTTPSErrors": "true", "cdpPort": fmt.Sprint(port), "cdpUrl": fmt.Sprintf("http://127.0.0.1:%d", port),
	} {
		status.Has(t, name, want)
	}
	resp, err := http.Get(status.Text("cdpUrl") + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	listed, _ := io.ReadAll(resp.Body)
	tabs := s.ok(t, "GET /tabs", "")
	if url := tabs.Text("tabs.0.wsUrl"); url == "" || !strings.Contains(string(listed), url) {
		t.Errorf("the tabs %s; the port lists %s", tabs.Text("tabs"), listed)
	}
	now := time.Now()
	s.ok(t, "POST /navigate", fmt.Sprintf(`{"url": %q}`, secureServer(t, certificate(t, "127.0.0.1", now, now.AddDate(0, 1, 0)))))
}
