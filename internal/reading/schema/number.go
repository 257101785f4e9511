package schema

import (
	"slices"
	"strings"
	"unicode"

	"chela/internal/base/hidden"
)

// Numbers as people write them. The first number in a text counts. It is 4.5 in "4.5 out of 5",
// 1234 in "1,234 reviews" and 3 in "3 %".
//
//   - What a point or a comma separates is clear if it occurs together with another mark, or more
//     than once. So 1.234,56 and 1,234.56 and 1 234,56 are 1234.56, 1.234.567 is 1234567, and
//     12,34,567 is 1234567.
//   - A single mark is the decimal mark: 12,5 and 0,125 and 1234.500 have a fraction. But 1.234 and
//     1,234 can mean either. The mark then has one to three digits before it, not beginning with 0,
//     and just three after it. The field's decimal decides, or else the language of the page. In German,
//     1.234 is 1234 and 1,234 is 1.234. The language is English if the page does not say. An integer
//     has no fraction, so both are 1234. But 1.234k is 1234 in English.
//   - A minus counts if it is directly before the number or its currency sign, and not after a
//     letter or a digit: COVID-19 is 19.
//   - 1e3, 1.2k, 3M and 2B are 1000, 1200, 3000000 and 2000000000.
//   - Digits that go on after a colon, a hyphen or another mark do not make a single number. They
//     are a time, a range, a date or a version: 12:30, 10-20, 12.03.2026, 1.2.3. Nor does a number
//     with a fraction in one character, such as 1 ½.

// maxDigits is how many digits a number may have, including the digits that an exponent adds. All
// numbers that a float64 can hold have fewer.
const maxDigits = 320

// number returns the first number of a text as JSON. A comma or a point may separate thousands or
// the fraction. If the text does not show which, the parameters decide. If the parameter whole is
// true, the number must be an integer, so the sign separates thousands. In 1.234k it may separate a
// fraction all the same. It does so if it is the sign in the parameter mark. If there is no number,
// or the text is more than one number, ok is false.
func number(text string, mark rune, whole bool) (literal string, ok bool) {
	s := scanner{runes: plainRunes(text)}
	if !s.find() {
		return "", false
	}
	negative := s.negative()
	s.scan()
	if s.goesOn() {
		return "", false
	}
	power := s.exponent()
	digits, point, ok := s.read(mark, whole && power == 0)
	if !ok {
		return "", false
	}
	return decimal(digits, point+power, negative, whole)
}

// plainRunes returns a text with the digits of all scripts as ASCII digits. It has one kind of
// minus, apostrophe and space, and no characters that cannot be seen.
func plainRunes(text string) (runes []rune) {
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
		case unicode.IsSpace(r):
			r = ' '
		case r == '−' || r == '﹣' || r == '－':
			r = '-'
		case r == '’' || r == '‘' || r == 'ʼ' || r == '٬':
			r = '\''
		case r == '٫':
			r = ','
		case hidden.Unseen(r):
			continue
		case r >= 0x80 && unicode.Is(unicode.Nd, r):
			r = digit(r)
		}
		runes = append(runes, r)
	}
	return runes
}

// digit converts a digit of another script. The digits of each script are consecutive, from zero to
// nine, in ranges of whole tens.
func digit(r rune) rune {
	for _, each := range unicode.Nd.R16 {
		if lo := rune(each.Lo); lo <= r && r <= rune(each.Hi) {
			return '0' + (r-lo)%10
		}
	}
	for _, each := range unicode.Nd.R32 {
		if lo := rune(each.Lo); lo <= r && r <= rune(each.Hi) {
			return '0' + (r-lo)%10
		}
	}
	return r
}

// A scanner reads one number. The field groups has the runs of digits, and the field marks has the
// signs between them.
type scanner struct {
	runes  []rune
	at     int // index of the rune that is read next
	groups []string
	marks  []rune
}

