package document

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"chela/internal/base/weburl"
	"chela/internal/reading/extract"
)

// maxEntries is how many entries of a feed are read.
const maxEntries = 200

// A Feed is an RSS, Atom or JSON feed.
type Feed struct {
	Title       string
	Description string // HTML
	Link        string
	Entries     []Entry
	More        int  // entries that were left out
	Cut         bool // the feed breaks off, or has a fault: what comes after that is missing

	base *url.URL
}

// An Entry is an entry of a feed.
type Entry struct {
	Title   string
	Link    string
	Author  string
	Date    string // RFC 3339, or as in the feed if its format is not known
	Content string // HTML
}

// Markdown writes a feed: its title, and each entry below a heading that links to it.
func (f *Feed) Markdown() string {
	parts := []string{f.heading("# ", f.Title, f.Link), f.markdown(f.Description)}
	for _, e := range f.Entries {
		parts = append(parts,
			f.heading("## ", cmp.Or(e.Title, e.Date, "Untitled"), e.Link),
			strings.Trim(e.Date+" · "+oneLine(e.Author), " ·"), f.markdown(e.Content))
	}
	if f.More > 0 {
		parts = append(parts, fmt.Sprintf("(%d more entries)", f.More))
	}
	if f.Cut {
		parts = append(parts, "(the rest of the feed could not be read)")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

// heading returns a heading, which is a link if it has an address.
func (f *Feed) heading(mark, title, to string) string {
	title, link := escapeTitle(oneLine(title)), f.link(to)
	switch {
	case title == "":
		return ""
	case link != "":
		return mark + "[" + title + "](<" + link + ">)"
	}
	return mark + title
}

// escapeTitle escapes characters of a text that mean something in Markdown.
func escapeTitle(title string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, "`", "\\`", `*`, `\*`, `<`, `\<`).Replace(title)
}

// link returns an absolute http or https address, or "".
func (f *Feed) link(to string) string {
	u, err := weburl.Resolve(f.base, to)
	if to == "" || err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return strings.NewReplacer("<", "%3C", ">", "%3E").Replace(u.String())
}

// markdown converts the HTML in a part of a feed.
func (f *Feed) markdown(source string) string {
	if strings.TrimSpace(source) == "" {
		return ""
	}
	d := extract.Parse(source, nil)
	lowerHeadings(d.Root)
	return d.Extract(f.base.String(), true).Markdown()
}

// lowerHeadings makes the headings below a node subheadings of those that [Feed.Markdown] writes. A
// heading of the same level would end the section of its entry.
func lowerHeadings(root *html.Node) {
	if root == nil {
		return
	}
	for n := range root.Descendants() {
		if level := slices.Index(headings, n.Data); level >= 0 && n.Type == html.ElementNode {
			n.Data = headings[min(level+2, len(headings)-1)]
			n.DataAtom = atom.Lookup([]byte(n.Data))
		}
	}
}

var headings = []string{"h1", "h2", "h3", "h4", "h5", "h6"}

// ReadXML reads an RSS or Atom feed at an address. The result is nil if the document is not a feed.
func ReadXML(text, address string) *Feed {
	decoder := xml.NewDecoder(strings.NewReader(strings.Map(xmlCharacter, text)))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the feed was already converted to UTF-8
	var doc xmlFeed
	err := decoder.Decode(&doc)
	if err != nil && len(doc.entries()) == 0 {
		return nil
	}
	if !slices.Contains([]string{"rss", "feed", "RDF"}, doc.XMLName.Local) {
		return nil
	}
	f := &Feed{Cut: err != nil, base: parseBase(address)}
	about := doc.xmlHead
	if doc.Channel != nil {
		about = doc.Channel.xmlHead
	}
	f.Title, f.Link = about.Title.plain(), about.Link.find()
	f.Description = cmp.Or(about.Description.html(), about.Subtitle.html())
	for _, e := range f.first(doc.entries()) {
		f.Entries = append(f.Entries, Entry{
			Title: e.Title.plain(), Link: cmp.Or(e.Link.find(), e.permalink()), Date: date(e.dates()),
			Author:  cmp.Or(e.Creator.plain(), e.Author.name()),
			Content: cmp.Or(e.Encoded.html(), e.Content.html(), e.Description.html(), e.Summary.html()),
		})
	}
	return f
}

// xmlCharacter replaces a control character that XML does not allow. The decoder would end there.
func xmlCharacter(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' {
		return utf8.RuneError
	}
	return r
}

// first returns the entries that are read.
func (f *Feed) first(all []xmlEntry) []xmlEntry {
	if f.More = max(0, len(all)-maxEntries); f.More > 0 {
		return all[:maxEntries]
	}
	return all
}

// An xmlFeed is a document of RSS (rss, RDF) or Atom (feed). Package encoding/xml matches a name in
// every namespace. If several elements match, the one in the feed's namespace is taken, see
// xmlTexts.
type xmlFeed struct {
	XMLName xml.Name
	Channel *struct {
		xmlHead
		Items []xmlEntry `xml:"item"`
	} `xml:"channel"`
	xmlHead
	Items []xmlEntry `xml:"item"`  // items of RDF
	Atom  []xmlEntry `xml:"entry"` // entries of Atom
}

func (f *xmlFeed) entries() []xmlEntry {
	if f.Channel != nil && len(f.Channel.Items) > 0 {
		return f.Channel.Items
	}
	return append(f.Items, f.Atom...)
}

type xmlHead struct {
	Title       xmlTexts `xml:"title"`
	Link        xmlLinks `xml:"link"`
	Description xmlTexts `xml:"description"`
	Subtitle    xmlTexts `xml:"subtitle"`
}

