package document

import (
	"strings"
	"unicode/utf8"

	"chela/internal/wall/excerpt"
)

// A Heading is a heading in a Markdown text, with the section below it.
type Heading struct {
	Level  int // 1 to 6
	Title  string
	Length int // characters of the heading's section, with the heading and the sections below it

	start, end int // byte offsets of the section
}

// maxTitle is how many characters of a heading are shown.
const maxTitle = 300

// Headings lists the headings of a text in Markdown, in their order. These are lines that begin
// with #, except in blocks of code.
func Headings(markdown string) (list []Heading) {
	fence := "" // the marker of the code block that is open
	for start := 0; start < len(markdown); {
		line, _, _ := strings.Cut(markdown[start:], "\n")
		text, indent := cutIndent(line)
		mark := fenceOf(text)
		h := Heading{start: start}
		switch {
		case indent >= 4:
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == text {
				fence = ""
			}
		case mark != "":
			fence = mark
		case h.read(text):
			list = append(list, h)
		}
		start += len(line) + 1
	}
	return measured(list, markdown)
}

// read reads a line as a heading.
func (h *Heading) read(line string) bool {
	rest := strings.TrimLeft(line, "#")
	h.Level = len(line) - len(rest)
	if h.Level < 1 || h.Level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return false
	}
	rest = strings.TrimSpace(rest)
	if closed := strings.TrimRight(rest, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		rest = closed
	}
	h.Title = plainTitle(rest)
	return h.Title != ""
}

// measured sets where the section of each heading ends: at the next heading of the same or a higher
// level.
func measured(list []Heading, markdown string) []Heading {
	var open []int
	closeTo := func(level, end int) {
		for len(open) > 0 && list[open[len(open)-1]].Level >= level {
			list[open[len(open)-1]].end = end
			open = open[:len(open)-1]
		}
	}
	for i := range list {
		closeTo(list[i].Level, list[i].start)
		open = append(open, i)
	}
	closeTo(0, len(markdown))
	for i := range list {
		list[i].Length = utf8.RuneCountInString(list[i].Section(markdown))
	}
	return list
}

// Section returns the section of the heading: from itself to the next heading of the same or a
// higher level.
func (h Heading) Section(markdown string) string {
	return strings.TrimRight(markdown[h.start:h.end], " \t\r\n")
}

// cutIndent removes the white space around a line, and returns how many columns the white space at
// its beginning takes.
func cutIndent(line string) (text string, indent int) {
	text = strings.TrimLeft(line, " \t")
	for _, c := range line[:len(line)-len(text)] {
		indent++
		if c == '\t' {
			indent += 3
		}
	}
	return strings.TrimRight(text, " \t\r"), indent
}

// fenceOf returns the fence with which a line begins or ends a block of code, or "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 && (mark == "~" || !strings.Contains(rest, mark)) {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// plainTitle returns the beginning of a heading without emphasis, code marks and the addresses of
// links.
func plainTitle(markdown string) string {
	var b strings.Builder
	for i := 0; i < len(markdown); i++ {
		switch c := markdown[i]; {
		case c == '\\' && i+1 < len(markdown) && strings.IndexByte("\\`*_{}[]()#+-.!<>~|&", markdown[i+1]) >= 0:
			i++
			b.WriteByte(markdown[i])
		case c == '*', c == '`', c == '[', c == '!' && strings.HasPrefix(markdown[i:], "!["):
		case c == ']' && strings.HasPrefix(markdown[i:], "]("):
			i++
			i += addressEnd(markdown[i:])
		case c == ']':
		default:
			b.WriteByte(c)
		}
	}
	return excerpt.Shorten(strings.Join(strings.Fields(b.String()), " "), maxTitle)
}

// addressEnd returns where the address of a link in Markdown ends. The text begins with the
// parenthesis before the address. The result is the position of the parenthesis after it, or of the
// last byte. An address in angle brackets may have any parentheses, another one only pairs of them.
func addressEnd(markdown string) int {
	if strings.HasPrefix(markdown, "(<") {
		if end := strings.Index(markdown, ">)"); end >= 0 {
			return end + 1
		}
	}
	depth := 0
	for i := 0; i < len(markdown); i++ {
		switch markdown[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(markdown) - 1
}
