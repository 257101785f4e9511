package autostart

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// home gives the test an empty home directory, whose folder bin is the first in PATH. See the
// function pretend.
func home(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/usr/bin:/bin")
	return dir
}

// pretend puts a shell script in the place of systemctl and launchctl. Before it runs script, it
// writes its command line to the file that the function log reads.
func pretend(t *testing.T, dir, script string) {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"systemctl", "launchctl"} {
		text := fmt.Sprintf("#!/bin/sh\necho %s \"$@\" >>%s/log\n%s\n", tool, dir, script)
		if err := os.WriteFile(filepath.Join(bin, tool), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// log returns the command lines since its last call.
func log(t *testing.T, dir string) string {
	t.Helper()
	raw, _ := os.ReadFile(filepath.Join(dir, "log"))
	os.Remove(filepath.Join(dir, "log"))
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(string(raw)), "\n", "; "), fmt.Sprint("gui/", os.Getuid()), "gui/UID")
}

func manager(t *testing.T, goos, state string) *Manager {
	t.Helper()
	m, err := For(goos, state, "/home/ada/.chela")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var usual = Server{
	Program: "/usr/local/bin/chela", Args: []string{"serve"}, Env: []Variable{{"PATH", "/usr/local/bin:/usr/bin:/bin"}},
	Log: "/home/ada/.chela/service.log", EnvFile: "/home/ada/.chela/service.env", Namespaces: true,
}

var special = Server{
	Program: `/opt/my tools/chela`, Args: []string{"serve", "--state-dir=/srv/100% $HOME", "--config=/srv/a&b<c>\"d\\e.json"},
	Env: []Variable{{"CHELA_STATE_DIR", "/srv/100% $HOME"}, {"PATH", "/opt/my tools:/usr/bin"}}, Log: "/srv/100%/service.log", EnvFile: "/srv/100% $HOME/service.env",
}

func TestFiles(t *testing.T) {
	home(t)
	for _, test := range []struct {
		file, goos, state string
		server            Server
	}{
		{"usual.service", "linux", "/home/ada/.chela", usual},
		{"special.service", "linux", "/srv/state", special},
		{"usual.plist", "darwin", "/home/ada/.chela", usual},
		{"special.plist", "darwin", "/srv/state", special},
	} {
		got, err := manager(t, test.goos, test.state).Text(test.server)
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", test.file)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || got != string(want) {
			t.Errorf("%s (%v): got\n%s", test.file, err, got)
		}
	}
	broken := usual
	broken.Env = []Variable{{"PATH", "/bin\nExecStart=/bin/evil"}}
	if _, err := manager(t, "linux", "/x").Text(broken); err == nil {
		t.Error("a line feed gets into a file")
	}
}

//go:generate go test . -run TestUnitOfPackages -update

// The unit file in chela's packages is the one that Install writes, with two differences. Its program
// is the one of the package, and for systemd %h is the home directory of the user who runs it.
func TestUnitOfPackages(t *testing.T) {
	text := unit("chela", Server{Program: "/usr/bin/chela", Args: []string{"serve"}, EnvFile: "HOME/.chela/service.env", Namespaces: true})
	_, text, _ = strings.Cut(text, "\n")
	want := "# Part of chela's package. systemctl --user enable --now chela starts it, now and at each login.\n" + strings.Replace(text, "HOME", "%h", 1)
	const file = "packaged.service"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s (%v) is not what this package writes; run: go generate ./internal/surface/autostart", file, err)
	}
}

// systemd-analyze accepts a unit, and splits its command line into the words that were quoted.
func TestSystemdReadsUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip(err)
	}
	dir := home(t)
	program := filepath.Join(dir, "my $tools 100%", "chela")
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Server{usual, special} {
		m := manager(t, "linux", "/x")
		s.Program = program
		text, err := m.Text(s)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "chela.service")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(analyze, "--user", "--man=no", "verify", file)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "chela.service") {
			t.Errorf("%v: %s\n%s", err, out, text)
		}
	}
}

func TestPropertyListsAreRead(t *testing.T) {
	tool, err := exec.LookPath("plutil")
	if err != nil {
		t.Skip(err)
	}
	for _, file := range []string{"usual.plist", "special.plist"} {
		if out, err := exec.Command(tool, "-lint", filepath.Join("testdata", file)).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", file, out)
		}
	}
}

