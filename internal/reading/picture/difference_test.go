package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"testing"
)

// sheet returns a white picture with black rectangles.
func sheet(width, height int, black ...image.Rectangle) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	for _, r := range black {
		draw.Draw(m, r, image.Black, image.Point{}, draw.Src)
	}
	return m
}

func TestCompare(t *testing.T) {
	r := image.Rect
	faint := sheet(100, 100).(*image.NRGBA)
	faint.Set(5, 5, color.NRGBA{245, 245, 245, 255})
	for _, c := range []struct {
		name  string
		a, b  image.Image
		share float64
		boxes []image.Rectangle
	}{
		{"the same", sheet(100, 100), sheet(100, 100), 0, nil},
		{"less than JPEG changes", sheet(100, 100), faint, 0, nil},
		{"two places", sheet(100, 100), sheet(100, 100, r(10, 10, 20, 20), r(70, 80, 80, 90)), .02, []image.Rectangle{r(10, 10, 20, 20), r(70, 80, 80, 90)}},
		{"one place over many cells", sheet(100, 100, r(0, 40, 100, 45)), sheet(100, 100), .05, []image.Rectangle{r(0, 40, 100, 45)}},
		{"what moved", sheet(100, 100, r(0, 0, 10, 10)), sheet(100, 100, r(60, 0, 70, 10)), .02, []image.Rectangle{r(0, 0, 10, 10), r(60, 0, 70, 10)}},
		{"a larger one", sheet(100, 100), sheet(120, 100), 1.0 / 6, []image.Rectangle{r(100, 0, 120, 100)}},
		{"a longer one", sheet(100, 150), sheet(100, 100), 1.0 / 3, []image.Rectangle{r(0, 100, 100, 150)}},
		{"nothing", sheet(0, 0), sheet(0, 0), 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(c.a, c.b)
			if math.Abs(got.Share-c.share) > 1e-9 || !slices.Equal(got.Boxes, c.boxes) {
				t.Errorf("got %v, want %v in %v", got, c.share, c.boxes)
			}
		})
	}
}

// However many places there are, the list stays short and covers them all.
func TestManyPlaces(t *testing.T) {
	var dots []image.Rectangle
	for y := 0; y < 1000; y += 50 {
		for x := 0; x < 1000; x += 50 {
			dots = append(dots, image.Rect(x, y, x+2, y+2))
		}
	}
	got := Compare(sheet(1000, 1000), sheet(1000, 1000, dots...))
	if len(got.Boxes) != maxBoxes {
		t.Errorf("%d boxes", len(got.Boxes))
	}
	for _, dot := range dots {
		if !slices.ContainsFunc(got.Boxes, func(box image.Rectangle) bool { return dot.In(box) }) {
			t.Errorf("%v is in no box", dot)
		}
	}
}
