package curl

import (
	"strconv"
	"strings"
)

// commands separates a text into commands, and each into words, by the rules of bash. No command is
// empty. Any text can be read: a quote that is not closed goes on to the end.
func commands(text string) [][]string {
	w := &words{rest: strings.ReplaceAll(text, "\r\n", "\n")}
	for w.rest != "" {
		w.read()
	}
	w.endCommand()
	return w.all
}

// words collects the words of commands.
type words struct {
	rest string // the part of the text that is not read yet

	word    strings.Builder
	begun   bool // a word has begun; it may be empty, as ""
	command []string
	all     [][]string
}

// add appends text to the current word. The text may be empty, since a pair of quotes alone is also
// a word.
func (w *words) add(text string) {
	w.word.WriteString(text)
	w.begun = true
}

// take removes and returns the next n bytes, or all that are left if there are fewer.
func (w *words) take(n int) string {
	n = min(n, len(w.rest))
	taken := w.rest[:n]
	w.rest = w.rest[n:]
	return taken
}

// endWord ends the current word, if one has begun.
func (w *words) endWord() {
	if w.begun {
		w.command = append(w.command, w.word.String())
	}
	w.word.Reset()
	w.begun = false
}

func (w *words) endCommand() {
	w.endWord()
	if len(w.command) > 0 {
		w.all = append(w.all, w.command)
	}
	w.command = nil
}

// read reads the next character, or quoted text, as a Unix shell does. Chromium writes '…', which
// has no escapes. For a text with a quote, ! or control characters it writes $'…', as an
// interactive bash replaces ! by a former command. Double quotes occur only in commands that people
// have written.
func (w *words) read() {
	switch rest := w.rest; {
	case strings.HasPrefix(rest, "\\\n"):
		w.take(2)
	case rest[0] == '\\':
		w.take(1)
		w.add(w.take(1))
	case strings.HasPrefix(rest, "$'"):
		w.take(2)
		w.ansi()
	case rest[0] == '\'':
		w.take(1)
		text, _, _ := strings.Cut(w.rest, "'")
		w.add(w.take(len(text)))
		w.take(1)
	case rest[0] == '"':
		w.take(1)
		w.doubleQuoted()
	case rest[0] == ' ' || rest[0] == '\t':
		w.take(1)
		w.endWord()
	case strings.ContainsRune("\n;&|", rune(rest[0])):
		w.take(1)
		w.endCommand()
	default:
		w.add(w.take(1))
	}
}

// doubleQuoted reads a text in double quotes. A backslash is an escape there only before some
// characters.
func (w *words) doubleQuoted() {
	w.add("")
	for w.rest != "" {
		c := w.take(1)
		switch {
		case c == `"`:
			return
		case c == `\` && w.rest != "" && strings.ContainsRune("\"\\$`\n", rune(w.rest[0])):
			if escaped := w.take(1); escaped != "\n" {
				w.add(escaped)
			}
		default:
			w.add(c)
		}
	}
}

// ansi reads a text in $'…'. Browsers use this form for texts with quotes, line breaks and other
// control characters; Firefox also uses it for characters beyond ASCII. Bash's manual describes it
// under "ANSI-C Quoting".
func (w *words) ansi() {
	w.add("")
	for w.rest != "" {
		c := w.take(1)
		switch {
		case c == "'":
			return
		case c != `\`:
			w.add(c)
		default:
			w.escape(w.take(1))
		}
	}
}

// controls are the escapes of one letter.
var controls = map[string]string{"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}

// digits has the maximum number of hexadecimal digits that follow each escape.
var digits = map[string]int{"x": 2, "u": 4, "U": 8}

// escape adds the character of an escape in $'…'. A character beyond 16 bits may be written as two
// escapes, the halves of its UTF-16. The escape \x is a byte and not a character; several bytes
// make one character in UTF-8. What is not an escape stands for itself, such as a quote and a
// backslash.
func (w *words) escape(kind string) {
	if control, ok := controls[kind]; ok {
		w.add(control)
		return
	}
	n := 0
	for n < digits[kind] && n < len(w.rest) && strings.ContainsRune("0123456789abcdefABCDEF", rune(w.rest[n])) {
		n++
	}
	if n == 0 {
		w.add(kind)
		return
	}
	code, _ := strconv.ParseUint(w.take(n), 16, 32)
	if kind == "x" {
		w.add(string([]byte{byte(code)}))
		return
	}
	r := rune(code)
	if low, ok := strings.CutPrefix(w.rest, `\u`); ok && 0xd800 <= r && r < 0xdc00 && len(low) >= 4 {
		if second, err := strconv.ParseUint(low[:4], 16, 32); err == nil && 0xdc00 <= second && second < 0xe000 {
			w.take(6)
			r = 0x10000 + (r-0xd800)<<10 + (rune(second) - 0xdc00)
		}
	}
	w.add(string(r))
}