// peek returns a rune without reading it. The parameter by is its distance from the rune that is
// read next. The result is 0 beyond either end.
func (s *scanner) peek(by int) rune {
	if i := s.at + by; 0 <= i && i < len(s.runes) {
		return s.runes[i]
	}
	return 0
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isWord(r rune) bool { return unicode.IsLetter(r) || isDigit(r) }

// find goes to the first digit, or to the mark before it: .99 begins with one, No.5 does not.
func (s *scanner) find() bool {
	s.at = slices.IndexFunc(s.runes, isDigit)
	if s.at < 0 {
		return false
	}
	if mark := s.peek(-1); (mark == '.' || mark == ',') && !isWord(s.peek(-2)) && s.peek(-2) != mark {
		s.at--
	}
	return true
}

// negative reports whether a minus is before the number.
func (s *scanner) negative() bool {
	back := *s
	spaced := back.skipBack(func(r rune) bool { return r == ' ' })
	if !back.skipBack(func(r rune) bool { return unicode.Is(unicode.Sc, r) }) && spaced {
		return back.at == 1 && back.isMinus()
	}
	back.skipBack(func(r rune) bool { return r == ' ' })
	return back.isMinus() && !isWord(back.peek(-2))
}

func (s *scanner) isMinus() bool { return s.peek(-1) == '-' || s.peek(-1) == '–' }

// skipBack goes back over one rune if the given function returns true for that rune.
func (s *scanner) skipBack(is func(rune) bool) bool {
	if !is(s.peek(-1)) {
		return false
	}
	s.at--
	return true
}

// scan reads digits and the marks between them.
func (s *scanner) scan() {
	for {
		begin := s.at
		for isDigit(s.peek(0)) {
			s.at++
		}
		s.groups = append(s.groups, string(s.runes[begin:s.at]))
		if !s.continues() {
			return
		}
		s.marks = append(s.marks, s.peek(0))
		s.at++
	}
}

// continues reports whether a mark follows that has digits after it. A space or an apostrophe
// counts only if it separates thousands, since a space may also end the number.
func (s *scanner) continues() bool {
	switch s.peek(0) {
	case '.', ',':
		return isDigit(s.peek(1))
	case ' ', '\'':
		first := len(s.groups) == 1 && 1 <= len(s.groups[0]) && len(s.groups[0]) <= 3
		again := len(s.marks) > 0 && s.marks[len(s.marks)-1] == s.peek(0)
		return (first || again) && isDigit(s.peek(1)) && isDigit(s.peek(2)) && isDigit(s.peek(3)) && !isDigit(s.peek(4))
	}
	return false
}

// read returns the digits, and how many of them are before the decimal point.
func (s *scanner) read(mark rune, whole bool) (digits string, point int, ok bool) {
	digits = strings.Join(s.groups, "")
	last := len(s.marks) - 1
	fraction := s.groups[len(s.groups)-1]
	switch {
	case last < 0:
		return digits, len(digits), true
	case s.marks[last] != '.' && s.marks[last] != ',':
		return digits, len(digits), s.thousands(last + 1)
	case last == 0 && s.isUnclear() && (whole || s.marks[0] != mark):
		return digits, len(digits), true
	case last == 0:
		return digits, len(digits) - len(fraction), true
	case s.marks[last] == s.marks[last-1]:
		return digits, len(digits), s.thousands(last + 1)
	}
	return digits, len(digits) - len(fraction), s.thousands(last)
}

// isUnclear reports whether the mark between the two groups of digits may separate thousands as
// well as a fraction, as in 1,234. There is only one mark.
func (s *scanner) isUnclear() bool {
	head := s.groups[0]
	return 1 <= len(head) && len(head) <= 3 && head[0] != '0' && len(s.groups[1]) == 3
}

// thousands reports whether the first marks of the number (as many as the argument says) are all
// the same and separate thousands. In India, only the last of them separates thousands. The marks
// to its left separate groups of two digits.
func (s *scanner) thousands(marks int) bool {
	if head := s.groups[0]; len(head) < 1 || len(head) > 3 {
		return false
	}
	for i := range marks {
		size := len(s.groups[i+1])
		if s.marks[i] != s.marks[0] || size != 3 && (size != 2 || s.marks[0] != ',' || i == marks-1) {
			return false
		}
	}
	return true
}

// goesOn reports whether the text after the number shows that it is something else, such as a time,
// a range or a fraction.
func (s *scanner) goesOn() bool {
	switch r := s.peek(0); r {
	case ':', '-', '–':
		return isDigit(s.peek(1))
	case ' ':
		return isFraction(s.peek(1))
	default:
		return isFraction(r)
	}
}

// isFraction reports whether a rune is a fraction, or the slash in one.
func isFraction(r rune) bool {
	return strings.ContainsRune("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒⅟↉⁄", r)
}

// exponent returns the power of ten that is written after the number.
func (s *scanner) exponent() int {
	power := 0
	switch s.peek(0) {
	case 'k', 'K':
		power = 3
	case 'M':
		power = 6
	case 'B':
		power = 9
	case 'e', 'E':
		return s.scientific()
	}
	if isWord(s.peek(1)) {
		return 0 // the letters begin a word, such as a unit
	}
	return power
}

// scientific returns the power of ten of 1e3 or 1E-3, or 0 if the e does not belong to a number.
func (s *scanner) scientific() (power int) {
	s.at++
	sign := 1
	if s.peek(0) == '-' || s.peek(0) == '+' {
		if s.peek(0) == '-' {
			sign = -1
		}
		s.at++
	}
	begin := s.at
	for ; isDigit(s.peek(0)) && s.at < begin+3; s.at++ {
		power = power*10 + int(s.peek(0)-'0')
	}
	if isWord(s.peek(0)) {
		return 0
	}
	return sign * power
}

// decimal writes digits as a JSON number, without superfluous zeros. The parameter point is how
// many of the digits are before the decimal point.
func decimal(digits string, point int, negative, whole bool) (literal string, ok bool) {
	if len(digits) > maxDigits || point > maxDigits || point < -maxDigits {
		return "", false
	}
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	integer, fraction := strings.TrimLeft(digits[:point], "0"), strings.TrimRight(digits[point:], "0")
	if whole && fraction != "" {
		return "", false
	}
	if integer == "" {
		integer = "0"
	}
	if fraction != "" {
		integer += "." + fraction
	}
	if negative && integer != "0" {
		integer = "-" + integer
	}
	return integer, true
}

// The languages in which a comma separates the fraction, by the Unicode CLDR, and the regions in
// which it does not.
const (
	commaLanguages = " af az be bg bs ca cs da de el es et eu fi fo fr fy gl hr hu hy id is it ka kk kl ky lb lt lv mk mn " +
		"nb nl nn no pl pt ro ru se sk sl sq sr sv tk tr uk uz vi "
	pointRegions = " de-ch de-li it-ch es-419 es-do es-gt es-hn es-mx es-ni es-pa es-pe es-pr es-sv es-us "
)

// decimalMark returns the mark before the fraction in a language, such as "de" or "en-GB". It is a
// point in an unknown language.
func decimalMark(lang string) rune {
	parts := strings.FieldsFunc(strings.ToLower(lang), func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	if len(parts) == 0 || !strings.Contains(commaLanguages, " "+parts[0]+" ") {
		return '.'
	}
	if strings.Contains(pointRegions, " "+parts[0]+"-"+parts[len(parts)-1]+" ") {
		return '.'
	}
	return ','
}
