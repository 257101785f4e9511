package mcp

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chela/internal/base/hidden"
)

// fold replaces each character of content that looks like an ASCII letter or bracket by that letter
// or bracket. It leaves out invisible characters and marks over letters. This changes the length in
// bytes. The result at translates offsets. For each byte of the result folded, and for its end, at
// has the offset of the original character in content.
func fold(content string) (folded string, at []int) {
	b := make([]byte, 0, len(content))
	at = make([]int, 0, len(content)+1)
	for i, r := range content {
		before := len(b)
		b = appendPlain(b, r)
		for range len(b) - before {
			at = append(at, i)
		}
	}
	return string(b), append(at, len(content))
}

// appendPlain appends the ASCII characters that r looks like, if there are some, else r.
func appendPlain(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case 0x3040 <= r && r < 0xa000 || 0xac00 <= r && r < 0xd800: // letters of East Asia look like no Latin letter
		return utf8.AppendRune(b, r)
	case hidden.Unseen(r):
		return b
	}
	if like, ok := lookAlikes()[r]; ok {
		return append(b, byte(like))
	}
	// The decomposition turns letters of other widths, in circles, with accents and in the styles
	// of mathematics into plain letters.
	for _, part := range norm.NFKD.String(string(r)) {
		if like, ok := lookAlikes()[part]; ok {
			part = like
		}
		if !unicode.Is(unicode.Mn, part) {
			b = utf8.AppendRune(b, part)
		}
	}
	return b
}

// lookAlikes maps characters of other scripts to the ASCII characters that they look like. It covers
// the characters of boundaries (see fence): the letters in END, EXTERNAL, UNTRUSTED and CONTENT, the
// brackets and the underscore.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	all := map[rune]rune{}
	for _, each := range []struct {
		plain rune
		like  string
	}{
		{'<', "〈‹⟨«《⟪⟬⟮❬❮❰˂ᐸᚲ≪⋘≺"},
		{'>', "〉›⟩»》⟫⟭⟯❭❯❱˃ᐳ≫⋙≻"},
		{'_', "ˍ‿⎽▁‐‒–—−"},
		{'A', "АаΑαꭺᎪᴀɑꓮ"},
		{'C', "СсϹϲᏟᴄꓚⅽ"},
		{'D', "ᎠᴅԀԁꓓꓒ"},
		{'E', "ЕеЄєΕεᎬᴇꓰҽɛ"},
		{'L', "ᏞʟꓡӀӏІΙ∣ǀւ"},
		{'N', "ΝηոռɴꓠпΠ"},
		{'O', "ОоΟοσᴏօՕꓳⵔ०〇"},
		{'R', "ᎡᏒʀꓣгᴦЯя"},
		{'S', "ЅѕՏᏚꜱꓢʂ"},
		{'T', "ТтΤτᎢᴛꓔҬҭ"},
		{'U', "ՍսυᴜꓴʋцЦ∪"},
		{'X', "ХхΧχꓫⵝҲҳ᙭"},
	} {
		for _, r := range each.like {
			all[r] = each.plain
		}
	}
	return all
})
