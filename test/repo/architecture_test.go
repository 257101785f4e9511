package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each sentence of the architecture says in which file the reader finds what it is
// about, and each of these files exists.
func TestArchitectureDocumentsNameFiles(t *testing.T) {
	raw, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range sentences(string(raw)) {
		named := inBackquotes.FindAllStringSubmatch(sentence, -1)
		if len(named) == 0 {
			t.Errorf("%q names no file", sentence)
		}
		for _, name := range named {
			if !hasFile(name[1]) {
				t.Errorf("%q: there is no %s", sentence, name[1])
			}
		}
	}
}

// The files that say how promises are kept exist.
func TestSecurityDocumentNamesFiles(t *testing.T) {
	raw, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, name := range inBackquotes.FindAllStringSubmatch(string(raw), -1) {
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

// inBackquotes are the files of a text.
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
	block    = regexp.MustCompile("(?s)```.*?```")
	heading  = regexp.MustCompile(`(?m)^#.*$`)
	item     = regexp.MustCompile(`(?m)^(- |\d+\. )`)
	fullStop = regexp.MustCompile("[.?]\\s+(?:[A-Z`]|$)")
)

// sentences returns the sentences of a page in Markdown, without its headings and blocks of code.
func sentences(text string) (all []string) {
	text = item.ReplaceAllString(heading.ReplaceAllString(block.ReplaceAllString(text, ""), ""), "\n\n")
	for _, paragraph := range strings.Split(text, "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		for paragraph != "" {
			end := len(paragraph)
			if at := fullStop.FindStringIndex(paragraph); at != nil {
				end = at[0] + 1
			}
			all = append(all, paragraph[:end])
			paragraph = strings.TrimSpace(paragraph[end:])
		}
	}
	return all
}
