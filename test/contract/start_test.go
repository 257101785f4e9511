package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	s := own(t, "")
	want := map[string]any{
		"enabled": true, "profile": "chela", "driver": "chela", "transport": "cdp", "running": false, "cdpReady": false, "cdpHttp": false,
		"pageReady": false, "pid": nil, "cdpPort": nil, "cdpUrl": nil, "chosenBrowser": nil, "userDataDir": nil, "headless": true,
		"headlessSource": "config", "noSandbox": true, "executablePath": nil, "attachOnly": false, "graphics": nil, "color": "#FF4500",
	}
	check := func() {
		t.Helper()
		a := s.ok(t, "GET /", "")
		for name, value := range want {
			if got, ok := a.fields[name]; !ok || got != value {
				t.Errorf("%s is %v, want %v", name, got, value)
			}
		}
		if a.text("detectedExecutablePath") == "" || a.text("detectedBrowser") == "" {
			t.Errorf("nothing detected: %s", a.raw)
		}
	}
	check()
	s.ok(t, "GET /doctor", "")
	a := s.ok(t, "GET /profiles", "")
	if info := a.fields["profiles"].([]any)[0].(map[string]any); info["name"] != "chela" || info["running"] != false || info["isDefault"] != true {
		t.Errorf("profiles: %s", a.raw)
	}
	if s.ok(t, "GET /", "").fields["running"] != false {
		t.Error("to look has started a browser")
	}
	a = s.ok(t, "POST /start?headless=true", "")
	if a.fields["ok"] != true || a.text("profile") != "chela" {
		t.Errorf("start: %s", a.raw)
	}
	tab := s.ok(t, "GET /snapshot", "")
	now := s.ok(t, "GET /", "").fields
	for name, value := range map[string]any{
		"running": true, "cdpReady": true, "pageReady": true, "headlessSource": "request",
		"userDataDir": filepath.Join(s.Dir, "browser", "chela", "user-data"), "pid": now["pid"], "chosenBrowser": now["detectedBrowser"],
	} {
		want[name] = value
	}
	check()
	if tab.fields["ok"] != true || now["pid"] == nil {
		t.Errorf("status: %v", now)
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
	a.fails(t, 409, "conflict", "display")
	if a.text("reason") != "no_display_for_headed_profile" || !strings.Contains(a.raw, `"displayPresent":false`) {
		t.Errorf("got %s", a.raw)
	}
}

func TestNoBrowser(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no-such-browser")
	s := own(t, fmt.Sprintf(`{browser: {headless: true, executablePath: %q}}`, missing))
	for range 5 { // to look costs nothing: it may be installed meanwhile
		a := s.do(t, "POST /tabs/open", `{"url": "about:blank"}`)
		a.fails(t, 503, "NO_BROWSER", missing)
		if a.text("hint") == "" || !strings.Contains(a.raw, `"searched"`) {
			t.Errorf("got %s", a.raw)
		}
	}
	a := s.ok(t, "GET /", "")
	if a.fields["running"] != false || a.text("detectError") == "" {
		t.Errorf("status: %s", a.raw)
	}
	a = s.ok(t, "GET /doctor", "")
	if a.fields["ok"] != false {
		t.Errorf("doctor: %s", a.raw)
	}
}

// A browser that dies at its start is told of at once, with its last words; after
// three that died, the next is not tried at once.
func TestBrowserThatDies(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho 'cannot open shared object' >&2\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := own(t, fmt.Sprintf(`{browser: {headless: true, noSandbox: true, executablePath: %q}}`, fake))
	for range 3 {
		a := s.do(t, "GET /snapshot", "")
		a.fails(t, 503, "browser_failed", "cannot open shared object")
		a.within(t, 0)
	}
	a := s.do(t, "GET /snapshot", "")
	a.fails(t, 503, "browser_failed", "cannot open shared object")
	if !strings.Contains(a.text("error"), "3 times in a row") || a.text("hint") == "" || a.took > 200*time.Millisecond {
		t.Errorf("after three: %s", a.raw)
	}
}
