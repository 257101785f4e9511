package client_test

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Another module can import the package, and needs nothing else. The test builds and runs the example
// program of docs/programs.md in such a module.
func TestProgramInAnotherModule(t *testing.T) {
	text, err := os.ReadFile("../docs/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(text)
	if program == nil {
		t.Fatal("docs/programs.md has no program")
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}} {{.GoVersion}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	is := strings.Fields(string(module))
	dir := t.TempDir()
	for name, content := range map[string]string{
		"main.go": string(program[1]),
		"go.mod":  "module example.com/program\n\ngo " + is[2] + "\n\nrequire " + is[0] + " v0.0.0\n\nreplace " + is[0] + " => " + is[1] + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-trimpath")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var picture, said bytes.Buffer
	run := exec.CommandContext(t.Context(), filepath.Join(dir, "program"), site)
	run.Stdout, run.Stderr = &picture, &said
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if _, err := png.Decode(&picture); err != nil || !strings.HasPrefix(said.String(), "clicked ") {
		t.Errorf("%v; it says %s", err, said.String())
	}
}