type xmlEntry struct {
	xmlHead
	Encoded   xmlTexts   `xml:"encoded"`
	Content   xmlTexts   `xml:"content"`
	Summary   xmlTexts   `xml:"summary"`
	Creator   xmlTexts   `xml:"creator"`
	Author    xmlAuthors `xml:"author"`
	GUID      []xmlGUID  `xml:"guid"`
	PubDate   string     `xml:"pubDate"`
	Published string     `xml:"published"`
	Updated   string     `xml:"updated"`
	Date      string     `xml:"date"`
}

func (e *xmlEntry) dates() string { return cmp.Or(e.PubDate, e.Published, e.Date, e.Updated) }

// permalink returns the guid of an RSS entry if that is the address of the entry.
func (e *xmlEntry) permalink() string {
	for _, id := range e.GUID {
		if id.Permalink != "false" && strings.HasPrefix(id.Text, "http") {
			return id.Text
		}
	}
	return ""
}

type xmlGUID struct {
	Permalink string `xml:"isPermaLink,attr"`
	Text      string `xml:",chardata"`
}

// xmlTexts are all elements with one name. Elements of extensions, such as media:title, have the
// same name in another namespace.
type xmlTexts []xmlText

type xmlText struct {
	XMLName xml.Name
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
	Inner   string `xml:",innerxml"`
}

// foreign are parts of namespace names. A namespace whose name contains one of them belongs to an
// extension that uses the same element names as feeds.
var foreign = []string{"search.yahoo.com/mrss", "itunes", "googleplay", "spotify"}

func (list xmlTexts) find() xmlText {
	for _, t := range list {
		if !slices.ContainsFunc(foreign, func(part string) bool { return strings.Contains(t.XMLName.Space, part) }) {
			return t
		}
	}
	return xmlText{}
}

// html returns the element as HTML. An Atom element of the type text has no markup, so it is
// escaped.
func (list xmlTexts) html() string {
	switch t := list.find(); t.Type {
	case "xhtml":
		return t.Inner
	case "text", "text/plain":
		return html.EscapeString(t.Text)
	default:
		return t.Text
	}
}

// plain returns the element without markup.
func (list xmlTexts) plain() string { return withoutTags(list.html()) }

type xmlLinks []struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
	Text string `xml:",chardata"`
}

// find returns the address of the page that a feed or an entry is about.
func (list xmlLinks) find() string {
	for _, l := range list {
		if to := strings.TrimSpace(cmp.Or(l.Href, l.Text)); to != "" && (l.Rel == "" || l.Rel == "alternate") {
			return to
		}
	}
	return ""
}

type xmlAuthors []struct {
	Name string `xml:"name"`
	Text string `xml:",chardata"`
}

func (list xmlAuthors) name() string {
	if len(list) == 0 {
		return ""
	}
	return withoutTags(cmp.Or(list[0].Name, list[0].Text))
}

// ReadJSON reads a JSON feed at an address. The result is nil if the document is not a feed.
func ReadJSON(text, address string) *Feed {
	var doc struct {
		Version, Title, Description string
		HomePage                    string `json:"home_page_url"`
		Items                       []struct {
			URL, Title, Summary string
			HTML                string `json:"content_html"`
			Text                string `json:"content_text"`
			Published           string `json:"date_published"`
			Author              struct{ Name string }
			Authors             []struct{ Name string }
		}
	}
	if !strings.Contains(text, "jsonfeed.org/version/") || json.Unmarshal([]byte(text), &doc) != nil || !strings.Contains(doc.Version, "jsonfeed.org/version/") {
		return nil
	}
	f := &Feed{Title: doc.Title, Description: html.EscapeString(doc.Description), Link: doc.HomePage, base: parseBase(address)}
	for i, item := range doc.Items {
		if i == maxEntries {
			f.More = len(doc.Items) - maxEntries
			break
		}
		author := item.Author.Name
		if len(item.Authors) > 0 {
			author = item.Authors[0].Name
		}
		f.Entries = append(f.Entries, Entry{
			Title: item.Title, Link: item.URL, Author: author, Date: date(item.Published),
			Content: cmp.Or(item.HTML, paragraphs(item.Text), html.EscapeString(item.Summary)),
		})
	}
	return f
}

// paragraphs returns a text as HTML.
func paragraphs(text string) string {
	if text == "" {
		return ""
	}
	return "<p>" + strings.ReplaceAll(html.EscapeString(text), "\n\n", "</p><p>") + "</p>"
}

// zones are the time zones that RFC 822 defines. The package time would not know their distances
// from UTC, and would take them for UTC.
var zones = map[string]string{
	"UT": "+0000", "UTC": "+0000", "GMT": "+0000", "Z": "+0000",
	"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700",
}

// date returns a date as RFC 3339, or as it is if its format or time zone is not known.
func date(written string) string {
	written = oneLine(written)
	at, last := written, strings.LastIndex(written, " ")+1
	if offset, ok := zones[written[last:]]; ok {
		at = written[:last] + offset
	}
	for _, layout := range []string{time.RFC3339, "Mon, 2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700", time.RFC822Z, time.DateOnly} {
		if day, err := time.Parse(layout, at); err == nil {
			return day.Format(time.RFC3339)
		}
	}
	return written
}

// withoutTags returns the text of a short piece of HTML.
func withoutTags(source string) string {
	if !strings.ContainsAny(source, "<&") {
		return oneLine(source)
	}
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(source))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return oneLine(b.String())
		case html.TextToken:
			b.Write(tokens.Text())
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func parseBase(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return &url.URL{}
	}
	return u
}
