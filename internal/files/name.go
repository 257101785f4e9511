package files

import (
	"crypto/rand"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of the name of a file, in what filesystems and the contract count.
const (
	maxUnits = 200 // UTF-16
	maxBytes = 255 // with the prefix
)

// fallback is the name of a file that has none.
const fallback = "download.bin"

// reserved are names that Windows keeps for devices, whatever their extension.
var reserved = []string{"con", "prn", "aux", "nul"}

func isReserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	port, isPort := strings.CutPrefix(strings.Replace(stem, "lpt", "com", 1), "com")
	return slices.Contains(reserved, stem) || isPort && len(port) == 1 && port >= "0" && port <= "9"
}

// SafeName makes the name that a server chose a plain base name: no path, no
// control characters, nothing that hides or means something to a shell, and
// never so long that its extension is lost.
func SafeName(suggested string) string {
	name := path.Base(strings.ReplaceAll(strings.TrimSpace(suggested), `\`, "/"))
	if _, rest, ok := strings.Cut(name, ":"); ok && len(name)-len(rest) == 2 { // a drive
		name = rest
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError || strings.ContainsRune(`<>:"/\|?*`, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimLeft(strings.TrimSpace(name), ".-")
	name = strings.TrimSpace(name)
	if name == "" {
		return fallback
	}
	if isReserved(name) {
		stem, ext := split(name)
		name = stem + "_" + ext
	}
	return shorten(name)
}

// shorten cuts the stem of a name so that it fits with the prefix of unique.
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

func split(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), ext
}

func cutLast(s string) string {
	_, size := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-size]
}

// prefixLen is the length of what unique puts before a name.
const prefixLen = 2*16 + 1

// unique makes a safe name that no other file has.
func unique(suggested string) string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:]) + "-" + SafeName(suggested)
}

// given is the name that unique was given.
func given(name string) string {
	if prefix, rest, ok := strings.Cut(name, "-"); ok && len(prefix) == prefixLen-1 && strings.Trim(prefix, "0123456789abcdef") == "" {
		return rest
	}
	return name
}
