package extract

import (
	"golang.org/x/net/html"

	"chela/internal/reading/node"
)

// Table is a table of data on a page. A cell that spans several rows or columns is repeated in each
// of them.
type Table struct {
	Caption string     `json:"caption,omitempty"`
	Header  []string   `json:"header,omitempty"`
	Rows    [][]string `json:"rows"`
	Cut     bool       `json:"cut,omitempty"` // there are more rows or columns
}

const (
	maxTables  = 100
	maxRows    = 1000
	maxColumns = 100
	maxCells   = 20_000 // limit for all tables together
)

// tables returns those tables of a page that have data in at least two rows and two columns. Tables
// that are only used for layout do not count. It reports whether there are more.
func tables(doc *html.Node) (found []Table, more bool) {
	cells := maxCells
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "table" || isLayout(n) {
			continue
		}
		full := cells <= 0 || len(found) == maxTables
		g := grid{left: &cells}
		if full {
			g.left = new(maxColumns + 1) // two rows show whether the table counts
		}
		g.read(n)
		if t := g.table(); len(t.Rows) > 0 && len(t.Rows[0]) > 1 && (len(t.Rows) > 1 || t.Header != nil) {
			if full {
				return found, true
			}
			if caption := child(n, "caption"); caption != nil {
				t.Caption = cellText(caption)
			}
			found = append(found, t)
		}
	}
	return found, false
}

// isLayout reports whether a table places other elements.
func isLayout(table *html.Node) bool {
	switch node.Attr(table, "role") {
	case "presentation", "none":
		return true
	}
	return first(table, tagged("table")) != nil || first(table, tagged("form")) != nil
}

// grid is the cells of a table by row and column.
type grid struct {
	rows   [][]string
	filled []map[int]string // cells of the following rows that a rowspan above fills
	header bool             // the first row has headings
	cut    bool
	left   *int // how many more cells all tables together may have
}

// read reads the rows of a table, directly in it or in its sections.
func (g *grid) read(n *html.Node) {
	for c := range n.ChildNodes() {
		switch c.Data {
		case "thead", "tbody", "tfoot":
			g.read(c)
		case "tr":
			g.readRow(c)
		}
	}
}

func (g *grid) readRow(tr *html.Node) {
	if len(g.rows) == maxRows || *g.left <= 0 {
		g.cut = true
		return
	}
	row, headings := []string{}, tr.FirstChild != nil
	fill := g.next()
	for c := range tr.ChildNodes() {
		if c.Data != "td" && c.Data != "th" {
			continue
		}
		headings = headings && c.Data == "th"
		row = g.place(row, fill, c)
	}
	row = withFilled(row, fill)
	if len(row) == 0 {
		return
	}
	if len(g.rows) == 0 {
		g.header = headings
	}
	g.rows = append(g.rows, row)
	*g.left -= len(row)
}

// next returns the cells of the next row that a rowspan above has filled.
func (g *grid) next() map[int]string {
	if len(g.filled) == 0 {
		return nil
	}
	row := g.filled[0]
	g.filled = g.filled[1:]
	return row
}

// place puts a cell into a row, and into the rows below that its rowspan fills.
func (g *grid) place(row []string, fill map[int]string, cell *html.Node) []string {
	row = withFilled(row, fill)
	text := cellText(cell)
	for range span(cell, "colspan") {
		if len(row) == maxColumns {
			g.cut = true
			break
		}
		g.fillBelow(len(row), span(cell, "rowspan")-1, text)
		row = append(row, text)
	}
	return row
}

func (g *grid) fillBelow(column, rows int, text string) {
	for i := range rows {
		if i == len(g.filled) {
			g.filled = append(g.filled, map[int]string{})
		}
		g.filled[i][column] = text
	}
}

// withFilled appends to a row the next cells that a rowspan above has filled.
func withFilled(row []string, fill map[int]string) []string {
	for {
		text, ok := fill[len(row)]
		if !ok {
			return row
		}
		row = append(row, text)
	}
}

// table returns the table, with rows of the same length.
func (g *grid) table() Table {
	t := Table{Rows: g.rows, Cut: g.cut}
	width := 0
	for _, row := range g.rows {
		width = max(width, len(row))
	}
	for i, row := range g.rows {
		g.rows[i] = append(row, make([]string, width-len(row))...)
	}
	if g.header && len(g.rows) > 1 {
		t.Header, t.Rows = g.rows[0], g.rows[1:]
	}
	return t
}

func cellText(n *html.Node) string {
	return shorten(oneLine(seenText(n)), 1000)
}
