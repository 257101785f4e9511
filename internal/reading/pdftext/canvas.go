package pdftext

import (
	"math"

	"github.com/ledongthuc/pdf"
)

// A canvas is a page on which text is being drawn.
type canvas struct {
	*reader
	state  state
	saved  []state
	glyphs []glyph
	steps  int  // operators so far
	forms  int  // forms so far
	broken bool // something on the page was not read
}

// Limits of what is drawn on a page.
const (
	maxSteps  = 5_000_000 // limit for operators
	maxGlyphs = 500_000
	maxSaved  = 1000 // limit for saved states
)

// A state is the graphics state, which operators set; q and Q save and restore it.
type state struct {
	page    matrix // transforms coordinates of the text, or of the form, to coordinates of the page
	text    matrix // the text matrix: transforms coordinates relative to the next character
	line    matrix // the text matrix at the beginning of the line
	font    *font
	size    float64
	leading float64
	spacing float64 // space that is added after each character
	words   float64 // space that is added after each space character
	stretch float64 // factor for the width of characters and of the space between them
	rise    float64 // how far characters stand above the line
}

// A matrix is an affine one: x' = a x + c y + e, y' = b x + d y + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// then returns the matrix that does m first, and n after it.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

func shift(x, y float64) matrix { return matrix{a: 1, d: 1, e: x, f: y} }

// errEnough ends the drawing of a page that is too long.
type errEnough struct{}

// run draws a content stream, or several that belong together. What comes before a fault is drawn.
func (c *canvas) run(contents, resources pdf.Value, depth int) {
	if depth == 0 {
		c.state = state{page: identity, text: identity, line: identity, stretch: 1}
	}
	fault := attempt(func() { c.interpret(contents, resources, depth) })
	c.broken = c.broken || fault != nil
}

func (c *canvas) interpret(contents, resources pdf.Value, depth int) {
	stream, whole := content(contents)
	c.broken = c.broken || !whole
	pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
		if c.steps++; c.steps > maxSteps || len(c.glyphs) > maxGlyphs {
			panic(errEnough{})
		}
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		if op == "Do" && len(args) == 1 && depth < maxDepth {
			c.form(resources.Key("XObject").Key(args[0].Name()), resources, depth)
			return
		}
		c.operate(op, operands(args), resources)
	})
}

// form draws a form: a content stream within another.
func (c *canvas) form(form, resources pdf.Value, depth int) {
	if c.forms++; c.forms > maxForms || form.Key("Subtype").Name() != "Form" {
		return
	}
	if own := form.Key("Resources"); !own.IsNull() {
		resources = own
	}
	before, saved := c.state, c.saved
	defer func() { c.state, c.saved = before, saved }()
	c.saved = nil
	if m := form.Key("Matrix"); m.Len() == 6 {
		c.state.page = operands(values(m)).matrix().then(c.state.page)
	}
	c.run(form, resources, depth+1)
}

// values returns the elements of an array.
func values(array pdf.Value) (list []pdf.Value) {
	for i := range array.Len() {
		list = append(list, array.Index(i))
	}
	return list
}

// operands are the operands of an operator. Missing ones are zero.
type operands []pdf.Value

func (o operands) at(i int) pdf.Value {
	if i < len(o) {
		return o[i]
	}
	return pdf.Value{}
}

func (o operands) number(i int) float64 {
	n := o.at(i).Float64()
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return n
}

func (o operands) matrix() matrix {
	return matrix{o.number(0), o.number(1), o.number(2), o.number(3), o.number(4), o.number(5)}
}

// operate carries out an operator, if it concerns text. Other operators draw no text.
func (c *canvas) operate(op string, args operands, resources pdf.Value) {
	s := &c.state
	switch op {
	case "q":
		if len(c.saved) < maxSaved {
			c.saved = append(c.saved, *s)
		}
	case "Q":
		if n := len(c.saved); n > 0 {
			*s, c.saved = c.saved[n-1], c.saved[:n-1]
		}
	case "cm":
		s.page = args.matrix().then(s.page)
	case "BT":
		s.text, s.line = identity, identity
	case "Tf":
		s.font, s.size = c.fontOf(resources.Key("Font").Key(args.at(0).Name())), args.number(1)
	case "Tc":
		s.spacing = args.number(0)
	case "Tw":
		s.words = args.number(0)
	case "Tz":
		s.stretch = args.number(0) / 100
	case "TL":
		s.leading = args.number(0)
	case "Ts":
		s.rise = args.number(0)
	case "Tm":
		s.text = args.matrix()
		s.line = s.text
	case "Td":
		s.newLine(args.number(0), args.number(1))
	case "TD":
		s.leading = -args.number(1)
		s.newLine(args.number(0), args.number(1))
	case "T*":
		s.newLine(0, -s.leading)
	default:
		c.show(op, args)
	}
}

// show carries out an operator that shows text.
func (c *canvas) show(op string, args operands) {
	s := &c.state
	switch op {
	case "Tj":
		c.draw(args.at(0).RawString())
	case "'":
		s.newLine(0, -s.leading)
		c.draw(args.at(0).RawString())
	case "\"":
		s.words, s.spacing = args.number(0), args.number(1)
		s.newLine(0, -s.leading)
		c.draw(args.at(2).RawString())
	case "TJ":
		for _, v := range values(args.at(0)) {
			if v.Kind() == pdf.String {
				c.draw(v.RawString())
				continue
			}
			s.text = shift(-operands{v}.number(0)/1000*s.size*s.stretch, 0).then(s.text)
		}
	}
}

// newLine moves to a position relative to the beginning of the line.
func (s *state) newLine(x, y float64) {
	s.line = shift(x, y).then(s.line)
	s.text = s.line
}

// draw shows a string, character by character.
func (c *canvas) draw(raw string) {
	s := &c.state
	if s.font == nil {
		return
	}
	for len(raw) > 0 && len(c.glyphs) <= maxGlyphs {
		code, text, width := s.font.next(raw)
		isSpace := code == " "
		raw = raw[len(code):]
		if text == unknown {
			c.text.Unknown++
		}
		at := matrix{a: s.size * s.stretch, d: s.size, f: s.rise}.then(s.text).then(s.page)
		c.glyphs = append(c.glyphs, glyph{
			text: text, x: at.e, y: at.f, dx: at.a, dy: at.b, size: math.Hypot(at.c, at.d), width: width * math.Hypot(at.a, at.b),
		})
		advance := width*s.size + s.spacing
		if isSpace {
			advance += s.words
		}
		s.text = shift(advance*s.stretch, 0).then(s.text)
	}
}
