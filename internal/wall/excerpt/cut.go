package excerpt

import "strings"

// Paragraphs returns the first paragraphs of a text, at most limit characters together, and how
// many more characters there were. If whole paragraphs would be less than half of the limit, it
// cuts after a line, or else after a word.
func Paragraphs(text string, limit int) (first string, rest int) {
	return upTo(text, endOfParagraph(text, limit), limit)
}

// endOfParagraph returns where the first paragraphs of a text end, in bytes.
func endOfParagraph(text string, limit int) int {
	end := endOf(text, limit)
	if end == len(text) {
		return end
	}
	first, next := text[:end], text[end:]
	for _, end := range []string{"\n\n", "\n", " "} {
		if strings.HasPrefix(next, end) {
			break
		}
		if at := strings.LastIndex(first, end); at > len(first)/2 {
			first = first[:at]
			break
		}
	}
	return len(strings.TrimRight(first, " \n"))
}

// Markdown does for Markdown what Paragraphs does for plain text. If the cut is inside a block of
// code, Markdown also closes the block.
func Markdown(text string, limit int) (first string, rest int) {
	first, rest = Paragraphs(text, limit)
	if rest == 0 || !opensCode(first) || limit <= len(closing) {
		return first, rest
	}
	first, rest = Paragraphs(text, limit-len(closing))
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

// HTML does for HTML what Paragraphs does for plain text. It cuts after an element or a word, and
// never within a tag. It does not close the open elements, since parsers do that.
func HTML(text string, limit int) (first string, rest int) {
	return upTo(text, endOfElement(text, limit), limit)
}

// endOfElement returns where the last element or word of the beginning of HTML ends, in bytes.
func endOfElement(text string, limit int) int {
	end := endOf(text, limit)
	if end == len(text) {
		return end
	}
	first := text[:end]
	if tag := strings.LastIndexByte(first, '<'); tag > strings.LastIndexByte(first, '>') {
		first = first[:tag]
	}
	if end := strings.LastIndex(first, "</"); end > len(first)/2 {
		return end + strings.IndexByte(first[end:], '>') + 1
	}
	if word := max(strings.LastIndexByte(first, ' '), strings.LastIndexByte(first, '>')+1); word > len(first)/2 {
		return word
	}
	return len(first)
}
