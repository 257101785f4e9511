//go:build unix

package scripts

import (
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	quoted   = regexp.MustCompile("`(chela [^`]+)`|; then: (chela .*)") // commands in the text, or behind another
	shopPage = regexp.MustCompile(`https://shop\.example/\S*`)
)

// follow FILE URL runs the commands in the blocks of a Markdown file, in their order, on the page
// at the URL instead of those of the file. Commands that the text mentions are looked up in the
// help, with their flags.
func follow(ts *testscript.TestScript, _ bool, args []string) {
	in, ran := false, 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			in = !in
		case in && line != "":
			ts.Logf("$ %s", line)
			ts.Check(ts.Exec("sh", "-c", shopPage.ReplaceAllString(line, args[1])))
			ran++
		}
		for _, match := range quoted.FindAllStringSubmatch(line, -1) {
			lookUp(ts, strings.Fields(match[1]+match[2]))
		}
	}
	if in || ran == 0 {
		ts.Fatalf("%d commands", ran)
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
