package profile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestDecide(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere there is always a display")
	}
	yes, no := true, false
	of := func(headless *bool, from string) Setup {
		return Setup{Name: "work", Headless: headless, headlessFrom: from, Executable: "/bin/sh"} // any program but the headless shell
	}
	all := func(headless *bool) Setup { return of(headless, "config") }
	own := func(headless *bool) Setup { return of(headless, "profile") }
	for _, s := range []struct {
		name         string
		request      *bool
		setup        Setup
		env, display string
		want         mode
		fails        bool
	}{
		{"without a display", nil, all(nil), "", "", mode{true, "linux-display-fallback"}, false},
		{"with a display", nil, all(nil), "", ":0", mode{false, "default"}, false},
		{"the settings", nil, all(&yes), "", ":0", mode{true, "config"}, false},
		{"the settings of the profile", nil, own(&yes), "", ":0", mode{true, "profile"}, false},
		{"the environment beats the settings", nil, own(&no), "1", ":0", mode{true, "env"}, false},
		{"the request beats the environment", &no, all(&yes), "1", ":0", mode{false, "request"}, false},
		{"a word that means nothing", nil, all(&yes), "maybe", ":0", mode{true, "config"}, false},
		{"windows without a display", &no, all(nil), "", "", mode{false, "request"}, true},
		{"windows by the settings, without a display", nil, all(&no), "", "", mode{false, "config"}, true},
		{"windows by the profile, without a display", nil, own(&no), "", "", mode{false, "profile"}, true},
	} {
		t.Setenv("DISPLAY", s.display)
		t.Setenv("WAYLAND_DISPLAY", "")
		t.Setenv("CHELA_HEADLESS", s.env)
		got, err := decideMode(s.request, s.setup)
		if got != s.want || (err != nil) != s.fails {
			t.Errorf("%s: %+v, %v; want %+v", s.name, got, err, s.want)
		}
		if err == nil {
			continue
		}
		if e, ok := errors.AsType[*NoDisplayError](err); !ok || *e != (NoDisplayError{"work", s.want.Source}) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// The headless shell has no windows, even where there is a display.
func TestDecideForTheHeadlessShell(t *testing.T) {
	shell := filepath.Join(t.TempDir(), "chromium-headless-shell")
	if err := os.WriteFile(shell, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", ":0")
	t.Setenv("CHELA_HEADLESS", "")
	yes, no := true, false
	for _, s := range []struct {
		request *bool
		want    mode
		fails   bool
	}{
		{nil, mode{true, "executable"}, false},
		{&yes, mode{true, "request"}, false},
		{&no, mode{false, "request"}, true},
	} {
		got, err := decideMode(s.request, Setup{Name: "work", Executable: shell})
		if _, refused := errors.AsType[*NoWindowsError](err); got != s.want || refused != s.fails || (err != nil) != s.fails {
			t.Errorf("%+v, %v; want %+v", got, err, s.want)
		}
	}
}
