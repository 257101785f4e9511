package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// Markdown returns the content as Markdown. If the converter fails, it is plain text.
func (p *Page) Markdown() string { return p.markdown("") }

// Titled returns the content as Markdown. If the page has its title as a heading, the title stands
// before the content, which does not include it.
func (p *Page) Titled() string { return p.markdown(p.heading) }

func (p *Page) markdown(heading string) (markdown string) {
	if p.verbatim {
		return p.Text()
	}
	defer func() {
		if recover() != nil {
			markdown = p.Text()
		}
	}()
	escape := converter.EscapeModeSmart
	if p.isBrackets() {
		escape = converter.EscapeModeDisabled
	}
	convert := converter.NewConverter(converter.WithEscapeMode(escape), converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true), table.WithSkipEmptyRows(true),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
	convert.Register.RendererFor("span", converter.TagTypeInline, writeFormula, converter.PriorityEarly)
	content := copyTree(p.content, false) // the converter changes what it is given
	if heading != "" {
		content.InsertBefore(wrap("h1", textNode(keepUnderscores(heading))), content.FirstChild)
	}
	text, err := convert.ConvertNode(content)
	if err != nil {
		return p.Text()
	}
	return strings.ReplaceAll(string(text), plainUnderscore, "_")
}

// plainUnderscore stands for an underscore between two letters while the converter works. The
// converter would escape the underscore, which has no meaning there, and names of functions would
// be harder to read and to find. It is a Unicode noncharacter, which no text has.
const plainUnderscore = "\ufdd0"

// keepUnderscores replaces underscores between letters or digits.
func keepUnderscores(s string) string {
	if !strings.Contains(s, "_") {
		return s
	}
	var b strings.Builder
	before := rune(0)
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if r == '_' && isWordRune(before) && isWordRune(after) {
			b.WriteString(plainUnderscore)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// maxBracketSteps limits how many bytes the converter searches. For each bracket, it searches the
// rest of the line for the closing one.
const maxBracketSteps = 50 << 20

// isBrackets reports whether the content is mostly brackets, which the converter would take minutes
// to escape.
func (p *Page) isBrackets() bool {
	brackets, size := 0, 0
	for n := range p.content.Descendants() {
		if n.Type == html.TextNode {
			brackets, size = brackets+strings.Count(n.Data, "["), size+len(n.Data)
		}
	}
	return brackets*size > maxBracketSteps
}

// writeFormula writes a formula without escapes, since Markdown has no meaning inside a formula.
func writeFormula(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	class := node.Attr(n, "class")
	if class != inlineMath && class != displayMath || n.FirstChild == nil {
		return converter.RenderTryNext
	}
	around := ""
	if class == displayMath {
		around = "\n\n"
	}
	w.WriteString(around + n.FirstChild.Data + around)
	return converter.RenderSuccess
}

// copyTree copies an element. The parameter code says that the element is in code.
func copyTree(n *html.Node, code bool) *html.Node {
	e := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr}
	if code = code || isVerbatim(n); n.Type == html.TextNode && !code {
		e.Data = keepUnderscores(n.Data)
	}
	for c := range n.ChildNodes() {
		e.AppendChild(copyTree(c, code))
	}
	return e
}

// isVerbatim reports whether the converter writes the text of an element as it is.
func isVerbatim(n *html.Node) bool {
	class := node.Attr(n, "class")
	return n.Data == "pre" || n.Data == "code" || class == inlineMath || class == displayMath
}

// HTML returns the content as HTML.
func (p *Page) HTML() string {
	var b strings.Builder
	for c := range tidy(p.content).ChildNodes() {
		if html.Render(&b, c) != nil { // a raw element that can not be written
			return html.EscapeString(p.Text())
		}
	}
	return b.String()
}

// Text returns the running text of the content, without pictures and their captions.
func (p *Page) Text() string { return text(p.content) }
