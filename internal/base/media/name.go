package media

import (
	"crypto/rand"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"chela/internal/base/hidden"
)

// The longest name of a file.
const (
	maxUnits = 200 // in UTF-16 code units, without the prefix of UniqueName
	maxBytes = 255 // in bytes, with the prefix of UniqueName: what file systems take
)

// brailleBlank is the braille pattern without dots, which looks like a blank.
const brailleBlank = '\u2800'

// fallback is the name of a file for which nothing usable was suggested.
const fallback = "download.bin"

// reserved are names that Windows keeps for devices, whatever their extension.
var reserved = []string{"con", "prn", "aux", "nul", "conin$", "conout$"}

// isReserved reports whether Windows takes a name, with any extension, for a device: writing to
// con.txt writes to the console. Files may be copied there later, so these names are avoided on all
// systems. COM and LPT have a digit, which may be superscript.
func isReserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimRight(stem, " ")
	port, isPort := strings.CutPrefix(strings.Replace(stem, "lpt", "com", 1), "com")
	return slices.Contains(reserved, stem) || isPort && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}

// safeName turns a file name that a web server or a caller suggested into a safe base name. It
// removes the path, control characters, invisible characters and characters that file systems or
// shells treat specially. It also removes leading dots and dashes, and dots at the end, which
// Windows drops. Several blanks become one space, because many of them could push the extension out
// of sight. A name that imitates a ref of a snapshot is changed, since answers would change it, and
// the path would be wrong. A name that is too long is cut before its extension. safeName never returns
// an empty name.
func safeName(suggested string) string {
	name := path.Base(strings.ReplaceAll(strings.TrimSpace(suggested), `\`, "/"))
	if _, rest, ok := strings.Cut(name, ":"); ok && len(name)-len(rest) == 2 { // the name begins with a drive, such as C:
		name = rest
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r), r == brailleBlank:
			return ' '
		case unicode.IsControl(r), hidden.Unseen(r), r == utf8.RuneError, strings.ContainsRune(`<>:"/\|?*`, r):
			return -1
		}
		return r
	}, name)
	name = strings.ReplaceAll(name, "[ref=", "[ref_")
	name = strings.TrimLeft(strings.Join(strings.Fields(name), " "), ".- ")
	name = strings.TrimRight(name, ". ")
	if name == "" {
		return fallback
	}
	if isReserved(name) {
		stem, ext := split(name)
		name = stem + "_" + ext
	}
	return shorten(name)
}

// shorten cuts the stem of a name until the name fits, with the prefix of UniqueName. If the
// extension alone is too long, it is also cut, once nothing is left of the stem. Characters are
// never divided.
func shorten(name string) string {
	stem, ext := split(name)
	for fits := func(s string) bool {
		return len(utf16.Encode([]rune(s))) <= maxUnits && len(s) <= maxBytes-prefixLen
	}; !fits(stem + ext); {
		if stem == "" {
			ext = cutLast(ext)
			continue
		}
		stem = cutLast(stem)
	}
	return stem + ext
}

// split divides a name before its last dot; the extension has the dot.
func split(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), ext
}

// cutLast removes the last character.
func cutLast(s string) string {
	_, size := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-size]
}

// prefixLen is the length of what UniqueName puts before a name: 26 letters and digits (of base 32)
// and a dash.
const prefixLen = 26 + 1

// UniqueName returns a safe name that no other file has: random text, a dash and the suggested
// name.
func UniqueName(suggested string) string { return rand.Text() + "-" + safeName(suggested) }

// SuggestedName removes the random prefix that UniqueName has put before a name. A name without
// such a prefix is returned as it is.
func SuggestedName(name string) string {
	const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	if prefix, rest, ok := strings.Cut(name, "-"); ok && len(prefix) == prefixLen-1 && strings.Trim(prefix, base32) == "" {
		return rest
	}
	return name
}
