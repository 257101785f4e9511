package profile

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/engine/browser"
)

// managerAt returns the profiles of a configuration file, with its path.
func managerAt(t *testing.T, text string) (m *Manager, file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "chela.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	live, err := config.Open(config.Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return NewManager(live, &media.Roots{Temp: t.TempDir()}, nil), file
}

// A new profile has a port and a color that no other has, and is there at once.
func TestCreate(t *testing.T) {
	m, file := managerAt(t, `{
  // mine
  "browser": {"profiles": {"old": {"cdpPort": 18802, "color": "#00AA00"}, "lo": {"cdpUrl": "http://127.0.0.1:18803"}}}
}`)
	for _, want := range []struct {
		name  string
		port  int
		color string
	}{{"one", 18801, "#0066CC"}, {"two", 18804, "#9933FF"}} {
		made, err := m.Create(New{Name: want.name, Driver: Managed})
		if err != nil || made.Port != want.port || made.Color != want.color || made.File != file || made.Instead != nil || !made.Launched() {
			t.Errorf("%s: %+v, %v", want.name, made, err)
		}
		if p := m.mustName(t, want.name); p.Setup().Port != want.port {
			t.Errorf("%s: %+v", want.name, p.Setup())
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(raw), "// mine") {
		t.Errorf("the file is now %s, %v", raw, err)
	}
	for _, name := range []string{"one", "old", "chela", "openclaw", "user"} {
		if e, ok := errors.AsType[*ExistsError](second(m.Create(New{Name: name, Driver: Managed}))); !ok || e.Name != name {
			t.Errorf("%s was made again: %v", name, e)
		}
	}
}

func second(_ Created, err error) error { return err }

// Profiles whose browser is not started by chela have no port.
func TestCreateOthers(t *testing.T) {
	m, _ := managerAt(t, "{}")
	remote, err := m.Create(New{Name: "remote", Driver: Managed, CDPURL: "http://10.0.0.42:9222", Color: "#123456"})
	if err != nil || !remote.Remote() || remote.Port != 9222 || remote.Color != "#123456" {
		t.Errorf("remote: %+v, %v", remote, err)
	}
	dir := t.TempDir()
	mine, err := m.Create(New{Name: "mine", Driver: ExistingSession, UserDataDir: dir})
	if err != nil || mine.Driver != ExistingSession || !mine.AttachOnly || mine.UserDataDir != dir || mine.Port != 0 {
		t.Errorf("mine: %+v, %v", mine, err)
	}
	gone := filepath.Join(dir, "gone")
	_, err = m.Create(New{Name: "other", Driver: ExistingSession, UserDataDir: gone})
	if e, ok := errors.AsType[*DirError](err); !ok || e.Dir != gone {
		t.Errorf("a folder that is not there: %v", e)
	}
}

// However many profiles are made at once, each has a port of its own. When none is left, that is an
// error.
func TestPortsAreGivenOnce(t *testing.T) {
	var used []string
	for i := range 90 {
		used = append(used, fmt.Sprintf(`"u%d": {"cdpPort": %d}`, i, firstPort+1+i))
	}
	m, _ := managerAt(t, `{"browser": {"profiles": {`+strings.Join(used, ", ")+`}}}`)
	var making sync.WaitGroup
	ports, errs := make([]int, 12), make([]error, 12)
	for i := range ports {
		making.Go(func() {
			made, err := m.Create(New{Name: fmt.Sprintf("n%d", i), Driver: Managed})
			ports[i], errs[i] = made.Port, err
		})
	}
	making.Wait()
	seen, refused := map[int]bool{}, 0
	for i, port := range ports {
		switch {
		case errors.Is(errs[i], ErrNoPort):
			refused++
		case errs[i] != nil || port <= firstPort+90 || port > lastPort || seen[port]:
			t.Errorf("n%d has port %d, %v", i, port, errs[i])
		}
		seen[port] = true
	}
	if refused != 3 {
		t.Errorf("%d were refused: %v", refused, errs)
	}
}

// A deleted profile is out of the configuration, and its data are in the trash.
func TestDelete(t *testing.T) {
	m, file := managerAt(t, `{
  "browser": {"profiles": {
    "work": {"cdpPort": 18801}, // for work
    "remote": {"cdpUrl": "http://10.0.0.42:9222"},
    "first": {"cdpPort": 18805}
  }, "defaultProfile": "first"}
}`)
	data, record := m.mustName(t, "work").userData(), m.config.State().ProfileFile("remote", "recorder")
	for _, folder := range []string{data, record} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"first", "chela", "user", "nobody"} {
		_, _, err := m.Delete(t.Context(), name, false)
		_, isDefault := errors.AsType[*DefaultError](err)
		_, absent := errors.AsType[*AbsentError](err)
		if isDefault != (name == "first") || absent == isDefault {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, moved := range map[string]bool{"work": true, "remote": false} {
		if own, got, err := m.Delete(t.Context(), name, false); own != name || got != moved || err != nil {
			t.Errorf("%s: %s, %v, %v", name, own, got, err)
		}
		if _, err := m.Named(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, folder := range []string{filepath.Dir(data), filepath.Dir(record)} {
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("%s is still there", folder)
		}
	}
	left, _ := os.ReadDir(filepath.Join(filepath.Dir(file), "trash"))
	if len(left) != 2 || !strings.HasPrefix(left[0].Name(), "remote-") || !strings.HasPrefix(left[1].Name(), "work-") {
		t.Errorf("in the trash: %v", left)
	}
}

// Delete returns a profile's own name if it was given an alias. What the caller keeps of the profile,
// such as a trace, has that name.
func TestDeleteByAlias(t *testing.T) {
	m, _ := managerAt(t, `{"browser": {"profiles": {"chela": {"cdpPort": 18801}, "first": {"cdpPort": 18805}}, "defaultProfile": "first"}}`)
	if own, _, err := m.Delete(t.Context(), "openclaw", false); own != "chela" || err != nil {
		t.Errorf("got %q, %v", own, err)
	}
}

// A call may have a profile already when that is deleted. The profile starts no browser then. If a
// profile with the same name is made, it is the same one: two would use one folder. No session is
// isolated in it, as after a restart of the server.
func TestDeletedWhileACallHasIt(t *testing.T) {
	m, _ := managerAt(t, `{"browser": {"profiles": {"work": {"cdpPort": 18801}}}}`)
	p := m.mustName(t, "work")
	p.memory = browser.Memory{LastTab: 7, Isolated: []string{"a"}, Cookies: sessionCookies}
	if _, _, err := m.Delete(t.Context(), "work", false); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Browser(t.Context()); !isUnknown(err) {
		t.Errorf("a deleted profile: %v", err)
	}
	if _, err := m.Create(New{Name: "work", Driver: Managed}); err != nil {
		t.Fatal(err)
	}
	if again := m.mustName(t, "work"); again != p || !reflect.DeepEqual(again.memory, browser.Memory{LastTab: 7}) {
		t.Errorf("made again, it is %p with %+v, want %p with tab 7", again, again.memory, p)
	}
}

func isUnknown(err error) bool {
	_, ok := errors.AsType[*UnknownError](err)
	return ok
}

// A profile can be deleted even while another program's browser runs at its port.
func TestDeleteWithItsPortInUse(t *testing.T) {
	there, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	url := "http://" + there.Addr().String()
	m := managerOf(t, config.Browser{Profiles: map[string]config.Profile{"attached": {CDPURL: url, AttachOnly: new(true)}, "mistaken": {CDPURL: url}}})
	if _, _, err := m.mustName(t, "attached").Reset(t.Context(), false); err != nil {
		t.Errorf("reset: %v", err)
	}
	if _, _, err := m.mustName(t, "mistaken").Reset(t.Context(), false); err == nil {
		t.Error("reset, though another program has the port that the browser is to have")
	}
	for _, name := range []string{"attached", "mistaken"} {
		if _, _, err := m.Delete(t.Context(), name, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidName(t *testing.T) {
	for name, valid := range map[string]bool{
		"work": true, "my-project-1": true, "0": true, strings.Repeat("a", 64): true,
		"": false, "-x": false, "Work": false, "a b": false, "../x": false, "a_b": false, strings.Repeat("a", 65): false,
		"a\x00b": false, "a\n": false, "\na": false, " a": false, "a ": false, "a\t": false, "..": false, ".": false, "a/b": false, `a\b`: false, "CON": false,
		"a\u202e": false, "\u0430": false, "\uff41": false, "\u0131": false, "a\u200b": false, "\U0001f600": false, "a\xff": false, "\x7f": false, "~": false, "%2e": false,
	} {
		if ValidName(name) != valid {
			t.Errorf("%q: %v", name, !valid)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for _, good := range []string{"http://10.0.0.42:9222", "wss://cloud.test/x?token=1"} {
		if err := CheckURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, scheme := range map[string]string{"zzz": "", "http://": "", "127.0.0.1:9222": "", "ftp://a": "ftp", "http://0.0.0.0:18792": "", "ws://[::]:1/": "", "http://0:1": "", "http://[::ffff:0.0.0.0]": ""} {
		if e, ok := errors.AsType[*URLError](CheckURL(bad)); !ok || e.Scheme != scheme {
			t.Errorf("%s: %v", bad, e)
		}
	}
}
