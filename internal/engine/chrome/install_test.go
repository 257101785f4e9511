package chrome

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestManagers(t *testing.T) {
	for name, want := range map[string]string{
		"apt-get": "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium",
		"dnf":     "sudo dnf install -y chromium",
		"pacman":  "sudo pacman -Sy --noconfirm --needed chromium",
		"apk":     "sudo apk add --no-cache --upgrade chromium",
		"zypper":  "sudo zypper --non-interactive install chromium",
	} {
		bin := t.TempDir()
		t.Setenv("PATH", bin)
		if m, ok := findManager("linux"); ok {
			t.Errorf("%s found on an empty PATH", m.program)
		}
		writeScript(t, filepath.Join(bin, name), "")
		m, ok := findManager("linux")
		if got := m.line("sudo ", m.names["chromium"]); !ok || got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestManagerRuns(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("CHELA_TOKEN", "t0ken") // not for a package manager
	for _, test := range []struct{ name, script, want, err string }{
		{
			"well", `echo "did $1 $DEBIAN_FRONTEND$CHELA_TOKEN"`,
			"$ tool refresh\ndid refresh noninteractive\n$ tool add chromium\ndid add noninteractive\n", "",
		},
		{"without new lists", `test $1 = add || exit 7; echo done`, "$ tool refresh\n$ tool add chromium\ndone\n", ""},
		{"in vain", `test $1 = add && { echo "no such package" >&2; exit 9; }; exit 0`,
			"$ tool refresh\n$ tool add chromium\nno such package\n", "tool add chromium: exit status 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			writeScript(t, filepath.Join(bin, "tool"), test.script)
			var out strings.Builder
			err := manager{program: "tool", refresh: "refresh", install: "add"}.run(t.Context(), &out, "", "chromium")
			if out.String() != test.want {
				t.Errorf("output %q, want %q", out.String(), test.want)
			}
			if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
				t.Errorf("error = %v, want %s", err, test.err)
			}
		})
	}
}

func TestInstallErrorSaysWhatToRun(t *testing.T) {
	err := &InstallError{Command: "sudo dnf install -y chromium", Err: io.EOF}
	if err.Error() != "cannot install a browser: EOF; run: sudo dnf install -y chromium" || !errors.Is(err, io.EOF) {
		t.Errorf("error = %v", err)
	}
}

// Each channel can be found on each system. The first manager of a system has a package for each, but
// only Linux has one for the headless shell.
func TestChannels(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		kinds := map[string]bool{}
		for _, p := range places(system, func(name string) string { return name }) {
			kinds[p.kind] = true
		}
		for _, channel := range Channels() {
			if !kinds[channel] {
				t.Errorf("%s is never found on %s", channel, system)
			}
			delete(kinds, channel)
		}
		for kind := range kinds {
			t.Errorf("%s is no channel", kind)
		}
		want := slices.Sorted(slices.Values(Channels()))
		if system != "linux" {
			want = slices.DeleteFunc(want, func(channel string) bool { return channel == "headless-shell" })
		}
		if m := managers[system][0]; !slices.Equal(slices.Sorted(maps.Keys(m.names)), want) || m.names[usualChannel(system)] == "" {
			t.Errorf("%s has %v", m.program, m.names)
		}
	}
}

// A script stands for the package manager. It makes an executable file where the browser would be.
func TestInstall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the package manager is one of Linux")
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("BIN", bin)
	var out strings.Builder
	install := func(channel string) (Executable, error) {
		out.Reset()
		return Install(t.Context(), &out, channel)
	}
	if _, err := install("edge"); err == nil || !strings.Contains(err.Error(), "no package manager found") {
		t.Errorf("without a manager: %v", err)
	}
	writeScript(t, filepath.Join(bin, "pacman"), "")
	if _, err := install("edge"); err == nil || !strings.Contains(err.Error(), "pacman has no edge; install it by hand, and run: chela install --path FILE") {
		t.Errorf("a manager without a package: %v", err)
	}
	writeScript(t, filepath.Join(bin, "true"), "")
	writeScript(t, filepath.Join(bin, "sudo"), `test "$1" = -n && shift; exec "$@"`)
	writeScript(t, filepath.Join(bin, "apt-get"), `test "$1" = install || exit 0
for name; do :; done
test "$name" = microsoft-edge-stable && test ! -e "$BIN/broken" || { echo "E: no package $name"; exit 100; }
test -e "$BIN/keep" || printf '#!/bin/sh\necho Microsoft Edge 156.0.1.2\n' >"$BIN/microsoft-edge"
/bin/chmod 755 "$BIN/microsoft-edge"`)
	broken := filepath.Join(bin, "broken")
	touch(t, broken)
	if _, err := install("edge"); err == nil || !strings.Contains(err.Error(), "apt-get install -y --no-install-recommends microsoft-edge-stable: exit status 100; run: ") ||
		!strings.Contains(out.String(), "E: no package microsoft-edge-stable") {
		t.Errorf("a package that the sources do not have: %v, %s", err, &out)
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	edge := Executable{filepath.Join(bin, "microsoft-edge"), "edge"}
	for _, step := range []struct {
		name string
		days int // age in days that the browser is given before the step; 0: it stays as it is
		want string
	}{
		{"installed", 0, "installed edge: "},
		{"there", 44, "edge is here: "},
		{"old", 50, "edge is here, and 50 days old: "},
	} {
		if built := time.Now().AddDate(0, 0, -step.days); step.days > 0 {
			if err := os.Chtimes(edge.Path, built, built); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := install("edge"); err != nil || got != edge || !strings.Contains(out.String(), step.want+edge.Path) {
			t.Errorf("%s: got %v, %v: %s", step.name, got, err, &out)
		}
		if about := edge.Describe(t.Context()); step.name != "there" && about.Old(time.Now()) {
			t.Errorf("%s: it is old", step.name)
		}
	}
	built := time.Now().AddDate(0, 0, -60)
	if err := os.Chtimes(edge.Path, built, built); err != nil {
		t.Fatal(err)
	}
	touch(t, filepath.Join(bin, "keep"))
	if _, err := install("edge"); err != nil || !strings.HasSuffix(out.String(), "it is 60 days old: apt-get has no newer one\n") {
		t.Errorf("nothing newer: %v, %s", err, &out)
	}
	touch(t, broken)
	got, err := install("edge")
	failed, ok := errors.AsType[*InstallError](err)
	if !ok || !failed.Updates || got != edge || !strings.HasPrefix(err.Error(), "cannot update the browser: ") {
		t.Errorf("an old browser that cannot be updated: %v, %v", got, err)
	}
}

// touch writes an empty file.
func touch(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}
