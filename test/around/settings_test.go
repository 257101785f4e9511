package around

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// row is the doctor's check of this name.
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
	s := service.Own(t, "")
	a := s.OK(t, "GET /doctor?deep=true", nil)
	status, summary := row(a, "live-snapshot")
	if status != "pass" || !strings.Contains(summary, "a link") || !strings.Contains(summary, "a clickable element") || !strings.Contains(summary, "a button in a frame") {
		t.Errorf("%s %s", status, summary)
	}
	if got := handles(t, s); got != "" {
		t.Errorf("it has left %s", got)
	}
	if got := s.Open(t, "about:blank").ID; got != "t1" {
		t.Errorf("it has used a number: %s", got)
	}
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

// Settings that change nothing are named.
func TestSettingsThatAreNotInEffect(t *testing.T) {
	s := service.Own(t, `{browser: {noSandbox: true, headless: true, defaultProfile: "user", ssrfPolicy: {dangerouslyAllowPrivateNetwork: false}}}`)
	s.OK(t, "GET /", nil).Has(t, "notInEffect", "browser.ssrfPolicy browser.defaultProfile")
	if status, summary := row(s.OK(t, "GET /doctor", nil), "settings"); status != "warn" || !strings.Contains(summary, "browser.ssrfPolicy") {
		t.Errorf("%s %s", status, summary)
	}
	if status, _ := row(shared.OK(t, "GET /doctor", nil), "settings"); status != "" {
		t.Error("the doctor warns of settings that nobody has made")
	}
}

// A mark that another host has left on the user data, as a container does that
// gets another name, keeps no browser from starting.
func TestMarkOfAnotherHost(t *testing.T) {
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
