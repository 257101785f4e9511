package curl

import "strings"

// isForCmd reports whether a text is for cmd of Windows: its first quote has the escape
// character of cmd before it, as Chromium writes it, or its first line ends with that
// character, by which it goes on in the next one.
func isForCmd(text string) bool {
	quote := strings.IndexAny(text, `"'`)
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	return quote > 0 && text[quote-1:quote+1] == `^"` || more && strings.HasSuffix(strings.TrimSpace(first), "^")
}

// lineBreak stands for a line break within a word, between the two steps in which a text
// for cmd is read.
const lineBreak = "\x00"

// withoutCarets is the first step, that of cmd: it removes the carets that escape the
// character behind them. Browsers write one before each character that could mean something to
// cmd, and one behind a %, as cmd would put a variable in place of %NAME%. Chromium and Firefox
// escape the quotes, too, so that for cmd nothing is quoted, and each caret is an escape;
// within quotes without a caret, which older browsers write, a caret is a character like
// others. A caret at the end of a line joins it with the next one, and escapes the first
// character of that: if the next line is empty, that is a line break.
func withoutCarets(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case c != '^' || quoted:
			b.WriteByte(c)
		case strings.HasPrefix(text[i:], "^\n\n"):
			b.WriteString(lineBreak)
			i += 2
		case strings.HasPrefix(text[i:], "^\n"):
			i++
		case i+1 < len(text):
			i++
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// cmd reads the next character, or quoted text, in the second step, that of the program
// that cmd starts.
func (w *words) cmd() {
	switch c := w.take(1); c {
	case `"`:
		w.windowsQuoted()
	case " ", "\t":
		w.endWord()
	case "\n", "&", "|":
		w.endCommand()
	case lineBreak:
		w.add("\n")
	default:
		w.add(c)
	}
}

// windowsQuoted reads what stands in quotes. A quote in it is written \" or "": by the rules
// of Microsoft's C runtime, which splits the command line of most programs, both are one.
// Browsers write each backslash twice, though these rules take it for one only in front of a
// quote; what was meant is one.
func (w *words) windowsQuoted() {
	w.add("")
	for w.rest != "" {
		c := w.take(1)
		switch {
		case c == `\` && w.rest != "" && strings.ContainsRune(`\"`, rune(w.rest[0])):
			w.add(w.take(1))
		case c == `"` && strings.HasPrefix(w.rest, `"`):
			w.add(w.take(1))
		case c == `"`:
			return
		case c == lineBreak:
			w.add("\n")
		default:
			w.add(c)
		}
	}
}
