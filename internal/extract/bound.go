package extract

import "strings"

// maxTags is how many elements of a page are read. Each takes some hundred bytes of memory while the page
// is read, and a page can have millions of them in the bytes that may be read.
const maxTags = 150_000

// Bound cuts the HTML of a page to what is read of it. It reports whether it cut.
func Bound(source string) (string, bool) {
	source, cut := Truncate(source, maxInput)
	tags := 0
	for at := 0; at < len(source); at++ {
		next := strings.IndexByte(source[at:], '<')
		if next < 0 {
			break
		}
		at += next
		if at+1 < len(source) && (source[at+1]|0x20) >= 'a' && (source[at+1]|0x20) <= 'z' {
			if tags++; tags > maxTags {
				return source[:at], true
			}
		}
	}
	return source, cut
}
