package extract

// AsItIs says that the document is no page, but a text.
const AsItIs Way = "document"

// Verbatim is a document that is a text, such as JSON: all of it is content, as it is in any
// format.
func Verbatim(text string) *Page {
	text, cut := Truncate(text, maxInput)
	beginning, _ := Truncate(text, 1000)
	p := &Page{Way: AsItIs, Cut: cut, verbatim: true, content: wrap("div", wrap("pre", textNode(text)))}
	p.Excerpt, _ = Truncate(oneLine(beginning), 300)
	return p
}
