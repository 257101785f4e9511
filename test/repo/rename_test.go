package repo

import (
	"path/filepath"
	"strings"
	"testing"

	"chela/test/long"
)

// The module can have another path. In a renamed copy of the repository the old path is nowhere,
// and all packages are found by their imports.
func TestRenameModule(t *testing.T) {
	long.Test(t)
	t.Chdir(root)
	dir := copyTree(t)
	run(t, dir, "make", "rename-module", "MODULE=example.com/browsers/chela")
	// With -deps, an import that leads nowhere is an error. Types are not checked: that would
	// compile all packages.
	for line := range strings.Lines(run(t, dir, "go", "list", "-deps", "-test", "./...")) {
		if strings.HasPrefix(line, "chela/") {
			t.Errorf("there is still %s", line)
		}
	}
	run(t, dir, "go", "vet", "./internal/reading/snapshot")
	for _, guide := range []string{"CONTRIBUTING.md", "docs/programs.md"} {
		if strings.Contains(read(t, filepath.Join(dir, guide)), `"chela/`) {
			t.Errorf("the code of %s has the old path", guide)
		}
	}
}
