package repo

import (
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The files that the architecture names exist: those in its sentences and tables, and those in its
// diagrams.
func TestArchitectureDocumentsNameFiles(t *testing.T) {
	t.Chdir(root)
	named := aFile.FindAllString(read(t, "docs/architecture.md"), -1)
	if len(named) < 50 {
		t.Errorf("only %d files are named", len(named))
	}
	for _, name := range named {
		if !hasFile(name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// aFile is a file with its folder.
var aFile = regexp.MustCompile(`(?:[\w-]+/)+[\w-]+\.(?:go|md|js)\b`)

// The picture of the storeys has each package.
func TestArchitectureListsPackages(t *testing.T) {
	t.Chdir(root)
	out, err := exec.Command("go", "list", "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(block.FindString(read(t, "docs/architecture.md")))
	for line := range strings.Lines(string(out)) {
		name := path.Base(strings.TrimSpace(line))
		if !slices.Contains(listed, name) && !strings.HasSuffix(name, "test") {
			t.Errorf("the storeys of docs/architecture.md lack the package %s", name)
		}
	}
}

// The files that docs/security.md names as proof of its promises exist.
func TestSecurityDocumentNamesFiles(t *testing.T) {
	t.Chdir(root)
	named := 0
	for _, name := range inBackquotes.FindAllStringSubmatch(read(t, "docs/security.md"), -1) {
		if strings.HasSuffix(name[1], ".go") {
			if named++; !hasFile(name[1]) {
				t.Errorf("there is no %s", name[1])
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d files are named", named)
	}
}

// inBackquotes finds the files that a text names in backquotes.
var inBackquotes = regexp.MustCompile("`([^`]+)`")

// hasFile reports whether a file or folder is there. Its name begins at the root of the repository,
// at the folder internal or at a storey in it.
func hasFile(name string) bool {
	for _, dir := range []string{".", "internal", "internal/*"} {
		if found, err := filepath.Glob(filepath.Join(dir, name)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

var (
	block   = regexp.MustCompile("(?s)```.*?```")
	heading = regexp.MustCompile(`(?m)^#.*$`)
)
