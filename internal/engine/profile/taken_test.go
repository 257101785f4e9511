package profile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
)

// When a browser was lost, a tab in it stays with the person who has taken it over. An agent cannot
// drop it, whichever way. The user can.
func TestTakenTabOfALostBrowser(t *testing.T) {
	m := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"work": {CDPPort: 18801}}})
	p := m.mustName(t, "work")
	data := filepath.Join(p.userData(), "Default")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	p.memory, p.lost = browser.Memory{Tabs: []browser.SavedTab{{ID: "t1", Owner: "a", URL: "http://one.test/", Person: page.TakeOver{Until: time.Now().Add(time.Hour)}}}}, true
	p.session.save(p.memory)
	ends := map[string]func(context.Context, bool) error{
		"stop": func(ctx context.Context, agent bool) error {
			_, err := p.Stop(ctx, Stopping{UnlessTaken: agent})
			return err
		},
		"reset":  func(ctx context.Context, agent bool) error { _, _, err := p.Reset(ctx, agent); return err },
		"delete": func(ctx context.Context, agent bool) error { _, _, err := m.Delete(ctx, "work", agent); return err },
		"end": func(ctx context.Context, _ bool) error {
			_, err := m.EndSession(ctx, "a", func(string) bool { return true })
			return err
		},
	}
	for name, end := range ends {
		err := end(t.Context(), true)
		if _, taken := errors.AsType[*page.TakenError](err); !taken {
			t.Errorf("%s: %v", name, err)
		}
		saved, _ := p.session.read()
		if len(p.Remembered(t.Context(), "a")) != 1 || len(saved.Tabs) != 1 {
			t.Errorf("after %s the tab is lost", name)
		}
	}
	if _, err := os.Stat(data); err != nil {
		t.Error(err)
	}
	if m.CheckTaken(t.Context(), "a") == nil || m.CheckTaken(t.Context(), "b") != nil {
		t.Error("it is not known whose session has the tab")
	}
	for _, name := range []string{"stop", "reset", "delete"} {
		if err := ends[name](t.Context(), false); err != nil {
			t.Errorf("%s by the user: %v", name, err)
		}
	}
}
