package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// macro is a line that is a command for roff and not text.
var macro = regexp.MustCompile(`^\.(TH .*|SH [A-Z ]+|SH SEE ALSO|PP|TP|B .+|nf|fi)$`)

// nameLine is the section that the program apropos reads: the name of a page and a few words.
var nameLine = regexp.MustCompile(`(?m)^\.SH NAME\nchela[a-z\\-]* \\- \w.+$`)

// Each command has a page, which says all that its help says.
func TestManual(t *testing.T) {
	p := program()
	folder := filepath.Join(t.TempDir(), "man1")
	if err := p.writeManual(folder); err != nil {
		t.Fatal(err)
	}
	all := manualPageAt(t, filepath.Join(folder, "chela.1"))
	pages := 1
	eachPage(p.root(line{}), func(cmd *cobra.Command) error {
		pages++
		text := manualPageAt(t, filepath.Join(folder, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
		if !nameLine.MatchString(text) {
			t.Errorf("the page of %s has no line that apropos finds: %.200q", cmd.CommandPath(), text)
		}
		for _, want := range []string{cmd.Short, cmd.Long, cmd.Example, strings.TrimSpace(strings.TrimPrefix(cmd.Use, cmd.Name()))} {
			if !strings.Contains(text, roff(want)) {
				t.Errorf("the page of %s lacks %q", cmd.CommandPath(), want)
			}
		}
		if cmd.Runnable() && !isOperation(cmd) && !strings.Contains(all, roff(usageOf(cmd))) {
			t.Errorf("chela.1 lacks %q", usageOf(cmd))
		}
		return nil
	})
	if files, _ := os.ReadDir(folder); len(files) != pages {
		t.Errorf("%d files for %d pages", len(files), pages)
	}
}

// manualPageAt reads a page, without the lines between paragraphs.
func manualPageAt(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(raw)) {
		if text = strings.TrimSuffix(text, "\n"); strings.HasPrefix(text, ".") && !macro.MatchString(text) {
			t.Errorf("%s: no macro: %s", path, text)
		}
	}
	return strings.ReplaceAll(string(raw), "\n.PP\n", "\n\n")
}

func TestRoff(t *testing.T) {
	if got, want := roff(".a --b\n'c \\d"), "\\&.a \\-\\-b\n\\&'c \\ed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
