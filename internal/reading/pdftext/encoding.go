package pdftext

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// encodingOf returns the characters for the codes of a simple font. The font names a known
// encoding, and lists its differences from that encoding as names of characters.
func encodingOf(v pdf.Value) (letters [256]string) {
	encoding := v.Key("Encoding")
	base := encoding.Name()
	if encoding.Kind() == pdf.Dict {
		base = encoding.Key("BaseEncoding").Name()
	}
	table := charmap.Windows1252 // used for Adobe's standard encoding as well, which has the same letters in nearly all texts
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for code := range letters {
		if r := table.DecodeByte(byte(code)); r >= ' ' {
			letters[code] = string(r)
		}
	}
	if base == "" {
		for code, text := range map[int]string{0x0b: "ff", 0x0c: "fi", 0x0d: "fl", 0x0e: "ffi", 0x0f: "ffl", '\'': "’", '`': "‘", 0xae: "fi", 0xaf: "fl", 0xb1: "–", 0xb7: "•", 0xd0: "—", 0xaa: "“", 0xba: "”"} {
			letters[code] = text
		}
	}
	code := 0
	for _, d := range values(encoding.Key("Differences")) {
		if d.Kind() == pdf.Integer {
			code = int(d.Int64())
			continue
		}
		if code >= 0 && code < len(letters) {
			letters[code] = named(d.Name())
		}
		code++
	}
	return letters
}

// named returns the text of a character by its name; unknown if the name tells nothing. The name is
// in a list, or has a form such as uni20AC, uni00660069 for two letters, u20AC, or f_f_i. More may
// follow after a dot, as in a.alt. Adobe's specification of glyph lists has these forms.
func named(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if text, ok := names()[name]; ok {
		return text
	}
	if len(name) == 1 {
		return name
	}
	if digits, ok := strings.CutPrefix(name, "uni"); ok && len(digits) > 0 && len(digits)%4 == 0 {
		return numbered(slices.Collect(slices.Chunk([]byte(digits), 4))...)
	}
	if digits, ok := strings.CutPrefix(name, "u"); ok && 4 <= len(digits) && len(digits) <= 6 {
		return numbered([]byte(digits))
	}
	if !strings.Contains(name, "_") {
		return unknown
	}
	text := ""
	for part := range strings.SplitSeq(name, "_") {
		text += named(part)
	}
	return text
}

// numbered returns the characters with these numbers in Unicode, in hexadecimal digits. It returns
// unknown if one of them is no number of a character.
func numbered(all ...[]byte) (text string) {
	for _, digits := range all {
		n, err := strconv.ParseUint(string(digits), 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return unknown
		}
		text += string(rune(n))
	}
	return text
}

// names has the texts of characters that have names in common fonts.
var names = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	fields := strings.Fields(nameList)
	for i := 0; i+1 < len(fields); i += 2 {
		list[fields[i]] = fields[i+1]
	}
	list["space"], list["nbspace"], list[""] = " ", " ", ""
	return list
})

