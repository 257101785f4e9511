package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// copyTree returns a copy of the repository, without its history.
func copyTree(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
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
	return dir
}

// run runs a command in a folder, and returns what it prints. If it fails, so does the test.
func run(t *testing.T, dir, name string, words ...string) string {
	t.Helper()
	cmd := exec.Command(name, words...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, words, err, out)
	}
	return string(out)
}
