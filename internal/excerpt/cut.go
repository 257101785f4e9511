package excerpt

import (
	"strings"
	"unicode/utf8"
)

// Paragraphs returns the first paragraphs of a text that have most characters together, and how many
// more there were. When that would be less than half of what may be kept, it is whole lines, or words.
func Paragraphs(text string, most int) (first string, rest int) {
	return cut(text, most, "\n\n", "\n", " ")
}

// Markdown is Paragraphs for Markdown. A block of code that is cut is closed.
func Markdown(text string, most int) (first string, rest int) {
	first, rest = Paragraphs(text, most)
	if rest == 0 || !opensCode(first) || most <= len(closing) {
		return first, rest
	}
	first, rest = Paragraphs(text, most-len(closing))
	if opensCode(first) {
		first += closing
	}
	return first, rest
}

const (
	fence   = "```"
	closing = "\n" + fence
)

// opensCode reports whether a block of code in Markdown has no end.
func opensCode(markdown string) (open bool) {
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(strings.TrimLeft(line, " >"), fence) {
			open = !open
		}
	}
	return open
}

// HTML is Paragraphs for HTML, which is cut after an element, or after a word that is in no tag.
// Elements around that are not closed; parsers do that.
func HTML(text string, most int) (first string, rest int) {
	first, rest = First(text, most)
	if rest == 0 {
		return first, 0
	}
	if at := strings.LastIndex(first, "<"); at > strings.LastIndex(first, ">") {
		first = first[:at]
	}
	for _, end := range []string{"</", " "} {
		if at := strings.LastIndex(first, end); at > len(first)/2 && (end != "</" || strings.Contains(first[at:], ">")) {
			if end == "</" {
				at += strings.Index(first[at:], ">") + 1
			}
			first = first[:at]
			break
		}
	}
	return first, utf8.RuneCountInString(text) - utf8.RuneCountInString(first)
}

// cut cuts a text to most characters, at the last of the first of ends that leaves half of it.
func cut(text string, most int, ends ...string) (first string, rest int) {
	first, rest = First(text, most)
	if rest == 0 {
		return first, 0
	}
	next := text[len(first):]
	for _, end := range ends {
		if strings.HasPrefix(next, end) {
			break
		}
		if at := strings.LastIndex(first, end); at > len(first)/2 {
			first = first[:at]
			break
		}
	}
	first = strings.TrimRight(first, " \n")
	return first, utf8.RuneCountInString(text) - utf8.RuneCountInString(first)
}
