package picture

import (
	"bytes"
	"image"
	"image/draw"
)

// A Difference says where two pictures differ.
type Difference struct {
	Share float64           // share of the pixels that differ, 0 to 1
	Boxes []image.Rectangle // the places that differ, from top to bottom, at most maxBoxes
}

const (
	tolerance = 16 // values of a channel, of 255, that differ by no more are equal: JPEG changes them a little
	cell      = 16 // pixels; changes at a smaller distance from each other count as one place
	maxBoxes  = 20
)

// Compare compares two pictures pixel by pixel, from their top left corners. If only one of them
// has a pixel at a position, that pixel counts as different.
func Compare(a, b image.Image) Difference {
	one, other := canvasOf(a), canvasOf(b)
	both := one.Bounds().Intersect(other.Bounds())
	whole := one.Bounds().Union(other.Bounds())
	g := newGrid(whole)
	for y := range both.Dy() {
		g.compareRow(y, row(one, y, both.Dx()), row(other, y, both.Dx()))
	}
	for _, rest := range []image.Rectangle{ // to the right, and below
		image.Rect(both.Max.X, 0, whole.Max.X, both.Max.Y), image.Rect(0, both.Max.Y, whole.Max.X, whole.Max.Y),
	} {
		g.addAll(rest)
	}
	if whole.Empty() {
		return Difference{}
	}
	return Difference{float64(g.count) / float64(whole.Dx()*whole.Dy()), g.boxes()}
}

// canvasOf returns a picture as RGBA, with its top left corner at 0,0.
func canvasOf(from image.Image) *image.RGBA {
	if rgba, ok := from.(*image.RGBA); ok && rgba.Bounds().Min == (image.Point{}) {
		return rgba
	}
	to := image.NewRGBA(image.Rectangle{Max: from.Bounds().Size()})
	draw.Draw(to, to.Bounds(), from, from.Bounds().Min, draw.Src)
	return to
}

// row returns the bytes of a row of pixels.
func row(of *image.RGBA, y, width int) []byte { return of.Pix[y*of.Stride : y*of.Stride+4*width] }

// A grid collects pixels that differ, in square cells.
type grid struct {
	columns, rows int
	count         int
	cells         []image.Rectangle // for each cell, the smallest box around its pixels
}

func newGrid(of image.Rectangle) *grid {
	g := &grid{columns: (of.Dx() + cell - 1) / cell, rows: (of.Dy() + cell - 1) / cell}
	g.cells = make([]image.Rectangle, g.columns*g.rows)
	return g
}

func (g *grid) compareRow(y int, a, b []byte) {
	if bytes.Equal(a, b) {
		return
	}
	for x := 0; 4*x < len(a); x++ {
		p, q := a[4*x:4*x+4], b[4*x:4*x+4]
		for i := range p {
			if max(p[i], q[i])-min(p[i], q[i]) > tolerance {
				g.add(image.Rect(x, y, x+1, y+1))
				g.count++
				break
			}
		}
	}
}

// addAll adds all pixels of a rectangle.
func (g *grid) addAll(r image.Rectangle) {
	g.count += r.Dx() * r.Dy()
	for y := r.Min.Y / cell * cell; y < r.Max.Y; y += cell {
		for x := r.Min.X / cell * cell; x < r.Max.X; x += cell {
			if part := r.Intersect(image.Rect(x, y, x+cell, y+cell)); !part.Empty() {
				g.add(part)
			}
		}
	}
}

// add adds a rectangle that lies in one cell.
func (g *grid) add(r image.Rectangle) {
	i := r.Min.Y/cell*g.columns + r.Min.X/cell
	g.cells[i] = g.cells[i].Union(r)
}

// boxes returns a box around each group of cells that touch each other. If there are too many
// groups, the last ones share a box.
func (g *grid) boxes() (all []image.Rectangle) {
	for i := range g.cells {
		if g.cells[i].Empty() {
			continue
		}
		box := g.takeGroup(i)
		if len(all) == maxBoxes {
			all[maxBoxes-1] = all[maxBoxes-1].Union(box)
		} else {
			all = append(all, box)
		}
	}
	return all
}

// takeGroup empties a cell and all that are connected to it, and returns the box around their
// pixels.
func (g *grid) takeGroup(start int) (box image.Rectangle) {
	next := []int{start}
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		if g.cells[i].Empty() {
			continue
		}
		box = box.Union(g.cells[i])
		g.cells[i] = image.Rectangle{}
		x, y := i%g.columns, i/g.columns
		for v := max(0, y-1); v <= min(g.rows-1, y+1); v++ {
			for u := max(0, x-1); u <= min(g.columns-1, x+1); u++ {
				next = append(next, v*g.columns+u)
			}
		}
	}
	return box
}
