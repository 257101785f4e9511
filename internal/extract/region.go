package extract

import (
	"log/slog"
	"net/url"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// article is what readability says of a page.
type article struct {
	node                                    *html.Node // copies of what it kept
	title, byline, published, lang, excerpt string
}

// readable asks readability. It reports whether there was an answer: a page that has the library panic is
// extracted without it.
func readable(doc *html.Node, base *url.URL) (found article, ok bool) {
	defer func() {
		if recover() != nil {
			found, ok = article{}, false
		}
	}()
	parser := readability.NewParser()
	parser.Logger = slog.New(slog.DiscardHandler)
	a, err := parser.ParseDocument(doc, base)
	if err != nil {
		return article{}, false
	}
	found = article{node: a.Node, title: a.Title(), byline: a.Byline(), lang: a.Language(), excerpt: a.Excerpt()}
	if at, err := a.PublishedTime(); err == nil {
		found.published = at.Format(time.RFC3339)
	}
	return found, true
}

// region is the smallest element with 95% of what readability kept.
func (s *survey) region() *html.Node {
	n := s.elements[0]
	for {
		next := s.heaviest(n)
		if next == nil || s.of(next).kept*100 < s.about[0].kept*95 {
			return n
		}
		n = next
	}
}

// heaviest is the child with most of what was kept.
func (s *survey) heaviest(n *html.Node) (most *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && (most == nil || s.of(c).kept > s.of(most).kept) {
			most = c
		}
	}
	return most
}

// minProse is how many letters an element needs that is taken for the content because of its tag.
const minProse = 300

// container is the element that declares to be the page's content, or nil. When several are alike,
// such as the articles of an overview, none is.
func (s *survey) container() (Way, *html.Node) {
	if n := s.only(func(n *html.Node) bool { return attr(n, "itemprop") == "articleBody" }); n != nil {
		return ByArticle, n
	}
	if n := s.only(tagged("article")); n != nil {
		return ByArticle, n
	}
	if n := s.only(func(n *html.Node) bool { return n.Data == "main" || attr(n, "role") == "main" }); n != nil {
		return ByMain, n
	}
	return "", nil
}

// only is the one element with prose that is as wanted, or nil.
func (s *survey) only(wanted func(*html.Node) bool) (found *html.Node) {
	for i, n := range s.elements {
		if s.about[i].prose < minProse || !wanted(n) {
			continue
		}
		if found != nil {
			return nil
		}
		found = n
	}
	return found
}

// outweighs reports whether a container has far more prose than readability kept.
func (s *survey) outweighs(container, region *html.Node) bool {
	prose, other := s.of(container).prose, s.of(region)
	return prose*10 > other.prose*16 && prose*10 > other.kept*16
}

// widen goes from a region up to the element with all the parts that are like it. Readability often takes one
// chapter of a document for the whole.
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
		if attr(n, "class") == "" {
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
