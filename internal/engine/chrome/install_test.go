package chrome

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func TestManagers(t *testing.T) {
	for name, want := range map[string]string{
		"apt-get": "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium",
		"dnf":     "sudo dnf install -y chromium",
		"pacman":  "sudo pacman -Sy --noconfirm --needed chromium",
		"apk":     "sudo apk add --no-cache chromium",
		"zypper":  "sudo zypper --non-interactive install chromium",
	} {
		bin := t.TempDir()
		t.Setenv("PATH", bin)
		if m, ok := findManager("linux"); ok {
			t.Errorf("%s found on an empty PATH", m.program)
		}
		program(t, filepath.Join(bin, name), "")
		m, ok := findManager("linux")
		if got := m.line("sudo "); !ok || got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestManagerRuns(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for _, test := range []struct{ name, script, want, err string }{
		{
			"well", `echo "did $1 $DEBIAN_FRONTEND"`,
			"$ tool refresh\ndid refresh noninteractive\n$ tool add chromium\ndid add noninteractive\n", "",
		},
		{"without new lists", `test $1 = add || exit 7; echo done`, "$ tool refresh\n$ tool add chromium\ndone\n", ""},
		{"in vain", `test $1 = add && { echo "no such package" >&2; exit 9; }; exit 0`,
			"$ tool refresh\n$ tool add chromium\nno such package\n", "tool add chromium: exit status 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			program(t, filepath.Join(bin, "tool"), test.script)
			var out strings.Builder
			err := manager{program: "tool", refresh: "refresh", install: "add chromium"}.run(t.Context(), &out, "")
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
