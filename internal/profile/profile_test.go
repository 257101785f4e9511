package profile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/browser"
	"chela/internal/chrome"
	"chela/internal/config"
)

// Starts that fail make the next ones wait, ever longer; one that succeeds ends that.
func TestFailures(t *testing.T) {
	failure := &StartError{errors.New("it died")}
	f := failures{}
	for i := range maxFailures {
		if err := f.mayTry(); err != nil {
			t.Errorf("after %d failures: %v", i, err)
		}
		f.note(failure)
	}
	e, ok := errors.AsType[*RepeatedError](f.mayTry())
	if !ok || e.Count != maxFailures || e.Last != failure || e.Wait <= 0 || e.Wait > 4*time.Second {
		t.Errorf("after %d failures: %+v", maxFailures, e)
	}
	before := f.until
	f.note(&chrome.NotFoundError{})
	if f.until != before || f.count != maxFailures {
		t.Error("a start that found no browser counts")
	}
	for range 20 {
		f.note(failure)
	}
	if wait := time.Until(f.until); wait > 30*time.Second || wait < 29*time.Second {
		t.Errorf("waits %v at last", wait)
	}
	f.until = time.Now().Add(-time.Second)
	if err := f.mayTry(); err != nil {
		t.Errorf("when the time is over: %v", err)
	}
	if f.note(nil); f != (failures{}) {
		t.Errorf("after a start that succeeded: %+v", f)
	}
}

func TestDecide(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere there is always a display")
	}
	yes, no := true, false
	for _, s := range []struct {
		name             string
		request, setting *bool
		env, display     string
		want             mode
		fails            bool
	}{
		{"without a display", nil, nil, "", "", mode{true, "linux-display-fallback"}, false},
		{"with a display", nil, nil, "", ":0", mode{false, "default"}, false},
		{"the settings", nil, &yes, "", ":0", mode{true, "config"}, false},
		{"the environment beats the settings", nil, &no, "1", ":0", mode{true, "env"}, false},
		{"the request beats the environment", &no, &yes, "1", ":0", mode{false, "request"}, false},
		{"a word that means nothing", nil, &yes, "maybe", ":0", mode{true, "config"}, false},
		{"windows without a display", &no, nil, "", "", mode{false, "request"}, true},
		{"windows by the settings, without a display", nil, &no, "", "", mode{false, "config"}, true},
	} {
		t.Setenv("DISPLAY", s.display)
		t.Setenv("WAYLAND_DISPLAY", "")
		t.Setenv("CHELA_HEADLESS", s.env)
		got, err := decide(s.request, s.setting)
		if got != s.want || (err != nil) != s.fails {
			t.Errorf("%s: %+v, %v; want %+v", s.name, got, err, s.want)
		}
		if err == nil {
			continue
		}
		if e, ok := errors.AsType[*NoDisplayError](err); !ok || *e != (NoDisplayError{Default, s.want.Source}) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

func TestSession(t *testing.T) {
	state, err := config.StateAt(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := session{state, "chela"}
	if got := s.read(); !reflect.DeepEqual(got, browser.Memory{}) {
		t.Errorf("without a file: %+v", got)
	}
	full := browser.Memory{
		LastTab: 3, Current: "t3", Tabs: []browser.SavedTab{{ID: "t3", TargetID: "A", URL: "http://one.test/"}},
		Cookies: []*network.Cookie{{Name: "n", Value: "v", Domain: "one.test", Path: "/", Session: true, Priority: network.CookiePriorityMedium, SourceScheme: network.CookieSourceSchemeSecure}},
	}
	s.write(full)
	file := filepath.Join(state.Dir, "browser", "chela", "session.json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if got := s.read(); !reflect.DeepEqual(got, full) {
		t.Errorf("got %+v", got)
	}
	s.write(browser.Memory{LastTab: 3})
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("it is left, though there is nothing to keep: %v", err)
	}
	s.write(browser.Memory{}) // there is none to remove
}
