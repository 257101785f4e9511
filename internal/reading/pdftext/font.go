package pdftext

import (
	"strings"
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// unknown replaces a character for which the document does not give a letter.
const unknown = "\ufffd"

// A font says what the codes in strings mean, and how wide their characters are.
type font struct {
	names  *cmap       // the document's own table from codes to letters (ToUnicode); nil if it has none
	single [256]string // the letters of one-byte codes, used if names is nil
	wide   bool        // codes have two bytes
	utf16  bool        // codes are UTF-16; wide is then also set
	widths map[int]float64
	width  float64 // width of codes that are not in widths, as a fraction of the font size
}

// maxWidths limits how many characters of a font have a width of their own.
const maxWidths = 1 << 16

// fontOf returns a font by its dictionary. Fonts with equal dictionaries are read once, since pages
// give the same font different names.
func (r *reader) fontOf(v pdf.Value) *font {
	key := v.String()
	if f := r.fonts[key]; f != nil {
		return f
	}
	f := &font{widths: map[int]float64{}}
	r.fonts[key] = f
	if to := v.Key("ToUnicode"); to.Kind() == pdf.Stream {
		f.names = readCmap(to, v)
	}
	if v.Key("Subtype").Name() == "Type0" {
		f.composite(v)
	} else {
		f.simple(v)
	}
	return f
}

// simple reads a font whose codes have one byte.
func (f *font) simple(v pdf.Value) {
	f.single = encodingOf(v)
	scale := 1.0 / 1000
	if m := v.Key("FontMatrix"); m.Len() == 6 { // a Type 3 font, whose characters are drawings
		scale = m.Index(0).Float64()
	}
	f.width = 0.5
	if missing := v.Key("FontDescriptor").Key("MissingWidth").Float64(); missing > 0 {
		f.width = missing * scale
	}
	first, list := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(list.Len(), 256) {
		f.widths[first+i] = list.Index(i).Float64() * scale
	}
}

// composite reads a font whose codes have two bytes, as in nearly all fonts that are not simple.
func (f *font) composite(v pdf.Value) {
	f.wide = true
	name := v.Key("Encoding").Name()
	f.utf16 = strings.Contains(name, "UCS2") || strings.Contains(name, "UTF16")
	descendant := v.Key("DescendantFonts").Index(0)
	f.width = 1
	if w := descendant.Key("DW"); !w.IsNull() {
		f.width = w.Float64() / 1000
	}
	list := descendant.Key("W")
	for i := 0; i+1 < list.Len() && len(f.widths) < maxWidths; {
		first := int(list.Index(i).Int64())
		if each := list.Index(i + 1); each.Kind() == pdf.Array {
			for j := range each.Len() {
				f.widths[first+j] = each.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		last, width := int(list.Index(i+1).Int64()), list.Index(i+2).Float64()/1000
		for code := first; code <= last && len(f.widths) < maxWidths; code++ {
			f.widths[code] = width
		}
		i += 3
	}
}

// next returns the first code of a string, its letters and its width.
func (f *font) next(raw string) (code, text string, width float64) {
	size := 1
	if f.wide {
		size = min(2, len(raw))
	}
	if f.names != nil && f.names.size > 0 {
		size = min(f.names.size, len(raw))
	}
	code = raw[:size]
	return code, f.letters(code), f.widthOf(code)
}

func (f *font) widthOf(code string) float64 {
	if w, ok := f.widths[number(code)]; ok {
		return w
	}
	return f.width
}

// letters returns the letters of a code.
func (f *font) letters(code string) string {
	if f.names != nil {
		if text, ok := f.names.text(code); ok {
			return text
		}
	}
	switch {
	case f.utf16:
		return fromUTF16(code)
	case f.wide:
		return unknown
	}
	return f.single[code[0]]
}

// number returns a code as a number. The first byte is the most significant one.
func number(code string) (n int) {
	for i := range len(code) {
		n = n<<8 | int(code[i])
	}
	return n
}

// fromUTF16 returns a text in UTF-16, as PDFs write it. Characters of control are left out.
func fromUTF16(raw string) string {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, string(utf16.Decode(units)))
}

// A cmap translates codes into letters.
type cmap struct {
	size   int // how many bytes each code has; 0: not known yet, -1: codes differ in length
	single map[string]string
	ranges []codeRange
}

// A codeRange maps consecutive codes to consecutive letters.
type codeRange struct {
	low, high, to string
	list          pdf.Value // list with the letters of each code; if there is one, it is used instead of to
}

// maxRanges limits how many codes, and how many ranges of codes, a cmap may translate.
const maxRanges = 1 << 16

// readCmap reads a cmap: a program in simple PostScript, in which only the tables count. If the
// program has a fault, the tables before the fault are used. The program asks for dictionaries. Any
// dictionary will do, so it gets the one in the parameter.
func readCmap(stream, dictionary pdf.Value) *cmap {
	m := &cmap{single: map[string]string{}}
	attempt(func() {
		pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
			if op == "findresource" {
				stack.Push(dictionary)
				return
			}
			m.table(stack, op)
		})
	})
	return m
}

// table carries out an operator that ends a table, whose entries are on the stack.
func (m *cmap) table(stack *pdf.Stack, op string) {
	switch op {
	case "begincodespacerange", "beginbfchar", "beginbfrange":
		for stack.Len() > 0 {
			stack.Pop() // the number of entries, which the end of the table also shows
		}
	case "endcodespacerange":
		for stack.Len() >= 2 {
			m.space(len(stack.Pop().RawString()))
			stack.Pop()
		}
	case "endbfchar":
		for stack.Len() >= 2 && len(m.single) < maxRanges {
			to, code := stack.Pop(), stack.Pop().RawString()
			m.single[code] = fromUTF16(to.RawString())
		}
	case "endbfrange":
		for stack.Len() >= 3 && len(m.ranges) < maxRanges {
			to, high, low := stack.Pop(), stack.Pop().RawString(), stack.Pop().RawString()
			m.ranges = append(m.ranges, codeRange{low, high, to.RawString(), to})
		}
	}
}

// space notes the size of codes.
func (m *cmap) space(size int) {
	if m.size == 0 {
		m.size = size
	} else if m.size != size {
		m.size = -1
	}
}

// text returns the text that the font shows for a code, and false if that is not known.
func (m *cmap) text(code string) (string, bool) {
	if text, ok := m.single[code]; ok {
		return text, true
	}
	for _, r := range m.ranges {
		if len(r.low) != len(code) || code < r.low || code > r.high {
			continue
		}
		text := r.text(number(code) - number(r.low))
		if len(m.single) < maxRanges {
			m.single[code] = text // stored one by one, so that ranges are searched only once for each code
		}
		return text, true
	}
	return "", false
}

// text returns the letters of a code in the range. The parameter further is the difference between
// the code and low.
func (r codeRange) text(further int) string {
	if r.list.Kind() == pdf.Array {
		return fromUTF16(r.list.Index(further).RawString())
	}
	if len(r.to) < 2 {
		return unknown
	}
	last := number(r.to[len(r.to)-2:]) + further
	return fromUTF16(r.to[:len(r.to)-2] + string([]byte{byte(last >> 8), byte(last)}))
}
