package profile

import (
	"errors"
	"runtime"
	"testing"
)

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
