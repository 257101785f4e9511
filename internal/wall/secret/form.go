package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// A form is a way in which a value can stand in a text: as text, in base64, in hexadecimal digits or
// in UTF-16. It is a sequence of units, and a unit can be written in several ways. The units of the
// form for texts are the characters, so "a b" is found as "a+b", "a%20b" and "a&#32;b".
type form struct {
	units [][]string
	mark  []byte // is written in place of the value
	of    *value
}

// formsOf returns the forms of a value.
func formsOf(v *value) []*form {
	mark := []byte(marker(v.name))
	var all []*form
	add := func(units [][]string, mark []byte) { all = append(all, &form{joined(units), mark, v}) }
	add(textUnits(v.text), mark)
	for _, cased := range unique([]string{v.text, strings.ToLower(v.text), strings.ToUpper(v.text)})[1:] {
		add(casedUnits(cased), mark)
	}
	for _, raw := range withJSON(v.text) {
		addBase64(add, raw, mark)
	}
	digits := hex.EncodeToString([]byte(v.text))
	for _, digits := range unique([]string{digits, strings.ToUpper(digits)}) {
		add([][]string{{digits}}, mark)
	}
	for _, encode := range []func(string) string{littleEndian, bigEndian} {
		wide := encode(v.text)
		add([][]string{{wide}}, []byte(encode(string(mark))))
		addBase64(add, wide, mark)
	}
	return all
}

// at looks for occurrences of the form that begin at the offset start. The result end is the offset
// at which the longest occurrence ends; -1 if there is none. The result more is true if text that
// is appended later could complete an occurrence, or a longer one.
func (f *form) at(text []byte, start int) (end int, more bool) {
	var first, second [16]int
	ends, next := append(first[:0], start), second[:0]
	for i, ways := range f.units {
		for _, e := range ends {
			rest := text[e:]
			for _, way := range ways {
				switch {
				case len(rest) > 0 && rest[0] != way[0]:
				case len(rest) >= len(way):
					if string(rest[:len(way)]) == way {
						next = appendNew(next, e+len(way))
					}
				case way[:len(rest)] == string(rest):
					more = true
				}
			}
		}
		if len(next) == 0 {
			cut, cutMore := f.cutOff(text, ends, i)
			return cut, more || cutMore
		}
		ends, next = next, ends[:0]
	}
	for _, e := range ends {
		end = max(end, e)
	}
	return end, more
}

// longest returns how many bytes an occurrence of the form can have.
func (f *form) longest() (sum int) {
	for _, ways := range f.units {
		most := 0
		for _, way := range ways {
			most = max(most, len(way))
		}
		sum += most
	}
	return sum
}

// ellipsis follows a text that was shortened by package excerpt or by the page script.
const (
	ellipsis   = "…"
	minExcerpt = 6 // characters of a value that must be left before the ellipsis
)

// cutOff finds the beginning of a value that was shortened. The places are the offsets at which the
// given number of first units can end. A part of the next unit may follow, and then an ellipsis
// must. The result end is the last place that an ellipsis follows; -1 if there is none. The result
// more is true if the text ends within a possible ellipsis.
func (f *form) cutOff(text []byte, places []int, units int) (end int, more bool) {
	end = -1
	before := 0 // characters of the value in the first units
	for _, ways := range f.units[:units] {
		if before++; len(ways) == 1 {
			before += len(ways[0]) - 1 // several characters, see joined
		}
	}
	for _, e := range places {
		chars := before
		if next := f.units[units]; len(next) == 1 {
			same := commonPrefix(text[e:], next[0])
			e, chars = e+same, chars+same
		}
		rest := string(text[e:min(len(text), e+len(ellipsis))])
		if chars < minExcerpt || !strings.HasPrefix(ellipsis, rest) {
			continue
		}
		if rest == ellipsis {
			end = max(end, e)
		} else {
			more = true
		}
	}
	return end, more
}

