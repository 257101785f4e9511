package pdftext

import (
	"math"
	"strings"
)

// A glyph is a character on a page. Lengths are in points, 1/72 of an inch.
type glyph struct {
	text   string  // "": the character shows no letter
	x, y   float64 // where the character begins on the line
	dx, dy float64 // direction of the line that the character is in
	size   float64 // height of the font
	width  float64 // along the line
}

// Gaps that mean a space or a new line, as fractions of the font size.
const (
	spaceGap     = 0.16 // between two characters: a space
	lineGap      = 0.5  // across the line: another line
	paragraphGap = 1.75 // across the line: another paragraph
	backGap      = 0.8  // back to the left: another line or column
	samePlace    = 0.1  // the same character drawn twice, to make it look bold
)

// layout returns the text of the page, in the order in which it was drawn. Almost all programs that
// make PDFs draw in the order of reading, even if there are columns. Spaces and line breaks are not
// in the document. They follow from the places of the characters.
func (c *canvas) layout() string {
	var b strings.Builder
	var last glyph
	for _, g := range c.glyphs {
		separator := last.separator(g)
		if separator == again {
			continue
		}
		if b.Len() > 0 && (strings.TrimSpace(g.text) != "" || separator != " ") {
			b.WriteString(separator)
		}
		b.WriteString(g.text)
		last = g
	}
	return tidy(b.String())
}

// again stands for a character that was drawn twice.
const again = "again"

// separator returns what separates two characters: nothing, a space or a line break.
func (g glyph) separator(next glyph) string {
	length := math.Hypot(g.dx, g.dy)
	size := max(g.size, next.size)
	if length == 0 || size == 0 {
		return ""
	}
	ux, uy := g.dx/length, g.dy/length
	along := (next.x-g.x)*ux + (next.y-g.y)*uy
	across := math.Abs((next.y-g.y)*ux - (next.x-g.x)*uy)
	turned := math.Abs(ux*next.dy-uy*next.dx) > 0.1*math.Hypot(next.dx, next.dy)
	gap := along - g.width
	switch {
	case next.text == g.text && across < samePlace*size && math.Abs(along) < samePlace*size:
		return again
	case turned, across > paragraphGap*size:
		return "\n\n"
	case across > lineGap*size, gap < -backGap*size-g.width:
		return "\n"
	case gap > spaceGap*size && strings.TrimSpace(g.text) != "":
		return " "
	}
	return ""
}

// tidy removes spaces at the ends of lines. Of several empty lines it keeps one.
func tidy(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		line = oneLine(line)
		if line != "" || len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
