package config

import (
	"fmt"
	"strings"

	"github.com/titanous/json5"
)

// positions returns the line of each key and each list element in a JSON5 text, by its path. The
// decoder does not report positions, and an error without a line helps little in a long file. The
// text was read without an error before, so positions does not check it again. For a text with
// errors, it returns some wrong positions.
func positions(text string) map[string]int {
	p := &positioner{text: text, line: 1, lines: map[string]int{}}
	p.value("")
	return p.lines
}

// A positioner goes through a text once.
type positioner struct {
	text  string // the part of the text that is not read yet
	line  int
	lines map[string]int
}

// skip goes n bytes forward.
func (p *positioner) skip(n int) {
	n = min(n, len(p.text))
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
}

// space skips white space and comments.
func (p *positioner) space() {
	for {
		trimmed := strings.TrimLeft(p.text, " \t\r\n\v\f\u00a0\u2028\u2029\ufeff")
		p.skip(len(p.text) - len(trimmed))
		switch {
		case strings.HasPrefix(p.text, "//"):
			p.skip(indexBehind(p.text, 2, "\n"))
		case strings.HasPrefix(p.text, "/*"):
			p.skip(indexBehind(p.text, 2, "*/"))
		default:
			return
		}
	}
}

// indexBehind looks in text for the parameter end, from the byte at start on. It returns the index
// behind the first one; if there is none, it returns the length of the text.
func indexBehind(text string, start int, end string) int {
	if i := strings.Index(text[start:], end); i >= 0 {
		return start + i + len(end)
	}
	return len(text)
}

// value skips a value, and records the lines of the keys and elements in it.
func (p *positioner) value(path string) {
	p.space()
	switch {
	case strings.HasPrefix(p.text, "{"):
		p.items('}', func(int) {
			name := p.name()
			p.lines[join(path, name)] = p.line
			p.space()
			p.skip(len(":"))
			p.value(join(path, name))
		})
	case strings.HasPrefix(p.text, "["):
		p.items(']', func(i int) {
			below := fmt.Sprintf("%s[%d]", path, i)
			p.lines[below] = p.line
			p.value(below)
		})
	default:
		p.skip(max(1, token(p.text)))
	}
}

// items skips a list or an object, and calls the function item at the beginning of each item.
func (p *positioner) items(end byte, item func(i int)) {
	p.skip(1)
	for i := 0; ; i++ {
		p.space()
		if p.text == "" || p.text[0] == end {
			p.skip(1)
			return
		}
		item(i)
		p.space()
		if strings.HasPrefix(p.text, ",") {
			p.skip(1)
		}
	}
}

// name skips the name of a key and returns it.
func (p *positioner) name() string {
	written := p.text[:token(p.text)]
	p.skip(max(1, len(written)))
	if !strings.HasPrefix(written, `"`) && !strings.HasPrefix(written, `'`) {
		return written
	}
	var name string
	if json5.Unmarshal([]byte(written), &name) != nil {
		return written
	}
	return name
}

// token returns the length of the string, number or word at the beginning of text.
func token(text string) int {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		if i := strings.IndexAny(text, " \t\r\n,:{}[]/\"'"); i >= 0 {
			return i
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}
