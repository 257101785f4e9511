package extract

import (
	"strings"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// Markdown is the content as Markdown. Should the converter fail, it is the text.
func (p *Page) Markdown() (markdown string) {
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
		commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true), table.WithSkipEmptyRows(true),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
	convert.Register.RendererFor("span", converter.TagTypeInline, writeFormula, converter.PriorityEarly)
	// The converter changes what it is given.
	text, err := convert.ConvertNode(copyTree(p.content))
	if err != nil {
		return p.Text()
	}
	return string(text)
}

// maxBracketSteps is how far the converter may look for the ends of brackets, in bytes: from each one to the end of its line.
const maxBracketSteps = 50 << 20

// isBrackets reports whether the content is nothing but brackets, which the converter would take minutes to escape.
func (p *Page) isBrackets() bool {
	brackets, size := 0, 0
	for n := range p.content.Descendants() {
		if n.Type == html.TextNode {
			brackets, size = brackets+strings.Count(n.Data, "["), size+len(n.Data)
		}
	}
	return brackets*size > maxBracketSteps
}

// writeFormula writes formulas as they are: in them, Markdown has no meaning.
func writeFormula(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	class := attr(n, "class")
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

func copyTree(n *html.Node) *html.Node {
	e := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr}
	for c := range n.ChildNodes() {
		e.AppendChild(copyTree(c))
	}
	return e
}

// HTML is the content as HTML.
func (p *Page) HTML() string {
	var b strings.Builder
	for c := range p.content.ChildNodes() {
		if html.Render(&b, c) != nil { // a raw element that can not be written
			return html.EscapeString(p.Text())
		}
	}
	return b.String()
}

// Text is the running text of the content: without the captions of pictures, which are left out too.
func (p *Page) Text() string { return text(p.content) }

// Length is how many characters the text has.
func (p *Page) Length() int { return utf8.RuneCountInString(p.Text()) }