// On each system, the right commands are run in the right order, and nothing stays behind.
func TestInstallAndUninstall(t *testing.T) {
	for _, test := range []struct{ goos, file, installed, removed string }{
		{"linux", ".config/systemd/user/chela.service", "systemctl --user daemon-reload; systemctl --user enable chela.service; systemctl --user restart chela.service",
			"systemctl --user disable --now chela.service; systemctl --user daemon-reload; systemctl --user reset-failed chela.service"},
		{"darwin", "Library/LaunchAgents/dev.chela.plist", "launchctl bootout gui/UID/dev.chela; launchctl print gui/UID/dev.chela; launchctl print gui/UID/dev.chela; launchctl bootstrap gui/UID HOME/Library/LaunchAgents/dev.chela.plist",
			"launchctl bootout gui/UID/dev.chela"},
	} {
		dir := home(t)
		pretend(t, dir, `[ $1 != print ] || rmdir "$HOME/ends" 2>/dev/null`) // launchd knows the agent when it is asked for the first time
		if err := os.Mkdir(filepath.Join(dir, "ends"), 0o700); err != nil {
			t.Fatal(err)
		}
		m := manager(t, test.goos, "/home/ada/.chela")
		if m.File() != filepath.Join(dir, test.file) {
			t.Errorf("the file is %s", m.File())
		}
		if was, err := m.Uninstall(t.Context()); was || err != nil || log(t, dir) != "" {
			t.Errorf("nothing to remove: %v, %v", was, err)
		}
		if err := m.Install(t.Context(), usual); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(log(t, dir), dir, "HOME"); got != test.installed {
			t.Errorf("install: got %s", got)
		}
		if info, err := os.Stat(m.File()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v, %v", info, err)
		}
		if was, err := m.Uninstall(t.Context()); !was || err != nil {
			t.Errorf("uninstall: %v, %v", was, err)
		}
		if got := log(t, dir); got != test.removed {
			t.Errorf("uninstall: got %s", got)
		}
		if left := files(t, filepath.Dir(m.File())); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return nil
	})
	return all
}

// If systemd does not answer, the error has the commands to run. Uninstalling also removes the link
// that systemctl enable has made.
func TestSystemThatDoesNotAnswer(t *testing.T) {
	dir := home(t)
	m := manager(t, "linux", "/home/ada/.chela")
	for _, test := range []struct{ name, script, want string }{
		{"no bus", "echo Failed to connect to bus >&2; exit 1", "Failed to connect to bus"},
		{"no systemctl", "", "there is no systemctl here"},
	} {
		pretend(t, dir, test.script)
		if test.script == "" {
			t.Setenv("PATH", t.TempDir())
		}
		err := m.Install(t.Context(), usual)
		unstarted, ok := errors.AsType[*NotStartedError](err)
		if !ok || !strings.Contains(err.Error(), test.want) || !slices.Contains(unstarted.Commands, "systemctl --user daemon-reload") {
			t.Errorf("%s: got %v, %+v", test.name, err, unstarted)
		}
		link := filepath.Join(filepath.Dir(m.File()), "default.target.wants", "chela.service")
		os.MkdirAll(filepath.Dir(link), 0o700)
		if err := os.Symlink(m.File(), link); err != nil {
			t.Fatal(err)
		}
		if was, err := m.Uninstall(t.Context()); !was || err == nil || !strings.Contains(err.Error(), "the service is removed, but systemd could not be told") {
			t.Errorf("%s: uninstall: %v, %v", test.name, was, err)
		}
		if left := files(t, filepath.Dir(m.File())); len(left) > 0 {
			t.Errorf("%s: left behind: %q", test.name, left)
		}
	}
}

