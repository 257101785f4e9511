package repo

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// storeys are the folders below internal, from the ground up.
var storeys = []string{"base", "wall", "reading", "engine", "record", "op", "fleet", "api", "surface"}

// storeyOf returns how high a package is, -1 if it is on no storey.
func storeyOf(pkg string) int {
	if pkg == "chela/extension" || pkg == "chela/docs" {
		return 0 // these packages hold only files
	}
	name, inside := strings.CutPrefix(pkg, "chela/internal/")
	if !inside {
		return len(storeys) // the package main
	}
	name, _, _ = strings.Cut(name, "/")
	return slices.Index(storeys, name)
}

// A package imports packages of its own storey and of lower ones.
func TestImportsGoDown(t *testing.T) {
	t.Chdir(root)
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/...", "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		storey := storeyOf(names[0])
		if storey < 0 {
			t.Errorf("%s is on no storey", names[0])
		}
		for _, imported := range names[1:] {
			if strings.HasPrefix(imported, "chela/") && storeyOf(imported) > storey {
				t.Errorf("%s imports %s, which is above it", names[0], imported)
			}
		}
	}
}

// Programs of others import package client, so it needs only the standard library.
func TestClientNeedsOnlyTheStandardLibrary(t *testing.T) {
	t.Chdir(root)
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./client").Output()
	if err != nil {
		t.Fatal(err)
	}
	if needed := strings.Fields(string(out)); !slices.Equal(needed, []string{"chela/internal/base/listener", "chela/client"}) {
		t.Errorf("it needs %v", needed)
	}
}

// Each storey has a file doc.go, which a newcomer opens first. It says what the storey is.
func TestStoreysHaveADocument(t *testing.T) {
	t.Chdir(root)
	for _, storey := range storeys {
		text := strings.ToLower(read(t, filepath.Join("internal", storey, "doc.go")))
		for _, word := range []string{"imports", "begin"} {
			if !strings.Contains(text, word) {
				t.Errorf("the document of %s lacks the word %q", storey, word)
			}
		}
	}
}
