package extract

import (
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// survey is what is known of the elements of a page.
type survey struct {
	elements []*html.Node // body and all below, in the order of the page
	about    []measures   // of the same elements
	marks    marks
}

// measures are numbers of letters and digits below an element, and what the element is.
type measures struct {
	text   int  // all that is shown
	linked int  // in links
	prose  int  // neither in links nor in what is called navigation or the like
	kept   int  // in elements that readability kept
	own    bool // readability kept this element

	parent int    // the number of the element around it
	plain  int    // letters directly in the element, which is not in a link
	unseen bool   // it shows no text
	noise  string // what says that it is beside the content, see noiseName; empty for what is content
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

// newSurvey has the memory for all elements of a page: to allocate it one by one would take longer
// than to measure them.
func newSurvey(body *html.Node) *survey {
	elements, attributes := 1, len(body.Attr)
	for n := range body.Descendants() {
		if n.Type == html.ElementNode {
			elements, attributes = elements+1, attributes+len(n.Attr)
		}
	}
	return &survey{elements: make([]*html.Node, 0, elements), about: make([]measures, 0, elements), marks: newMarks(elements, attributes)}
}

// add numbers and measures an element, which may be in a link.
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

// allowLayout makes elements with most of the page's text, and its title, count as no noise. Their
// names mean something else. The word sidebar on an element around all says that there is one, and
// some systems have all of a page in a form.
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

// countProse counts the letters neither in links nor in noise. Elements below come after those
// above.
func (s *survey) countProse() {
	beside := make([]bool, len(s.about)) // in what is noise or not seen
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
	for i := range numbers(n) {
		s.about[i].own = true
	}
}

// keepAll records that an element is content with all below, and nothing else is.
func (s *survey) keepAll(region *html.Node) {
	start := number(region)
	for i := range s.about {
		m := &s.about[i]
		m.own = i == start || i > start && s.about[m.parent].own
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
