package manual

import (
	"regexp"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	for _, test := range []struct{ name, markdown, want string }{
		{"a heading", "## The `part`\n", "<h>The</> <h>part</>\n"},
		{"a paragraph", "one two\nthree four five\n", "one two three four\nfive\n"},
		{"marks", "a `b c`, **d**.\n", "a <c>b</> <c>c</>, <s>d</>.\n"},
		{"a list", "- one two three four\n  five six\n- seven\n", "- one two three four\n  five six\n- seven\n"},
		{"an example", "```sh\nchela  open   https://shop.example/a/long/path # no heading\n```\n", "chela  open   https://shop.example/a/long/path # no heading\n"},
		{"an indented example", "    $ chela  tabs\n\nText\n", "    $ chela  tabs\n\nText\n"},
		{"links", "[acting.md](acting.md), [the page](acting.md#refs), [x](https://a.b/)\n", "<s>acting</>, <s>the</> <s>page</>\n<s>(chela</> <s>docs</> <s>acting)</>,\n<s>x</> <s>(https://a.b/)</>\n"},
		{"a table", "| key | |\n|---|---|\n| `a\\|b` | one two three four |\n", "key\n<c>a|b</>  one two three\n     four\n"},
		{"a table without titles", "| | |\n|---|---|\n| a | b |\n", "a  b\n"},
		{"a comment", "<!-- made -->\ntext\n", "text\n"},
	} {
		marks := strings.NewReplacer(string(plain), "</>", string(heading), "<h>", string(code), "<c>", string(strong), "<s>")
		if got := marks.Replace(Render(test.markdown, 20)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Render shows all words of each page. No line is wider than the terminal, except examples and long
// words.
func TestRenderPages(t *testing.T) {
	const width = 80
	for _, name := range Names() {
		page, _ := Page(name)
		shown := escapes().ReplaceAllString(Render(page, width), "")
		got, want := letters(shown), letters(links.ReplaceAllString(page, "$1"))
		for word, n := range want {
			if got[word] < n && word != "md" { // names of pages are shown without it
				t.Errorf("%s: %q is shown %d times, want %d", name, word, got[word], n)
			}
		}
		for _, b := range blocks(page) {
			for _, line := range b.lines(width) {
				if b.kind != example && visible(line) > width && len(strings.Fields(line)) > 1 && b.kind != table {
					t.Errorf("%s: %d characters: %s", name, visible(line), line)
				}
			}
		}
	}
}

var (
	links    = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
	letter   = regexp.MustCompile(`[\p{L}\p{N}]+`)
	comments = regexp.MustCompile(`(?m)^<!--.*$|^ *` + "```" + `.*$`)
)

// letters counts the words of a text.
func letters(text string) map[string]int {
	all := map[string]int{}
	for _, word := range letter.FindAllString(comments.ReplaceAllString(text, ""), -1) {
		all[word]++
	}
	return all
}
