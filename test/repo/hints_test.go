package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/surface/cli"
)

// Each command that a message or a page of documentation names exists.
func TestNamedCommandsExist(t *testing.T) {
	t.Chdir(root)
	known := map[string]bool{} // answers by command, as each question builds all commands
	for place, text := range writtenTexts(t) {
		for _, named := range command.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(named[2])
			if known[named[2]] {
				continue
			}
			if isSentence := named[1] == "" && strings.HasSuffix(words[0], "s"); !isSentence && !exists(words) {
				t.Errorf("%s names the command %q, which does not exist", place, "chela "+named[2])
			} else if !isSentence {
				known[named[2]] = true
			}
		}
	}
}

// command is a command as texts name one. It stands in backticks or quotes, after "run:" or "try:",
// at the beginning of a text, or on a line of its own in documentation.
//
// A text that begins "chela attaches to" or "chela is not running" is a sentence, and names no
// command.
var command = regexp.MustCompile("(?m)(`|\"|run: |try: |^|\\$ |bin/)chela ((?:browser )?[a-z][a-z-]+(?: [a-z][a-z-]+)?)")

func exists(words []string) bool {
	if words[0] == "browser" || words[0] == "help" {
		words = words[1:]
	}
	return len(words) == 0 || cli.Names(api.Table(), words...)
}

// writtenTexts are the string literals of the program, by place, and its documentation.
func writtenTexts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range []string{"internal", "cmd", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return err
			case strings.HasSuffix(path, ".go"):
				return literals(path, all)
			case strings.HasSuffix(path, ".md"):
				all[path] = regexp.MustCompile(`(?m)^ +`).ReplaceAllString(read(t, path), "")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func literals(path string, all map[string]string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				all[files.Position(lit.Pos()).String()] = text
			}
		}
		return true
	})
	return nil
}
