package excerpt

import (
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, s := range []struct {
		name string
		cut  func(string, int) (string, int)
		text string
		most int
		want string
	}{
		{"short", Paragraphs, "äb", 2, "äb"},
		{"after a paragraph", Paragraphs, "One two.\n\nThree four", 15, "One two."},
		{"exactly there", Paragraphs, "One.\n\nTwo.", 4, "One."},
		{"after a line", Paragraphs, "a\n\nlonger line\nnext", 17, "a\n\nlonger line"},
		{"after a word", Paragraphs, "a\n\nlonger line", 10, "a\n\nlonger"},
		{"in a word", Paragraphs, "äöüßabc", 3, "äöü"},
		{"code is closed", Markdown, "```go\na := 1\nb := 2\nc := 3\n```", 25, "```go\na := 1\nb := 2\n```"},
		{"code that has ended", Markdown, "```\na\n```\n\ntext and more", 14, "```\na\n```"},
		{"no room to close it", Markdown, "```\na\n```", 3, "```"},
		{"HTML after an element", HTML, "<p>One</p><p>Two <b>three</b></p>", 25, "<p>One</p><p>Two <b>"},
		{"HTML in a tag", HTML, `<p>One</p><a href="x">`, 15, "<p>One</p>"},
		{"HTML after a word", HTML, "<p>One two three", 13, "<p>One two"},
		{"nothing of HTML", HTML, "<article>", 4, ""},
	} {
		got, rest := s.cut(s.text, s.most)
		if got != s.want || utf8.RuneCountInString(got) > s.most {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
		if kept := utf8.RuneCountInString(s.text) - rest; rest < 0 || kept > utf8.RuneCountInString(got) {
			t.Errorf("%s: %d more characters", s.name, rest)
		}
	}
}
