package contract

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/test/chromium"
)

func TestStatus(t *testing.T) {
	s := own(t, "")
	want := map[string]any{
		"enabled": true, "profile": "chela", "driver": "openclaw", "transport": "cdp", "running": false, "cdpReady": false, "cdpHttp": false,
		"pageReady": false, "pid": nil, "cdpPort": 18800.0, "cdpUrl": nil, "chosenBrowser": nil, "userDataDir": nil, "headless": chromium.Headless(),
		"headlessSource": "config", "noSandbox": true, "executablePath": nil, "attachOnly": false, "graphics": nil, "color": "#FF4500",
	}
	check := func() {
		t.Helper()
		a := s.ok(t, "GET /", "")
		for name, value := range want {
			if got, ok := a.Lookup(name); !ok || got != value {
				t.Errorf("%s is %v, want %v", name, got, value)
			}
		}
		if a.Text("detectedExecutablePath") == "" || a.Text("detectedBrowser") == "" {
			t.Errorf("nothing detected: %s", a.Raw)
		}
	}
	check()
	s.ok(t, "GET /doctor", "")
	a := s.ok(t, "GET /profiles", "")
	if info := a.Get("profiles").([]any)[0].(map[string]any); info["name"] != "chela" || info["running"] != false || info["isDefault"] != true {
		t.Errorf("profiles: %s", a.Raw)
	}
	if s.ok(t, "GET /", "").Get("running") != false {
		t.Error("to look has started a browser")
	}
	a = s.ok(t, "POST /start?headless=true", "")
	if a.Get("ok") != true || a.Text("profile") != "chela" {
		t.Errorf("start: %s", a.Raw)
	}
	if notice := s.ok(t, "POST /start?headless=false", "").Text("notice"); !strings.Contains(notice, "ran already, without windows") {
		t.Errorf("asked for windows while it runs without them: notice %q", notice)
	}
	if a = s.ok(t, "POST /start?headless=true", ""); a.Text("notice") != "" {
		t.Errorf("asked for the mode in which it runs: %s", a.Raw)
	}
	tab := s.ok(t, "GET /snapshot", "")
	now := s.ok(t, "GET /", "")
	maps.Copy(want, map[string]any{
		"running": true, "cdpReady": true, "pageReady": true, "headless": true, "headlessSource": "request",
		"userDataDir": filepath.Join(s.Dir, "browser", "chela", "user-data"), "pid": now.Get("pid"), "chosenBrowser": now.Get("detectedBrowser"),
	})
	check()
	if tab.Get("ok") != true || now.Get("pid") == nil {
		t.Errorf("status: %s", now.Raw)
	}
	for _, alias := range []string{"openclaw", "clawd", "chela"} {
		s.ok(t, "GET /?profile="+alias, "")
	}
}

func TestHeadedWithoutDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	s := own(t, "")
	a := s.do(t, "POST /start?headless=false", "")
	a.Fails(t, 409, "conflict", "display")
	if a.Text("reason") != "no_display_for_headed_profile" || !strings.Contains(a.Raw, `"displayPresent":false`) {
		t.Errorf("got %s", a.Raw)
	}
}

func TestNoBrowser(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no-such-browser")
	s := own(t, fmt.Sprintf(`{browser: {headless: true, executablePath: %q}}`, missing))
	for range 5 { // each call looks again for a browser, because it may have been installed meanwhile
		a := s.do(t, "POST /tabs/open", `{"url": "about:blank"}`)
		a.Fails(t, 503, "NO_BROWSER", missing)
		if a.Text("hint") == "" || !strings.Contains(a.Raw, `"searched"`) {
			t.Errorf("got %s", a.Raw)
		}
	}
	a := s.ok(t, "GET /", "")
	if a.Get("running") != false || a.Text("detectError") == "" {
		t.Errorf("status: %s", a.Raw)
	}
	a = s.ok(t, "GET /doctor", "")
	if a.Get("ok") != false || strings.Contains(a.Raw, "pages run in Chromium's sandbox") {
		t.Errorf("doctor: %s", a.Raw)
	}
}

// A browser that dies at its start is reported at once, with the last lines that it wrote. After
// three such starts, the next start is not tried at once.
func TestBrowserThatDies(t *testing.T) {
	fake, starts := filepath.Join(t.TempDir(), "chromium"), filepath.Join(t.TempDir(), "starts")
	program := "#!/bin/sh\necho start >> " + starts + "\necho 'cannot open shared object' >&2\nexit 7\n"
	if err := os.WriteFile(fake, []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	s := own(t, fmt.Sprintf(`{browser: {headless: true, noSandbox: true, executablePath: %q}}`, fake))
	for range 3 {
		a := s.do(t, "GET /snapshot", "")
		a.Fails(t, 503, "browser_failed", "cannot open shared object")
		a.Within(t, time.Second)
	}
	a := s.do(t, "GET /snapshot", "")
	a.Fails(t, 503, "browser_failed", "cannot open shared object")
	if !strings.Contains(a.Text("error"), "3 times in a row") || a.Text("hint") == "" {
		t.Errorf("after three: %s", a.Raw)
	}
	if log, err := os.ReadFile(starts); err != nil || strings.Count(string(log), "start") != 3 {
		t.Errorf("the browser was started %d times: %v", strings.Count(string(log), "start"), err)
	}
}
