package repo

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The bare name belongs to somebody else: whoever follows a page that has it would run a stranger's
// program.
func TestNoPageHasTheBareNameForNpm(t *testing.T) {
	t.Chdir(root)
	bare := regexp.MustCompile(`\b(npx|npm (i|install|exec|create|init)|pnpm (add|dlx)|yarn (add|dlx)|bunx)( -\S+)* chela\b`)
	if !bare.MatchString("npx -y chel" + "a mcp") {
		t.Fatal("the pattern finds nothing")
	}
	for _, path := range files(t, "*") {
		if found := bare.FindString(read(t, path)); found != "" {
			t.Errorf("%s has %q, want @chela/chela", path, found)
		}
	}
}

// What GoReleaser's configuration takes from the repository is there. The folder .cache/package is
// written by tools/package-files.
func TestGoReleaserFindsItsFiles(t *testing.T) {
	t.Chdir(root)
	text, made := read(t, ".goreleaser.yaml"), read(t, "tools/package-files")
	sources := regexp.MustCompile(`(?m)\bsrc: ([^,}\s]+)|^ +cmd: \.\./(\S+)|^ +- (tools/\S+)`).FindAllStringSubmatch(text, -1)
	if len(sources) < 10 {
		t.Errorf("only %d files were found", len(sources))
	}
	for _, m := range sources {
		path := m[1] + m[2] + m[3]
		if inFolder, ok := strings.CutPrefix(path, ".cache/package/"); ok {
			if !strings.Contains(made, `"$folder/`+strings.TrimSuffix(inFolder, "/*")) {
				t.Errorf("tools/package-files does not make %s", path)
			}
		} else if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// There is a package of npm for each system that GoReleaser builds for.
func TestPackagesOfNpmAreThoseOfGoReleaser(t *testing.T) {
	t.Chdir(root)
	var description struct{ OptionalDependencies map[string]string }
	if err := json.Unmarshal([]byte(read(t, "npm/package.json")), &description); err != nil {
		t.Fatal(err)
	}
	list := func(name string) []string {
		m := regexp.MustCompile(`(?m)^ +` + name + `: \[(.*)\]$`).FindStringSubmatch(read(t, ".goreleaser.yaml"))
		if m == nil {
			t.Fatalf("no list %s", name)
		}
		return strings.Split(m[1], ", ")
	}
	count := 0
	for _, goos := range list("goos") {
		for _, goarch := range list("goarch") {
			name := "@chela/" + strings.Replace(goos, "windows", "win32", 1) + "-" + strings.Replace(goarch, "amd64", "x64", 1)
			if description.OptionalDependencies[name] == "" {
				t.Errorf("npm/package.json does not have %s", name)
			}
			count++
		}
	}
	if len(description.OptionalDependencies) != count {
		t.Errorf("npm/package.json has %d systems, want %d", len(description.OptionalDependencies), count)
	}
}

// The script of @chela/chela runs the program with its arguments, input and output. It ends as the
// program does, and passes signals on.
func TestScriptOfNpmRunsTheProgram(t *testing.T) {
	t.Chdir(root)
	script, folder := installedByNpm(t)
	program(t, folder, "echo \"args: $*\"; read line; echo \"input: $line\"; exit 7")
	cmd := exec.Command("node", script, "open", "a b")
	cmd.Stdin = strings.NewReader("hello\n")
	out, err := cmd.Output()
	if string(out) != "args: open a b\ninput: hello\n" || cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("got %q, %v", out, err)
	}

	program(t, folder, `trap 'echo stopped; exit 3' TERM; echo ready; for i in $(seq 1000); do sleep 0.01; done`)
	if out, code := signalled(t, script); out != "stopped\n" || code != 3 {
		t.Errorf("a program that handles the signal: got %q, code %d", out, code)
	}
	program(t, folder, "echo ready; exec sleep 60")
	if out, code := signalled(t, script); out != "" || code != -1 {
		t.Errorf("a program that ends by the signal: got %q, code %d, want the signal", out, code)
	}
}

// Without the package for this system, the script says which is missing.
func TestScriptOfNpmNamesWhatIsMissing(t *testing.T) {
	t.Chdir(root)
	script, folder := installedByNpm(t)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", script, "version").CombinedOutput()
	if name := filepath.Base(folder); err == nil || !strings.Contains(string(out), "the package @chela/"+name+", which has the program for this system, is not installed") ||
		!strings.Contains(string(out), "chela: try: npm install @chela/"+name+"@0.0.0") {
		t.Errorf("got %s, %v", out, err)
	}
}

// installedByNpm returns the script of @chela/chela in a folder like those of npm, and the folder of
// the package with the program.
func installedByNpm(t *testing.T) (script, folder string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs node, and a shell")
	}
	scope := filepath.Join(t.TempDir(), "node_modules", "@chela")
	if err := os.CopyFS(filepath.Join(scope, "chela"), os.DirFS("npm")); err != nil {
		t.Fatal(err)
	}
	system := strings.TrimSpace(run(t, ".", "node", "-p", "`${process.platform}-${process.arch}`"))
	return filepath.Join(scope, "chela", "bin", "chela.js"), filepath.Join(scope, system)
}

// program puts a shell script in the place of chela.
func program(t *testing.T, folder, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(folder, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "bin", "chela"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// signalled sends SIGTERM to the script once the program has said that it is ready. It returns what
// the program writes after that, and the script's exit code, which is -1 after a signal.
func signalled(t *testing.T, script string) (out string, code int) {
	t.Helper()
	cmd := exec.Command("node", script)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(output, ready); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(output)
	cmd.Wait()
	return string(rest), cmd.ProcessState.ExitCode()
}