func TestState(t *testing.T) {
	dir := home(t)
	const (
		active   = "echo ActiveState=active; echo MainPID=42"
		inactive = "echo ActiveState=inactive; echo MainPID=0"
		agent    = "printf 'gui/501/dev.chela = {\\n\\tstate = running\\n\\tpid = 42\\n\\tsub = {\\n\\t\\tstate = active\\n\\t}\\n}\\n'"
		waiting  = "printf 'gui/501/dev.chela = {\\n\\tstate = waiting\\n}\\n'"
		unknown  = "echo Could not find service >&2; exit 113"
	)
	for _, test := range []struct {
		goos, script string
		server       Server
		want         State
		problem      bool
	}{
		{"linux", active, usual, State{Installed: true, Running: true, PID: "42"}, false},
		{"linux", active, special, State{Installed: true, Running: true, PID: "42", Changed: true}, false},
		{"linux", inactive, usual, State{Installed: true}, false},
		{"linux", "exit 1", usual, State{Installed: true}, true},
		{"darwin", agent, usual, State{Installed: true, Running: true, PID: "42"}, false},
		{"darwin", waiting, usual, State{Installed: true}, false},
		{"darwin", unknown, usual, State{Installed: true}, true},
	} {
		m := manager(t, test.goos, "/home/ada/.chela")
		pretend(t, dir, "[ $1 != print ]") // no agent runs
		if got, err := m.State(t.Context(), usual); err != nil || got != (State{}) {
			t.Errorf("before: %+v, %v", got, err)
		}
		if err := m.Install(t.Context(), usual); err != nil {
			t.Fatal(err)
		}
		pretend(t, dir, test.script)
		got, err := m.State(t.Context(), test.server)
		problem := got.Problem != nil
		got.Problem = nil
		if err != nil || got != test.want || problem != test.problem {
			t.Errorf("%s, %s: got %+v, problem %v, %v", test.goos, test.script, got, problem, err)
		}
		os.Remove(m.File())
	}
}

// A system package installs a service file for all users. Only users who have enabled the service, or
// run it, have a service.
func TestStateByAPackage(t *testing.T) {
	dir := home(t)
	const file = "/usr/lib/systemd/user/chela.service"
	for _, test := range []struct {
		unit, active, pid string
		want              State
	}{
		{"enabled", "active", "42", State{Installed: true, Package: file, Running: true, PID: "42"}},
		{"enabled", "failed", "0", State{Installed: true, Package: file}},
		{"disabled", "active", "42", State{Installed: true, Package: file, Running: true, PID: "42"}},
		{"disabled", "inactive", "0", State{}},
	} {
		pretend(t, dir, fmt.Sprintf("echo FragmentPath=%s; echo UnitFileState=%s; echo ActiveState=%s; echo MainPID=%s", file, test.unit, test.active, test.pid))
		got, err := manager(t, "linux", "/home/ada/.chela").State(t.Context(), usual)
		if err != nil || got != test.want {
			t.Errorf("%s, %s: got %+v, %v", test.unit, test.active, got, err)
		}
	}
	for _, file := range []string{"", "/etc/systemd/user/chela.service"} {
		pretend(t, dir, "echo FragmentPath="+file+"; echo UnitFileState=enabled; echo ActiveState=active; echo MainPID=42")
		if got, err := manager(t, "linux", "/home/ada/.chela").State(t.Context(), usual); err != nil || got != (State{}) {
			t.Errorf("a unit at %q: %+v, %v", file, got, err)
		}
	}
}

// Each state directory has a service of its own. On systems without systemd and launchd there is none.
func TestNames(t *testing.T) {
	home(t)
	one, two := manager(t, "linux", "/srv/one"), manager(t, "linux", "/srv/two")
	if one.File() == two.File() || filepath.Base(one.File()) == "chela.service" {
		t.Errorf("got %s and %s", one.File(), two.File())
	}
	if _, err := For("windows", "/x", "/x"); !errors.Is(err, ErrNoSystem) {
		t.Errorf("got %v", err)
	}
}

func TestReady(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip()
	}
	sockets := []string{filepath.Join(t.TempDir(), "n")}
	if runtime.GOOS == "linux" {
		sockets = append(sockets, "@chela-ready-"+rand.Text()) // without a file
	}
	for _, socket := range sockets {
		l, err := net.ListenPacket("unixgram", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		t.Setenv("NOTIFY_SOCKET", socket)
		if err := Ready(); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 100)
		if n, _, err := l.ReadFrom(b); err != nil || string(b[:n]) != "READY=1" || os.Getenv("NOTIFY_SOCKET") != "" {
			t.Errorf("%s: got %q, %v", socket, b[:n], err)
		}
	}
	if err := Ready(); err != nil {
		t.Errorf("without systemd: %v", err)
	}
}
