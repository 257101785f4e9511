package repo

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A decision has a page, all pages have the same headings, and the index lists each of them by its
// title.
func TestDecisionsAreInTheIndex(t *testing.T) {
	t.Chdir(root)
	const folder = "docs/decisions"
	index := read(t, filepath.Join(folder, "README.md"))
	pages, err := filepath.Glob(filepath.Join(folder, "[0-9]*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	if lines := strings.Count(index, "\n- ["); lines != len(pages) {
		t.Errorf("the index has %d lines for %d pages", lines, len(pages))
	}
	for i, path := range pages {
		page, file := read(t, path), filepath.Base(path)
		title, _, _ := strings.Cut(strings.TrimPrefix(page, "# "), "\n")
		number := fmt.Sprintf("%03d", i+1)
		if !strings.HasPrefix(file, number+"-") || !strings.HasPrefix(title, number+" ") {
			t.Errorf("%s has the title %q; the next number is %s", file, title, number)
		}
		if line := fmt.Sprintf("\n- [%s](%s): ", title, file); !strings.Contains(index, line) {
			t.Errorf("no line of the index begins with %q", line[1:])
		}
		if got := strings.Join(decisionHeading.FindAllString(page, -1), " "); got != decisionHeadings {
			t.Errorf("%s has the headings %s, want %s", file, got, decisionHeadings)
		}
		if lines := strings.Count(page, "\n"); lines > 45 {
			t.Errorf("%s has %d lines, want at most 45", file, lines)
		}
	}
}

const decisionHeadings = "## Question ## Measured ## Decision ## What would change it"

var decisionHeading = regexp.MustCompile(`(?m)^##.*$`)
