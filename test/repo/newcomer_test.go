package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chela/test/long"
)

// A developer who follows CONTRIBUTING.md gets two operations that every surface offers. The test
// does what its blocks of code say, in a copy of the repository.
func TestNewcomer(t *testing.T) {
	long.Test(t)
	t.Chdir(root)
	dir := copyTree(t)
	steps := stepsOf(read(t, "CONTRIBUTING.md"))
	if len(steps) < 8 {
		t.Fatalf("CONTRIBUTING.md has %d steps", len(steps))
	}
	for _, s := range steps {
		s.do(t, dir)
	}
	t.Setenv("CGO_ENABLED", "0") // as for most tests, so that little is compiled
	run(t, dir, "go", "test", "-trimpath", "-vet=off", "-ldflags=-w", "./test/repo", "-run", "Fresh|Surfaces|TableHolds|ToolBudget", "-update")
	run(t, dir, "go", "test", "-trimpath", "-vet=off", "-ldflags=-w", "./internal/api", "-run", "Confined")
	run(t, dir, "go", "vet", "-trimpath", "./internal/api", "./internal/surface/...")
	reference := read(t, filepath.Join(dir, "docs/reference.md"))
	for _, command := range []string{"chela language", "chela running"} {
		if !strings.Contains(reference, command) {
			t.Errorf("the reference does not have %s", command)
		}
	}
}

// A step is a block of code of CONTRIBUTING.md, with the file that it is for.
type step struct {
	file  string
	after string // beginning of the line that the code follows; "": the code is a file of its own
	code  string
}

// stepsOf returns the blocks of a text that have a line above them which names their file.
func stepsOf(text string) (steps []step) {
	for _, found := range aStep.FindAllStringSubmatch(text, -1) {
		steps = append(steps, step{found[1], found[2], found[3]})
	}
	return steps
}

var aStep = regexp.MustCompile("(?sm)^`([^`\n]+)`, (?:a new file|after the line that begins with `([^`\n]+)`):\n\n```\\w*\n(.*?)^```$")

// do does a step in a copy of the repository.
func (s step) do(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, s.file)
	if s.after == "" {
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s is there already", s.file)
		}
		if err := os.WriteFile(path, []byte(s.code), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	var whole strings.Builder
	places := 0
	for line := range strings.Lines(read(t, path)) {
		whole.WriteString(line)
		if strings.HasPrefix(strings.TrimSpace(line), s.after) {
			whole.WriteString(s.code)
			places++
		}
	}
	if places != 1 {
		t.Fatalf("%s has %d lines that begin with %s", s.file, places, s.after)
	}
	if err := os.WriteFile(path, []byte(whole.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
