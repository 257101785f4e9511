package around

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// row returns the doctor's check with this id.
func row(a service.Answer, id string) (status, summary string) {
	for i := range a.Count("checks") {
		at := fmt.Sprintf("checks.%d.", i)
		if a.Text(at+"id") == id {
			return a.Text(at + "status"), a.Text(at + "summary")
		}
	}
	return "", ""
}

// The doctor has the browser show a page and reads it, and leaves no tab.
func TestDeepDoctor(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "")
	a := s.OK(t, "GET /doctor?deep=true", nil)
	status, summary := row(a, "live-snapshot")
	if status != "pass" || !strings.Contains(summary, "a link") || !strings.Contains(summary, "a clickable element") || !strings.Contains(summary, "a button in a frame") {
		t.Errorf("%s %s", status, summary)
	}
	if got := s.Handles(t); got != "" {
		t.Errorf("it has left %s", got)
	}
	if got := s.Open(t, "about:blank").ID; got != "t1" {
		t.Errorf("it has used a number: %s", got)
	}
}

// While browsers are switched off, only calls that start none are answered. Switching browsers off
// or on has an effect at once.
func TestDisabled(t *testing.T) {
	t.Parallel()
	const on, off = `{browser: {enabled: true, noSandbox: true, headless: true}}`, `{browser: {enabled: false, noSandbox: true, headless: true}}`
	s := service.Own(t, on)
	s.Open(t, "about:blank")
	set := func(settings string) {
		if err := os.WriteFile(filepath.Join(s.Dir, "chela.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set(off)
	for _, request := range []string{"GET /tabs", "POST /start", "POST /stop", "GET /snapshot", "GET /downloads"} {
		s.Do(t, request, nil).Fails(t, 403, "BROWSER_DISABLED", "Browser control is disabled. Set browser.enabled=true in "+filepath.Join(s.Dir, "chela.json"))
	}
	a := s.OK(t, "GET /", nil)
	a.Has(t, "enabled", "false")
	a.Has(t, "running", "false")
	s.OK(t, "GET /profiles", nil).Has(t, "profiles.0.running", "false")
	if status, _ := row(s.OK(t, "GET /doctor?deep=true", nil), "plugin-enabled"); status != "fail" {
		t.Errorf("the doctor: %s", status)
	}
	set(on)
	s.OK(t, "GET /", nil).Has(t, "enabled", "true")
	s.OK(t, "GET /tabs", nil)
}

// A browser that is only to be attached to is never started.
func TestAttachOnly(t *testing.T) {
	s := service.Own(t, `{browser: {attachOnly: true, noSandbox: true, headless: true}}`)
	for _, request := range []string{"POST /start", "GET /snapshot", "GET /doctor?deep=true"} {
		a := s.Do(t, request, nil)
		if strings.HasPrefix(request, "GET /doctor") {
			if status, summary := row(a, "live-snapshot"); status != "fail" || !strings.Contains(summary, "attachOnly") {
				t.Errorf("%s: %s", status, summary)
			}
			continue
		}
		a.Fails(t, 409, "conflict", `Browser attachOnly is enabled and profile "chela" is not running.`)
		if a.Text("hint") == "" {
			t.Errorf("no hint: %s", a.Raw)
		}
	}
	a := s.OK(t, "GET /", nil)
	a.Has(t, "attachOnly", "true")
	a.Has(t, "running", "false")
	if _, err := os.Stat(filepath.Join(s.Dir, "browser", "chela", "user-data")); err == nil {
		t.Error("a browser has been there")
	}
}

// An answer names the settings that have no effect.
func TestSettingsThatAreNotInEffect(t *testing.T) {
	s := service.Own(t, `{browser: {noSandbox: true, headless: true, actionTimeoutMs: 1000, proxy: "http://proxy.example", ssrfPolicy: {}}}`)
	s.OK(t, "GET /", nil).Has(t, "notInEffect", "browser.actionTimeoutMs")
	if status, summary := row(s.OK(t, "GET /doctor", nil), "settings"); status != "warn" || !strings.Contains(summary, "browser.actionTimeoutMs") {
		t.Errorf("%s %s", status, summary)
	}
	if status, summary := row(s.OK(t, "GET /doctor", nil), "egress"); status != "warn" || !strings.Contains(summary, `"best-effort"`) {
		t.Errorf("%s %s", status, summary)
	}
	for _, id := range []string{"settings", "egress", "configuration"} {
		if status, _ := row(shared.OK(t, "GET /doctor", nil), id); status != "" {
			t.Errorf("the doctor warns of settings that nobody has made: %s", id)
		}
	}
}

// If another host has left its lock on the user data, the browser starts all the same. A container
// leaves such a lock if it has another name later.
func TestMarkOfAnotherHost(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	dir := filepath.Join(s.Dir, "browser", "chela", "user-data")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("another-host-1", filepath.Join(dir, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	s.OK(t, "POST /start", nil)
}

// What is typed into a form is in no file of the browser, though Chromium could offer it again in
// other forms.
func TestTypedTextIsNotKept(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<form method=post action=/sent><label>City <input name=city></label><button>Send</button></form>`)
	}))
	t.Cleanup(site.Close)
	tab := s.Tab(t, s.OK(t, "POST /tabs/open", args{"url": site.URL}).Text("tabId"))
	tab.Act("type", args{"ref": tab.Ref(`textbox "City"`), "text": "Llanfairpwll", "submit": true})
	s.OK(t, "POST /stop", nil)
	err := filepath.WalkDir(filepath.Join(s.Dir, "browser", "chela", "user-data"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("Llanfairpwll")) {
			t.Errorf("the text is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
