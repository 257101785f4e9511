package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Links between documents lead to files that are there, and to headings that they have.
func TestLinks(t *testing.T) {
	t.Chdir(root)
	for _, path := range files(t, "*.md") {
		for _, link := range links.FindAllStringSubmatch(block.ReplaceAllString(read(t, path), ""), -1) {
			file, anchor := filepath.Join(filepath.Dir(path), link[1]), link[2]
			if link[1] == "" {
				file = path
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", path, link[1])
			} else if anchor != "" && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s links to %s#%s, a heading that is not there", path, link[1], anchor)
			}
		}
	}
}

// links are Markdown's links to files of the repository, such as [text](file#heading).
var links = regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)

// anchors are the headings of a document as links name them.
func anchors(text string) (all []string) {
	for _, line := range heading.FindAllString(text, -1) {
		line = strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		all = append(all, strings.ReplaceAll(notInAnchors.ReplaceAllString(line, ""), " ", "-"))
	}
	return all
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// A newcomer to the repository reads one page, which leads to the list of all others.
func TestReadme(t *testing.T) {
	t.Chdir(root)
	readme := read(t, "README.md")
	if lines := strings.Count(readme, "\n"); lines > 120 {
		t.Errorf("README.md has %d lines, want at most 120: the rest belongs into docs", lines)
	}
	if !strings.Contains(readme, "](docs/README.md)") {
		t.Error("README.md has no link to docs/README.md")
	}
	list := read(t, "docs/README.md")
	for _, page := range files(t, "*.md") {
		if filepath.Dir(page) == "docs" && page != "docs/README.md" && !strings.Contains(list, "]("+filepath.Base(page)+")") {
			t.Errorf("docs/README.md has no link to %s", page)
		}
	}
}

// files returns the paths of the files of the repository that match a pattern. What the Makefile
// builds and downloads is left out. Git is not asked, as it refuses a clone that another user owns.
// It is an error if no file matches.
func files(t *testing.T, pattern string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", ".cache", "bin", "dist"}, path) {
			return filepath.SkipDir
		}
		if ok, _ := filepath.Match(pattern, d.Name()); ok && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("files like %s: %d, %v", pattern, len(all), err)
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