// commonPrefix returns how many first bytes of both texts are the same.
func commonPrefix(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func appendNew(list []int, n int) []int {
	for _, have := range list {
		if have == n {
			return list
		}
	}
	return append(list, n)
}

// anchorLength is the number of bytes by which the automaton finds the beginning of a form. The rest
// is compared afterwards. Longer anchors make the automaton larger than the processor's caches;
// shorter ones are found in too many places.
const anchorLength = 4

// anchors calls add with each text with which the form can begin, up to anchorLength. An escape is
// not cut: its first bytes alone would match at every escape. Encoders escape either all letters
// and digits or none. So if the first character is not escaped, letters and digits that follow are
// not escaped either.
func (f *form) anchors(add func(string)) { anchorsFrom("", f.units, add) }

func anchorsFrom(prefix string, units [][]string, add func(string)) {
	if len(prefix) >= anchorLength || len(units) == 0 {
		add(prefix)
		return
	}
	for _, way := range units[0] {
		switch {
		case len(units[0]) == 1:
			anchorsFrom(prefix+way[:min(len(way), anchorLength-len(prefix))], units[1:], add)
		case len(way) >= 3 && prefix != "" && isAlphanumeric(units[0][0]):
		case len(way) >= 3:
			add(prefix + way)
		default:
			anchorsFrom(prefix+way, units[1:], add)
		}
	}
}

// textUnits returns the characters of a text with all the ways in which each is written.
func textUnits(text string) [][]string {
	units := make([][]string, 0, len(text))
	ways := map[rune][]string{}
	for _, r := range text {
		if ways[r] == nil {
			ways[r] = waysOf(r)
		}
		units = append(units, ways[r])
	}
	return units
}

// casedUnits returns the characters of a text whose upper and lower case was changed, as in hosts
// of addresses or by a page's style. They have fewer ways to be written than in textUnits; letters
// have only one.
func casedUnits(text string) (units [][]string) {
	for _, r := range text {
		c := string(r)
		ways := []string{c}
		if !isAlphanumeric(c) {
			ways = unique(append(append(append(ways, percent(c)...), unicodeEscapes(c)...), inJSON(c), inJSON(inJSON(c))))
		}
		units = append(units, ways)
	}
	return units
}

// jsonLevels is how many times in a row a text may have been encoded as a string of JSON.
const jsonLevels = 3

// waysOf returns how a character stands in texts, URLs, forms, HTML, Markdown, names of files and
// JSON. The strings of JSON may contain each of the other encodings.
func waysOf(r rune) []string {
	c := string(r)
	entities := entitiesOf(r)
	ways := append(append([]string{c}, percent(c)...), entities...)
	if r == ' ' {
		ways = append(ways, "+", "%2B", "%2b", "\u00a0", "\n") // form encoding, also percent-encoded; pages and formats may change a space into the last two
	}
	if strings.ContainsRune(`"*/:<>?\|`, r) {
		ways = append(ways, "_") // Chromium replaces these characters in the names of files
	}
	if isPunctuation(r) {
		ways = append(ways, `\`+c) // Markdown
	}
	last := ways
	for level := range jsonLevels {
		var escaped []string
		for _, way := range last {
			if e := inJSON(way); e != way {
				escaped = append(escaped, e)
			}
		}
		if level == 0 {
			for _, e := range entities {
				escaped = append(escaped, `\u0026`+e[1:])
			}
			escaped = append(escaped, unicodeEscapes(c)...)
		}
		ways = append(ways, escaped...)
		last = escaped
	}
	return unique(ways)
}

// unicodeEscapes returns the UTF-16 units of a text in the escapes of JSON.
func unicodeEscapes(text string) []string {
	var lower, upper string
	for _, unit := range utf16.Encode([]rune(text)) {
		lower += fmt.Sprintf(`\u%04x`, unit)
		upper += fmt.Sprintf(`\u%04X`, unit)
	}
	return []string{lower, upper}
}

// percent returns the bytes of a text in percent encoding. An address within the query of another one
// is encoded twice.
func percent(text string) []string {
	upper := ""
	for _, b := range []byte(text) {
		upper += fmt.Sprintf("%%%02X", b)
	}
	lower := strings.ToLower(upper)
	again := func(s string) string { return strings.ReplaceAll(s, "%", "%25") }
	return []string{upper, lower, again(upper), again(lower)}
}

// entitiesOf returns the character references of HTML for a character: by number and, where
// encoders use one, by name.
func entitiesOf(r rune) []string {
	all := []string{fmt.Sprintf("&#%d;", r), fmt.Sprintf("&#x%x;", r), fmt.Sprintf("&#x%X;", r)}
	switch r {
	case '&':
		all = append(all, "&amp;")
	case '<':
		all = append(all, "&lt;")
	case '>':
		all = append(all, "&gt;")
	case '"':
		all = append(all, "&quot;")
	case '\'':
		all = append(all, "&apos;", "&#039;")
	case ' ', '\u00a0':
		all = append(all, "&nbsp;")
	}
	return all
}

// inJSON returns a text as it stands between the quotes of a string of JSON. Some encoders also
// write a backslash before a slash.
func inJSON(text string) string {
	if text == "/" {
		return `\/`
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // the forms with escaped <, > and & are added separately
	_ = encoder.Encode(text)     // texts can be encoded
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

func isPunctuation(r rune) bool { return r > ' ' && r < 0x7f && !isAlphanumeric(string(r)) }

func isAlphanumeric(c string) bool {
	return len(c) == 1 && (c >= "0" && c <= "9" || c >= "A" && c <= "Z" || c >= "a" && c <= "z")
}

// withJSON returns a text and, if it differs, the text as it stands in JSON. Tokens in base64 often
// have JSON in them.
func withJSON(text string) []string { return unique([]string{text, inJSON(text)}) }

// addBase64 adds a value as it stands within data that are encoded as base64. There are three
// forms, because a value may begin at each of the three bytes that make four characters. Characters
// that also encode bytes before or after the value are left out.
func addBase64(add func([][]string, []byte), value string, mark []byte) {
	for before, skip := range []int{0, 2, 3} {
		data := append(make([]byte, before), value...)
		encoded := base64.RawStdEncoding.EncodeToString(data)
		add(base64Units(encoded[skip:len(data)*8/6]), mark)
	}
}

// base64Units returns the characters of base64, also as they stand in base64url, URLs and JSON.
func base64Units(encoded string) [][]string {
	units := make([][]string, len(encoded))
	for i, c := range encoded {
		switch c {
		case '+':
			units[i] = []string{"+", "-", "%2B", "%2b", `\u002b`, `\u002B`}
		case '/':
			units[i] = []string{"/", "_", "%2F", "%2f", `\/`}
		default:
			units[i] = []string{string(c)}
		}
	}
	return units
}

func littleEndian(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}

func bigEndian(text string) string {
	raw := []byte(littleEndian(text))
	for i := 0; i < len(raw); i += 2 {
		raw[i], raw[i+1] = raw[i+1], raw[i]
	}
	return string(raw)
}

// joined merges neighbouring units that can be written in only one way into one unit.
func joined(units [][]string) (out [][]string) {
	for i := 0; i < len(units); i++ {
		var one strings.Builder
		for ; i < len(units) && len(units[i]) == 1; i++ {
			one.WriteString(units[i][0])
		}
		if one.Len() > 0 {
			out = append(out, []string{one.String()})
		}
		if i < len(units) {
			out = append(out, units[i])
		}
	}
	return out
}

// unique returns each of the texts once, in the order in which they first occur.
func unique(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	var out []string
	for _, s := range texts {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// marker returns the text that is written in place of a value, such as «secret:github/password». It
// has no character that JSON, HTML or a URL's query must escape.
func marker(name string) string { return "«" + prefix + name + "»" }

// literal returns a form that matches exactly this text and writes it back, so the text stays.
func literal(text string) *form {
	return &form{units: [][]string{{text}}, mark: bytes.Clone([]byte(text)), of: &value{}}
}
