package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The module can have another path. A copy of the repository that was renamed has the old one
// nowhere, and its packages are found by their imports.
func TestRenameModule(t *testing.T) {
	dir := t.TempDir()
	for _, path := range files(t, "*") {
		copied := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, []byte(read(t, path)), info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, words ...string) string {
		t.Helper()
		cmd := exec.Command(name, words...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, words, err, out)
		}
		return string(out)
	}
	run("make", "rename-module", "MODULE=example.com/browsers/chela")
	// With -deps, an import that leads nowhere is an error. Types are not checked: that would compile all packages.
	for line := range strings.Lines(run("go", "list", "-deps", "-test", "./...")) {
		if strings.HasPrefix(line, "chela/") {
			t.Errorf("there is still %s", line)
		}
	}
	run("go", "vet", "./internal/reading/snapshot")
}
