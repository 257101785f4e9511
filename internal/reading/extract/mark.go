package extract

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// mark is the prefix of attribute names that number the elements of the page. Readability works on
// a copy of the page, and keeps the attributes of elements that it keeps. So the kept elements can
// be found in the page again.
//
// The number is in the name of the attribute, and not in its value. If an element holds only one
// other element, readability replaces the outer one by the inner one. The inner one then has the
// attributes of both, and so both numbers. The space cannot clash: no attribute of a page has a
// space in its name.
const mark = " n"

// digits is the number of digits in each number, with leading zeros.
const digits = 8

// markSize is the length of an attribute's name.
const markSize = len(mark) + digits

// marks is the memory for the attributes that number the elements of a page, see mark.
type marks struct {
	names      string           // all names, one after the other
	attributes []html.Attribute // all attributes that the page's elements have so far
}

func newMarks(elements, attributes int) marks {
	all := make([]byte, 0, elements*markSize)
	for i := range elements {
		all = append(all, mark...)
		for rest, power := i, 10_000_000; power > 0; rest, power = rest%power, power/10 {
			all = append(all, byte('0'+rest/power%10))
		}
	}
	return marks{string(all), make([]html.Attribute, 0, elements+attributes)}
}

// put numbers an element.
func (m *marks) put(n *html.Node, number int) {
	start := len(m.attributes)
	m.attributes = append(append(m.attributes, n.Attr...), html.Attribute{Key: m.names[number*markSize : (number+1)*markSize]})
	n.Attr = m.attributes[start:len(m.attributes):len(m.attributes)]
}

// number returns the number of an element of the page, or -1.
func number(n *html.Node) int {
	for at := range numbers(n) {
		return at
	}
	return -1
}

// numbers yields the numbers of n, and the numbers of elements that were merged into it.
func numbers(n *html.Node) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, a := range slices.Backward(n.Attr) {
			digits, ok := strings.CutPrefix(a.Key, mark)
			if !ok {
				continue
			}
			if at, err := strconv.Atoi(digits); err == nil && !yield(at) {
				return
			}
		}
	}
}
