package page

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"

	"chela/internal/engine/frame"
)

// A Box is where an element is, in CSS pixels of the tab's viewport.
type Box struct {
	Ref  string
	Role string
	Name string
	Area
}

// Compare orders boxes as they are read: from top to bottom, then from left to right.
func (b Box) Compare(other Box) int {
	return cmp.Or(cmp.Compare(b.Y, other.Y), cmp.Compare(b.X, other.X))
}

// An Area is a part of the page, in CSS pixels from the top left of the viewport. In a page that is
// scrolled, what is above has negative coordinates.
type Area struct{ X, Y, Width, Height float64 }

// Meets reports whether two areas have a part in common.
func (a Area) Meets(b Area) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// errFrameGone says that a frame, or one around it, was removed or has crashed.
var errFrameGone = errors.New("the frame has gone")

// Boxes returns where the elements of refs are, in no particular order. Elements without a box are
// left out. So are elements in frames that were removed, that navigate meanwhile, or that do not
// answer in half of the time that is left. A failure in the main frame is an error: ErrBusy, or why
// the turn ended.
func (p *Page) Boxes(ctx context.Context, refs []string) ([]Box, error) {
	byFrame := p.numbersByFrame(refs)
	var inMain []Box
	var err error
	var inOthers boxList
	var reading sync.WaitGroup
	for f, numbers := range byFrame {
		reading.Go(func() {
			if f == p.main() {
				inMain, err = p.boxes(ctx, f, numbers)
				return
			}
			limited, cancel := context.WithTimeout(ctx, remaining(ctx)/2)
			defer cancel()
			if found, err := p.boxes(limited, f, numbers); err == nil {
				inOthers.add(found)
			}
		})
	}
	reading.Wait()
	return append(inMain, inOthers.boxes...), err
}

// numbersByFrame returns the numbers of refs by their frames. It leaves out the refs of frames that
// were removed.
func (p *Page) numbersByFrame(refs []string) map[*frame.Frame][]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	numbers := map[*frame.Frame][]int{}
	for _, ref := range refs {
		if r, ok := ParseRef(ref); ok && !r.AX {
			if f := p.frames.ByNumber(r.Frame); f != nil && p.frames.Has(f) {
				numbers[f] = append(numbers[f], r.Number)
			}
		}
	}
	return numbers
}

// A boxList gathers the boxes of frames that are read at the same time.
type boxList struct {
	mu    sync.Mutex // guards the rest
	boxes []Box
}

func (l *boxList) add(boxes []Box) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.boxes = append(l.boxes, boxes...)
}

// boxes is Boxes for the elements of a frame, by their ref numbers.
func (p *Page) boxes(ctx context.Context, f *frame.Frame, numbers []int) ([]Box, error) {
	out, err := p.mappingToTab(ctx, f)
	if err != nil {
		return nil, err
	}
	w, err := p.worldOf(ctx, f)
	if err != nil {
		return nil, err
	}
	found, err := frame.Call[[]struct {
		N                   int `json:"n"`
		X, Y, Width, Height float64
		Role, Name          string
	}](ctx, w, "boxes", numbers)
	boxes := make([]Box, len(found))
	for i, b := range found {
		boxes[i] = Box{p.refIn(f, b.N).String(), b.Role, b.Name, out.area(Area{b.X, b.Y, b.Width, b.Height})}
	}
	return boxes, err
}

// mappingToTab returns how points of a frame's viewport are mapped to the tab's viewport. The
// position, the borders and the transforms of each iframe element around the frame decide it.
func (p *Page) mappingToTab(ctx context.Context, f *frame.Frame) (mapping, error) {
	all := mapping{A: 1, D: 1}
	for ; f.Parent != nil; f = f.Parent {
		if p.hasLost(f) {
			return all, errFrameGone
		}
		owner, err := p.owner(ctx, f)
		if err != nil {
			return all, err
		}
		w, err := p.worldOf(ctx, f.Parent)
		if err != nil {
			return all, err
		}
		out, err := frame.Call[struct {
			report
			mapping
		}](ctx, w, "mapping", owner)
		if err != nil {
			return all, err
		}
		if out.Missing != "" {
			return all, errFrameGone
		}
		all = out.mapping.after(all)
	}
	return all, nil
}

// hasLost reports whether a frame has left the page or crashed.
func (p *Page) hasLost(f *frame.Frame) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.frames.Has(f) || f.Crashed
}

// A mapping turns, scales and moves points, as a two-dimensional DOMMatrix does with the same
// members: x' = Ax+Cy+E, y' = Bx+Dy+F.
type mapping struct{ A, B, C, D, E, F float64 }

func (m mapping) point(x, y float64) (float64, float64) {
	return m.A*x + m.C*y + m.E, m.B*x + m.D*y + m.F
}

// after returns the mapping that does what two mappings do, one after the other: that of the
// parameter, and then m.
func (m mapping) after(first mapping) mapping {
	a, b := m.A*first.A+m.C*first.B, m.B*first.A+m.D*first.B
	c, d := m.A*first.C+m.C*first.D, m.B*first.C+m.D*first.D
	e, f := m.point(first.E, first.F)
	return mapping{a, b, c, d, e, f}
}

// area maps an area, and returns the smallest upright rectangle around the result.
func (m mapping) area(a Area) Area {
	left, top := math.Inf(1), math.Inf(1)
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, corner := range []struct{ x, y float64 }{{a.X, a.Y}, {a.X + a.Width, a.Y}, {a.X, a.Y + a.Height}, {a.X + a.Width, a.Y + a.Height}} {
		x, y := m.point(corner.x, corner.y)
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	return Area{left, top, right - left, bottom - top}
}

// Area returns where the element is in the tab's viewport, after scrolling to it.
func (e *Element) Area(ctx context.Context) (Area, error) {
	if err := e.ScrollIntoView(ctx); err != nil {
		return Area{}, err
	}
	return e.areaNow(ctx)
}

// areaNow returns where the element is in the tab's viewport.
func (e *Element) areaNow(ctx context.Context) (Area, error) {
	b, err := ask[struct {
		report
		Width, Height float64
	}](ctx, e, "box")
	if err != nil {
		return Area{}, err
	}
	if b.Missing != "" {
		return Area{}, e.failure(b.report)
	}
	out, err := e.page.mappingToTab(ctx, e.frame)
	if errors.Is(err, errFrameGone) {
		return Area{}, e.stale()
	}
	return out.area(Area{b.X, b.Y, b.Width, b.Height}), err
}
