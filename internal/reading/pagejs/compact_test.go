package pagejs

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCompact(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"comments and empty lines", "// Says what\n\n  // and why.\nf();\n", "f();\n"},
		{"indentation", "if (a) {\n    b();\n}\n", "if (a) {\nb();\n}\n"},
		{"a comment behind code", "a(); // why\n", "a(); // why\n"},
		{"an address", "const SVG = 'http://www.w3.org/2000/svg';\n", "const SVG = 'http://www.w3.org/2000/svg';\n"},
		{"other characters", "const a = ['é', '…', '🗑'];\n", "const a = ['\\u00e9', '\\u2026', '\\ud83d\\uddd1'];\n"},
	} {
		if got := compact(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The test holds the files to what compact takes for granted. A line with an odd number of
// backticks begins a text of several lines, which compact would take for code.
func TestScriptCanBeCompacted(t *testing.T) {
	for _, name := range order {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Count(line, "`")%2 != 0 {
				t.Errorf("%s: a template literal has several lines: %s", name, line)
			}
		}
	}
	for _, r := range Source() {
		if r >= utf8.RuneSelf {
			t.Fatalf("the script has the character %q", r)
		}
	}
}
