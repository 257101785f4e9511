package pagejs

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// compact returns JavaScript without indentation and without lines that are empty or
// only comments, and with escapes for characters outside of ASCII.
//
// With each document of a tab, Chromium passes the script from its browser process
// to that of the page, where V8 hashes it to look for its compiled code, or else reads
// it. All of this takes time in proportion to the bytes: this halves the
// characters, and a text of ASCII alone is kept in one byte for each instead of two.
//
// Lines are taken for what they look like, so no template literal of the script has
// more than one line, and only literals have characters outside of ASCII; a test
// holds the files to that.
func compact(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		for _, unit := range utf16.Encode([]rune(line)) {
			if unit < utf8.RuneSelf {
				b.WriteByte(byte(unit))
			} else {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
