package extract

import (
	"strings"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// codeBlock makes a pre element that has only the code, and its language as a class. The pre
// elements of pages often also have elements for colors, line numbers and lines.
func codeBlock(pre *html.Node) *html.Node {
	var b strings.Builder
	writeCode(&b, pre)
	code := wrap("code", textNode(strings.Trim(b.String(), "\n")))
	if language := language(pre); language != "" {
		code.Attr = []html.Attribute{{Key: "class", Val: "language-" + language}}
	}
	return wrap("pre", code)
}

// writeCode writes the text of code. An element that is shown as a line becomes a line.
func writeCode(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, isUnseen(c), isLineNumber(c), isSelfLink(c):
		case c.Data == "br":
			b.WriteByte('\n')
		case c.Data == "div", c.Data == "li", c.Data == "p", c.Data == "tr":
			startLine(b)
			writeCode(b, c)
			startLine(b)
		default:
			writeCode(b, c)
		}
	}
}

func startLine(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
}

func isLineNumber(n *html.Node) bool {
	if node.Has(n, "data-line-number") && ownLetters(n) == node.Letters(node.Text(n)) && n.Data == "td" {
		return true
	}
	for class := range strings.FieldsSeq(node.Attr(n, "class")) {
		switch class {
		case "linenos", "lineno", "linenodiv", "line-numbers-rows", "line-number", "hljs-ln-numbers", "gutter":
			return true
		}
	}
	return false
}

// language returns the language of a block of code. It is looked for in the classes of the pre
// element, of a code element in it, and of the two elements around it.
func language(pre *html.Node) string {
	places := []*html.Node{pre, child(pre, "code"), pre.Parent}
	if pre.Parent != nil {
		places = append(places, pre.Parent.Parent)
	}
	for _, n := range places {
		if n == nil || n.Type != html.ElementNode {
			continue
		}
		if name := languageOf(n); name != "" {
			return name
		}
	}
	return ""
}

func languageOf(n *html.Node) string {
	for _, key := range []string{"data-lang", "data-language"} {
		if name := node.Attr(n, key); isLanguage(name) {
			return strings.ToLower(name)
		}
	}
	classes := strings.Fields(node.Attr(n, "class"))
	for _, class := range classes {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:"} {
			if name, ok := strings.CutPrefix(class, prefix); ok && isLanguage(name) {
				return strings.ToLower(strings.TrimSuffix(name, ";"))
			}
		}
	}
	for i, class := range classes[:max(len(classes)-1, 0)] {
		if (class == "hljs" || class == "sourceCode" || class == "brush:") && isLanguage(classes[i+1]) {
			return strings.ToLower(strings.TrimSuffix(classes[i+1], ";"))
		}
	}
	return ""
}

// isLanguage reports whether a class name can be the name of a programming language.
func isLanguage(name string) bool {
	switch name {
	case "", "none", "default", "notranslate", "text", "plaintext", "plain", "line-numbers", "highlight":
		return false
	}
	return len(name) <= 20 && !strings.ContainsAny(name, "`~ \n\t{}")
}

// isSelfLink reports whether an element is the link of a heading or a line to itself.
func isSelfLink(n *html.Node) bool {
	if n.Data != "a" || !strings.Contains(node.Attr(n, "href"), "#") {
		return false
	}
	switch strings.TrimSpace(node.Text(n)) {
	case "#", "¶", "§", "🔗", "Permalink", "permalink":
		return true
	}
	return false
}
