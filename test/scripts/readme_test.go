//go:build unix

package scripts

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// readme FILE old new... does what README.md says. It runs the blocks of commands, and compares the
// session that README.md shows with what the commands print. It does not run make, but checks that
// the targets exist.
func readme(ts *testscript.TestScript, _ bool, args []string) {
	replace := strings.NewReplacer(args[1:]...).Replace
	program, err := exec.LookPath("chela")
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs("bin"), 0o755))
	ts.Check(os.Symlink(program, ts.MkAbs("bin/chela")))
	makefile := ts.ReadFile(filepath.Join(filepath.Dir(args[0]), "Makefile"))
	blocks := strings.Split(ts.ReadFile(args[0]), "```")
	kinds := map[string]int{}
	for i, text := range blocks {
		for _, match := range quotedProgram.FindAllStringSubmatch(text, -1) {
			lookUp(ts, strings.Fields(match[1]))
		}
		if text = strings.TrimSpace(text); i%2 == 0 {
			continue
		}
		switch first, _, _ := strings.Cut(text, " "); first {
		case "make":
			kinds[first]++
			for _, target := range targets.FindAllStringSubmatch(text, -1) {
				if !strings.Contains(makefile, "\n"+target[1]+":") {
					ts.Fatalf("the Makefile has no target %s", target[1])
				}
			}
		case "$":
			kinds[first]++
			ts.Check(ts.Exec("chela", "open", ts.Getenv("SHOP"))) // the session in the file is about this page
			compareSession(ts, text)
		default:
			kinds["commands"]++
			ts.Check(ts.Exec("sh", "-ec", replace(text)))
		}
	}
	if kinds["make"] == 0 || kinds["$"] == 0 || kinds["commands"] < 2 {
		ts.Fatalf("blocks: %v", kinds)
	}
}

var (
	quotedProgram = regexp.MustCompile("`(bin/chela [^`]+)`")
	targets       = regexp.MustCompile(`(?m)^make ([a-z-]+)`)
	port          = regexp.MustCompile(`127\.0\.0\.1:\d+`)
)

// compareSession runs the commands of a session, which follow "$ ", and compares what each prints
// with the lines below it. A line "…" stands for any others. As scripts of a page run earlier or
// later, elements can have other refs than in the file. A command gets the ref that is on the same
// line.
func compareSession(ts *testscript.TestScript, session string) {
	refs := map[string]string{}
	actual := func(ref string) string { return cmp.Or(refs[ref], ref) }
	for part := range strings.SplitSeq("\n"+session, "\n$ ") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		command, text, _ := strings.Cut(part, "\n")
		ts.Check(ts.Exec("sh", "-ec", ref.ReplaceAllStringFunc(command, actual)))
		got := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
		shown := strings.Split(strings.TrimSpace(text), "\n")
		if last := len(shown) - 1; strings.TrimSpace(shown[last]) == "…" {
			shown = shown[:last]
			got = got[:min(len(got), last)]
		}
		if len(got) != len(shown) {
			ts.Fatalf("%s prints\n%s\nand README.md shows\n%s", command, strings.Join(got, "\n"), strings.Join(shown, "\n"))
		}
		for i, line := range got {
			if general(line) != general(shown[i]) {
				ts.Fatalf("%s prints\n%s\nand README.md shows\n%s", command, line, shown[i])
			}
			if in, is := ref.FindString(shown[i]), ref.FindString(line); in != "" {
				refs[in] = is
			}
		}
	}
}

var ref = regexp.MustCompile(`\be\d+\b`)

// general returns a line without what differs from run to run.
func general(line string) string {
	return ref.ReplaceAllString(port.ReplaceAllString(line, "127.0.0.1"), "e")
}
