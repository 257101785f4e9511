package secret

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Mask returns text with «secret:name» in place of each value that is in use, however the value is
// encoded. If there is no value in it, Mask returns the same string, without an allocation.
//
// JSON stays valid JSON. Values are looked for in its strings after these are decoded, and a number
// that is a value becomes a string.
func Mask(text string) string {
	if m := inUse.masker(); m != nil {
		raw := unsafe.Slice(unsafe.StringData(text), len(text)) // is only read
		if hits, _ := m.find(raw); len(hits) > 0 {
			return string(m.mask(raw, hits))
		}
	}
	return text
}

// MaskBytes does the same as [Mask]. If there is no value in raw, it returns the same slice. It
// does not change raw.
func MaskBytes(raw []byte) []byte {
	if m := inUse.masker(); m != nil {
		if hits, _ := m.find(raw); len(hits) > 0 {
			return m.mask(raw, hits)
		}
	}
	return raw
}

// Beginning returns the first n bytes of a text, masked. A value that begins in them and ends after
// them is masked like any other. So whoever has chosen n cannot read a part of a value. The rest of
// the text must be there for that, or at least as much of it as [Longest] says.
//
// The result may be longer or shorter than n. Package excerpt cuts texts by this function.
func Beginning(text string, n int) string {
	m := inUse.masker()
	if m == nil {
		return text[:n]
	}
	return m.beginning(text, n)
}

func (m *masker) beginning(text string, n int) string {
	end, left := n, m.reach // invisible characters in a value do not count
	for end < len(text) && left > 0 {
		r, size := utf8.DecodeRuneInString(text[end:])
		end += size
		if !invisible(r) {
			left -= size
		}
	}
	raw := []byte(text[:end])
	hits, _ := m.find(raw)
	out, _ := replace(nil, raw, hits, 0, n)
	return string(out)
}

// Longest returns how many bytes the longest value in use can have in a text; 0 if none is in use.
// The page script and other processes know no values. Whoever has them cut a text asks for so much
// more than is wanted, and then cuts it with package excerpt.
func Longest() int {
	if m := inUse.masker(); m != nil {
		return m.reach
	}
	return 0
}

// mask returns text with the marks of the forms in place of the hits.
func (m *masker) mask(text []byte, hits []hit) []byte {
	if looksLikeJSON(text) && json.Valid(text) {
		return m.maskJSON(text, hits)
	}
	out, _ := replace(nil, text, hits, 0, len(text))
	return out
}

// looksLikeJSON reports whether a text may be JSON that has strings. A number alone is a text.
func looksLikeJSON(text []byte) bool {
	begin := bytes.TrimLeft(text, " \t\r\n")
	return len(begin) > 0 && strings.IndexByte(`{["`, begin[0]) >= 0
}

// maskJSON masks the strings and numbers of JSON in which there are hits. A hit in the text of JSON
// may begin or end within an escape: the string "\npassword" has no "npassword" in it. And a mark in
// the place of a number must be a string.
func (m *masker) maskJSON(text []byte, hits []hit) []byte {
	var out []byte
	done := 0 // bytes of text that are in out
	for at := 0; at < len(text); {
		end := endOfToken(text, at)
		for len(hits) > 0 && hits[0].end <= at {
			hits = hits[1:]
		}
		if len(hits) == 0 {
			break
		}
		if hits[0].start < end {
			var masked []byte
			if masked, end = m.maskToken(text, at, end, hits); masked != nil {
				out = append(append(out, text[done:at]...), masked...)
				done = end
			}
		}
		at = end
	}
	return append(out, text[done:]...)
}

// endOfToken returns where the token of JSON ends that begins at start: a string, a number or a
// word, or one character of anything else.
func endOfToken(text []byte, start int) int {
	end := start + 1
	switch {
	case text[start] == '"':
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		return end + 1
	case isBare(text[start]):
		for end < len(text) && isBare(text[end]) {
			end++
		}
	}
	return end
}

// isBare reports whether a character stands in numbers and words of JSON.
func isBare(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || strings.IndexByte("+-.E", c) >= 0
}

// maskToken returns what to write in place of a token, and the end of the text that this replaces.
// It returns nil if the token stays. A value that is JSON itself, such as the key of a service in
// JSON, is replaced as a whole. The first of the hits must overlap the token.
func (m *masker) maskToken(text []byte, start, end int, hits []hit) (masked []byte, _ int) {
	for _, h := range hits {
		if h.start > start {
			break
		}
		if h.start == start && (h.end == end || !isBare(text[h.end-1])) && json.Valid(text[start:h.end]) {
			return quoted(string(h.form.mark), true), h.end
		}
	}
	var decoded string
	if text[start] == '"' && json.Unmarshal(text[start:end], &decoded) == nil {
		if again := m.maskText(decoded); again != decoded {
			return quoted(again, !bytes.ContainsAny(text[start:end], "<>&")), end
		}
	}
	return nil, end
}

func (m *masker) maskText(text string) string {
	if hits, _ := m.find([]byte(text)); len(hits) > 0 {
		return string(m.mask([]byte(text), hits))
	}
	return text
}

// quoted returns a text as a string of JSON. The parameter escapeHTML is for a string in which <, >
// and & were not written as they are: that JSON may stand in HTML.
func quoted(text string, escapeHTML bool) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	enc.Encode(text) // texts can be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
