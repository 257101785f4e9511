package extract

import (
	"io"
	"strings"
)

// maxTags is how many elements of a page are read. Each takes some hundred bytes of memory, and a
// page of the maximum size can have millions of them.
const maxTags = 150_000

// Bound cuts the HTML of a page to the part that is read. It reports whether it cut.
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

// A Meter reports how many bytes of memory a page has taken so far, and how many it may take.
type Meter func() (taken, most int64)

// A metered reader reads the HTML of a page. It ends early when the memory that may be taken is
// used up.
//
// The parser can make any number of nodes from a few bytes. After 400 unclosed font elements, it
// puts 400 new ones into each <p>. So the size of a page does not tell how much memory it takes.
// Each Read first reads the meter, and then returns a part of the page. The part is small if the
// last part took much memory. Otherwise parts grow, because the parser copies an unfinished long
// text again for each part.
type metered struct {
	rest  string
	meter Meter // nil: there is no limit
	taken int64 // memory that was taken before the last part was read
	part  int   // size of the last part, in bytes
}

const (
	minPart = 256      // bytes
	maxPart = 64 << 10 // bytes
	dense   = 64       // bytes of memory that a byte of a part may take; usually it takes less
)

func (r *metered) Read(buf []byte) (int, error) {
	if r.meter != nil {
		taken, most := r.meter()
		if taken > most {
			return 0, io.EOF
		}
		next := min(2*r.part, maxPart)
		if taken-r.taken > int64(r.part)*dense {
			next = 0
		}
		buf = buf[:min(len(buf), max(next, minPart))]
		r.part, r.taken = len(buf), taken
	}
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(buf, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
