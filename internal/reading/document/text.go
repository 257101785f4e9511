// Package document reads documents that were fetched without a browser and are not web pages: JSON,
// feeds and texts. It also decides which pages need a browser, and finds the sections of a Markdown
// text. It has no side effects.
package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Decode returns the text of a document. The character set is decided as in browsers. A byte order
// mark comes first, then what the server has declared ("" if nothing), then a meta element of the
// document. Otherwise the text is UTF-8 if it can be read as that, or else windows-1252. What
// cannot be decoded is replaced by U+FFFD.
func Decode(body []byte, declared string) string {
	text := string(body)
	if from := encodingOf(body, declared); from != nil {
		if decoded, err := from.NewDecoder().Bytes(body); err == nil {
			text = string(decoded)
		}
	}
	return strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
}

// encodingOf returns the encoding of a document; nil is UTF-8.
func encodingOf(body []byte, declared string) encoding.Encoding {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return nil
	case bytes.HasPrefix(body, []byte{0xff, 0xfe}), bytes.HasPrefix(body, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	if named, ok := encodingNamed(declared); ok {
		return named
	}
	label := labelIn(body)
	if _, ok := unicodeNamed(label); ok {
		return nil // not UTF-16, whatever the label says: the label itself was readable as ASCII
	}
	if named, ok := encodingNamed(label); ok {
		return named
	}
	if isUTF8(body) {
		return nil
	}
	return charmap.Windows1252
}

// isUTF8 reports whether a document that names no character set is UTF-8. The last character of the
// document may have been cut.
func isUTF8(body []byte) bool {
	if utf8.Valid(body) {
		return true
	}
	whole := body[:max(0, len(body)-utf8.UTFMax+1)]
	isASCII := !bytes.ContainsFunc(whole, func(r rune) bool { return r >= utf8.RuneSelf })
	for len(whole) > 0 && !utf8.RuneStart(body[len(whole)]) {
		whole = whole[:len(whole)-1]
	}
	return !isASCII && utf8.Valid(whole)
}

// metaBytes is how far browsers look for a meta element with the character set.
const metaBytes = 1024

// labelIn returns the character set that a document names at its beginning, in lower case, or "".
func labelIn(body []byte) string {
	if label := xmlLabel(body); label != "" {
		return strings.ToLower(label)
	}
	tokens := html.NewTokenizer(bytes.NewReader(body[:min(len(body), metaBytes)]))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			if label := metaLabel(tokens.Token()); label != "" {
				return strings.ToLower(strings.TrimSpace(label))
			}
		}
	}
}

// xmlLabel returns the character set that an XML declaration names, or "".
func xmlLabel(body []byte) string {
	declaration, _, ok := bytes.Cut(body[:min(len(body), metaBytes)], []byte("?>"))
	if !ok || !bytes.HasPrefix(declaration, []byte("<?xml")) {
		return ""
	}
	_, after, _ := strings.Cut(string(declaration), "encoding=")
	if after == "" {
		return ""
	}
	label, _, _ := strings.Cut(after[1:], after[:1]) // it is in quotes
	return strings.TrimSpace(label)
}

// metaLabel returns the character set of <meta charset="…"> or <meta content="text/html;
// charset=…">.
func metaLabel(t html.Token) string {
	if t.DataAtom != atom.Meta {
		return ""
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "charset":
			return a.Val
		case "content":
			if _, label, ok := strings.Cut(strings.ToLower(a.Val), "charset="); ok {
				label, _, _ = strings.Cut(label, ";")
				return strings.Trim(label, `"' `)
			}
		}
	}
	return ""
}

// encodingNamed returns an encoding by its names in the encoding standard of browsers; nil is
// UTF-8. It uses switches. A table, such as that of the library, would be built at the start of
// every command.
func encodingNamed(label string) (encoding.Encoding, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	for _, named := range []func(string) (encoding.Encoding, bool){unicodeNamed, windowsNamed, isoNamed, asianNamed} {
		if found, ok := named(label); ok {
			return found, true
		}
	}
	return nil, false
}

