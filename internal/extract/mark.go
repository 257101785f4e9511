package extract

import (
	"strconv"

	"golang.org/x/net/html"
)

// mark is the attribute that numbers the elements of a page. Readability copies the page and
// leaves this attribute on what it keeps, so that this can be found in the page again.
const mark = "data-extract-n"

// digits is how many digits each number has, with zeros before it.
const digits = 8

// marks is the memory for the attributes of a page with these numbers.
type marks struct {
	numbers    string           // all of them, one after the other
	attributes []html.Attribute // all attributes that the page's elements have so far
}

func newMarks(elements, attributes int) marks {
	all := make([]byte, 0, elements*digits)
	for i := range elements {
		for rest, power := i, 10_000_000; power > 0; rest, power = rest%power, power/10 {
			all = append(all, byte('0'+rest/power%10))
		}
	}
	return marks{string(all), make([]html.Attribute, 0, elements+attributes)}
}

// put numbers an element.
func (m *marks) put(n *html.Node, number int) {
	start := len(m.attributes)
	m.attributes = append(append(m.attributes, n.Attr...), html.Attribute{Key: mark, Val: m.numbers[number*digits : (number+1)*digits]})
	n.Attr = m.attributes[start:len(m.attributes):len(m.attributes)]
}

// number is that of an element, or -1.
func number(n *html.Node) int {
	for i := len(n.Attr) - 1; i >= 0; i-- {
		if n.Attr[i].Key == mark {
			if at, err := strconv.Atoi(n.Attr[i].Val); err == nil {
				return at
			}
		}
	}
	return -1
}
