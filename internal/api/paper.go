package api

import (
	"strconv"
	"strings"
	"sync"

	"chela/internal/base/lazyregexp"
	"chela/internal/op"
)

// papers has the width and height, in inches, of the sizes of paper that have names. Playwright has
// the same.
var papers = sync.OnceValue(func() map[string][2]float64 {
	return map[string][2]float64{
		"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17}, "ledger": {17, 11},
		"a0": {33.1, 46.8}, "a1": {23.4, 33.1}, "a2": {16.54, 23.4}, "a3": {11.7, 16.54},
		"a4": {8.27, 11.7}, "a5": {5.83, 8.27}, "a6": {4.13, 5.83},
	}
})

// perInch has how many of each unit make an inch. Lengths without a unit are CSS pixels.
var perInch = map[string]float64{"": 96, "px": 96, "pt": 72, "mm": 25.4, "cm": 2.54, "in": 1}

var (
	length = lazyregexp.New(`^(\d+(?:\.\d+)?)(px|pt|mm|cm|in|)$`)

	// sized reads a width and a height. If the width has no unit, it has the unit of the height.
	sized = lazyregexp.New(`^([\d.]+)(px|pt|mm|cm|in|) ?x ?([\d.]+(px|pt|mm|cm|in|))$`)
)

// inches reads a length such as 1.5cm. A sign is not allowed, so no length is negative.
func inches(text string) (n float64, ok bool) {
	m := length().FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return n / perInch[m[2]], err == nil
}

// paperSize reads a size of paper, in inches: a name, or a width and a height such as 210x297mm. An
// empty text means the size that Chromium uses by default.
func paperSize(text string) (width, height float64, err error) {
	name := strings.ToLower(text)
	if name == "" {
		name = "letter"
	}
	if size, ok := papers()[name]; ok {
		return size[0], size[1], nil
	}
	if m := sized().FindStringSubmatch(name); m != nil {
		unit := m[2]
		if unit == "" {
			unit = m[4]
		}
		w, okW := inches(m[1] + unit)
		h, okH := inches(m[3])
		if okW && okH && w > 0 && h > 0 && w <= maxPaper && h <= maxPaper {
			return w, h, nil
		}
	}
	return 0, 0, op.Errorf(op.Invalid, "paper must be letter, legal, tabloid, ledger, a0 to a6, or a size such as 210x297mm")
}

// maxPaper is the longest side of paper, in inches. A page in PDF is at most 14,400 points long
// (PDF 1.7, annex C).
const maxPaper = 200

// defaultMargin is Chromium's.
const defaultMargin = "1cm"

// marginsOf reads one to four lengths in the order of CSS: top, right, bottom, left. A missing one
// is the same as the opposite side or, if that is missing, the top.
func marginsOf(text string) (sides [4]float64, err error) {
	given := strings.Fields(strings.ToLower(text))
	if len(given) == 0 {
		given = []string{defaultMargin}
	}
	if len(given) > 4 {
		return sides, errMargin
	}
	for i := range sides {
		from := i
		for from >= len(given) { // as in CSS, left defaults to right, bottom to top, and right to top
			from = max(0, from-2)
		}
		n, ok := inches(given[from])
		if !ok {
			return sides, errMargin
		}
		sides[i] = n
	}
	return sides, nil
}

// errMargin lists all forms of a margin, since it is not known which one was meant.
var errMargin = op.Errorf(op.Invalid,
	"margin must be one to four lengths in the order top, right, bottom, left, such as 1cm or \"1cm 2cm\"")

// pageRange matches a page, or the first and the last page of several. One of the two may be
// missing.
var pageRange = lazyregexp.New(`^\s*([1-9]\d{0,8})?\s*(?:-\s*([1-9]\d{0,8})?\s*)?$`)

// checkRanges returns an error for a text that is not a list of ranges of pages, such as 1-3,5.
// Chromium also refuses such a text, but does not say why. A range may be beyond the last page: the
// number of pages is known only when the page is laid out.
func checkRanges(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		m := pageRange().FindStringSubmatch(part)
		if m != nil {
			first, _ := strconv.Atoi(m[1])
			last, err := strconv.Atoi(m[2])
			if m[1] != "" && err != nil || err == nil && first <= last {
				continue
			}
		}
		return op.Errorf(op.Invalid, "pageRanges must be pages and ranges of pages such as 1-5, 8")
	}
	return nil
}
