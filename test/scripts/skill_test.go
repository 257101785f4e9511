//go:build unix

package scripts

import (
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	quoted = regexp.MustCompile("`(chela [^`]+)`|; then: (chela .*)") // commands in the text, or after another command
)

// follow FILE old new... runs the blocks of a Markdown file, in their order, with texts in them
// replaced. Commands that the text mentions are looked up in the help, with their flags.
func follow(ts *testscript.TestScript, _ bool, args []string) {
	replace := strings.NewReplacer(args[1:]...).Replace
	blocks := strings.Split(ts.ReadFile(args[0]), "```")
	for i, text := range blocks {
		if i%2 == 1 {
			ts.Logf("%s", text)
			ts.Check(ts.Exec("sh", "-ec", replace(strings.TrimPrefix(text, "sh"))))
		}
		for _, match := range quoted.FindAllStringSubmatch(text, -1) {
			lookUp(ts, strings.Fields(match[1]+match[2]))
		}
	}
	if len(blocks) < 3 || len(blocks)%2 == 0 {
		ts.Fatalf("%d blocks", len(blocks)/2)
	}
}

// lookUp fails unless the words begin with a command, and each of the flags is one of its flags.
func lookUp(ts *testscript.TestScript, words []string) {
	command, flags := []string{"help"}, []string{}
	for _, word := range words[1:] {
		if word == "help" {
			continue
		}
		if flag, is := strings.CutPrefix(word, "--"); is {
			name, _, _ := strings.Cut(strings.TrimRight(flag, ",."), "=")
			flags = append(flags, name)
		} else if len(flags) == 0 && strings.ToLower(word) == word && !strings.Contains(word, ".") {
			command = append(command, word)
		}
	}
	ts.Check(ts.Exec(words[0], command...))
	help := ts.ReadFile("stdout")
	for _, flag := range flags {
		if !strings.Contains(help, "--"+flag+" ") {
			ts.Fatalf("%v: no flag --%s", words, flag)
		}
	}
}
