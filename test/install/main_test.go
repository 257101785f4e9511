// Package install tries what `make npm` has made, as a new user would. A package is installed in a
// fresh Debian, npm in an empty folder, and an image is run as a container. The Makefile runs it, as
// root, by make install-test.
package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// debian is a tar file with a fresh Debian.
var debian = os.Getenv("CHELA_TEST_INSTALL")

// full has the reproducible build made without what Go has compiled before.
var full = os.Getenv("CHELA_TEST_INSTALL_FULL") != ""

// needsPackages skips a test if the Makefile does not run it. It returns the root of the repository,
// whose folder dist has the packages.
func needsPackages(t *testing.T) (root string) {
	t.Helper()
	if debian == "" {
		t.Skip("make install-test makes packages and runs this")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// A shell runs commands in a folder, with variables besides those of the test.
type shell struct {
	dir string
	env []string
}

func (s shell) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	return cmd
}

// run runs a command and returns what it prints. If it fails, so does the test.
func (s shell) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// one returns the only file that matches a pattern.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: got %q, %v, want one file", pattern, found, err)
	}
	return found[0]
}