// nameList has the names of Latin letters, punctuation and Greek in Adobe's list of glyphs, and the
// text of each.
const nameList = `exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' quoteright ’ quoteleft ‘
parenleft ( parenright ) asterisk * plus + comma , hyphen - minus − period . slash / zero 0 one 1 two 2 three 3 four 4 five 5
six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater > question ? at @ bracketleft [ backslash \ bracketright ]
asciicircum ^ underscore _ grave ` + "`" + ` braceleft { bar | braceright } asciitilde ~ exclamdown ¡ cent ¢ sterling £ fraction ⁄
yen ¥ florin ƒ section § currency ¤ quotedblleft “ guillemotleft « guilsinglleft ‹ guilsinglright › fi fi fl fl ff ff ffi ffi
ffl ffl endash – dagger † daggerdbl ‡ periodcentered · paragraph ¶ bullet • quotesinglbase ‚ quotedblbase „ quotedblright ”
guillemotright » ellipsis … perthousand ‰ questiondown ¿ acute ´ circumflex ˆ tilde ˜ macron ¯ breve ˘ dotaccent ˙ dieresis ¨
ring ˚ cedilla ¸ hungarumlaut ˝ ogonek ˛ caron ˇ emdash — AE Æ ordfeminine ª Lslash Ł Oslash Ø OE Œ ordmasculine º ae æ dotlessi ı
lslash ł oslash ø oe œ germandbls ß Aacute Á Acircumflex Â Adieresis Ä Agrave À Aring Å Atilde Ã Ccedilla Ç Eacute É
Ecircumflex Ê Edieresis Ë Egrave È Eth Ð Euro € Iacute Í Icircumflex Î Idieresis Ï Igrave Ì Ntilde Ñ Oacute Ó Ocircumflex Ô
Odieresis Ö Ograve Ò Otilde Õ Scaron Š Thorn Þ Uacute Ú Ucircumflex Û Udieresis Ü Ugrave Ù Yacute Ý Ydieresis Ÿ Zcaron Ž aacute á
acircumflex â adieresis ä agrave à aring å atilde ã brokenbar ¦ ccedilla ç copyright © degree ° divide ÷ eacute é ecircumflex ê
edieresis ë egrave è eth ð iacute í icircumflex î idieresis ï igrave ì logicalnot ¬ mu µ multiply × ntilde ñ oacute ó
ocircumflex ô odieresis ö ograve ò onehalf ½ onequarter ¼ onesuperior ¹ otilde õ plusminus ± registered ® scaron š thorn þ
threequarters ¾ threesuperior ³ trademark ™ twosuperior ² uacute ú ucircumflex û udieresis ü ugrave ù yacute ý ydieresis ÿ zcaron ž
Abreve Ă abreve ă Aogonek Ą aogonek ą Cacute Ć cacute ć Ccaron Č ccaron č Dcaron Ď dcaron ď Dcroat Đ dcroat đ Ecaron Ě ecaron ě
Eogonek Ę eogonek ę Gbreve Ğ gbreve ğ Idotaccent İ Lacute Ĺ lacute ĺ Lcaron Ľ lcaron ľ Nacute Ń nacute ń Ncaron Ň ncaron ň
Ohungarumlaut Ő ohungarumlaut ő Rcaron Ř rcaron ř Sacute Ś sacute ś Scedilla Ş scedilla ş Tcaron Ť tcaron ť Uhungarumlaut Ű
uhungarumlaut ű Uring Ů uring ů Zacute Ź zacute ź Zdotaccent Ż zdotaccent ż
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ
Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε epsilon1 ϵ zeta ζ eta η theta θ theta1 ϑ iota ι
kappa κ lambda λ nu ν xi ξ omicron ο pi π rho ρ sigma σ sigma1 ς tau τ upsilon υ phi φ phi1 ϕ chi χ psi ψ omega ω
arrowleft ← arrowup ↑ arrowright → arrowdown ↓ arrowboth ↔ arrowdblright ⇒ arrowdblleft ⇐ universal ∀ existential ∃ element ∈
notelement ∉ suchthat ∋ product ∏ summation ∑ radical √ infinity ∞ intersection ∩ union ∪ integral ∫ similar ∼ congruent ≅
approxequal ≈ notequal ≠ equivalence ≡ lessequal ≤ greaterequal ≥ propersubset ⊂ propersuperset ⊃ reflexsubset ⊆ circleplus ⊕
circlemultiply ⊗ perpendicular ⊥ dotmath ⋅ partialdiff ∂ gradient ∇ emptyset ∅ logicaland ∧ logicalor ∨ asteriskmath ∗ prime ′
proportional ∝ therefore ∴ angle ∠ angleleft ⟨ angleright ⟩ bardbl ∥ visiblespace ␣ lozenge ◊ triangle △ openbullet ◦`
