package extract

import (
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// survey has measures of all elements of a page.
type survey struct {
	elements []*html.Node // body and all elements below it, in document order
	about    []measures   // the measures of these elements, in the same order
	marks    marks
}

// measures are the numbers of letters and digits below an element, and what kind of element it is.
type measures struct {
	text   int  // letters that are shown
	linked int  // letters in links
	prose  int  // letters outside of links, navigation and the like
	kept   int  // letters in elements that readability kept
	own    bool // readability kept this element

	parent int    // index of the element around this one
	plain  int    // letters directly in the element, if that is not in a link
	unseen bool   // the element shows no text
	noise  string // the name that says that the element is not content, see noiseName; "" for content
}

func proseOf(m *measures) int { return m.prose }
func textOf(m *measures) int  { return m.text }

func measure(body *html.Node) *survey {
	s := newSurvey(body)
	s.add(body, 0, false)
	s.allowLayout()
	s.countProse()
	return s
}

// newSurvey allocates the memory for all elements at once: one by one would take longer than
// measuring them.
func newSurvey(body *html.Node) *survey {
	elements, attributes := 1, len(body.Attr)
	for n := range body.Descendants() {
		if n.Type == html.ElementNode {
			elements, attributes = elements+1, attributes+len(n.Attr)
		}
	}
	return &survey{elements: make([]*html.Node, 0, elements), about: make([]measures, 0, elements), marks: newMarks(elements, attributes)}
}

// add numbers and measures an element. The parameter linked says that the element is in a link.
func (s *survey) add(n *html.Node, parent int, linked bool) (text, inLinks int) {
	i := len(s.elements)
	s.marks.put(n, i)
	linked = linked || n.Data == "a" && node.Has(n, "href")
	m := measures{parent: parent, unseen: isUnseen(n), noise: noiseName(n)}
	s.elements, s.about = append(s.elements, n), append(s.about, m)
	for c := range n.ChildNodes() {
		switch c.Type {
		case html.TextNode:
			m.addText(node.Letters(c.Data), linked)
		case html.ElementNode:
			text, inLinks := s.add(c, i, linked)
			m.text, m.linked = m.text+text, m.linked+inLinks
		}
	}
	if m.unseen {
		m.text, m.linked, m.plain = 0, 0, 0
	}
	s.about[i] = m
	return m.text, m.linked
}

func (m *measures) addText(count int, linked bool) {
	m.text += count
	if linked {
		m.linked += count
	} else {
		m.plain += count
	}
}

// allowLayout makes elements that have most of the page's text, and its title, count as content
// whatever their name is. The class sidebar on the outermost element only says that the page has a
// sidebar, and some systems put the whole page into a form.
func (s *survey) allowLayout() {
	all := s.about[0].text - s.about[0].linked
	for i := range s.about {
		m := &s.about[i]
		if m.noise == "" || alwaysNoise(m.noise) || (m.text-m.linked)*10 <= all*6 {
			continue
		}
		if first(s.elements[i], isMainOrTitle) != nil {
			m.noise = ""
		}
	}
}

func isMainOrTitle(n *html.Node) bool {
	return n.Data == "h1" || n.Data == "main" || n.Data == "article"
}

// countProse counts the letters outside of links and noise. It goes backward, since elements come
// after their ancestors.
func (s *survey) countProse() {
	beside := make([]bool, len(s.about)) // for each element, whether it is in noise or in something unseen
	for i := range s.about {
		m := &s.about[i]
		beside[i] = m.unseen || m.noise != "" || beside[m.parent]
		if !beside[i] {
			m.prose = m.plain
		}
	}
	for i := len(s.about) - 1; i > 0; i-- {
		s.about[s.about[i].parent].prose += s.about[i].prose
	}
}

// of returns the measures of an element.
func (s *survey) of(n *html.Node) *measures {
	if i := number(n); i >= 0 && i < len(s.about) && s.elements[i] == n {
		return &s.about[i]
	}
	return &measures{}
}

// minKept is how many letters readability must keep for its result to be used.
const minKept = 60

// keep records which elements readability kept. It reports whether it kept any.
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
	for i := range numbers(n) {
		s.about[i].own = true
	}
}

// keepAll records that an element with all below it is the content, and nothing else is.
func (s *survey) keepAll(region *html.Node) {
	start := number(region)
	for i := range s.about {
		m := &s.about[i]
		m.own = i == start || i > start && s.about[m.parent].own
	}
	s.count()
}

// count sums up how much text was kept in each element. It goes backward, since elements come after
// their ancestors.
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
			s.about[m.parent].kept += m.kept
		}
	}
}

// ownLetters counts the letters directly in an element.
func ownLetters(n *html.Node) (count int) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			count += node.Letters(c.Data)
		}
	}
	return count
}
