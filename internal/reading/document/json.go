package document

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxIndent is how deep JSON is indented. Without a limit, a small document could be indented to
// any size.
const maxIndent = 32

// JSON returns a document in indented lines. The result lines has about as many bytes as the
// parameter most says; the result more reports whether the rest was left out. Names, values and
// their order are unchanged. A text that is not JSON stays as it is. The parameter cut says that
// the end of the text is missing.
func JSON(text string, cut bool, most int) (lines string, more bool) {
	if !isJSON(text, cut) {
		return text, false
	}
	w := indenter{most: most}
	for i := 0; i < len(text) && w.b.Len() <= w.most; i++ {
		i += w.add(text, i)
	}
	return w.b.String(), w.b.Len() > w.most
}

// isJSON reports whether a text is JSON, or the beginning of JSON if the text was cut.
func isJSON(text string, cut bool) bool {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := d.SkipValue()
	if err == nil {
		_, err = d.ReadToken() // nothing may follow
	}
	return err == io.EOF || cut && errors.Is(err, io.ErrUnexpectedEOF)
}

// An indenter writes JSON in lines.
type indenter struct {
	b     bytes.Buffer
	most  int
	depth int
}

// add writes what is at position i of the text: a JSON value, or a character such as a comma. It
// returns how many more bytes than one it has read.
func (w *indenter) add(text string, i int) (further int) {
	switch c := text[i]; c {
	case ' ', '\t', '\n', '\r':
	case '"':
		end := stringEnd(text, i)
		w.b.WriteString(text[i:end])
		return end - i - 1
	case '{', '[':
		w.b.WriteByte(c)
		if rest := strings.TrimLeft(text[i+1:], " \t\r\n"); rest != "" && rest[0] == c+2 { // the closing bracket follows: the object or list is empty
			w.b.WriteByte(rest[0])
			return len(text) - len(rest) - i
		}
		w.depth++
		w.line()
	case '}', ']':
		w.depth--
		w.line()
		w.b.WriteByte(c)
	case ',':
		w.b.WriteByte(c)
		w.line()
	case ':':
		w.b.WriteString(": ")
	default:
		w.b.WriteByte(c)
	}
	return 0
}

func (w *indenter) line() {
	w.b.WriteByte('\n')
	for range min(max(w.depth, 0), maxIndent) {
		w.b.WriteString("  ")
	}
}

// stringEnd returns where the string that begins at a position ends.
func stringEnd(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
