package profile

import (
	"context"
	"errors"
	"testing"

	"chela/internal/browser"
	"chela/internal/config"
)

func TestNamed(t *testing.T) {
	m := &Manager{&Profile{Name: Default}}
	for _, name := range []string{"", "chela", "openclaw", "clawd"} {
		if p, err := m.Named(name); p != m.profile || err != nil {
			t.Errorf("%q: %v, %v", name, p, err)
		}
	}
	if e, ok := errors.AsType[*UnknownError](second(m.Named("other"))); !ok || e.Name != "other" {
		t.Errorf("an unknown name: %+v", e)
	}
}

func second(_ *Profile, err error) error { return err }

// What forbids to start a browser is reported, the gravest first.
func TestMayStart(t *testing.T) {
	for _, s := range []struct {
		name                     string
		closed, disabled, attach bool
		want                     error
	}{
		{"nothing", false, false, false, nil},
		{"the server ends", true, true, true, ErrClosed},
		{"the settings", false, true, true, &NotAllowedError{Profile: "chela", File: "chela.json"}},
		{"the settings, but for attaching", false, false, true, &NotAllowedError{Profile: "chela", File: "chela.json", AttachOnly: true}},
	} {
		c := &config.Config{File: "chela.json"}
		c.Browser.Enabled, c.Browser.AttachOnly = !s.disabled, s.attach
		p := &Profile{Name: "chela", config: config.Fixed(c), closed: s.closed}
		err := p.mayStartLocked()
		if got, ok := err.(*NotAllowedError); ok {
			if want, _ := s.want.(*NotAllowedError); want == nil || *got != *want {
				t.Errorf("%s: %+v", s.name, got)
			}
		} else if err != s.want {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// A caller that stops waiting does not stop the start: the next one gets what
// comes of it.
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
