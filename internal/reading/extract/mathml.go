package extract

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// texOf writes MathML as TeX.
func texOf(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return strings.TrimSpace(texSymbols().Replace(strings.TrimSpace(n.Data)))
	case n.Type != html.ElementNode:
		return ""
	}
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom":
		return ""
	case "mtext", "ms":
		return `\text{` + oneLine(node.Text(n)) + "}"
	case "mfenced":
		return texFence(n, "open", "(") + strings.Join(texParts(n), ", ") + texFence(n, "close", ")")
	case "mtable":
		return `\begin{matrix}` + strings.Join(texPlaces(n), ` \\ `) + `\end{matrix}`
	case "mtr":
		return strings.Join(texPlaces(n), " & ")
	case "msqrt":
		return `\sqrt{` + strings.Join(texParts(n), " ") + "}"
	}
	places := texPlaces(n)
	if placed := texLayout(n.Data, places); placed != "" {
		return placed
	}
	return strings.Join(notEmpty(places), " ")
}

// texFence returns what stands at one side of an mfenced element. An empty attribute means nothing.
func texFence(n *html.Node, key, otherwise string) string {
	if !node.Has(n, key) {
		return otherwise
	}
	return texSymbols().Replace(strings.TrimSpace(node.Attr(n, key)))
}

// texLayout returns the TeX for a MathML element that places its parts above or below each other. It
// returns "" if the element with this tag does not, or has another number of parts.
func texLayout(tag string, parts []string) string {
	if len(parts) == 2 {
		switch tag {
		case "mfrac":
			return `\frac{` + parts[0] + "}{" + parts[1] + "}"
		case "mroot":
			return `\sqrt[` + parts[1] + "]{" + parts[0] + "}"
		case "msup":
			return braced(parts[0]) + "^" + braced(parts[1])
		case "msub", "munder":
			return braced(parts[0]) + "_" + braced(parts[1])
		case "mover":
			return `\overset{` + parts[1] + "}{" + parts[0] + "}"
		}
	}
	if len(parts) == 3 && (tag == "msubsup" || tag == "munderover") {
		return braced(parts[0]) + "_" + braced(parts[1]) + "^" + braced(parts[2])
	}
	return ""
}

// braced returns a part of a formula as one group in braces.
func braced(s string) string {
	if utf8.RuneCountInString(s) == 1 {
		return s
	}
	return "{" + s + "}"
}

// texParts returns the children of an element as TeX, without those that are empty.
func texParts(n *html.Node) []string { return notEmpty(texPlaces(n)) }

func notEmpty(parts []string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// texPlaces returns the children of an element as TeX, also empty elements. What a child means depends
// on its place: it is the base or the exponent, or a cell of a column.
func texPlaces(n *html.Node) (parts []string) {
	for c := range n.ChildNodes() {
		if part := texOf(c); part != "" || c.Type == html.ElementNode {
			parts = append(parts, part)
		}
	}
	return parts
}

// texSymbols replaces characters that have another meaning in TeX, and common characters that have
// a name in TeX. All others stay, since TeX reads Unicode. A space ends each name.
var texSymbols = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"{", `\{`, "}", `\}`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "\u2061", "", "\u2062", "", "\u2063", "", "\u2212", "-",
		"∑", `\sum `, "∏", `\prod `, "∫", `\int `, "∞", `\infty `, "∂", `\partial `, "√", `\sqrt `, "±", `\pm `, "×", `\times `, "⋅", `\cdot `,
		"≤", `\le `, "≥", `\ge `, "≠", `\ne `, "≈", `\approx `, "→", `\to `, "∈", `\in `, "α", `\alpha `, "β", `\beta `, "γ", `\gamma `, "δ", `\delta `,
		"ε", `\epsilon `, "θ", `\theta `,
		"λ", `\lambda `, "μ", `\mu `, "π", `\pi `, "σ", `\sigma `, "φ", `\phi `, "ω", `\omega `, "Δ", `\Delta `, "Σ", `\Sigma `)
})
