package pagejs_test

import (
	"testing"
	"unicode"

	"chela/internal/base/hidden"
)

// The page script compares texts without the characters that package hidden leaves out of them. Of
// control characters and white space, it only joins the white space.
func TestAsSeen(t *testing.T) {
	var left []rune
	show(t, "").eval(&left, `Array.from(Array(0x110000).keys()).filter(c => (c < 0xd800 || c > 0xdfff) && asSeen('a' + String.fromCodePoint(c) + 'a') === 'aa')`)
	isLeft := map[rune]bool{}
	for _, r := range left {
		isLeft[r] = true
	}
	for r := range rune(unicode.MaxRune + 1) {
		if want := hidden.Unseen(r) && !unicode.IsControl(r) && !unicode.IsSpace(r); isLeft[r] != want {
			t.Errorf("%U: left out: %v, want %v", r, isLeft[r], want)
		}
	}
}
