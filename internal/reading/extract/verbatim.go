package extract

// AsItIs says that a document is plain text, and not a page.
const AsItIs Way = "document"

// Verbatim returns a plain text, such as JSON. All of it is content, in every format.
func Verbatim(text string) *Page {
	text, cut := Truncate(text, maxInput)
	p := &Page{Way: AsItIs, Cut: cut, verbatim: true, content: wrap("div", wrap("pre", textNode(text)))}
	p.Excerpt = shorten(oneLine(shorten(text, 1000)), 300)
	return p
}
