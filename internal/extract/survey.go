package extract

import (
	"strconv"

	"golang.org/x/net/html"
)

// mark is the attribute that numbers the elements of a page. Readability copies the page and
// leaves this attribute on what it keeps, so that this can be found in the page again.
const mark = "data-extract-n"

// survey is what is known of the elements of a page.
type survey struct {
	elements []*html.Node // body and all below, in the order of the page
	about    []measures   // of the same elements
}

// measures are numbers of letters and digits below an element.
type measures struct {
	text   int  // all that is shown
	linked int  // in links
	prose  int  // neither in links nor in what is called navigation or the like
	kept   int  // in elements that readability kept
	own    bool // readability kept this element
}

func proseOf(m *measures) int { return m.prose }
func textOf(m *measures) int  { return m.text }

func measure(body *html.Node) *survey {
	s := &survey{}
	s.add(body, false, false)
	return s
}

// add numbers and measures an element, which may be in a link, and in noise.
func (s *survey) add(n *html.Node, linked, noise bool) *measures {
	i := len(s.elements)
	s.elements, s.about = append(s.elements, n), append(s.about, measures{})
	n.Attr = append(n.Attr, html.Attribute{Key: mark, Val: strconv.Itoa(i)})
	linked = linked || n.Data == "a" && has(n, "href")
	noise = noise || isNoise(n)
	unseen := isUnseen(n)
	noise = noise || unseen
	var m measures
	for c := range n.ChildNodes() {
		switch c.Type {
		case html.TextNode:
			if !unseen {
				m.addText(letters(c.Data), linked, noise)
			}
		case html.ElementNode:
			below := s.add(c, linked, noise)
			if !unseen {
				m.text, m.linked, m.prose = m.text+below.text, m.linked+below.linked, m.prose+below.prose
			}
		}
	}
	s.about[i] = m
	return &s.about[i]
}

func (m *measures) addText(count int, linked, noise bool) {
	m.text += count
	switch {
	case linked:
		m.linked += count
	case !noise:
		m.prose += count
	}
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

// of is what is known of an element of the page.
func (s *survey) of(n *html.Node) *measures {
	if i := number(n); i >= 0 && i < len(s.about) && s.elements[i] == n {
		return &s.about[i]
	}
	return &measures{}
}

// minKept is how many letters make an answer of readability one.
const minKept = 60

// keep records what readability kept. It reports whether that is anything.
func (s *survey) keep(content *html.Node) bool {
	if content == nil {
		return false
	}
	s.own(content)
	for n := range content.Descendants() {
		s.own(n)
	}
	s.count()
	return s.about[0].kept >= minKept
}

func (s *survey) own(n *html.Node) {
	if i := number(n); i >= 0 && i < len(s.about) {
		s.about[i].own = true
	}
}

// keepAll records that an element is content with all below, and nothing else is.
func (s *survey) keepAll(region *html.Node) {
	start := number(region)
	for i, n := range s.elements {
		s.about[i].own = i == start || i > start && s.about[number(n.Parent)].own
	}
	s.count()
}

// count sums up how much text the elements that were kept have. Elements below
// come after those above, so it goes backwards.
func (s *survey) count() {
	for i := range s.about {
		s.about[i].kept = 0
	}
	for i := len(s.elements) - 1; i >= 0; i-- {
		m := &s.about[i]
		if m.own {
			m.kept += ownLetters(s.elements[i])
		}
		if i > 0 {
			s.about[number(s.elements[i].Parent)].kept += m.kept
		}
	}
}

// ownLetters counts the letters directly in an element.
func ownLetters(n *html.Node) (count int) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			count += letters(c.Data)
		}
	}
	return count
}
