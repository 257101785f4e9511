package repo

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/base/config"
	"chela/internal/surface/cli"
)

// An instruction is a line of a Dockerfile.
type instruction struct{ name, rest string }

// words are the words of an instruction, which may be a list in JSON, without its flags.
func (i instruction) words(t *testing.T) (words []string) {
	t.Helper()
	if strings.HasPrefix(i.rest, "[") {
		if err := json.Unmarshal([]byte(i.rest), &words); err != nil {
			t.Errorf("%s %s: %v", i.name, i.rest, err)
		}
		return words
	}
	return slices.DeleteFunc(strings.Fields(i.rest), func(word string) bool { return strings.HasPrefix(word, "--") })
}

// stages reads a Dockerfile. Arguments of the instructions FROM have their usual values.
func stages(t *testing.T, file string) (all [][]instruction) {
	t.Helper()
	text := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, file), "")
	usual := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == "FROM":
			all = append(all, nil)
			rest = os.Expand(rest, func(argument string) string { return usual[argument] })
		case name == "ARG" && len(all) == 0:
			argument, value, _ := strings.Cut(rest, "=")
			usual[argument] = value
			continue
		}
		if name != "" {
			last := len(all) - 1
			all[last] = append(all[last], instruction{name, strings.TrimSpace(rest)})
		}
	}
	return all
}

// The image is built by test/install. Here the test checks what can be known without that. The
// files that are copied exist and are let into the build, and no package of the program is missing.
// Commands and variables exist. Go is new enough, nothing runs as root and nothing is secret.
func TestDockerfile(t *testing.T) {
	t.Chdir(root)
	all := stages(t, "Dockerfile")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	if from := all[0][0].rest; !strings.HasPrefix(from, "golang:"+version+"-") || !strings.HasSuffix(from, " AS build") {
		t.Errorf("the program is built by %s, and go.mod wants Go %s", from, version)
	}
	checkAllIsCopied(t, all[0])
	user := ""
	for n, stage := range all {
		for _, i := range stage {
			switch i.name {
			case "COPY":
				checkCopy(t, i, all[0])
			case "ENV":
				checkVariables(t, i)
			case "RUN":
				checkShell(t, i, n)
			case "CMD", "ENTRYPOINT":
				checkCommand(t, i.words(t))
			case "HEALTHCHECK":
				_, command, _ := strings.Cut(i.rest, "CMD ")
				checkCommand(t, instruction{"CMD", command}.words(t))
			case "USER":
				user = i.rest
			case "FROM", "ARG", "WORKDIR", "VOLUME", "EXPOSE":
			default:
				t.Errorf("%s is no instruction that is known here", i.name)
			}
		}
	}
	if !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(user) {
		t.Errorf("it runs as %q, want the numbers of an ordinary user, by which clusters know that it is none", user)
	}
}

// checkCopy checks that what is copied is in the repository and let into the build, or made by the
// first stage.
func checkCopy(t *testing.T, i instruction, build []instruction) {
	t.Helper()
	words := i.words(t)
	ignored := read(t, ".dockerignore")
	for _, source := range words[:len(words)-1] {
		if strings.Contains(i.rest, "--from=build") {
			if !slices.ContainsFunc(build, func(b instruction) bool { return b.name == "RUN" && strings.Contains(b.rest, " -o "+source+" ") }) {
				t.Errorf("nothing makes %s", source)
			}
			continue
		}
		if _, err := os.Stat(source); err != nil || !strings.Contains(ignored, "\n!"+source+"\n") {
			t.Errorf("%s is not there (%v), or .dockerignore keeps it out", source, err)
		}
	}
}

// checkAllIsCopied checks that the first stage has all packages that the program imports.
func checkAllIsCopied(t *testing.T, build []instruction) {
	t.Helper()
	for path := range strings.FieldsSeq(run(t, ".", "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./cmd/chela")) {
		inModule, ok := strings.CutPrefix(path, "chela/")
		folder, _, _ := strings.Cut(inModule, "/")
		if ok && !slices.Contains(build, instruction{"COPY", folder + " " + folder}) {
			t.Errorf("the program imports %s, and %s is not copied", path, folder)
		}
	}
}

