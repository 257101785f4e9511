package extract

// AsItIs says that a document is plain text, and not a page.
const AsItIs Way = "document"

// Verbatim returns a plain text, such as JSON. All of it is content, in every format.
func Verbatim(text string) *Page {
	text, cut := Truncate(text, maxInput)
	beginning, _ := Truncate(text, 1000)
	p := &Page{Way: AsItIs, Cut: cut, verbatim: true, content: wrap("div", wrap("pre", textNode(text)))}
	p.Excerpt, _ = Truncate(oneLine(beginning), 300)
	return p
}
