package document

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"chela/internal/reading/node"
)

// Limits for the letters and digits of a page, to decide whether it has content.
const (
	littleText = 200 // a page with scripts that shows less text than this is most likely a placeholder until they have run
	littleBody = 500 // the limit for a page with an empty root element, or with a request to enable scripts: less text than this is mostly navigation
)

// maxRefresh is the maximum delay, in seconds, of a meta refresh that is followed.
const maxRefresh = 10

// NeedsBrowser returns why a page that the server has sent with a status lacks the text that a
// browser would show. The result is "" if the page seems to have its text.
//
// A page needs a browser if it
//   - is an answer 403, 429 or 503 with a script, or 202: some servers look for a browser in this way,
//   - leads to another one by a meta refresh within ten seconds,
//   - has scripts or frames, and less than 200 letters beside them,
//   - has less than 500 letters outside of links and navigation, and an empty root element, such as
//     that of React, Vue, Next or Angular,
//   - has as little text, and asks in a noscript element to switch scripts on,
//   - has more text in parts that are shown later than elsewhere: parts streamed by React, or
//     a template of a shadow root.
//
// Scripts that are data, such as JSON-LD, do not count.
func NeedsBrowser(doc *html.Node, status int) string {
	if doc == nil { // the page is nested deeper than the parser allows
		return ""
	}
	var l look
	l.at(doc, false)
	switch {
	case l.refresh:
		return "the page leads to another one by a meta refresh"
	case l.later > l.text:
		return "scripts or shadow roots of the page show more of its text than there is without them"
	case l.frames && l.text < littleText:
		return "the page shows other pages in frames, and little text beside them"
	case !l.scripts:
		return ""
	case status == 403 || status == 429 || status == 503 || status == 202:
		return "the server answered " + strconv.Itoa(status) + " with a script, which may look for a browser"
	case l.root && l.prose < littleBody:
		return "the root element of the page is empty until its scripts have run"
	case l.asks && l.prose < littleBody:
		return "the page asks to switch JavaScript on"
	case l.text < littleText:
		return "the page has scripts, and little text beside them"
	}
	return ""
}

// A look collects what is known about a page.
type look struct {
	text    int  // letters and digits that are shown
	prose   int  // letters and digits outside of links and navigation
	later   int  // letters and digits in elements that are shown later
	scripts bool // the page has scripts that are not data
	frames  bool
	root    bool // the page has an empty element that scripts are to fill
	asks    bool // a noscript element asks the user to enable scripts
	refresh bool
}

// at looks at a node and everything below it. The argument aside says whether the node is in a link
// or in navigation.
func (l *look) at(n *html.Node, aside bool) {
	switch {
	case n.Type == html.TextNode:
		count := node.Letters(n.Data)
		l.text += count
		if !aside {
			l.prose += count
		}
		return
	case n.Type == html.ElementNode && l.special(n):
		return
	}
	before := l.text
	aside = aside || n.Type == html.ElementNode && isAside(n)
	for c := range n.ChildNodes() {
		l.at(c, aside)
	}
	if n.Type == html.ElementNode && isRoot(n) && l.text == before {
		l.root = true
	}
}

// special looks at an element whose text is not shown, or not yet. It reports whether n is such an
// element.
func (l *look) special(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		l.scripts = l.scripts || isProgram(n)
		return true
	case atom.Iframe, atom.Frame:
		l.frames = l.frames || node.Attr(n, "src") != ""
		return true
	case atom.Style, atom.Title, atom.Head:
		if n.DataAtom == atom.Head {
			l.head(n)
		}
		return true
	case atom.Noscript:
		l.asks = l.asks || asksForScripts(node.Text(n))
		return true
	case atom.Template:
		if node.Attr(n, "shadowrootmode") != "" {
			l.later += node.Letters(node.Text(n))
		}
		return true
	}
	if node.Has(n, "hidden") {
		if strings.HasPrefix(node.Attr(n, "id"), "S:") { // React moves such an element into its place when it has arrived
			l.later += node.Letters(node.Text(n))
		}
		l.programs(n)
		return true
	}
	return false
}

// head looks at the head element of a page, whose text is not shown.
func (l *look) head(head *html.Node) {
	for n := range head.Descendants() {
		switch {
		case n.DataAtom == atom.Meta && strings.EqualFold(node.Attr(n, "http-equiv"), "refresh"):
			l.refresh = l.refresh || leadsOn(node.Attr(n, "content"))
		case n.DataAtom == atom.Noscript:
			l.asks = l.asks || asksForScripts(node.Text(n))
		}
	}
	l.programs(head)
}

// programs looks for scripts below an element.
func (l *look) programs(n *html.Node) {
	for d := range n.Descendants() {
		l.scripts = l.scripts || d.DataAtom == atom.Script && isProgram(d)
	}
}

// isProgram reports whether a script runs.
func isProgram(n *html.Node) bool {
	kind := strings.ToLower(strings.TrimSpace(node.Attr(n, "type")))
	return kind == "" || kind == "module" || strings.Contains(kind, "javascript") || strings.Contains(kind, "ecmascript")
}

// leadsOn reports whether the content of a meta refresh names another page, with a delay that is
// not too long.
func leadsOn(content string) bool {
	seconds, rest, _ := strings.Cut(strings.ReplaceAll(content, ",", ";"), ";")
	wait, err := strconv.ParseFloat(strings.TrimSpace(seconds), 64)
	rest = strings.ToLower(strings.TrimSpace(rest))
	return err == nil && wait <= maxRefresh && strings.HasPrefix(rest, "url")
}

// asksForScripts reports whether a text in a noscript element asks the user to enable scripts.
// Other noscript elements have only a picture that counts visitors.
func asksForScripts(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "javascript") || strings.Contains(text, "java script")
}

// roots are the ids of elements that scripts of common frameworks fill.
var roots = []string{"root", "app", "__next", "__nuxt", "__layout", "___gatsby", "svelte", "main-app", "react-root", "q-app", "vue-app", "ember-app", "mount", "application", "spa"}

// isRoot reports whether scripts fill an element. Its id is in roots, or it has a tag that Angular
// programs use, such as app-root.
func isRoot(n *html.Node) bool {
	return slices.Contains(roots, node.Attr(n, "id")) || n.Data == "app-root" || n.Data == "my-app" || n.Data == "app"
}

// isAside reports whether the text of an element is not what the page is about.
func isAside(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Button, atom.Form:
		return true
	}
	return false
}
