package api

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// A mark is a box to be drawn on a picture, in pixels of the picture.
type mark struct {
	box
	word string // a ref to be written at the box; "": none
}

// A box is in pixels of the picture, which are not CSS pixels on HiDPI screens.
type box struct {
	X      float64 `json:"x" doc:"pixels from the left"`
	Y      float64 `json:"y" doc:"pixels from the top"`
	Width  float64 `json:"width" doc:"width in pixels"`
	Height float64 `json:"height" doc:"height in pixels"`
}

// markColor is the color that OpenClaw uses. It stands out from most pages, light and dark.
var markColor = color.RGBA{0xff, 0xb0, 0x20, 0xff}

// drawMarks draws boxes on an encoded picture, PNG or JPEG, and encodes it again in the same
// format. The boxes are not drawn in the page. Its scripts would see the added elements, and these
// could change what is visible. It returns the errors of decoding and encoding.
func drawMarks(data []byte, isJPEG bool, marks []mark) ([]byte, error) {
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	canvas := image.NewRGBA(decoded.Bounds())
	draw.Draw(canvas, canvas.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	for _, m := range marks {
		frame(canvas, image.Rect(int(m.X), int(m.Y), int(m.X+m.Width), int(m.Y+m.Height)))
	}
	for _, m := range marks { // words are drawn after all boxes, so that no box covers a word
		if m.word == "" {
			continue
		}
		write(canvas, image.Pt(int(m.X), int(m.Y)), m.word)
	}
	var out bytes.Buffer
	if isJPEG {
		err = jpeg.Encode(&out, canvas, &jpeg.Options{Quality: 85})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, canvas)
	}
	return out.Bytes(), err
}

// frame draws the outline of a rectangle, two pixels wide. The lines lie within the box. What
// is outside of the picture is not drawn.
func frame(canvas *image.RGBA, r image.Rectangle) {
	const width = 2
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+width)},
		{image.Pt(r.Min.X, r.Max.Y-width), r.Max},
		{r.Min, image.Pt(r.Min.X+width, r.Max.Y)},
		{image.Pt(r.Max.X-width, r.Min.Y), r.Max},
	} {
		draw.Draw(canvas, side, image.NewUniform(markColor), image.Point{}, draw.Src)
	}
}

// write draws a word on a filled rectangle at the top left corner of its box, within the picture.
// The font has a fixed width and only ASCII, which is enough for a ref.
func write(canvas *image.RGBA, at image.Point, word string) {
	face := basicfont.Face7x13
	size := image.Pt(len(word)*face.Advance+4, face.Height+2)
	at.X = max(0, min(at.X, canvas.Bounds().Max.X-size.X))
	at.Y = max(0, min(at.Y-size.Y, canvas.Bounds().Max.Y-size.Y))
	draw.Draw(canvas, image.Rectangle{at, at.Add(size)}, image.NewUniform(markColor), image.Point{}, draw.Src)
	d := font.Drawer{Dst: canvas, Src: image.Black, Face: face, Dot: fixed.P(at.X+2, at.Y+face.Ascent+1)}
	d.DrawString(word)
}
