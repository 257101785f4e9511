package profile

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
)

// managerOf returns the profiles of a configuration.
func managerOf(t *testing.T, b config.Browser) *Manager {
	t.Helper()
	state, err := config.StateAt(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.Enabled = true
	return NewManager(config.Fixed(&config.Config{Browser: b, State: state, File: "chela.json"}), &media.Roots{Temp: t.TempDir()}, nil)
}

func (m *Manager) mustName(t *testing.T, name string) *Profile {
	t.Helper()
	p, err := m.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The error says what forbids a start: first that the server ends, then browser.enabled, then
// attachOnly.
func TestMayStart(t *testing.T) {
	off, yes := &NotAllowedError{Profile: "chela", File: "chela.json"}, true
	attach := &NotAllowedError{Profile: "chela", File: "chela.json", AttachOnly: true}
	for _, s := range []struct {
		name                     string
		settings                 config.Profile
		closed, disabled, attach bool
		want                     error
	}{
		{"nothing", config.Profile{}, false, false, false, nil},
		{"a URL of this machine", config.Profile{CDPURL: "http://localhost:18850"}, false, false, false, nil},
		{"the server ends", config.Profile{}, true, true, true, ErrClosed},
		{"the settings", config.Profile{}, false, true, true, off},
		{"the settings, but for attaching", config.Profile{}, false, false, true, attach},
		{"the settings of the profile", config.Profile{AttachOnly: &yes}, false, false, false, attach},
		{"the user's own browser", config.Profile{Driver: "existing-session"}, false, false, true, nil},
		{"one with the extension", config.Profile{Driver: "extension"}, false, false, true, nil},
		{"another machine", config.Profile{CDPURL: "wss://key@cloud.test/?token=secret"}, false, false, false, nil},
		{"a browser that runs here", config.Profile{CDPURL: "http://127.0.0.1:9333", AttachOnly: &yes}, false, false, false, nil},
		{"one at its port", config.Profile{CDPPort: 9333}, false, false, true, nil},
	} {
		c := &config.Config{File: "chela.json", Browser: config.Browser{
			Enabled: !s.disabled, AttachOnly: s.attach, Profiles: map[string]config.Profile{"chela": s.settings},
		}}
		live := config.Fixed(c)
		p := &Profile{Name: "chela", config: live, wall: &wall{config: live}, closed: s.closed}
		if err := p.mayStartLocked(p.Setup()); !reflect.DeepEqual(err, s.want) {
			t.Errorf("%s: %+v, want %+v", s.name, err, s.want)
		}
	}
}

// A call can only choose whether a browser has windows if chela starts it.
func TestWindowsOfAnotherBrowser(t *testing.T) {
	yes := true
	m := managerOf(t, config.Browser{})
	_, err := m.mustName(t, User).Start(t.Context(), &yes)
	if e, ok := errors.AsType[*WindowsError](err); !ok || e.Profile != User {
		t.Errorf("got %v", err)
	}
}

// A caller that stops waiting does not stop the start: the next one gets its result.
func TestStartOutlivesItsCallers(t *testing.T) {
	came := errors.New("it came")
	s := &start{done: make(chan struct{})}
	p := &Profile{Name: Default, config: config.Fixed(&config.Config{}), starting: s}
	gaveUp, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no time")
	cancel(cause)
	if b, err := p.Browser(gaveUp); b != nil || !errors.Is(err, ErrStarting) || !errors.Is(err, cause) {
		t.Errorf("gave up: %v, %v", b, err)
	}
	s.browser, s.err = &browser.Browser{}, came
	close(s.done)
	if b, err := p.Browser(t.Context()); b != s.browser || err != came {
		t.Errorf("the next: %v, %v", b, err)
	}
}

// A start that fails does not forget the last browser, which may still be ending: a stop must find it.
func TestFailedStartKeepsTheLastBrowser(t *testing.T) {
	last := &browser.Browser{}
	p := &Profile{Name: Default, config: config.Fixed(&config.Config{}), browser: last}
	ctx, end := context.WithCancelCause(t.Context())
	end(ErrStartStopped)
	s := &start{end: end, done: make(chan struct{})}
	if p.start(ctx, s, mode{}); s.err != ErrStartStopped || p.browser != last {
		t.Errorf("the start: %v; the last browser is %p, want %p", s.err, p.browser, last)
	}
}
