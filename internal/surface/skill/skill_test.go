package skill

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTopicsAreRead(t *testing.T) {
	pages := Pages()
	if pages[0].Name != Core || pages[0].Text != string(Text) || pages[0].Title != "A browser on the command line" {
		t.Errorf("the first page is %+v", pages[0])
	}
	for _, page := range pages {
		if page.Title == "" || strings.ContainsAny(page.Title, "#\n") {
			t.Errorf("%s has the title %q", page.Name, page.Title)
		}
		if !strings.HasSuffix(page.When, ".") || strings.ContainsAny(page.When, "#`\n") {
			t.Errorf("%s does not begin with a sentence that says when to read it: %q", page.Name, page.When)
		}
	}
}

// Install replaces and removes files that an earlier version wrote, and no others.
func TestInstallOverAnEarlierVersion(t *testing.T) {
	dir := t.TempDir()
	references := filepath.Join(dir, "references")
	earlier := []Topic{{Name: "forms", Text: "old"}, {Name: "gone", Text: "old"}, {Name: "edited", Text: "old"}, {Name: "deleted", Text: "old"}}
	if _, err := install(dir, earlier); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(references, "edited.md"), "changed by a person")
	write(t, filepath.Join(references, "mine.md"), "of a person")
	write(t, filepath.Join(dir, "LICENSE"), "of a person")
	if err := os.Remove(filepath.Join(references, "deleted.md")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(dir, "outside.md")
	write(t, outside, "old")
	list := filepath.Join(references, listName)
	write(t, list, contents(t, list)+checksum([]byte("old"))+"  ../outside.md\nno line of a list\n")

	now := []Topic{{Name: "forms", Text: "new"}, {Name: "tabs", Text: "new"}}
	file, err := install(dir, now)
	if err != nil || contents(t, file) != string(Text) {
		t.Errorf("installed %s: %v", file, err)
	}
	if got, want := names(t, references), []string{".chela", "edited.md", "forms.md", "mine.md", "tabs.md"}; !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if got := contents(t, filepath.Join(references, "forms.md")); got != "new" {
		t.Errorf("forms.md is %q", got)
	}
	if contents(t, outside) != "old" || contents(t, filepath.Join(dir, "LICENSE")) != "of a person" {
		t.Error("other files were changed")
	}
	if _, err := install(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, references), []string{".chela", "edited.md", "mine.md"}; !slices.Equal(got, want) {
		t.Errorf("later the folder has %q, want %q", got, want)
	}
}

func TestInstallReportsWhatItCannotWrite(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "chela"), "a file where the folder should be")
	if file, err := Install(folder); err == nil {
		t.Errorf("installed %s", file)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names lists the files of a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

// Install writes nothing through a symbolic link that it finds in the folder.
func TestInstallFollowsNoLinks(t *testing.T) {
	for _, link := range []string{"chela", "chela/SKILL.md", "chela/references", "chela/references/forms.md", "chela/references/" + listName} {
		folder, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(other, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
		_, err := Install(folder)
		if text, _ := os.ReadFile(other); err == nil || string(text) != "mine" {
			t.Errorf("%s: %v, and the other file is %q", link, err, text)
		}
	}
}
