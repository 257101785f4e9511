package extract

import (
	"strings"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// formula converts an element with a formula to TeX. It returns nil if n is not one. Some pages
// have formulas as MathML, perhaps annotated with the TeX source. Others have the output of KaTeX
// or MathJax: an element for each letter, with MathML for screen readers.
func formula(n *html.Node) *html.Node {
	switch {
	case n.Data == "math":
		return typeset(n, node.Attr(n, "display") == "block")
	case n.Data == "script":
		return texScript(n)
	case n.Data == "mjx-container":
		return typeset(first(n, tagged("math")), node.Attr(n, "display") == "true")
	case n.Data == "span" || n.Data == "div":
		return inFormulaClass(n)
	}
	return nil
}

// texScript converts a script that has a formula for MathJax 2. It returns nil for any other
// element.
func texScript(n *html.Node) *html.Node {
	kind, mode, _ := strings.Cut(node.Attr(n, "type"), ";")
	if kind != "math/tex" || n.FirstChild == nil {
		return nil
	}
	return tex(n.FirstChild.Data, strings.Contains(mode, "display"))
}

func inFormulaClass(n *html.Node) *html.Node {
	for class := range strings.FieldsSeq(node.Attr(n, "class")) {
		switch class {
		case "katex-display", "MathJax_Display":
			return typeset(first(n, tagged("math")), true)
		case "katex", "mwe-math-element", "MathJax", "MathJax_CHTML", "MathJax_SVG":
			math := first(n, tagged("math"))
			return typeset(math, math != nil && node.Attr(math, "display") == "block")
		}
	}
	return nil
}

// isTypeset reports whether MathJax 2 has made an element from a formula. The formula is in a
// script after the element.
func isTypeset(n *html.Node) bool {
	class := node.Attr(n, "class")
	if !strings.HasPrefix(class, "MathJax") {
		return false
	}
	next := n.NextSibling
	for next != nil && next.Type != html.ElementNode {
		next = next.NextSibling
	}
	return class == "MathJax_Preview" || next != nil && texScript(next) != nil
}

// typeset converts a formula in MathML to an element with TeX.
func typeset(math *html.Node, display bool) *html.Node {
	if math == nil {
		return nil
	}
	source := annotation(math)
	if source == "" {
		source = node.Attr(math, "alttext")
	}
	if source == "" {
		source = oneLine(texOf(math))
	}
	return tex(source, display)
}

// annotation returns the TeX from which a formula in MathML was made, if it is annotated.
func annotation(math *html.Node) string {
	a := first(math, func(n *html.Node) bool {
		return n.Data == "annotation" && strings.Contains(strings.ToLower(node.Attr(n, "encoding")), "tex")
	})
	if a == nil || a.FirstChild == nil {
		return ""
	}
	return a.FirstChild.Data
}

// Classes that pandoc gives to a formula within a line of text, and to a formula on a separate
// line.
const inlineMath, displayMath = "math inline", "math display"

// tex makes an element with a formula.
func tex(source string, display bool) *html.Node {
	source = strings.TrimSpace(source)
	if inner, ok := strings.CutPrefix(source, `{\displaystyle`); ok { // Wikipedia writes formulas like this
		source = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
	}
	if source == "" {
		return nil
	}
	e, class, fence := wrap("span"), inlineMath, "$"
	if display {
		class, fence = displayMath, "$$"
	}
	e.Attr = []html.Attribute{{Key: "class", Val: class}}
	e.AppendChild(textNode(fence + source + fence))
	return e
}