// unicodeNamed returns the encoding of Unicode with a label, and whether there is one.
func unicodeNamed(label string) (encoding.Encoding, bool) {
	switch label {
	case "utf-8", "utf8", "unicode-1-1-utf-8":
		return nil, true
	case "utf-16", "utf-16le", "unicode":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), true
	}
	return nil, false
}

// windowsNamed returns the encoding with a label, and whether there is one, among those of Windows
// and of other systems before Unicode. It also knows the ISO encodings that browsers replace by
// them.
func windowsNamed(label string) (encoding.Encoding, bool) {
	switch label {
	case "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii":
		return charmap.Windows1252, true
	case "windows-1250", "cp1250", "x-cp1250":
		return charmap.Windows1250, true
	case "windows-1251", "cp1251", "x-cp1251":
		return charmap.Windows1251, true
	case "windows-1253", "cp1253":
		return charmap.Windows1253, true
	case "windows-1254", "cp1254", "iso-8859-9", "iso8859-9", "latin5":
		return charmap.Windows1254, true
	case "windows-1255", "cp1255":
		return charmap.Windows1255, true
	case "windows-1256", "cp1256":
		return charmap.Windows1256, true
	case "windows-1257", "cp1257":
		return charmap.Windows1257, true
	case "windows-1258", "cp1258":
		return charmap.Windows1258, true
	case "windows-874", "iso-8859-11", "tis-620":
		return charmap.Windows874, true
	case "koi8-r", "koi8", "koi":
		return charmap.KOI8R, true
	case "koi8-u":
		return charmap.KOI8U, true
	case "macintosh", "mac", "x-mac-roman":
		return charmap.Macintosh, true
	case "ibm866", "cp866", "866":
		return charmap.CodePage866, true
	}
	return nil, false
}

// isoNamed returns the encoding with a label, and whether there is one, among the ISO encodings
// that windowsNamed does not know.
func isoNamed(label string) (encoding.Encoding, bool) {
	switch label {
	case "iso-8859-2", "iso8859-2", "latin2", "l2":
		return charmap.ISO8859_2, true
	case "iso-8859-3", "latin3":
		return charmap.ISO8859_3, true
	case "iso-8859-4", "latin4":
		return charmap.ISO8859_4, true
	case "iso-8859-5", "cyrillic":
		return charmap.ISO8859_5, true
	case "iso-8859-6", "arabic":
		return charmap.ISO8859_6, true
	case "iso-8859-7", "greek":
		return charmap.ISO8859_7, true
	case "iso-8859-8", "iso-8859-8-i", "hebrew":
		return charmap.ISO8859_8, true
	case "iso-8859-10", "latin6":
		return charmap.ISO8859_10, true
	case "iso-8859-13":
		return charmap.ISO8859_13, true
	case "iso-8859-14":
		return charmap.ISO8859_14, true
	case "iso-8859-15", "latin9":
		return charmap.ISO8859_15, true
	case "iso-8859-16":
		return charmap.ISO8859_16, true
	}
	return nil, false
}

// asianNamed returns the encoding with a label, and whether there is one, among those of East Asia.
func asianNamed(label string) (encoding.Encoding, bool) {
	switch label {
	case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j":
		return japanese.ShiftJIS, true
	case "euc-jp", "x-euc-jp":
		return japanese.EUCJP, true
	case "iso-2022-jp":
		return japanese.ISO2022JP, true
	case "euc-kr", "korean", "ks_c_5601-1987", "windows-949":
		return korean.EUCKR, true
	case "gbk", "gb2312", "gb_2312-80", "chinese", "x-gbk", "gb18030":
		return simplifiedchinese.GB18030, true
	case "big5", "big5-hkscs", "cn-big5", "x-x-big5":
		return traditionalchinese.Big5, true
	}
	return nil, false
}
