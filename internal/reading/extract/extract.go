// Package extract finds the main content of an HTML page and writes it as Markdown, text or HTML.
// It adds the metadata of the page: its title, author, date, language and structured data.
//
// Readability (codeberg.org/readeck/go-readability, a port of what Firefox uses) decides where the
// content is. Alone it has two weaknesses. It drops parts of what it found, such as chapters and
// tables with many links. It keeps newsletter forms, lists of related articles and the like when
// these are among the paragraphs. So its answer is only a hint here. The elements of the page are
// numbered, and those that readability kept are looked up in the page again (survey.go, region.go).
// The content is copied from there (clean.go), with siblings of the same kind as the elements that
// were kept. Navigation, sharing and advertising are removed by tag, role, class or id (noise.go).
// An element with most of the page's text stays, whatever its name (survey.go). Links to other
// articles (related.go) are removed by what they look like. So are labels at both ends, such as
// dates and names of authors (edges.go). The lead above the text is added (lead.go). Sometimes an
// element that the page declares to be the content is taken instead of what readability kept. This
// happens if the element has far more text, or if readability's choice is in a dialog, a footer or
// comments.
//
// The text format has no captions of pictures, because the text of an article has none; Markdown and
// HTML have them. The articleBody of JSON-LD is not used to find the content. It often is shorter
// than the article, and when it is longer, the page does not show that text.
//
// The quality was measured on pages whose main text is known. A third of each set was kept aside.
// Nobody read these while the rules were made. Only their total figures were seen, to decide
// between variants of two rules. The F1 score for all pages, and for those kept aside:
//
//	                                                     go-domdistiller  readability    go-trafilatura  this package
//	983 pages of news and blogs, phrases that must or
//	must not be there                                    0.868  0.868     0.882  0.881   0.909  0.901    0.924  0.911
//	86 pages of news with an articleBody, which was
//	taken out of the page, by words of four              0.909  0.938     0.923  0.929   0.925  0.937    0.931  0.935
//	308 pages of documentation, by words of four         0.873  0.910     0.938  0.953   0.922  0.941    0.984  0.984
//	128 test pages of readability, where its own answer
//	with captions is what is wanted, by words of four    0.931  0.924     0.995  0.988   0.954  0.951    0.962  0.952
//
// In articleBody, subtitles, lists and ends of articles are often missing, so no extractor comes
// near 1 there. Of these 86 pages, 27 were kept aside. The figures for them differ because of one
// page. Go-trafilatura itself also uses the two others. It takes four times as long, and has had no
// release for two years. It returns neither languages of code nor formulas, so it is not combined
// with readability here. Three kinds of errors remain for the most part. There is advertising in
// the site's own words among the paragraphs. Some pages have several texts, but only one is meant.
// Some texts are not in the page but in its scripts.
package extract

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	maxInput    = 4 << 20 // bytes of HTML; what follows is not read
	maxElements = 60_000  // if a page has more, readability takes seconds, so only containers are used
)

// Way says how the content was found.
type Way string

const (
	ByReadability Way = "readability" // readability found it
	ByArticle     Way = "article"     // the page's article element, or its itemprop=articleBody
	ByMain        Way = "main"        // the page's main element
	ByBody        Way = "body"        // the whole page, without navigation and the like
	ByText        Way = "text"        // all text of the page, including navigation
	ByCaller      Way = "caller"      // the caller has said that everything is content
)

// Input is the HTML from which content is extracted.
type Input struct {
	HTML    string // a rendered page, or a part of one
	Address string // the page's URL, which relative links start from
	Whole   bool   // all of HTML is content, because the caller has chosen an element
}

// Page is the content that was extracted from a page, with its metadata.
type Page struct {
	Title     string
	Byline    string
	Published string // RFC 3339 if it is a time with an offset, else as in the page
	Lang      string // language, as in the lang attribute: "en-GB"
	Excerpt   string // the page's description of itself, or its first paragraph
	Way       Way
	Cut       bool // the HTML was longer than what is read

	doc      *html.Node // the whole page; nil when it could not be parsed, and after Release
	base     *url.URL   // the URL that relative addresses start from
	titles   []string   // the possible titles, see titlesOf
	heading  string     // the title as written in the page's heading, if the content lacks that heading
	content  *html.Node
	verbatim bool // the page is plain text without markup
}

