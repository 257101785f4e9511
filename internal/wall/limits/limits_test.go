package limits

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/config"
)

// The limit of a session applies until the session ends, even after a restart of the server, and
// cannot be changed.
func TestLimits(t *testing.T) {
	state := config.State{Dir: t.TempDir()}
	l := open(t, state)
	if err := l.SetHosts("narrow", []string{"example.com"}); err != nil {
		t.Fatal(err)
	}
	for _, hosts := range [][]string{{"example.org"}, {"example.com", "example.org"}} {
		if err := l.SetHosts("narrow", hosts); err == nil || err.Error() != "session narrow may open only example.com" {
			t.Errorf("%v: %v", hosts, err)
		}
	}
	if err := errors.Join(l.SetHosts("both", []string{"B.test", "a.test"}), l.SetHosts("both", []string{"a.test", "b.test", "a.test"}), l.End("both")); err != nil {
		t.Errorf("the same hosts in another order: %v", err)
	}
	l = open(t, state) // opened again, as after a kill
	if err := l.SetHosts("narrow", []string{"example.com"}); err != nil {
		t.Errorf("the same hosts again: %v", err)
	}
	if got := l.Hosts("narrow"); !slices.Equal(got, []string{"example.com"}) || l.Hosts("other") != nil || l.Hosts("") != nil {
		t.Errorf("narrow has %v, other %v, none %v", got, l.Hosts("other"), l.Hosts(""))
	}
	if err := l.SetHosts("second", []string{"a.test"}); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := l.End("narrow"); err != nil {
			t.Error(err)
		}
	}
	if got := slices.Sorted(maps.Keys(open(t, state).All())); !slices.Equal(got, []string{"second"}) {
		t.Errorf("after its end there are limits of %v", got)
	}
}

// If the file cannot be read or written, no session is limited less than before.
func TestLimitsFileFails(t *testing.T) {
	state := config.State{Dir: t.TempDir()}
	for _, text := range []string{"", "{", "null", `{"a": 1}`, `{"a": {}}`, `{"version": 1, "sessions": {"a": {"allowHosts": []}}}`} {
		if err := os.WriteFile(state.LimitsFile(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(state); err == nil || !strings.Contains(err.Error(), state.LimitsFile()) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	os.Remove(state.LimitsFile())
	if err := os.Symlink(state.LimitsFile()+".elsewhere", state.LimitsFile()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(state); err == nil || !strings.Contains(err.Error(), state.LimitsFile()) {
		t.Errorf("a link to a file that is not there: got %v", err)
	}
	os.Remove(state.LimitsFile())
	l := open(t, state)
	if err := l.SetHosts("narrow", []string{"example.com"}); err != nil {
		t.Fatal(err)
	}
	os.Remove(state.LimitsFile())
	if err := os.MkdirAll(state.LimitsFile()+"/below", 0o700); err != nil { // a file cannot replace a folder that is not empty
		t.Fatal(err)
	}
	if err := l.End("narrow"); err == nil || l.Hosts("narrow") == nil {
		t.Errorf("the limit has ended: %v", err)
	}
	for range 2 {
		if err := l.SetHosts("other", []string{"example.com"}); err == nil || l.Hosts("other") == nil {
			t.Errorf("the file cannot be written: got %v and the hosts %q", err, l.Hosts("other"))
		}
	}
	if err := os.RemoveAll(state.LimitsFile()); err != nil {
		t.Fatal(err)
	}
	if err := l.SetHosts("other", []string{"example.com"}); err != nil || open(t, state).Hosts("other") == nil {
		t.Errorf("the file can be written again: got %v, or no limit after a restart", err)
	}
}

// The file has a maximum size. When it is full, sessions with limits keep them, and others get none.
func TestLimitsAreBounded(t *testing.T) {
	l := open(t, config.State{Dir: t.TempDir()})
	many := slices.Repeat([]string{strings.Repeat("a", 200) + ".test"}, maxContent/200/3)
	for _, step := range []struct {
		session string
		want    error
	}{{"one", nil}, {"two", nil}, {"three", ErrFull}, {"one", nil}} {
		if err := l.SetHosts(step.session, many); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.session, err, step.want)
		}
	}
	if l.Hosts("three") != nil {
		t.Error("a limit was set that is in no file")
	}
	if err := errors.Join(l.End("one"), l.SetHosts("three", many)); err != nil {
		t.Errorf("after the end of another session: %v", err)
	}
}

func open(t *testing.T, state config.State) *Limits {
	t.Helper()
	l, err := Open(state)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// An older chela does not know what limits of a newer one mean. So no server starts, and the file
// stays as it is. A file without a version, as chela wrote it at first, is read.
func TestVersionOfLimits(t *testing.T) {
	state := config.State{Dir: t.TempDir()}
	const newer = `{"version": 2, "sessions": ["narrow"]}`
	if err := os.WriteFile(state.LimitsFile(), []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(state)
	if e, ok := errors.AsType[*config.NewerError](err); !ok || e.File != state.LimitsFile() || e.Version != 2 {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(state.LimitsFile()); string(got) != newer {
		t.Errorf("the file became %s", got)
	}
	for _, text := range []string{`{"narrow": {"allowHosts": ["a.test"]}}`, `{"version": 1, "sessions": {"narrow": {"allowHosts": ["a.test"]}}}`} {
		if err := os.WriteFile(state.LimitsFile(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := open(t, state).Hosts("narrow"); !slices.Equal(got, []string{"a.test"}) {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