// checkVariables checks that variables are chela's, and not secret.
func checkVariables(t *testing.T, i instruction) {
	t.Helper()
	for _, word := range i.words(t) {
		name, _, _ := strings.Cut(word, "=")
		if !slices.ContainsFunc(config.Environment, func(v config.Variable) bool { return v.Name == name }) ||
			strings.Contains(name, "TOKEN") || strings.Contains(name, "PASSWORD") {
			t.Errorf("%s is unknown, or a secret", name)
		}
	}
}

// checkShell checks that the first words of commands are programs that the image of a stage has.
func checkShell(t *testing.T, i instruction, stage int) {
	t.Helper()
	programs := [][]string{{"go"}, {"apt-get", "groupadd", "install", "rm", "useradd"}}[stage] // from the image golang; from apt, coreutils and passwd, which Debian always has
	for command := range strings.SplitSeq(i.rest, "&&") {
		words := slices.DeleteFunc(strings.Fields(command), func(word string) bool { return strings.Contains(word, "=") })
		if !slices.Contains(programs, words[0]) {
			t.Errorf("%s is in no package of the image", words[0])
		}
	}
}

// checkCommand checks that a command of chela exists.
func checkCommand(t *testing.T, words []string) {
	t.Helper()
	if words[0] == "/usr/bin/tini" {
		return
	}
	p := &cli.Program{Table: api.Table, Version: "test", Out: io.Discard, Err: io.Discard}
	if words[0] != "chela" || p.Run(t.Context(), append(slices.Clone(words[1:]), "--help")) != 0 {
		t.Errorf("there is no command %q", words)
	}
}

// The commands that docs/deploy.md has exist, with their flags.
func TestDeployCommands(t *testing.T) {
	t.Chdir(root)
	found := 0
	commands := strings.Join(block.FindAllString(read(t, "docs/deploy.md"), -1), "\n")
	for _, m := range regexp.MustCompile(`(?m)^ *(?:docker (?:run|exec) .*? chela )?(chela(?: [^#\n]*)?)`).FindAllStringSubmatch(commands, -1) {
		words := strings.Fields(m[1])
		checkCommand(t, words)
		found++
	}
	if found < 8 {
		t.Errorf("only %d commands were found", found)
	}
}

// The profile for containers forbids system calls that Linux has, and none that Chromium's sandbox
// needs.
func TestSeccompProfile(t *testing.T) {
	t.Chdir(root)
	var profile struct {
		DefaultAction string `json:"defaultAction"`
		Syscalls      []struct {
			Names    []string `json:"names"`
			Action   string   `json:"action"`
			ErrnoRet int      `json:"errnoRet"`
		} `json:"syscalls"`
	}
	if err := json.Unmarshal([]byte(read(t, "container/seccomp.json")), &profile); err != nil {
		t.Fatal(err)
	}
	if len(profile.Syscalls) != 1 || profile.DefaultAction != "SCMP_ACT_ALLOW" || profile.Syscalls[0].Action != "SCMP_ACT_ERRNO" || profile.Syscalls[0].ErrnoRet != 1 {
		t.Errorf("got %+v", profile)
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := ""
	for _, arch := range []string{"386", "amd64", "arm64"} {
		known += read(t, filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+arch+".go"))
	}
	names := profile.Syscalls[0].Names
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("they are not sorted, or one is there twice")
	}
	for _, name := range names {
		if !regexp.MustCompile(`\bSYS_` + strings.ToUpper(name) + `\b`).MatchString(known) {
			t.Errorf("there is no system call %s", name)
		}
	}
	for _, needed := range []string{"clone", "clone3", "unshare", "chroot", "prctl", "seccomp", "ptrace", "socket"} {
		if slices.Contains(names, needed) {
			t.Errorf("browsers need %s", needed)
		}
	}
}