// Extract reads a page. It never fails: a page without content gives a Page without text.
func Extract(in Input) *Page { return Parse(in.HTML, nil).Extract(in.Address, in.Whole) }

// A Document is a page that was parsed.
type Document struct {
	Root *html.Node // the whole page; nil if it is nested too deeply to be parsed

	source string
	cut    bool // the HTML was longer than what is read
}

// Parse parses a page, or the beginning of a page that takes too much memory. A nil meter means no
// limit.
func Parse(source string, meter Meter) *Document {
	d := &Document{}
	d.source, d.cut = Bound(source)
	r := &metered{rest: d.source, meter: meter}
	d.Root, _ = html.Parse(r)
	d.cut = d.cut || len(r.rest) > 0 && d.Root != nil
	return d
}

// Extract finds the content of a page, and changes the document for that.
func (d *Document) Extract(address string, whole bool) *Page {
	page := &Page{Cut: d.cut}
	if d.Root == nil {
		page.Way, page.content = ByText, plain(d.source)
		return page
	}
	page.doc, page.base = d.Root, baseOf(d.Root, address)
	page.describe(d.Root)
	page.find(d.Root, page.base, whole)
	if page.Excerpt == "" {
		page.Excerpt = shorten(firstParagraph(page.content), 300)
	}
	return page
}

// find sets the content of the page, and how it was found.
func (p *Page) find(doc *html.Node, base *url.URL, whole bool) {
	body := child(child(doc, "html"), "body")
	if body == nil { // the page is a frameset, which has no body
		p.Way, p.content = ByText, wrap("div")
		return
	}
	prune(body)
	s := measure(body)
	c := s.cleaner(base)
	switch {
	case whole:
		p.Way, p.content = ByCaller, c.everything(body)
	case len(s.elements) <= maxElements && p.byReadability(doc, s, c) && !s.isLittle(p.content):
	default:
		p.byContainer(s, c, body)
	}
	if p.Way != ByCaller && !hasLetters(p.content, 1) {
		p.Way, p.content = ByText, c.everything(body)
	}
}

// prune removes the contents of templates. A page does not show them, but to the parser they are
// nodes like others.
func prune(body *html.Node) {
	var templates []*html.Node
	for n := range body.Descendants() {
		if n.Type == html.ElementNode && n.Data == "template" {
			templates = append(templates, n)
		}
	}
	for _, n := range templates {
		n.Parent.RemoveChild(n)
	}
}

// byReadability reports whether readability found content.
func (p *Page) byReadability(doc *html.Node, s *survey, c *cleaner) bool {
	a, ok := readable(doc)
	p.take(a)
	if !ok || !s.keep(a.node) {
		return false
	}
	region := s.region()
	p.Way = ByReadability
	if way, better := s.better(region); better != nil {
		p.Way, region = way, better
		s.keepAll(better)
	}
	region = s.widen(region)
	c.titles = p.titles
	p.content = c.clean(region)
	p.heading = c.heading(region)
	c.addLead(p.content, region)
	return true
}

// byContainer takes the element that the page declares to be its content, if that has nearly all
// text that readability kept.
func (p *Page) byContainer(s *survey, c *cleaner, body *html.Node) {
	way, region := s.container(proseOf, min(minProse, s.about[0].prose*4/5))
	if region == nil {
		way, region = ByBody, body
	}
	s.keepAll(region)
	c.titles, p.heading = nil, ""
	p.Way, p.content = way, c.clean(region)
}

// plain returns the text of a page that cannot be parsed.
func plain(source string) *html.Node {
	tokens := html.NewTokenizer(strings.NewReader(source))
	out := wrap("div")
	for hidden := false; ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return out
		case html.StartTagToken, html.EndTagToken:
			token := tokens.Token()
			hidden = token.Type == html.StartTagToken && (token.Data == "script" || token.Data == "style")
		case html.TextToken:
			if t := strings.TrimSpace(string(tokens.Text())); t != "" && !hidden {
				out.AppendChild(wrap("p", textNode(t)))
			}
		}
	}
}

// shorten cuts a text at n bytes and appends an ellipsis. A child process has no masker, so a cut may
// divide a secret. The server masks the beginning of a secret by the ellipsis after it.
func shorten(s string, n int) string {
	if kept, cut := Truncate(s, n); cut {
		return kept + "…"
	}
	return s
}

// Truncate cuts a text to n bytes or a little fewer, between two characters. It reports whether it
// cut. The caller must report that: see shorten.
func Truncate(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}
