package pagejs

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// compact returns JavaScript without indentation, empty lines and lines that are only comments. It
// writes characters outside of ASCII as escapes.
//
// For each document of a tab, Chromium passes the script from its browser process to the page's
// process. There V8 hashes it to look for its compiled code, or else parses it. All of this takes
// time in proportion to the bytes. The result has half the characters. As it is ASCII alone, V8
// also keeps each of them in one byte instead of two.
//
// Lines are judged by their first characters, without parsing the script. So no template literal
// may have more than one line, and only literals may have characters outside of ASCII. A test holds
// the files to that.
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
