package extract

import (
	"log/slog"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// article is readability's result for a page.
type article struct {
	node                         *html.Node // a tree of copies of the elements that readability kept
	title, byline, lang, excerpt string
}

// readable asks readability for the content of a page. It reports whether there was an answer. If
// the library panics, the page is extracted without it. The library gets no address: it would use
// an address only for links, and the links are made here.
func readable(doc *html.Node) (found article, ok bool) {
	defer func() {
		if recover() != nil {
			found, ok = article{}, false
		}
	}()
	parser := readability.NewParser()
	parser.Logger = slog.New(slog.DiscardHandler)
	parser.KeepClasses = true
	a, err := parser.ParseDocument(doc, nil)
	if err != nil {
		return article{}, false
	}
	return article{node: a.Node, title: a.Title(), byline: a.Byline(), lang: a.Language(), excerpt: a.Excerpt()}, true
}

// region returns the smallest element with 95 % of the text that readability kept. If that is the
// whole page, because some of the text is far from the rest, it returns the smallest one with 70 %.
func (s *survey) region() *html.Node {
	body := s.elements[0]
	if n := s.smallestWith(95); n != body {
		return n
	}
	return s.smallestWith(70)
}

// smallestWith returns the smallest element that has at least this percentage of what readability
// kept.
func (s *survey) smallestWith(percent int) *html.Node {
	n := s.elements[0]
	for {
		next := s.heaviest(n)
		if next == nil || isStructure(next) || s.of(next).kept*100 < s.about[0].kept*percent {
			return n
		}
		n = next
	}
}

// isStructure reports whether an element, such as a list, has a meaning that would be lost if only
// its children were copied.
func isStructure(n *html.Node) bool {
	switch n.Data {
	case "pre", "code", "ul", "ol", "dl", "p", "a":
		return true
	}
	return isHeading(n)
}

// heaviest returns the child with most of the text that was kept.
func (s *survey) heaviest(n *html.Node) (most *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && (most == nil || s.of(c).kept > s.of(most).kept) {
			most = c
		}
	}
	return most
}

// minProse is how many letters an element must have to be taken for the content because of its tag.
const minProse = 300

// container returns the element that the page declares to be its content, or nil. The function
// weight counts the letters of an element. An element with fewer letters than the parameter least
// does not count. If several elements count, such as the articles of an overview, container returns
// nil.
func (s *survey) container(weight func(*measures) int, least int) (Way, *html.Node) {
	if n := s.only(weight, least, func(n *html.Node) bool { return node.Attr(n, "itemprop") == "articleBody" }); n != nil {
		return ByArticle, n
	}
	if n := s.only(weight, least, tagged("article")); n != nil {
		return ByArticle, n
	}
	if n := s.only(weight, least, func(n *html.Node) bool { return n.Data == "main" || node.Attr(n, "role") == "main" }); n != nil {
		return ByMain, n
	}
	return "", nil
}

// only returns the element that has enough letters and for which the function wanted returns true.
// It returns nil if there is none, or more than one.
func (s *survey) only(weight func(*measures) int, least int, wanted func(*html.Node) bool) (found *html.Node) {
	for i, n := range s.elements {
		if weight(&s.about[i]) < max(least, 1) || !wanted(n) {
			continue
		}
		if found != nil {
			return nil
		}
		found = n
	}
	return found
}

// better returns an element to use instead of readability's region, or nil. It is a container with
// far more prose, or the whole page if readability found less than an article has.
func (s *survey) better(region *html.Node) (Way, *html.Node) {
	found := s.of(region).prose
	if !s.isBeside(region) {
		found = max(found, s.of(region).kept)
	}
	if way, container := s.container(proseOf, minProse); container != nil && s.of(container).prose*10 > found*16 {
		return way, container
	}
	if found >= minArticle {
		return "", nil
	}
	if way, container := s.container(textOf, minProse); container != nil && s.of(container).text > found*4 { // an index
		return way, container
	}
	if body := s.elements[0]; s.about[0].prose > found*4 {
		return ByBody, body
	}
	return "", nil
}

// isLittle reports whether content is almost nothing, on a page that has far more. Then nearly all
// that was found was noise.
func (s *survey) isLittle(content *html.Node) bool {
	found := node.Letters(node.Text(content))
	return found < minKept && s.about[0].prose > found*10
}

// isBeside reports whether an element is inside something that is not content, such as a dialog. It
// also returns true if most of the kept text in it is in such parts, as in comments.
func (s *survey) isBeside(n *html.Node) bool {
	for i := number(n); i > 0; i = s.about[i].parent {
		if isApart(s.about[i].noise) {
			return true
		}
	}
	return s.keptApart(number(n))*2 > s.of(n).kept
}

// keptApart counts the kept letters in those parts of an element that are not content.
func (s *survey) keptApart(start int) (count int) {
	apart := len(s.about) // index of the last part that was counted; the parts inside it have the next indexes
	for i := start + 1; i < len(s.about) && s.about[i].parent >= start; i++ {
		if s.about[i].parent < apart && isApart(s.about[i].noise) {
			apart = i
			count += s.about[i].kept
		}
	}
	return count
}

// minArticle is how many letters an article has at least, by readability's own measure.
const minArticle = 500

// widen goes up from a region to the element that contains all parts of the document like it.
// Readability often takes only one chapter of a document.
func (s *survey) widen(region *html.Node) *html.Node {
	best := region
	for n := region; n.Data != "body" && n.Parent != nil; n = n.Parent {
		if s.hasLike(n) && s.of(n.Parent).prose*10 > s.of(best).prose*11 {
			best = n.Parent
		}
	}
	return best
}

// hasLike reports whether an element is one of several parts of a document.
func (s *survey) hasLike(n *html.Node) bool {
	switch n.Data {
	case "article", "li", "td", "tr":
		return false
	case "div":
		if node.Attr(n, "class") == "" {
			return false
		}
	}
	for c := range n.Parent.ChildNodes() {
		if c != n && c.Type == html.ElementNode && kind(c) == kind(n) && s.of(c).prose > 100 {
			return true
		}
	}
	return false
}
